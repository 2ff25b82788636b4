/** Who is aimed at whom: an arrow for the announced attack, one for the action that is asked about. */

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { asked, doc, lang, shelf, tab } from "../store/desk";
import { parseAction, targetsOf } from "../terms";

interface Arrow {
  kind: "pending" | "asked";
  path: string;
}

const arrows = signal<readonly Arrow[]>([]);
/** Counts how often the table has got another size: cards lie elsewhere then. */
const sizes = signal(0);

/** From whom to whom: the attack that is announced, and the action that is asked about. */
function aimsNow(): [Arrow["kind"], string, string][] {
  const { pending } = doc.value;
  const out: [Arrow["kind"], string, string][] = [];
  if (pending) out.push(["pending", pending.attacker, pending.defender ?? pending.target]);
  if (asked.value !== null) {
    const action = parseAction(asked.value);
    const [agent] = action.args;
    const chain =
      action.verb === "defend" && pending
        ? [pending.attacker, agent as string]
        : [agent, ...targetsOf(action)];
    for (const target of chain.slice(1))
      if (chain[0] !== undefined && target !== undefined) out.push(["asked", chain[0], target]);
  }
  return out;
}

/** A curve from the rim of one card to the rim of the other, in the coordinates of the table. */
function curve(table: HTMLElement, from: string, to: string): string | null {
  // the slot holds the marks below a card too: the arrow stops short of them
  const [one, other] = [from, to].map((id) =>
    table.querySelector(`[data-card="${CSS.escape(id)}"]`)?.getBoundingClientRect(),
  );
  if (one === undefined || other === undefined || from === to || one.width === 0 || other.width === 0)
    return null;
  const frame = table.getBoundingClientRect();
  const place = (box: DOMRect, towards: DOMRect): [number, number] => {
    const x = box.left + box.width / 2 - frame.left + table.scrollLeft;
    const below = towards.top > box.bottom;
    const above = towards.bottom < box.top;
    const y = (below ? box.bottom + 4 : above ? box.top - 4 : box.top + 10) - frame.top + table.scrollTop;
    return [x, y];
  };
  const [x1, y1] = place(one, other);
  const [x2, y2] = place(other, one);
  const bend = Math.abs(y2 - y1) < 40 ? -60 : (y2 - y1) / 2;
  return `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - (bend === -60 ? -bend : bend)} ${x2} ${y2}`;
}

export function Arrows() {
  const svg = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const table = svg.current?.parentElement;
    if (!table) return undefined;
    const watch = new ResizeObserver(() => {
      sizes.value += 1;
    });
    watch.observe(table);
    for (const part of table.children) if (part !== svg.current) watch.observe(part);
    return () => watch.disconnect();
  }, [doc.value.edition]);
  useLayoutEffect(() => {
    const table = svg.current?.parentElement;
    if (!table || !svg.current) return;
    arrows.value = aimsNow().flatMap(([kind, from, to]) => {
      const path = curve(table, from, to);
      return path === null ? [] : [{ kind, path }];
    });
    // the drawing is as large as what it lies on, and adds nothing to it
    svg.current.style.height = "0";
    svg.current.style.height = `${table.scrollHeight}px`;
  }, [doc.value, asked.value, tab.value, lang.value, shelf.value, sizes.value]);
  return (
    <svg class="arrows" ref={svg} aria-hidden="true" focusable="false">
      <defs>
        {(["pending", "asked"] as const).map((kind) => (
          <marker
            key={kind}
            id={`head-${kind}`}
            class={`head ${kind}`}
            viewBox="0 0 10 10"
            refX="7"
            refY="5"
            markerWidth="6"
            markerHeight="6"
            orient="auto-start-reverse"
          >
            <path d="M0 0 10 5 0 10z" />
          </marker>
        ))}
      </defs>
      {arrows.value.map(({ kind, path }, at) => (
        <path key={at} class={kind} d={path} marker-end={`url(#head-${kind})`} />
      ))}
    </svg>
  );
}
