import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Node, Problem, Reason, Verdict } from "../api";
import { useEffect, useRef } from "preact/hooks";
import { type Key, known, t } from "../i18n";
import {
  aimed,
  asked,
  candidates,
  choose,
  consider,
  declare,
  decider,
  doc,
  lang,
  legal,
  openRule,
  pane,
  retry,
  rules,
  selected,
  tab,
  table,
  verdicts,
  verdictsOf,
  why,
} from "../store/desk";
import { parseAction } from "../terms";
import { Icon } from "./icons";
import { actionName, cardName, plain } from "./names";
import { Gloss, hint } from "./Tip";

export function RuleLink({ id }: { id: string }) {
  return (
    <button type="button" class="rule-link" onClick={() => openRule(id)} {...hint({ kind: "rule", id })}>
      {id}
    </button>
  );
}

export function Trouble({ problem }: { problem: Problem }) {
  const title = known(problem.code)
    ? t(problem.code)
    : problem.code === "bad_input"
      ? t(problem.faults.every((fault) => fault.startsWith("action:")) ? "faults_action" : "faults")
      : problem.message || t("problem");
  return (
    <div class="trouble" role="alert">
      <p>
        <b>{title}</b>
      </p>
      {problem.faults.length > 0 && (
        <ul>
          {problem.faults.map((fault, at) => (
            <li key={at}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function Verdicts() {
  const text = useSignal("");
  const { state, problem } = legal.value;
  const id = selected.value;
  const found = matching(text.value, id);
  const agents = groups(found);
  const written =
    /^[a-z_]+(\(.*\))?$/.test(text.value.trim()) &&
    !found.some((verdict) => verdict.action === text.value.trim());
  return (
    <div class="verdicts" aria-busy={state === "asking"}>
      <div class="panel-head">
        <h2>{id === null ? t("verdicts_all") : t("verdicts_of", { card: cardName(id) })}</h2>
        {id !== null && (
          <button type="button" class="link" onClick={() => choose(null)}>
            {t("all_cards")}
          </button>
        )}
      </div>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          consider(written ? text.value.trim() : (found[0]?.action ?? null));
        }}
      >
        <Icon name="search" />
        <input
          type="search"
          value={text.value}
          placeholder={t("search_example", { example: example() })}
          aria-label={t("search_action")}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </form>
      {written && (
        <button type="button" class="written" onClick={() => consider(text.value.trim())}>
          <Icon name="scales" /> {t("judge_written", { action: text.value.trim() })}
        </button>
      )}
      {asked.value !== null && !found.some((verdict) => verdict.action === asked.value) && <Asked />}
      {state === "failed" && problem && (
        <>
          <Trouble problem={problem} />
          {problem.code !== "bad_input" && (
            <button type="button" class="plain" onClick={retry}>
              {t("retry")}
            </button>
          )}
        </>
      )}
      {aimed.value.length > 0 && (
        <p class="aimed">
          <Icon name="arrow" /> {aimed.value.map(cardName).join(", ")}
          <button type="button" class="link" onClick={() => choose(id)}>
            {t("all_targets")}
          </button>
        </p>
      )}
      {state === "told" && decider.value === null && <p class="quiet">{t("nobody")}</p>}
      {found.length === 0 && asked.value === null && state === "told" && decider.value !== null && (
        <p class="quiet">{text.value ? t("no_action_found", { text: text.value }) : t("no_actions")}</p>
      )}
      {id === null && !text.value && state === "told" && (
        <p class="quiet">{t(table.value.length === 0 ? "empty_hint" : "verdicts_hint")}</p>
      )}
      {agents.map(([agent, list]) => (
        <section class="agent" key={agent}>
          {agent !== id && (
            <h3>
              {agent === "" ? (
                t("no_card")
              ) : (
                <button type="button" class="link" onClick={() => choose(agent)}>
                  {cardName(agent)}
                </button>
              )}
            </h3>
          )}
          <Lines list={list} />
        </section>
      ))}
      <p class="tally" role="status">
        {state === "told"
          ? `${t("legal_list", { n: count(true) })} · ${t("illegal_list", { n: count(false) })}`
          : state === "failed"
            ? "—"
            : t("asking")}
      </p>
    </div>
  );
}

/** An action of this position as it is written. */
const example = (): string =>
  verdicts.value.find((verdict) => verdict.action.includes(","))?.action ??
  verdicts.value.find((verdict) => verdict.action.includes("("))?.action ??
  "end_turn";

const count = (isLegal: boolean): number =>
  verdicts.value.filter((verdict) => verdict.legal === isLegal).length;

function matching(text: string, id: string | null): readonly Verdict[] {
  const own = id === null ? verdicts.value : [...candidates.value, ...aimedAt(id)];
  const words = plain(text).split(/\s+/).filter(Boolean);
  return own.filter((verdict) => {
    const all = plain(`${verdict.action} ${actionName(verdict.action)}`);
    return words.every((word) => all.includes(word));
  });
}

/** What others may do to that card, where it can do nothing itself. */
function aimedAt(id: string): readonly Verdict[] {
  if (verdictsOf.value.has(id)) return [];
  return verdicts.value.filter((verdict) => parseAction(verdict.action).args.slice(1).includes(id));
}

/** By the card that acts, what is legal first. */
function groups(list: readonly Verdict[]): [string, Verdict[]][] {
  const out = new Map<string, Verdict[]>();
  for (const verdict of list) {
    const agent = parseAction(verdict.action).args[0] ?? "";
    out.set(agent, [...(out.get(agent) ?? []), verdict]);
  }
  for (const each of out.values()) each.sort((one, other) => Number(other.legal) - Number(one.legal));
  return [...out].sort(
    ([, one], [, other]) => Number(other.some((v) => v.legal)) - Number(one.some((v) => v.legal)),
  );
}

/** So many actions of one card are listed at once, legal and illegal; the others unfold. */
const MANY = { legal: 10, illegal: 6 };

function Lines({ list }: { list: readonly Verdict[] }) {
  return (
    <>
      <Fold list={list.filter((verdict) => verdict.legal)} first={MANY.legal} more="and_more_legal" />
      <Fold list={list.filter((verdict) => !verdict.legal)} first={MANY.illegal} more="and_more" />
    </>
  );
}

function Fold({ list, first, more }: { list: readonly Verdict[]; first: number; more: Key }) {
  const open = useSignal(false);
  const cut = first + 2 < list.length ? first : list.length; // two more take no more room than the fold
  const rest = list.slice(cut);
  const unfolded = open.value || rest.some((verdict) => verdict.action === asked.value);
  const line = (verdict: Verdict) => <Line verdict={verdict} key={verdict.action} />;
  return (
    <>
      {cut > 0 && <ul class="verdict-list">{list.slice(0, cut).map(line)}</ul>}
      {rest.length > 0 && (
        <details
          class="more-verdicts"
          open={unfolded}
          onToggle={(event) => {
            open.value = event.currentTarget.open;
          }}
        >
          <summary>{t(more, { n: rest.length })}</summary>
          {unfolded && <ul class="verdict-list">{rest.map(line)}</ul>}
        </details>
      )}
    </>
  );
}

function Line({ verdict }: { verdict: Verdict }) {
  const open = asked.value === verdict.action;
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // asked about at the table: its line comes into sight
    if (open) place.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  const told = actionName(verdict.action, false);
  return (
    <li class={verdict.legal ? "verdict yes" : "verdict no"} ref={place}>
      <button
        type="button"
        class="line"
        aria-expanded={open}
        onClick={() => consider(open ? null : verdict.action)}
      >
        <Icon name={verdict.legal ? "yes" : "no"} />
        <span class="said">{told}</span>
        <span class="hidden-text">
          {told === actionName(verdict.action)
            ? ""
            : `${cardName(parseAction(verdict.action).args[0] ?? "")}, `}
          {t(verdict.legal ? "legal" : "illegal")}
        </span>
        {!verdict.legal && (
          <span class="by-rules">{[...new Set(verdict.because.map((reason) => reason.rule))].join(" ")}</span>
        )}
      </button>
      {open && <Reasons verdict={verdict} />}
    </li>
  );
}

/** On a phone the answer comes up from below while the table stays in sight. */
export function Sheet() {
  const id = selected.value;
  if (id === null) return null;
  if (tab.value === "card") return <LayingSheet id={id} />;
  const own = verdictsOf.value.get(id) ?? [];
  const verdict = verdicts.value.find((each) => each.action === asked.value);
  const legalOnes = own.filter((each) => each.legal).length;
  return (
    <section class="sheet" aria-label={t("verdicts_of", { card: cardName(id) })}>
      <SheetHead id={id} leave={() => choose(null)}>
        {t("legal_list", { n: legalOnes })} · {t("illegal_list", { n: own.length - legalOnes })}
      </SheetHead>
      {verdict !== undefined ? <Alone verdict={verdict} /> : <Lines list={own} />}
      <Ways judge={t("pane_judge")} other={["card", t("lay_elsewhere")]} />
    </section>
  );
}

function SheetHead(head: { id: string; leave: () => void; children: ComponentChildren }) {
  return (
    <div class="panel-head">
      <h2>{cardName(head.id)}</h2>
      <span class="quiet">{head.children}</span>
      <button type="button" class="tiny" aria-label={t("dismiss")} onClick={head.leave}>
        <Icon name="cross" />
      </button>
    </div>
  );
}

/** Where a sheet leads to: the judge's pane, and the other sheet of the card. */
function Ways({ judge, other: [to, name] }: { judge: string; other: [typeof tab.value, string] }) {
  return (
    <div class="buttons">
      <button
        type="button"
        class="link"
        onClick={() => {
          pane.value = "judge";
        }}
      >
        {judge} →
      </button>
      <button
        type="button"
        class="link"
        onClick={() => {
          tab.value = to;
        }}
      >
        {name}
      </button>
    </div>
  );
}

function doneLaying(): void {
  tab.value = "verdicts"; // the next card that is tapped is asked about again
  choose(null);
}

/** While a card is being laid out, the table must be seen: every zone of it offers itself for a tap. */
function LayingSheet({ id }: { id: string }) {
  return (
    <section class="sheet laying" aria-label={t("lay_card", { card: cardName(id) })}>
      <SheetHead id={id} leave={doneLaying}>
        {t("lay_hint")}
      </SheetHead>
      <Ways judge={t("lay_values")} other={["verdicts", t("tab_verdicts")]} />
    </section>
  );
}

/** An action that is no candidate, or stands outside the list that is shown. */
function Asked() {
  const { state, value, problem } = why.value;
  if (state === "failed" && problem) return <Trouble problem={problem} />;
  if (value === undefined) return <p class="quiet">{t("asking")}</p>;
  return <Alone verdict={value} />;
}

function Alone({ verdict }: { verdict: Verdict }) {
  return (
    <div class={verdict.legal ? "verdict alone yes" : "verdict alone no"}>
      <p class="line">
        <Icon name={verdict.legal ? "yes" : "no"} />
        <span class="said">{actionName(verdict.action)}</span>{" "}
        <span>{t(verdict.legal ? "legal" : "illegal")}</span>
      </p>
      <Reasons verdict={verdict} />
    </div>
  );
}

function Reasons({ verdict }: { verdict: Verdict }) {
  const tree = why.value.value?.action === verdict.action ? why.value.value.tree : undefined;
  return (
    <div class="reasons">
      <code class="term">{verdict.action}</code>
      <Used action={verdict.action} />
      <ul>
        {verdict.because.map((reason, at) => (
          <ReasonLine reason={reason} barred={!verdict.legal} key={at} />
        ))}
      </ul>
      {tree !== undefined && tree.some((node) => node.children.length > 0) && (
        <details class="why" open={!verdict.legal}>
          <summary>{t("why")}</summary>
          <Tree nodes={tree} />
        </details>
      )}
      {verdict.legal && (
        <button type="button" class="primary" onClick={() => void declare(verdict.action)}>
          {t("declare")} <Icon name="arrow" />
        </button>
      )}
    </div>
  );
}

/** The ability that an action uses, where it is printed on the card. */
function Used({ action }: { action: string }) {
  const { verb, args } = parseAction(action);
  const item = table.value.find((each) => each.id === args[0]);
  if (item === undefined || (verb !== "use" && verb !== "play")) return null;
  const start = verb === "use" ? "use(" : "spell(";
  const text = item.abilities.filter((each) => each.startsWith(start))[
    verb === "use" ? Number(args[1]) - 1 : 0
  ];
  return text === undefined ? null : <Gloss text={text} />;
}

function ReasonLine({ reason, barred }: { reason: Reason; barred: boolean }) {
  const rule = rules.value.get(reason.rule);
  return (
    <li>
      <RuleLink id={reason.rule} /> {reason.text}
      {reason.by !== null && reason.by in doc.value.cards && (
        <>
          {" "}
          <button type="button" class="link" onClick={() => choose(reason.by)}>
            {t("by_card", { card: cardName(reason.by) })}
          </button>
        </>
      )}
      {barred && rule && <p class="reading">{rule.says[lang.value]}</p>}
      {reason.defeats?.map((defeat, at) => (
        <p class="quiet" key={at}>
          {t("beats", {
            rule: defeat.rule,
            card: defeat.by === null ? "—" : cardName(defeat.by),
            principle: defeat.principle,
          })}
        </p>
      ))}
    </li>
  );
}

function Tree({ nodes }: { nodes: readonly Node[] }) {
  return (
    <ul class="tree">
      {nodes.map((node, at) => (
        <li key={at} class={node.rule === null ? "fact" : "norm"}>
          {node.rule === null ? <span class="badge">{t("fact")}</span> : <RuleLink id={node.rule} />}{" "}
          {node.text}
          {node.children.length > 0 && <Tree nodes={node.children} />}
        </li>
      ))}
    </ul>
  );
}
