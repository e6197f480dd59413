import { compareVersions, isVersion } from "../input/version.rules.ts";

/**
 * The terms of a facility's present state. It is derived from the latest assessment of all time and the latest TDB,
 * however old they are.
 *
 * - assessed: somebody ever recorded an assessment;
 * - functional: the latest assessment found that SmartCare works;
 * - power: it found that primary or backup power works;
 * - silent: the next TDB is overdue, or none was ever sent though the system is deployed (tdb/silence.rules.ts);
 * - old version: its library version is older than the newest of the reference list and of the files to download that
 *   are required by today; without any of these, than the newest in use;
 * - none recorded: no mode, because nobody assessed it.
 *
 * A missing answer in an assessment counts as no.
 */

/** After this many days without a visit a facility is on the work list. */
export const visitDays = 180;

/**
 * The newest version: of those listed or required, or if there are none, of those in use; null if there is none either.
 */
export function newestVersion(versions: readonly { libraryVersion: string; isListed: boolean }[]): string | null {
  const named = versions.filter(({ libraryVersion }) => isVersion(libraryVersion));
  const listed = named.filter(({ isListed }) => isListed);
  const among = (listed.length > 0 ? listed : named).map(({ libraryVersion }) => libraryVersion);
  return among.toSorted(compareVersions).at(-1) ?? null;
}

/** Whether a version is older than the newest one; false if either is not known. */
export const isOldVersion = (version: string, newest: string | null): boolean =>
  newest !== null && isVersion(version) && compareVersions(version, newest) < 0;
