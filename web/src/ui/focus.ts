/**
 * Where the focus goes when what has it is taken away: to what it stood in, not to the top of the page,
 * so that whoever goes by keys goes on from there.
 */
export function keepFocus(root: HTMLElement): () => void {
  let around: HTMLElement[] = [];
  const remember = (event: FocusEvent): void => {
    around = [];
    for (let at = event.target as HTMLElement | null; at !== null && at !== root; at = at.parentElement)
      around.push(at);
  };
  const watch = new MutationObserver(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (!lost || around[0] === undefined || around[0].isConnected) return;
    const place = around.find((each) => each.isConnected);
    around = [];
    if (place === undefined) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  root.addEventListener("focusin", remember);
  watch.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener("focusin", remember);
    watch.disconnect();
  };
}
