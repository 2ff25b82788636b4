import { useEffect, useErrorBoundary } from "preact/hooks";
import { type Key, t } from "../i18n";
import {
  change,
  choose,
  failure,
  lang,
  narrow,
  pane,
  type Pane,
  selected,
  shelf,
  tab,
  type Tab,
  vocabulary,
} from "../store/desk";
import { attempt, read } from "../store/files";
import { CardPanel } from "./CardPanel";
import { Catalogue } from "./Catalogue";
import { keepFocus } from "./focus";
import { Icon, type IconName } from "./icons";
import { Outcomes } from "./Outcomes";
import { Position } from "./Position";
import { Report } from "./Report";
import { Rulebook } from "./Rulebook";
import { Table } from "./Table";
import { hideTip, Tip } from "./Tip";
import { TopBar } from "./TopBar";
import { Sheet, Trouble, Verdicts } from "./Verdicts";

const PANES: readonly [Pane, IconName][] = [
  ["cards", "cards"],
  ["table", "table"],
  ["judge", "scales"],
];
const TABS: readonly [Tab, () => preact.JSX.Element][] = [
  ["verdicts", Verdicts],
  ["outcomes", Outcomes],
  ["card", CardPanel],
  ["rules", Rulebook],
  ["report", Report],
  ["position", Position],
];

/** Keys that work everywhere but in a field that is being written in. */
function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    hideTip();
    choose(null);
    return;
  }
  const writing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
  if (!(event.ctrlKey || event.metaKey) || event.altKey || writing) return;
  const key = event.key.toLowerCase();
  // the same keys with a Russian layout
  const undo = key === "z" || key === "я";
  if (undo || key === "y" || key === "н") {
    event.preventDefault();
    change({ type: undo && !event.shiftKey ? "undo" : "redo" });
  }
}

/** A file of a position may be dropped anywhere. */
const files = {
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  },
  onDrop: (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    tab.value = "position"; // what is wrong with it is told there
    void attempt(() => read(file));
  },
};

/** Whatever goes wrong in drawing a position, the one before it can be had again. */
function Broken({ error, mend }: { error: unknown; mend: () => void }) {
  return (
    <div class="broken trouble" role="alert">
      <p>
        <b>{t("broken")}</b>
      </p>
      <p>{String(error)}</p>
      <div class="buttons">
        <button
          type="button"
          class="plain"
          onClick={() => {
            change({ type: "undo" });
            mend();
          }}
        >
          {t("undo")}
        </button>
        <button type="button" class="plain" onClick={() => location.reload()}>
          {t("retry")}
        </button>
      </div>
    </div>
  );
}

export function App() {
  const [error, mend] = useErrorBoundary();
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    addEventListener("scroll", hideTip, { passive: true, capture: true });
    return keepFocus(document.body);
  }, []);
  useEffect(() => {
    document.title = `pyengine · ${t("title")}`;
  }, [lang.value]);
  useEffect(() => {
    // the sheet of a phone covers the lower half: the card that is asked about stays in sight
    if (selected.value !== null && narrow.value)
      document.querySelector(`[data-card="${selected.value}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected.value]);
  if (error !== undefined) return <Broken error={error} mend={mend} />;
  return (
    <div class="desk" data-pane={pane.value} data-cards={shelf.value} {...files}>
      <TopBar />
      {failure.value && (
        <div class="failure">
          <Trouble problem={failure.value} />
          {vocabulary.value === null && (
            <button type="button" class="plain" onClick={() => location.reload()}>
              {t("retry")}
            </button>
          )}
          <button
            type="button"
            class="tiny"
            aria-label={t("dismiss")}
            onClick={() => {
              failure.value = null;
            }}
          >
            <Icon name="cross" />
          </button>
        </div>
      )}
      <Catalogue />
      {vocabulary.value === null ? (
        <main class="table" id="table" tabIndex={-1}>
          {failure.value === null && <p class="quiet">…</p>}
        </main>
      ) : (
        <Table />
      )}
      <Judge />
      {narrow.value && <Sheet />}
      <nav class="panes" aria-label={t("title")}>
        {PANES.map(([each, icon]) => (
          <button
            type="button"
            key={each}
            aria-current={pane.value === each ? "page" : undefined}
            onClick={() => {
              pane.value = each;
            }}
          >
            <Icon name={icon} /> {t(`pane_${each}`)}
          </button>
        ))}
      </nav>
      <Tip />
    </div>
  );
}

function Judge() {
  const [, Panel] = TABS.find(([each]) => each === tab.value) as (typeof TABS)[number];
  return (
    <aside class="judge" aria-label={t("pane_judge")}>
      <div class="tabs" role="tablist" aria-label={t("judge_views")} onKeyDown={turnTabs}>
        {TABS.map(([each]) => (
          <button
            type="button"
            role="tab"
            key={each}
            id={`tab-${each}`}
            aria-selected={tab.value === each}
            aria-controls="judge-panel"
            tabIndex={tab.value === each ? 0 : -1}
            onClick={() => {
              tab.value = each;
            }}
          >
            {t(`tab_${each}` satisfies Key)}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id="judge-panel" aria-labelledby={`tab-${tab.value}`} tabIndex={0}>
        {vocabulary.value !== null && <Panel />}
      </div>
    </aside>
  );
}

/** Arrow keys go from tab to tab. */
function turnTabs(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const at = TABS.findIndex(([each]) => each === tab.value);
  const [next] = TABS[(at + step + TABS.length) % TABS.length] as (typeof TABS)[number];
  tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}
