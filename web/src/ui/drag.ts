/**
 * Dragging by mouse, pen or finger: pointer events, because HTML's own dragging knows no fingers.
 * Whatever can be dragged can also be put by the keyboard or a tap: tab "Card".
 */

import { addCard, moveCard, type Place } from "../store/edits";
import { catalogue, choose, consider, doc, edit, narrow, pane, tab, table } from "../store/desk";
import { opponent } from "../model";
import { hideTip } from "./Tip";

type Load = { card: string } | { kind: string };

const FAR = 6; // pixels: what moves less is a press
const REST = 350; // milliseconds that a finger rests before it drags; a swipe scrolls
const RIM = 56; // pixels from the edge of the table within which it scrolls by itself
const PACE = 9; // pixels that it scrolls in a frame

interface Grip {
  load: Load;
  element: HTMLElement;
  pointer: number;
  finger: boolean;
  at: { x: number; y: number };
  /** What follows the pointer; null: it has not moved yet. */
  ghost: HTMLElement | null;
  /** From the pointer to the corner of the ghost. */
  corner: { x: number; y: number };
  over: Element | null;
  rest: ReturnType<typeof setTimeout> | undefined;
  frame: number;
}

let grip: Grip | null = null;

function grab(load: Load) {
  return {
    onPointerDown: (event: PointerEvent) => {
      hideTip();
      if (grip !== null || !event.isPrimary || event.button !== 0) return;
      const { clientX: x, clientY: y } = event;
      const element = event.currentTarget as HTMLElement;
      const box = element.getBoundingClientRect();
      const finger = event.pointerType === "touch";
      grip = {
        load,
        element,
        pointer: event.pointerId,
        finger,
        at: { x, y },
        ghost: null,
        // a closed card lies turned; what is dragged stands upright, held at the same part of it
        corner: {
          x: ((box.left - x) / box.width) * element.offsetWidth,
          y: ((box.top - y) / box.height) * element.offsetHeight,
        },
        over: null,
        rest: finger ? setTimeout(lift, REST) : undefined,
        frame: 0,
      };
      for (const [name, hear] of HEARD) document.addEventListener(name, hear as EventListener, true);
    },
    // a finger that drags does not scroll; on the element, since browsers listen there in time
    onTouchMove: (event: TouchEvent) => {
      if (grip?.ghost && event.cancelable) event.preventDefault();
    },
    onContextMenu: (event: Event) => {
      if (grip?.finger) event.preventDefault(); // what a resting finger asks for elsewhere
    },
  };
}

const HEARD: readonly [string, (event: never) => void][] = [
  ["pointermove", move],
  ["pointerup", release],
  ["pointercancel", (event: PointerEvent) => event.pointerId === grip?.pointer && letGo()],
  ["keydown", escape],
];

function move(event: PointerEvent): void {
  if (grip === null || event.pointerId !== grip.pointer) return;
  const far = Math.hypot(event.clientX - grip.at.x, event.clientY - grip.at.y) > FAR;
  if (grip.ghost === null) {
    if (!far) return;
    if (grip.finger) {
      letGo(); // it moved before it rested: a swipe
      return;
    }
    lift();
  }
  event.preventDefault();
  grip.at = { x: event.clientX, y: event.clientY };
  follow();
}

/** The thing leaves its place: from here on it is dragged. */
function lift(): void {
  if (grip === null) return;
  const { element } = grip;
  const ghost = element.cloneNode(true) as HTMLElement;
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("tabindex");
  ghost.removeAttribute("data-onto");
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { width: `${element.offsetWidth}px`, height: `${element.offsetHeight}px` });
  document.body.append(ghost);
  grip.ghost = ghost;
  document.documentElement.dataset["dragging"] = "card" in grip.load ? "card" : "kind";
  if (grip.finger) navigator.vibrate?.(12);
  // a phone shows one pane at a time, and things are laid on the table
  if (narrow.value) pane.value = "table";
  follow();
  grip.frame = requestAnimationFrame(scroll);
}

/** The ghost goes where the pointer is, and the place under it is marked. */
function follow(): void {
  if (!grip?.ghost) return;
  const { ghost, at, corner } = grip;
  ghost.style.transform = `translate(${at.x + corner.x}px, ${at.y + corner.y}px)`;
  const over = document.elementFromPoint(at.x, at.y)?.closest("[data-place]") ?? null;
  if (over === grip.over) return;
  grip.over?.classList.remove("over");
  over?.classList.add("over");
  grip.over = over;
}

/** Near its edges the table scrolls, so that what is out of sight can be reached. */
function scroll(): void {
  if (!grip?.ghost) return;
  const area = document.getElementById("table");
  if (area !== null) {
    const { top, bottom } = area.getBoundingClientRect();
    const { y } = grip.at;
    if (y < top + RIM) area.scrollTop -= PACE;
    else if (y > bottom - RIM) area.scrollTop += PACE;
    follow();
  }
  grip.frame = requestAnimationFrame(scroll);
}

function release(event: PointerEvent): void {
  if (grip === null || event.pointerId !== grip.pointer) return;
  const { ghost, load, at } = grip;
  letGo();
  if (ghost === null) return;
  // the same pointer presses nothing where it is lifted
  const stop = (click: Event) => {
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", stop, true), 0);
  const under = document.elementFromPoint(at.x, at.y);
  const onto = under?.closest<HTMLElement>("[data-onto]")?.dataset["onto"];
  if ("card" in load && onto !== undefined && dropOnCard(load.card, onto)) return;
  const place = under?.closest<HTMLElement>("[data-place]")?.dataset["place"];
  if (place !== undefined) dropAt(load, JSON.parse(place) as Place);
}

function escape(event: KeyboardEvent): void {
  if (event.key !== "Escape" || !grip?.ghost) return;
  event.stopPropagation();
  letGo();
}

function letGo(): void {
  if (grip === null) return;
  clearTimeout(grip.rest);
  cancelAnimationFrame(grip.frame);
  grip.ghost?.remove();
  grip.over?.classList.remove("over");
  delete document.documentElement.dataset["dragging"];
  for (const [name, hear] of HEARD) document.removeEventListener(name, hear as EventListener, true);
  grip = null;
}

/** On an enemy: asks what comes of an attack. On a card of the same side and zone: is laid before it. */
function dropOnCard(moved: string, id: string): boolean {
  const [one, other] = [moved, id].map((each) => table.value.find((item) => item.id === each));
  if (one === undefined || other === undefined) return false;
  if (moved === id) return true; // it stays where it lies
  if (
    one.zone === "play" &&
    other.zone === "play" &&
    other.controller === opponent(doc.value, one.controller)
  ) {
    choose(moved);
    consider(`${doc.value.edition === "classic" ? "strike" : "attack"}(${moved},${id})`);
    return true;
  }
  const player = other.zone === "play" ? other.controller : other.owner;
  edit(moveCard(doc.value, moved, { player, zone: other.zone, before: id }), "did_move");
  return true;
}

function dropAt(load: Load, place: Place): void {
  if ("card" in load) {
    edit(moveCard(doc.value, load.card, place), "did_move");
    return;
  }
  const kind = catalogue.value.get(load.kind);
  if (kind === undefined) return;
  const added = addCard(doc.value, kind, place);
  edit(added.doc, "did_add");
  choose(added.id);
  tab.value = "card";
}

/** A card of the table: it may be dragged to a place, and cards may be dropped on it. */
export const drag = (id: string) => ({ ...grab({ card: id }), "data-onto": id });

export const dragKind = (kind: string) => grab({ kind });

/** A place on the table where cards and kinds may be dropped. */
export const drop = (place: Place) => ({ "data-place": JSON.stringify(place) });
