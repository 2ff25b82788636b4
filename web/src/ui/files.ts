/** Hands a text to the reader as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(
    new Blob([text], { type: name.endsWith(".json") ? "application/json" : "text/yaml" }),
  );
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
