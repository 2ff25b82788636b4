/** Fields that several panels use: a number with steps, a mark, a choice. */

import { type ComponentChildren, Fragment } from "preact";
import { t } from "../i18n";
import { Icon } from "./icons";

export function Stepper({
  name,
  value,
  set,
  least = 0,
}: {
  name: string;
  value: number;
  set: (value: number) => void;
  least?: number;
}) {
  return (
    <div class="stepper" role="group" aria-label={name}>
      <span>{name}</span>
      <button
        type="button"
        class="tiny"
        aria-label={t("less", { what: name })}
        disabled={value <= least}
        onClick={() => set(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <input
        type="number"
        aria-label={name}
        min={least}
        value={value}
        onChange={(event) => {
          const next = Math.trunc(Number(event.currentTarget.value));
          if (Number.isFinite(next) && next >= least) set(next);
          else event.currentTarget.value = String(value);
        }}
      />
      <button
        type="button"
        class="tiny"
        aria-label={t("more", { what: name })}
        onClick={() => set(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}

export function Mark({ name, on, set }: { name: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />{" "}
      <span>{name}</span>
    </label>
  );
}

export function Choose({
  name,
  value,
  options,
  set,
}: {
  name: string;
  value: string;
  options: readonly (readonly [string, string])[];
  set: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{name}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([each, told]) => (
          <option value={each} key={each}>
            {told}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{name}</span>
      {children}
    </label>
  );
}

/** A name that may be broken after a stop or a stroke, rather than anywhere. */
export function breakable(name: string): ComponentChildren {
  return name.split(/(?<=[._])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
