/** What is said of a thing while it is pointed at or in focus; the panel of the judge says all of it. */

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t, word } from "../i18n";
import { doc, lang, rules, table, vocabulary } from "../store/desk";
import { readTerm, type Term } from "../terms";
import { effectsOn, said, verdictsFor } from "./CardView";
import { actionName, cardName } from "./names";
import { Icon } from "./icons";

export type Subject =
  { kind: "card"; id: string } | { kind: "effect"; place: number } | { kind: "rule"; id: string };

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
      {item.abilities.map((text, at) => (
        <Gloss text={text} key={at} />
      ))}
      {effectsOn(id).length > 0 && <p class="quiet">{t("effects_on")}</p>}
      {effectsOn(id).map(([effect, place]) => (
        <p class="gloss" key={place}>
          <code>{effect.ability}</code>
        </p>
      ))}
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
          t("effect_until", { until: word(String(effect.until ?? "leaves")) }),
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

/** A term with what its outermost word means. */
export function Gloss({ text }: { text: string }) {
  const term = readTerm(text);
  const meant = term && meaning(term);
  return (
    <p class="gloss">
      <code>{text}</code>
      {meant && <span class="quiet"> {meant}</span>}
    </p>
  );
}

export function meaning(term: Term, section = "ability"): string | null {
  return vocabulary.value?.terms[section]?.[term.name]?.[lang.value] ?? null;
}
