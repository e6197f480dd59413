import { type Direction, type LedgerKind, ranks, unknownWords } from "../../db/ledger/ledger.rules.ts";
import { compareVersions, isVersion } from "../input/version.rules.ts";

const isUnknown: ReadonlySet<string | null> = new Set(unknownWords);

/**
 * Whether a change makes a facility better or worse. What was not known before is new: a first visit, first data, a new
 * facility. A change to "not recorded" is neither, because unknown is not no. `db/ledger/ledger.ts` says the same in
 * SQL.
 */
export function directionOf({ kind, from, to }: { kind: LedgerKind; from: string | null; to: string }): Direction {
  if (isUnknown.has(from) || isUnknown.has(to)) return isUnknown.has(to) ? "neither" : "new";
  if (from === null) return "neither";
  const isKnownVersion = kind === "version" && isVersion(from) && isVersion(to);
  const [before, after] = [ranks[kind]?.[from], ranks[kind]?.[to]];
  const change = isKnownVersion
    ? compareVersions(to, from)
    : before === undefined || after === undefined
      ? 0
      : after - before;
  return change > 0 ? "better" : change < 0 ? "worse" : "neither";
}
