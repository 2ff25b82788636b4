/** Terms such as `lay(armor(2),target(creature),end_of_turn)`: read into a tree, written again. */

export interface Term {
  name: string;
  args: Term[];
}

/** The tree of a term; throws a SyntaxError that says where it is none. */
export function parseTerm(text: string): Term {
  let at = 0;
  const space = () => {
    while (text[at] === " ") at += 1;
  };
  const fail = (): never => {
    throw new SyntaxError(`not a term: ${text} (column ${at + 1})`);
  };
  const term = (): Term => {
    space();
    const name = /^(-?\d+|[a-z][a-z0-9_]*)/.exec(text.slice(at))?.[0] ?? fail();
    at += name.length;
    space();
    const args: Term[] = [];
    if (text[at] === "(") {
      do {
        at += 1;
        args.push(term());
        space();
      } while (text[at] === ",");
      if (text[at] !== ")") fail();
      at += 1;
    }
    return { name, args };
  };
  const out = term();
  space();
  if (at !== text.length) fail();
  return out;
}

/** The tree of a term, or null where the text is none. */
export function readTerm(text: string): Term | null {
  try {
    return parseTerm(text);
  } catch {
    return null;
  }
}

export const writeTerm = (term: Term): string =>
  term.args.length === 0 ? term.name : `${term.name}(${term.args.map(writeTerm).join(",")})`;

/** The verb and the arguments of an action: `attack(ork,gabriel)`. */
export interface Action {
  verb: string;
  args: string[];
}

export function parseAction(text: string): Action {
  const match = /^\s*([a-z_]+)\s*(?:\(([^()]*)\))?\s*$/.exec(text);
  if (match === null) return { verb: text.trim(), args: [] };
  const args = match[2]?.split(",").map((part) => part.trim()) ?? [];
  return { verb: match[1] as string, args: args.filter((part) => part !== "") };
}

/** The cards that an action is aimed at: for a defender the card that steps in is its agent. */
export function targetsOf(action: Action): string[] {
  if (action.verb === "move") return [];
  return action.args.slice(action.verb === "use" ? 2 : 1);
}
