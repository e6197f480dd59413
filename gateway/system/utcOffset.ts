/** Years of which instants are shown. */
const years = { first: 2000, last: 2049 };

/** Minutes that a zone's clock is ahead of UTC at an instant: "GMT+02:00" is 120, "GMT" is 0. */
function minutesAhead(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return sign ? Number(`${sign}1`) * (60 * Number(hours) + Number(minutes)) : 0;
}

function findOffset(timeZone: string): number | null {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const months = 12 * (years.last - years.first + 1);
  const found = new Set(
    Array.from({ length: months }, (_, month) => minutesAhead(format, Date.UTC(years.first, month))),
  );
  const [offset] = found;
  return found.size === 1 ? offset! : null;
}

const offsets = new Map<string, number | null>();

/**
 * Minutes that a zone's clock is ahead of UTC in every month of the years of which instants are shown; null if that
 * changes. A browser shows local times with it, without rules of zones.
 */
export function utcOffsetOf(timeZone: string): number | null {
  if (!offsets.has(timeZone)) offsets.set(timeZone, findOffset(timeZone));
  return offsets.get(timeZone) ?? null;
}
