/** Dragging with a mouse. Whatever can be dragged can also be put by the keyboard or a tap: tab "Card". */

import { addCard, moveCard, type Place } from "../store/edits";
import { catalogue, choose, consider, doc, edit, table, tab } from "../store/desk";
import { opponent } from "../model";

const CARD = "application/x-pyengine-card";
const KIND = "application/x-pyengine-kind";

type Handlers = Record<string, (event: DragEvent) => void>;

function from(type: string, value: string): Handlers {
  return {
    onDragStart: (event) => {
      event.dataTransfer?.setData(type, value);
      if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
      document.documentElement.dataset["dragging"] = type === CARD ? "card" : "kind";
    },
    onDragEnd: () => {
      delete document.documentElement.dataset["dragging"];
    },
  };
}

/** A card of the table: it may be dragged to a place, and cards may be dropped on it. */
export function drag(id: string): Handlers {
  return {
    ...from(CARD, id),
    onDragOver: (event) => {
      if (event.dataTransfer?.types.includes(CARD)) event.preventDefault();
    },
    onDrop: (event) => {
      const moved = event.dataTransfer?.getData(CARD);
      if (moved && dropOnCard(moved, id)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
  };
}

/** On an enemy: asks what comes of an attack. On a card of the same side and zone: is laid before it. */
function dropOnCard(moved: string, id: string): boolean {
  const [one, other] = [moved, id].map((each) => table.value.find((item) => item.id === each));
  if (one === undefined || other === undefined || moved === id) return false;
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

export const dragKind = (kind: string): Handlers => from(KIND, kind);

/** A place on the table where cards and kinds may be dropped. */
export function drop(place: Place): Handlers {
  const over = (event: DragEvent, on: boolean) => {
    (event.currentTarget as HTMLElement).classList.toggle("over", on);
  };
  return {
    onDragOver: (event) => {
      event.preventDefault();
      over(event, true);
    },
    onDragLeave: (event) => over(event, false),
    onDrop: (event) => {
      event.preventDefault();
      over(event, false);
      const card = event.dataTransfer?.getData(CARD);
      const kind = catalogue.value.get(event.dataTransfer?.getData(KIND) ?? "");
      if (card) edit(moveCard(doc.value, card, place), "did_move");
      else if (kind !== undefined) {
        const added = addCard(doc.value, kind, place);
        edit(added.doc, "did_add");
        choose(added.id);
        tab.value = "card";
      }
    },
  };
}
