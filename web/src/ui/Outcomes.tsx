import type { Choice, Outcome, Step } from "../api";
import { stepWord, t } from "../i18n";
import { choose, doc, outcome, outcomes, stepInto } from "../store/desk";
import { type Branch, branches, ways } from "../store/outcomes";
import { Icon } from "./icons";
import { actionName, cardName } from "./names";
import { RuleLink, Trouble } from "./Verdicts";

export function Outcomes() {
  const { state, value, problem } = outcomes.value;
  if (state === "idle")
    return (
      <div>
        <p class="quiet">{t("outcomes_none")}</p>
      </div>
    );
  if (state === "asking")
    return (
      <div>
        <p class="quiet" role="status">
          {t("asking")}
        </p>
      </div>
    );
  if (state === "failed" || value === undefined) return <div>{problem && <Trouble problem={problem} />}</div>;
  if (value.outcomes === undefined)
    return (
      <div>
        <h2>
          {actionName(value.action)}: {t("illegal")}
        </h2>
        <ul>
          {value.because.map((reason, at) => (
            <li key={at}>
              <RuleLink id={reason.rule} /> {reason.text}
            </li>
          ))}
        </ul>
      </div>
    );
  const all = value.outcomes;
  const shown = all[Math.min(outcome.value, all.length - 1)];
  return (
    <div class="outcomes">
      <div class="panel-head">
        <h2>{actionName(value.action)}</h2>
        <span class="quiet">{all.length === 1 ? t("outcome_only") : t("outcomes_n", { n: all.length })}</span>
      </div>
      {all.length > 1 && (
        <section aria-label={t("tree_of_choices")}>
          <h3>{t("tree_of_choices")}</h3>
          <Branches list={branches(all)} total={ways(all)} />
        </section>
      )}
      {shown && (
        <Detail item={shown} action={value.action} number={all.indexOf(shown) + 1} alone={all.length === 1} />
      )}
    </div>
  );
}

/** The tree of choices: who chose by which rule, what, and the outcome at the end of each way. */
function Branches({ list, total }: { list: readonly Branch[]; total: number }) {
  const first = list[0];
  if (first === undefined) return null;
  return (
    <div class="fork">
      {first.choice && <Who choice={first.choice} />}
      <ul>
        {list.map((branch, at) => (
          <li key={at} class={branch.outcomes.includes(outcome.value) ? "branch on" : "branch"}>
            {branch.forks.length === 0 ? (
              branch.outcomes.map((number) => (
                <button
                  type="button"
                  key={number}
                  class="leaf"
                  aria-pressed={outcome.value === number}
                  onClick={() => {
                    outcome.value = number;
                  }}
                >
                  <span>{branch.choice?.text ?? t("outcome_n", { n: number + 1 })}</span>
                  <span class="leaf-number">
                    {t("outcome_n", { n: number + 1 })}
                    {branch.ways > 1 || total > list.length ? ` · ${percent(branch.ways, total)}` : ""}
                  </span>
                </button>
              ))
            ) : (
              <details open={list.length <= 4}>
                <summary>
                  {branch.choice?.text}
                  {branch.ways > branch.outcomes.length && (
                    <span class="quiet"> · {percent(branch.ways, total)}</span>
                  )}
                </summary>
                <Branches list={branch.forks} total={total} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

const percent = (part: number, total: number): string => `${part}/${total}`;

function Who({ choice }: { choice: Choice }) {
  return (
    <p class="who-chooses">
      {choice.player === null ? (
        <>
          <Icon name="dice" /> {t("chance")}
        </>
      ) : (
        t("chooses", { player: choice.player })
      )}{" "}
      <RuleLink id={choice.rule} />
    </p>
  );
}

/** The steps that everything else is told by: what is calculated, replaced, prevented, applied. */
const MAIN = new Set(["calculate", "replace", "prevent", "apply"]);

function Detail({
  item,
  action,
  number,
  alone,
}: {
  item: Outcome;
  action: string;
  number: number;
  alone: boolean;
}) {
  return (
    <section class="outcome" aria-label={t("outcome_n", { n: number })}>
      <div class="panel-head">
        <h3>{alone ? t("steps") : `${t("outcome_n", { n: number })} · ${t("steps")}`}</h3>
        {item.ways > 1 && <span class="quiet">{t("ways_n", { n: item.ways })}</span>}
      </div>
      {alone && item.choices.length > 0 && (
        <ul class="choices">
          {item.choices.map((choice, at) => (
            <li key={at}>
              <Who choice={choice} />
              {choice.text}
            </li>
          ))}
        </ul>
      )}
      <ol class="trace">
        {item.trace.map((step, at) => (
          <TraceStep step={step} key={at} />
        ))}
      </ol>
      <h3>{t("changes")}</h3>
      {item.changes.length === 0 && <p class="quiet">{t("no_changes")}</p>}
      <dl class="changes">
        {grouped(item.changes).map(([about, texts]) => (
          <div key={about ?? ""}>
            <dt>
              {about === null ? (
                t("table_values")
              ) : about in doc.value.cards ? (
                <button type="button" class="link" onClick={() => choose(about)}>
                  {cardName(about)}
                </button>
              ) : (
                about
              )}
            </dt>
            {texts.map((text, at) => (
              <dd key={at}>{text}</dd>
            ))}
          </div>
        ))}
      </dl>
      <button type="button" class="primary" onClick={() => stepInto(item, action)}>
        {t("step_into")} <Icon name="arrow" />
      </button>
    </section>
  );
}

function grouped(changes: Outcome["changes"]): [string | null, string[]][] {
  const out = new Map<string | null, string[]>();
  for (const { about, text } of changes) out.set(about, [...(out.get(about) ?? []), text]);
  return [...out];
}

function TraceStep({ step }: { step: Step }) {
  return (
    <li class={MAIN.has(step.step) ? `step-line is-${step.step}` : "step-line"}>
      <span class="step-kind">{stepWord(step.step)}</span>
      <span class="step-text">
        {step.text} <RuleLink id={step.rule} />
      </span>
      {step.value !== null && (MAIN.has(step.step) || step.text.includes(String(step.value))) && (
        <b class="step-value">{step.value}</b>
      )}
    </li>
  );
}
