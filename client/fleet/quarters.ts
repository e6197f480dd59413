/** The name of a fiscal quarter by its first day: the year that begins in October 2025 is 2026. */
export function quarterOf(periodStart: string): string {
  const [year, month] = periodStart.split("-").map(Number) as [number, number];
  const quarter = month >= 10 ? 1 : (month + 2) / 3 + 1;
  return `${month >= 10 ? year + 1 : year} QTR ${quarter}`;
}
