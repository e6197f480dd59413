const minute = 60_000;
const units = [
  ["year", 365.25 * 24 * 60 * minute],
  ["day", 24 * 60 * minute],
  ["hour", 60 * minute],
  ["minute", minute],
] as const;

/** A span of time in its largest unit, rounded: "3 years", "1 hour". */
export function spanText(milliseconds: number): string {
  const [name, length] = units.find(([, unit]) => milliseconds >= unit) ?? units[3];
  const count = Math.round(milliseconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
