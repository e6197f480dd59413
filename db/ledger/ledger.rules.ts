/** What the ledger tells of facilities, and in which words. */

/** The kinds of changes. Those of `visitKinds` are what visits found. */
export const visitKinds = ["works", "power", "backupPower", "version", "mode"] as const;
export const ledgerKinds = [
  ...visitKinds,
  ...(["silence", "partner", "registry", "connectivity", "action", "note", "setAside"] as const),
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export const directions = ["better", "worse", "new", "neither"] as const;
export type Direction = (typeof directions)[number];

/** Where a change was read. */
export const ledgerSources = ["visit", "tdb", "facility", "action", "worklist", "import"] as const;
export type LedgerSource = (typeof ledgerSources)[number];

export type LedgerOrder = "newest" | "site";

/** Words before which nothing was known: the change is new, neither better nor worse. */
export const unknownWords = ["not recorded", "no data", "not listed"] as const;

const answers = { no: 0, yes: 1 } as const;
/** Which of two words of a kind is the better one. Words without a rank make nothing better or worse. */
export const ranks: Partial<Record<LedgerKind, Readonly<Record<string, number>>>> = {
  works: answers,
  power: answers,
  backupPower: answers,
  connectivity: answers,
  mode: { NotOperational: 0, NotDeployed: 0, Partial: 1, ELast: 1, EFast: 1, EFirst: 1 },
  silence: { overdue: 0, "in time": 1 },
  action: { agreed: 0, done: 1 },
};
