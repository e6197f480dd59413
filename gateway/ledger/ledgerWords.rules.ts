import type { LedgerKind } from "../../db/ledger/ledger.rules.ts";
import { type WorklistKind, worklistNames } from "../../db/situation/state.rules.ts";
import { type Mode, modeLabels } from "../facility/mode.rules.ts";

/** How the ledger is told in words, on screens and in its feed. */

/** The kinds as the filter and the lines name them. */
export const kindWords: Record<LedgerKind, string> = {
  works: "Works",
  power: "Power",
  backupPower: "Backup power",
  version: "Version",
  mode: "Mode",
  silence: "Data",
  partner: "Partner",
  registry: "Registry",
  connectivity: "Connectivity",
  action: "Actions",
  note: "Notes",
  setAside: "Set aside",
};

const events: Readonly<Record<string, string>> = {
  added: "Added to the registry",
  closed: "Closed",
  reopened: "Opened again",
  parted: "Merge undone",
  agreed: "Action agreed",
  done: "Action done",
  dropped: "Action dropped",
};
/** Events whose words are followed by what was before and after. */
const labels: Readonly<Record<string, string>> = {
  renamed: "Renamed",
  moved: "Moved",
  internet: "Internet",
  mobile: "Mobile coverage",
};
const modeWord = (word: string) => (Object.hasOwn(modeLabels, word) ? modeLabels[word as Mode] : word);

const isWorklistKind = (text: string): text is WorklistKind => Object.hasOwn(worklistNames, text);

type Change = { kind: LedgerKind; event: string; from?: string | null | undefined; to: string; source: string };

/** A change on one line: what, and from what to what. */
export function changeWords({ kind, event, from, to, source }: Change): string {
  if (kind === "note") return isWorklistKind(event) ? `Note on ${worklistNames[event]}` : "Note";
  if (kind === "setAside")
    return `${source.toUpperCase() === "TDB" ? "TDB" : "Visit"} ${event === "restored" ? "restored" : "set aside"}`;
  if (event === "merged") return `Merged with ${from}`;
  const told = events[event];
  if (told !== undefined) return told;
  const label = labels[event] ?? kindWords[kind];
  if (kind === "mode") return `${label}: ${modeWord(from ?? "")} → ${modeWord(to)}`;
  return `${label}: ${from} → ${to}`;
}
