import { signal } from "@preact/signals";
import { api, type Finding, Problem, type Report as Told, type Search } from "../api";
import { type Key, known, t, word } from "../i18n";
import type { Edition } from "../model";
import { catalogue, consider, doc, lang, narrow, open, pane, vocabulary } from "../store/desk";
import { Choose, Mark } from "./fields";
import { RuleLink, Trouble } from "./Verdicts";

/** What has been searched so far; `left`: the codes that are still to come, the first is being searched. */
interface Course {
  edition: Edition;
  all: boolean;
  told: Told;
  left: string[];
  stopped: boolean;
}

const course = signal<Course | null>(null);
const all = signal(true);
/** The near search takes seconds: what norms and texts say of each other. The whole one looks at all there is. */
const SEARCHES: Record<"near" | "whole", Pick<Search, "scope" | "only">> = {
  near: {
    scope: "cards=2,effects=1",
    only: ["conflict", "tie", "unmeetable", "stuck", "vocabulary", "document"],
  },
  whole: {},
};
const scope = signal<keyof typeof SEARCHES>("near");
const problem = signal<Problem | null>(null);
let leave = new AbortController();

/**
 * Searches for one thing after another, each a question with a time of its own: what is found is shown
 * while the rest is searched, and what one search did not come to an end with holds up no other.
 */
async function check(): Promise<void> {
  const edition = doc.value.edition ?? "heroes";
  const { only, ...far } = SEARCHES[scope.value];
  const groups = (vocabulary.value?.searches ?? [])
    .map((codes) => codes.filter((code) => only?.includes(code) ?? true))
    .filter((codes) => codes.length > 0);
  leave.abort();
  const here = (leave = new AbortController());
  problem.value = null;
  let now: Course = {
    edition,
    all: all.value,
    told: { scope: {}, searched: [], findings: [] },
    left: groups.flat(),
    stopped: false,
  };
  course.value = now;
  for (const codes of groups) {
    let part: Told;
    try {
      const search = { edition, all: now.all, ...far, only: codes };
      part = await patiently(() => api.check(lang.value, search, here.signal), here.signal);
    } catch (error) {
      if (here.signal.aborted) return; // `stop` has said so
      if (!(error instanceof Problem) || error.code !== "late") {
        problem.value = error as Problem;
        course.value = { ...now, stopped: true };
        return;
      }
      part = {
        scope: now.told.scope,
        searched: codes.map((code) => ({ code, answer: "undecided" })),
        findings: [],
      };
    }
    now = {
      ...now,
      told: {
        scope: part.scope,
        searched: [...now.told.searched, ...part.searched],
        findings: [...now.told.findings, ...part.findings],
      },
      left: now.left.slice(codes.length),
    };
    course.value = now;
  }
}

const TRIES = 8;

/** Asks again after a second where no process was free: one that was stopped is being replaced. */
async function patiently<T>(asks: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await asks();
    } catch (error) {
      const waits = error instanceof Problem && ["busy", "lost"].includes(error.code);
      if (!waits || left === 0) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    signal.throwIfAborted();
  }
}

function stop(): void {
  leave.abort();
  if (course.value !== null) course.value = { ...course.value, stopped: true };
}

const SEVERITIES = ["error", "warning", "note"];
const rank = (finding: Finding): number => {
  const at = SEVERITIES.indexOf(finding.severity);
  return at === -1 ? SEVERITIES.length : at;
};

export function Report() {
  const now = course.value;
  const findings = [...(now?.told.findings ?? [])].sort((one, other) => rank(one) - rank(other));
  const severities = [...new Set(findings.map((finding) => finding.severity))];
  const asking = now !== null && !now.stopped && now.left.length > 0;
  return (
    <div class="report">
      <div class="panel-head">
        <h2>{t("tab_report")}</h2>
        <span class="quiet">{word(now?.edition ?? doc.value.edition ?? "heroes")}</span>
      </div>
      <p class="quiet">{t("report_hint")}</p>
      <Choose
        name={t("check_scope")}
        value={scope.value}
        options={[
          ["near", t("check_near")],
          ["whole", t("check_whole")],
        ]}
        set={(each) => {
          scope.value = each as keyof typeof SEARCHES;
        }}
      />
      <Mark
        name={t("check_all")}
        on={all.value}
        set={(on) => {
          all.value = on;
        }}
      />
      <div class="buttons">
        <button type="button" class="primary" disabled={asking} onClick={() => void check()}>
          {t("check")}
        </button>
        {asking && (
          <button type="button" class="plain" onClick={stop}>
            {t("check_stop")}
          </button>
        )}
      </div>
      {problem.value && <Trouble problem={problem.value} />}
      {now && asking && <Progress now={now} />}
      {now && (
        <p role="status">
          {findings.length > 0 ? t("findings_n", { n: findings.length }) : !asking && t("no_findings")}
        </p>
      )}
      {now && !asking && <Undecided now={now} />}
      {severities.map((severity) => {
        const here = findings.filter((finding) => finding.severity === severity);
        return (
          <section key={severity} class={`severity-${severity}`}>
            <h3>
              {severityWord(severity)} · {here.length}
            </h3>
            <ul class="findings">
              {here.map((finding, at) => (
                <FindingLine finding={finding} key={at} />
              ))}
            </ul>
          </section>
        );
      })}
      {now && (
        <details>
          <summary>{t("searched")}</summary>
          <p class="quiet">
            {Object.entries(now.told.scope)
              .map(
                ([key, number]) =>
                  `${known(`scope_${key}`) ? t(`scope_${key}` as Key) : key} ≤ ${String(number)}`,
              )
              .join(" · ")}
          </p>
          <ul class="searched">
            {now.told.searched.map((each) => (
              <li key={each.code}>
                <code>{each.code}</code> {codeWord(each.code)}: <span>{answerWord(each.answer)}</span>
              </li>
            ))}
            {now.left.map((code) => (
              <li key={code}>
                <code>{code}</code> {codeWord(code)}:{" "}
                <span>{t(asking ? "answer_waits" : "answer_undecided")}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** How far the search is. */
function Progress({ now }: { now: Course }) {
  const done = now.told.searched.length;
  const whole = done + now.left.length;
  const name = t("searching", { code: codeWord(now.left[0] ?? ""), n: done + 1, all: whole });
  return (
    <p class="progress" role="status">
      <progress value={done} max={whole} aria-label={name} />
      <span class="quiet">{name}</span>
    </p>
  );
}

/** What no answer was found to, and the command that looks for one as long as it takes. */
function Undecided({ now }: { now: Course }) {
  const ended = now.told.searched.filter((each) => each.answer !== "undecided");
  const open = [...now.told.searched.map((each) => each.code), ...now.left].filter(
    (code) => !ended.some((each) => each.code === code),
  );
  if (open.length === 0) return null;
  const command = [
    "pyengine check",
    ...(now.edition === "heroes" ? [] : [`--edition ${now.edition}`]),
    ...open.map((code) => `--only ${code}`),
    ...(now.all ? ["--all"] : []),
  ].join(" ");
  return (
    <div class="undecided">
      <p>
        {t(now.stopped ? "undecided_stopped" : "undecided", { n: open.length })}{" "}
        {open.map((code, at) => (
          <span key={code}>
            {at > 0 && ", "}
            <code>{code}</code>
          </span>
        ))}
        .
      </p>
      <p class="quiet">
        {t("undecided_further")} <code>{command}</code>
      </p>
    </div>
  );
}

const codeWord = (code: string): string => vocabulary.value?.codes[code]?.[lang.value] ?? code;

const severityWord = (severity: string): string =>
  severity === "error"
    ? t("severity_error")
    : severity === "warning"
      ? t("severity_warning")
      : severity === "note"
        ? t("severity_note")
        : severity;

const answerWord = (answer: string): string =>
  answer === "found" ? t("answer_found") : answer === "none" ? t("answer_none") : t("answer_undecided");

function FindingLine({ finding }: { finding: Finding }) {
  const { witness } = finding;
  const show = () => {
    if (witness === null) return;
    open({ edition: course.value?.edition ?? "heroes", ...witness.state }, "from_witness");
    pane.value = narrow.value ? "table" : pane.value;
    if (witness.action) consider(witness.action);
  };
  return (
    <li class="finding">
      <p class="quiet">
        <code>{finding.code}</code> {codeWord(finding.code)}
      </p>
      <p>{finding.text}</p>
      <p>
        {finding.rules.map((rule) => (
          <span key={rule}>
            <RuleLink id={rule} />{" "}
          </span>
        ))}
        <span class="quiet">
          {finding.cards.map((id) => catalogue.value.get(id)?.name[lang.value] ?? id).join(", ")}
        </span>
      </p>
      {finding.remedy && <p class="quiet">{finding.remedy}</p>}
      {witness?.state && (
        <button type="button" class="plain" onClick={show}>
          {t("show_witness")}
        </button>
      )}
    </li>
  );
}
