import { useSignal } from "@preact/signals";
import { t, word } from "../i18n";
import { api, type Problem } from "../api";
import { consider, doc, failure, lang, message, open, rule, rules, verdicts } from "../store/desk";
import { breakable } from "./fields";
import { Icon } from "./icons";
import { actionName, plain } from "./names";
import { RuleLink } from "./Verdicts";

export function Rulebook() {
  const entry = rule.value === null ? undefined : rules.value.get(rule.value);
  return entry === undefined ? <RuleList /> : <RulePage id={entry.id} />;
}

function RuleList() {
  const text = useSignal("");
  const edition = doc.value.edition ?? "heroes";
  const words = plain(text.value).split(/\s+/).filter(Boolean);
  const found = [...rules.value.values()]
    .filter((each) => each.editions.includes(edition))
    .filter((each) => {
      const all = plain(`${each.id} ${each.title.en} ${each.title.ru} ${each.says[lang.value]}`);
      return words.every((part) => all.includes(part));
    });
  return (
    <div class="rulebook">
      <div class="panel-head">
        <h2>{t("tab_rules")}</h2>
        <span class="quiet">{word(edition)}</span>
      </div>
      <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
        <Icon name="search" />
        <input
          type="search"
          value={text.value}
          placeholder={t("search_rules")}
          aria-label={t("search_rules")}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </form>
      <p class="quiet" role="status">
        {t("found_n", { n: found.length })}
      </p>
      <ul class="rule-list">
        {found.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              onClick={() => {
                rule.value = each.id;
              }}
            >
              <code>{breakable(each.id)}</code> <span>{each.title[lang.value]}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Lays the position of a ruling on the table and asks its first question. */
async function show(id: string): Promise<void> {
  try {
    const ruling = await api.ruling(lang.value, id);
    open({ edition: ruling.edition, ...ruling.state }, "from_ruling");
    message.value = ruling.note || id;
    consider(ruling.legal[0] ?? Object.keys(ruling.illegal)[0] ?? ruling.resolve[0]?.action ?? null);
  } catch (problem) {
    failure.value = problem as Problem;
  }
}

function RulePage({ id }: { id: string }) {
  const entry = rules.value.get(id);
  if (entry === undefined) return null;
  const here = verdicts.value.filter((verdict) => verdict.because.some((reason) => reason.rule === id));
  const edition = doc.value.edition ?? "heroes";
  const other = entry.revisions.find((each) => each.editions.includes(edition));
  const told = other ?? entry;
  return (
    <article class="rule-page">
      <button
        type="button"
        class="link back"
        onClick={() => {
          rule.value = null;
        }}
      >
        ← {t("all_rules")}
      </button>
      <h2>
        <code>{breakable(entry.id)}</code> {told.title[lang.value]}
      </h2>
      <p class="quiet">{entry.editions.map(word).join(" · ")}</p>
      <p class="says">{told.says[lang.value]}</p>
      {entry.example && (
        <p class="example">
          <b>{t("example")}.</b> {entry.example[lang.value]}
        </p>
      )}
      {entry.revisions
        .filter((each) => each !== other)
        .map((each, at) => (
          <p class="example" key={at}>
            <b>
              {t("also_read")}: {each.editions.map(word).join(", ")}.
            </b>{" "}
            {each.says[lang.value]}
          </p>
        ))}
      {here.length > 0 && (
        <section>
          <h3>{t("here")}</h3>
          <ul class="verdict-list">
            {here.map((verdict) => (
              <li class={verdict.legal ? "verdict yes" : "verdict no"} key={verdict.action}>
                <button type="button" class="line" onClick={() => consider(verdict.action)}>
                  <Icon name={verdict.legal ? "yes" : "no"} />
                  <span class="said">{actionName(verdict.action)}</span>
                  <span class="hidden-text">{t(verdict.legal ? "legal" : "illegal")}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {entry.see.length > 0 && (
        <p>
          {t("see")}:{" "}
          {entry.see.map((each) => (
            <span key={each}>
              <RuleLink id={each} />{" "}
            </span>
          ))}
        </p>
      )}
      {entry.encoded.length > 0 && (
        <section>
          <h3>{t("encoded")}</h3>
          <p>
            {entry.encoded.map((each) => (
              <span key={each}>
                <code>{each}</code>{" "}
              </span>
            ))}
          </p>
        </section>
      )}
      {entry.rulings.length > 0 && (
        <details>
          <summary>{t("rulings_n", { n: entry.rulings.length })}</summary>
          <ul class="rulings">
            {entry.rulings.map((each) => (
              <li key={each}>
                <button type="button" class="link" onClick={() => void show(each)}>
                  {each}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}
