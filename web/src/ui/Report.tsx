import { signal } from "@preact/signals";
import { api, type Finding, type Problem, type Report as Told, type Search } from "../api";
import { t, word } from "../i18n";
import type { Edition } from "../model";
import { catalogue, consider, doc, lang, narrow, open, pane } from "../store/desk";
import { Choose, Mark } from "./fields";
import { RuleLink, Trouble } from "./Verdicts";

const report = signal<{ edition: string; told: Told } | null>(null);
const asking = signal(false);
const all = signal(true);
/** The near search takes seconds: what norms and texts say of each other. The whole one goes as far as the server lets it. */
const SEARCHES: Record<"near" | "whole", Pick<Search, "scope" | "only">> = {
  near: {
    scope: "cards=2,effects=1",
    only: ["conflict", "tie", "unmeetable", "stuck", "vocabulary", "document"],
  },
  whole: {},
};
const scope = signal<keyof typeof SEARCHES>("near");
const problem = signal<Problem | null>(null);

async function check(): Promise<void> {
  const edition = doc.value.edition ?? "heroes";
  asking.value = true;
  problem.value = null;
  try {
    report.value = {
      edition,
      told: await api.check(lang.value, { edition, all: all.value, ...SEARCHES[scope.value] }),
    };
  } catch (error) {
    problem.value = error as Problem;
  } finally {
    asking.value = false;
  }
}

const SEVERITIES = ["error", "warning", "note"];
const rank = (finding: Finding): number => {
  const at = SEVERITIES.indexOf(finding.severity);
  return at === -1 ? SEVERITIES.length : at;
};

export function Report() {
  const told = report.value?.told;
  const findings = [...(told?.findings ?? [])].sort((one, other) => rank(one) - rank(other));
  const severities = [...new Set(findings.map((finding) => finding.severity))];
  return (
    <div class="report">
      <div class="panel-head">
        <h2>{t("tab_report")}</h2>
        <span class="quiet">{word(report.value?.edition ?? doc.value.edition ?? "heroes")}</span>
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
      <button type="button" class="primary" disabled={asking.value} onClick={() => void check()}>
        {t("check")}
      </button>
      {asking.value && (
        <p class="quiet" role="status">
          {t("asking")}
        </p>
      )}
      {problem.value &&
        (problem.value.status === 501 ? (
          <p class="quiet">{t("check_soon")}</p>
        ) : (
          <Trouble problem={problem.value} />
        ))}
      {told && (
        <p role="status">
          {findings.length === 0 ? t("no_findings") : t("findings_n", { n: findings.length })}
        </p>
      )}
      {told?.searched.some((each) => each.answer === "undecided") && <p class="quiet">{t("undecided")}</p>}
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
      {told && (
        <details>
          <summary>{t("searched")}</summary>
          <p class="quiet">
            {Object.entries(told.scope)
              .map(([key, number]) => `${key} ≤ ${String(number)}`)
              .join(" · ")}
          </p>
          <ul class="searched">
            {told.searched.map((each) => (
              <li key={each.code}>
                <code>{each.code}</code> <span>{answerWord(each.answer)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

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
    open({ edition: (report.value?.edition ?? "heroes") as Edition, ...witness.state }, "from_witness");
    pane.value = narrow.value ? "table" : pane.value;
    if (witness.action) consider(witness.action);
  };
  return (
    <li class="finding">
      <p>
        <code>{finding.code}</code> {finding.text}
      </p>
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
