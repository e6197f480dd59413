/**
 * What a facility's state is, in words and rules. Everything is told by the latest assessment of all time and the latest TDB, however old.
 *
 * - assessed: somebody ever recorded an assessment;
 * - functional: the latest assessment found that SmartCare works;
 * - power: it found that primary or backup power works;
 * - silent: the next TDB is overdue, or none was ever sent though the system is deployed (tdb/silence.rules.ts);
 * - old version: its library version is older than the newest of the reference list; without a list, than the newest in use;
 * - none recorded: no mode, because nobody assessed it.
 *
 * What an assessment does not say does not count as there.
 */

/** Days without a visit after which a facility stands on the work list. */
export const visitDays = 180;

const segments = (version: string): (number | string)[] => (version.toLowerCase().replace(/^\D+/, "").match(/\d+|[a-z]+/g) ?? []).map((part) => (/\d/.test(part) ? Number(part) : part));
/** Words in a version (beta, rc) come before the end of it, and that before numbers: 4.5-rc, 4.5, 4.5.1. */
const rankOf = (segment: number | string | undefined): number => (typeof segment === "string" ? 0 : segment === undefined || segment === 0 ? 1 : 2);

/** Compares as versions: 4.9 before 4.10, and 4.5 is 4.5.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [segments(a), segments(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    const ranks = rankOf(one) - rankOf(other);
    if (ranks !== 0) return ranks;
    if (typeof one === "number" && typeof other === "number" && one !== other) return one - other;
    if (typeof one === "string" && typeof other === "string" && one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** A text that names a version at all: "unknown" does not. */
export const isVersion = (text: string): boolean => /\d/.test(text);

/** The newest version: of the reference list, or of those in use where the list names none. Null where neither does. */
export function newestVersion(versions: readonly { libraryVersion: string; isListed: boolean }[]): string | null {
  const named = versions.filter(({ libraryVersion }) => isVersion(libraryVersion));
  const listed = named.filter(({ isListed }) => isListed);
  const among = (listed.length > 0 ? listed : named).map(({ libraryVersion }) => libraryVersion);
  return among.toSorted(compareVersions).at(-1) ?? null;
}

export const isOldVersion = (version: string, newest: string | null): boolean => newest !== null && isVersion(version) && compareVersions(version, newest) < 0;
