import { useSignal } from "@preact/signals";
import { rulingDocument, toYaml } from "../codec/ruling";
import { t } from "../i18n";
import { asked, doc, message, outcomes, verdicts } from "../store/desk";
import { Field } from "./fields";
import { download } from "../store/files";
import { actionName } from "./names";

/** Writes down what the judge says now: which verdicts, which outcomes. */
export default function RulingForm({ done }: { done: () => void }) {
  const resolved = outcomes.value.value?.outcomes === undefined ? null : outcomes.value.value;
  const one = asked.value;
  const id = useSignal("my-ruling-1");
  const note = useSignal("");
  const all = useSignal(one === null);
  const withOutcomes = useSignal(resolved !== null);
  const chosen = all.value ? verdicts.value : verdicts.value.filter((verdict) => verdict.action === one);
  const text = toYaml(
    rulingDocument({
      id: id.value,
      note: note.value.trim(),
      state: doc.value,
      verdicts: chosen,
      resolved:
        withOutcomes.value && resolved !== null
          ? { action: resolved.action, outcomes: resolved.outcomes }
          : null,
    }),
  );
  return (
    <section class="ruling-form" aria-label={t("ruling")}>
      <h3>{t("ruling")}</h3>
      <p class="quiet">{t("ruling_hint")}</p>
      <Field name={t("ruling_id")}>
        <input
          class="mono"
          value={id.value}
          pattern="[A-Za-z0-9._\-]+"
          onInput={(event) => {
            id.value = event.currentTarget.value.trim();
          }}
        />
      </Field>
      <Field name={t("ruling_note")}>
        <input
          value={note.value}
          onInput={(event) => {
            note.value = event.currentTarget.value;
          }}
        />
      </Field>
      <fieldset>
        <legend>{t("ruling_what")}</legend>
        <label class="check">
          <input
            type="radio"
            name="ruling-what"
            checked={all.value}
            onChange={() => {
              all.value = true;
            }}
          />{" "}
          <span>{t("ruling_verdicts", { n: verdicts.value.length })}</span>
        </label>
        {one !== null && (
          <label class="check">
            <input
              type="radio"
              name="ruling-what"
              checked={!all.value}
              onChange={() => {
                all.value = false;
              }}
            />{" "}
            <span>{t("ruling_one", { action: actionName(one) })}</span>
          </label>
        )}
        {resolved !== null && (
          <label class="check">
            <input
              type="checkbox"
              checked={withOutcomes.value}
              onChange={(event) => {
                withOutcomes.value = event.currentTarget.checked;
              }}
            />{" "}
            <span>{t("ruling_outcomes", { action: actionName(resolved.action) })}</span>
          </label>
        )}
      </fieldset>
      <textarea readOnly rows={12} value={text} aria-label={t("ruling")} />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          onClick={() => {
            download(`${id.value || "ruling"}.yaml`, text);
            message.value = t("saved", { name: `${id.value}.yaml` });
          }}
        >
          {t("download")}
        </button>
        <button
          type="button"
          class="plain"
          onClick={() =>
            void navigator.clipboard?.writeText(text).then(
              () => {
                message.value = t("copied");
              },
              () => undefined,
            )
          }
        >
          {t("copy")}
        </button>
        <button type="button" class="plain" onClick={done}>
          {t("dismiss")}
        </button>
      </div>
    </section>
  );
}
