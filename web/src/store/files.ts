/** Positions that come from files and go into them; links that hold one. */

import { signal } from "@preact/signals";
import { api, Problem } from "../api";
import { t } from "../i18n";
import type { Doc } from "../model";
import { doc, lang, message, open, share } from "./desk";

/** What was in the way of the last file or link. */
export const problem = signal<Problem | null>(null);

/** Does what was asked for, and tells what was in the way. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  problem.value = null;
  message.value = "";
  try {
    await work();
  } catch (error) {
    problem.value = error instanceof Problem ? error : new Problem(0, String(error), []);
  }
}

export async function read(file: File): Promise<void> {
  let state: Doc;
  try {
    state = (await api.state(lang.value, await file.text())).state;
  } catch (error) {
    message.value = t("not_opened", { name: file.name });
    throw error;
  }
  open({ edition: "heroes", ...state }, "from_file");
  message.value = t("opened", { name: file.name });
}

export async function save(kind: "yaml" | "json"): Promise<void> {
  const { state, yaml } = await api.state(lang.value, doc.value);
  const name = `position.${kind}`;
  download(name, kind === "yaml" ? yaml : `${JSON.stringify(state, null, 2)}\n`);
  message.value = t("saved", { name });
}

export async function copyLink(): Promise<void> {
  const address = await share();
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    message.value = t("shared");
  } catch {
    message.value = t("shared_by_hand"); // a browser that does not lend its clipboard
  }
}

/** Hands a text to the reader as a file. */
export function download(name: string, text: string): void {
  const type = name.endsWith(".json") ? "application/json" : "text/yaml";
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
