import { t } from "../i18n";
import { change, history, lang, message, tab, pane, shelf, type Theme, theme } from "../store/desk";
import { Icon, type IconName } from "./icons";

const THEMES: readonly [Theme, IconName][] = [
  ["auto", "auto"],
  ["light", "sun"],
  ["dark", "moon"],
];

export function TopBar() {
  const { past, future } = history.value;
  const at = THEMES.findIndex(([each]) => each === theme.value);
  const [next] = THEMES[(at + 1) % THEMES.length] as [Theme, IconName];
  const [, icon] = THEMES[at] as [Theme, IconName];
  return (
    <header class="topbar">
      <a
        class="skip"
        href="#table"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("table")?.focus();
        }}
      >
        {t("skip")}
      </a>
      <h1>
        <span class="brand">pyengine</span>
        <span class="subtitle">{t("title")}</span>
      </h1>
      <p class="status" role="status" aria-live="polite">
        {message.value}
      </p>
      <div class="tools" role="toolbar" aria-label={t("history")}>
        <button
          type="button"
          class="tool cards-toggle"
          aria-pressed={shelf.value === "on"}
          onClick={() => {
            shelf.value = shelf.value === "on" ? "off" : "on";
          }}
        >
          <Icon name="cards" />
          {t("cards_toggle")}
        </button>
        <button
          type="button"
          class="tool"
          disabled={past.length === 0}
          onClick={() => change({ type: "undo" })}
          title={`${t("undo")} (Ctrl+Z)`}
        >
          <Icon name="undo" />
          <span class="wide">{t("undo")}</span>
        </button>
        <button
          type="button"
          class="tool"
          disabled={future.length === 0}
          onClick={() => change({ type: "redo" })}
          title={`${t("redo")} (Ctrl+Shift+Z)`}
        >
          <Icon name="redo" />
          <span class="wide">{t("redo")}</span>
        </button>
        <button
          type="button"
          class="tool"
          aria-pressed={tab.value === "position"}
          onClick={() => {
            tab.value = "position";
            pane.value = "judge";
          }}
          title={t("position")}
        >
          <Icon name="file" />
          <span class="wide">{t("position")}</span>
        </button>
      </div>
      <div class="tools">
        <button
          type="button"
          class="tool"
          lang={lang.value === "en" ? "ru" : "en"}
          onClick={() => {
            lang.value = lang.value === "en" ? "ru" : "en";
          }}
        >
          {lang.value === "en" ? "Русский" : "English"}
        </button>
        <button
          type="button"
          class="tool"
          onClick={() => {
            theme.value = next;
          }}
          aria-label={`${t("theme")}: ${t(`theme_${theme.value}`)}`}
          title={`${t("theme")}: ${t(`theme_${theme.value}`)}`}
        >
          <Icon name={icon} />
        </button>
      </div>
    </header>
  );
}
