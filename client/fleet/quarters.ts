/** The name of a fiscal quarter by its first day: the year that begins in October 2025 is 2026. */
export function quarterOf(periodStart: string): string {
  const [year, month] = periodStart.split("-").map(Number) as [number, number];
  const quarter = month >= 10 ? 1 : (month + 2) / 3 + 1;
  return `${month >= 10 ? year + 1 : year} QTR ${quarter}`;
}

type Count = { version: string; facilities: number };
const shareIn = (counts: readonly Count[], name: string): number => {
  const all = counts.reduce((sum, { facilities }) => sum + facilities, 0);
  return (counts.find(({ version }) => version === name)?.facilities ?? 0) / all;
};

/** What the chart of versions says: how many sites run the newest one, and how many did at the end of the last quarter. */
export function versionsFinding(
  today: readonly Count[],
  earlier: readonly { periodStart: string; versions: readonly Count[] }[],
): string | undefined {
  const [newest] = today;
  if (!newest) return undefined;
  const now = Math.round(100 * shareIn(today, newest.version));
  const last = earlier.findLast(({ versions }) => versions.length > 0);
  const before = last && Math.round(100 * shareIn(last.versions, newest.version));
  const since = last === undefined ? "" : ` (${before}\u00a0% at the end of ${quarterOf(last.periodStart)})`;
  return `${now}\u00a0% of the sites with a known version run ${newest.version}, the newest among them${since}`;
}
