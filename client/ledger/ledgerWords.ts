import { type Direction, type LedgerKind, ledgerKinds } from "../../db/ledger/ledger.rules.ts";
import { type Mode, modeLabels } from "../../gateway/facility/mode.rules.ts";
import { isKind as isWorklistKind, worklistTitles } from "../action/worklistKinds.ts";

/** How the ledger is told in words. */

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

/** The three directions that have a tile, with their names. */
export const directionTitles = { better: "Better", worse: "Worse", new: "New" } as const;
export type TileDirection = keyof typeof directionTitles;
export const isTile = (direction: string | null): direction is TileDirection =>
  direction !== null && Object.hasOwn(directionTitles, direction);

/** The word of the interfaces for a word of the address or the rules, and back. */
export const nameOf = (word: string): string => word.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
const kindsByName = new Map(ledgerKinds.map((kind) => [nameOf(kind), kind]));
export const kindOf = (name: string): LedgerKind => kindsByName.get(name)!;

const events: Readonly<Record<string, string>> = {
  added: "Added to the registry",
  closed: "Closed",
  reopened: "Opened again",
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

type Change = { kind: LedgerKind; event: string; from?: string | null | undefined; to: string; source: string };

/** A change on one line: what, and from what to what. */
export function changeWords({ kind, event, from, to, source }: Change): string {
  if (kind === "note") return isWorklistKind(event) ? `Note on ${worklistTitles[event].title}` : "Note";
  if (kind === "setAside")
    return `${source === "TDB" ? "TDB" : "Visit"} ${event === "restored" ? "restored" : "set aside"}`;
  const told = events[event];
  if (told !== undefined) return told;
  const label = labels[event] ?? kindWords[kind];
  if (kind === "mode") return `${label}: ${modeWord(from ?? "")} → ${modeWord(to)}`;
  return `${label}: ${from} → ${to}`;
}

/** The direction of a name of GraphQL. */
export const directionOf = (name: string): Direction => name.toLowerCase() as Direction;
