/** What is said of a thing while it is pointed at or in focus; the panel of the judge says all of it. */

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t, word } from "../i18n";
import { catalogue, doc, lang, rules, table, vocabulary } from "../store/desk";
import { type Part, partsOf } from "../store/forms";
import { readTerm, type Term } from "../terms";
import { effectsOn, kindLine, said, verdictsFor } from "./CardView";
import { actionName, cardName, untilWords } from "./names";
import { Icon } from "./icons";

export type Subject =
  | { kind: "card"; id: string }
  | { kind: "kind"; id: string }
  | { kind: "effect"; place: number }
  | { kind: "rule"; id: string };

interface Shown {
  subject: Subject;
  at: DOMRect;
}

export const tip = signal<Shown | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

function show(subject: Subject, element: Element, delay: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    tip.value = { subject, at: element.getBoundingClientRect() };
  }, delay);
}

export function hideTip(): void {
  clearTimeout(timer);
  tip.value = null;
}

/** Handlers for an element that has something more to say. */
export function hint(subject: Subject) {
  return {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === "mouse" && event.buttons === 0)
        show(subject, event.currentTarget as Element, 250);
    },
    onPointerLeave: hideTip,
    onPointerDown: hideTip,
    onFocus: (event: FocusEvent) => {
      const element = event.currentTarget as HTMLElement;
      if (element.matches(":focus-visible")) show(subject, element, 400);
    },
    onBlur: hideTip,
  };
}

export function Tip() {
  const box = useRef<HTMLDivElement>(null);
  const shown = tip.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shown === null) return;
    const { width, height } = element.getBoundingClientRect();
    const { at } = shown;
    const left = Math.min(Math.max(8, at.left + at.width / 2 - width / 2), innerWidth - width - 8);
    const above = at.top - height - 10;
    const top = above >= 8 ? above : Math.min(at.bottom + 10, innerHeight - height - 8);
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(8, top))}px)`;
  }, [shown, lang.value]);
  if (shown === null) return null;
  return (
    <div class="tip" role="tooltip" ref={box}>
      {shown.subject.kind === "card" && <CardTip id={shown.subject.id} />}
      {shown.subject.kind === "kind" && <KindTip id={shown.subject.id} />}
      {shown.subject.kind === "effect" && <EffectTip place={shown.subject.place} />}
      {shown.subject.kind === "rule" && <RuleTip id={shown.subject.id} />}
    </div>
  );
}

function CardTip({ id }: { id: string }) {
  const item = table.value.find((each) => each.id === id);
  if (item === undefined) return null;
  const verdicts = verdictsFor(id);
  // what is legal lights up anyway: the reasons are asked for where it is not
  const illegal = verdicts.filter((each) => !each.legal);
  const shown = [...illegal, ...verdicts.filter((each) => each.legal)].slice(0, illegal.length > 0 ? 3 : 2);
  const named = new Set(
    illegal.slice(0, 3).flatMap((verdict) => verdict.because.map((reason) => reason.rule)),
  );
  return (
    <>
      <p class="tip-title">
        {item.name} <code>{id}</code>
      </p>
      <p class="quiet">{said(item).join(" · ")}</p>
      {shown.map((verdict) => (
        <div class={verdict.legal ? "tip-verdict yes" : "tip-verdict no"} key={verdict.action}>
          <p>
            <Icon name={verdict.legal ? "yes" : "no"} />
            {actionName(verdict.action)}
          </p>
          {verdict.because.map((reason, at) => (
            <p class="quiet" key={at}>
              {reason.rule}: {reason.text}
            </p>
          ))}
        </div>
      ))}
      {verdicts.length > shown.length && <p class="quiet">+{verdicts.length - shown.length}</p>}
      {[...named].slice(0, 1).map((rule) => (
        <RuleReading id={rule} key={rule} />
      ))}
      <div class="tip-abilities">
        {item.abilities.map((text, at) => (
          <Gloss text={text} key={at} />
        ))}
        {effectsOn(id).length > 0 && <p class="quiet">{t("effects_on")}</p>}
        {effectsOn(id).map(([effect, place]) => (
          <p class="gloss" key={place}>
            <code>{effect.ability}</code>
          </p>
        ))}
      </div>
    </>
  );
}

function KindTip({ id }: { id: string }) {
  const kind = catalogue.value.get(id);
  if (kind === undefined) return null;
  return (
    <>
      <p class="tip-title">
        {kind.name[lang.value]} <code>{id}</code>
      </p>
      <p class="quiet">
        {[
          kindLine(kind.type, kind.class),
          ...(kind.element.length ? kind.element : ["neutral"]).map(word),
          t("cost_n", { n: kind.cost }),
        ].join(" · ")}
      </p>
      {kind.abilities.map((text, at) => (
        <Gloss text={text} key={at} />
      ))}
      {!kind.complete && <p class="quiet">{t("incomplete")}</p>}
    </>
  );
}

function EffectTip({ place }: { place: number }) {
  const effect = doc.value.effects?.[place];
  if (effect === undefined) return null;
  return (
    <>
      <p class="tip-title">{cardName(effect.card)}</p>
      <Gloss text={effect.ability} />
      <p class="quiet">
        {[
          effect.source && t("effect_from", { source: cardName(effect.source) }),
          untilWords(effect.until),
          effect.spent && `${t("used_up")}: ${effect.spent}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </>
  );
}

function RuleTip({ id }: { id: string }) {
  const rule = rules.value.get(id);
  if (rule === undefined) return <p>{id}</p>;
  return (
    <>
      <p class="tip-title">
        <code>{id}</code> {rule.title[lang.value]}
      </p>
      <p>{rule.says[lang.value]}</p>
    </>
  );
}

function RuleReading({ id }: { id: string }) {
  const rule = rules.value.get(id);
  return rule === undefined ? null : (
    <p class="reading">
      <code>{id}</code> {rule.says[lang.value]}
    </p>
  );
}

/** An ability with what it means: its word, or word by word where it is put together. */
export function Gloss({ text }: { text: string }) {
  const term = readTerm(text);
  const words = vocabulary.value;
  const part = term && words && partsOf(words, "ability", term);
  if (!part)
    return (
      <p class="gloss">
        <code>{text}</code>
      </p>
    );
  const plain = part.parts.length === 0;
  return (
    <div class="gloss">
      <code>{text}</code>
      {plain ? <span class="quiet"> {meaning(part)}</span> : <Reading parts={[part]} />}
    </div>
  );
}

/** Each word of a term with its meaning, the words in it below it. */
function Reading({ parts }: { parts: readonly Part[] }) {
  return (
    <ul class="word-by-word">
      {parts.map((part, at) => (
        <li key={at}>
          <code>{head(part)}</code> {meaning(part)}
          {part.parts.length > 0 && <Reading parts={part.parts} />}
        </li>
      ))}
    </ul>
  );
}

/** The word of a term with its plain arguments: `wound(2,…)`. */
function head({ term: { name, args }, parts }: Part): string {
  const plain = (arg: Term): boolean => arg.args.length === 0 && !parts.some((part) => part.term === arg);
  return args.some(plain) ? `${name}(${args.map((arg) => (plain(arg) ? arg.name : "…")).join(",")})` : name;
}

const meaning = ({ section, term }: Part): string =>
  vocabulary.value?.terms[section]?.[term.name]?.[lang.value] ?? "";
