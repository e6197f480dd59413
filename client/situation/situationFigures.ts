import { formatNumber } from "../ui/text/counted.ts";

/** Shares and classes of the units of a situation, as the table and the map show them. */

export type UnitCounts = {
  facilities: number;
  assessed?: number | null;
  functional?: number | null;
  power?: number | null;
  expected?: number | null;
  silent?: number | null;
  modes: { efirst: number; efast: number; elast: number; partial: number; notDeployed: number; notOperational: number; noneRecorded: number };
};

/** A part of a whole in percent; undefined of nothing, or where it is not told. */
export const shareOf = (value: number | null | undefined, of: number | null | undefined): number | undefined =>
  value == null || of == null || of === 0 ? undefined : (100 * value) / of;

/** "83 %", and less than one percent is not zero. */
export function percent(share: number | undefined): string {
  if (share === undefined) return "–";
  if (share > 0 && share < 1) return "< 1 %";
  if (share < 100 && share > 99) return "> 99 %";
  return `${Math.round(share)} %`;
}

/** "+12", "−3", "no change". */
export const signed = (change: number): string => (change === 0 ? "no change" : `${change > 0 ? "+" : "−"}${formatNumber(Math.abs(change))}`);

export const measures = {
  functional: { label: "Functional", of: "of those assessed" },
  power: { label: "Power", of: "of those assessed" },
  assessed: { label: "Assessed", of: "of all" },
  silent: { label: "Silent", of: "of those that should send" },
  mode: { label: "Mode", of: "most frequent" },
} as const;
export type Measure = keyof typeof measures;
export const isMeasure = (text: string | null): text is Measure => text !== null && text in measures;

/** A unit's share by a measure. */
export function measured(unit: UnitCounts, measure: Exclude<Measure, "mode">): number | undefined {
  if (measure === "assessed") return shareOf(unit.assessed, unit.facilities);
  return measure === "silent" ? shareOf(unit.silent, unit.expected) : shareOf(unit[measure], unit.assessed);
}

const shareClasses = ["0 to 19 %", "20 to 39 %", "40 to 59 %", "60 to 79 %", "80 to 100 %"] as const;
const modeClasses = [
  ["efirst", "E-First"],
  ["efast", "E-Fast"],
  ["elast", "E-Last"],
  ["partial", "Partial"],
  ["notDeployed", "Not deployed"],
  ["notOperational", "Not operational"],
] as const;

export type UnitClass = { className: string; label: string };
const noData = (measure: Measure): UnitClass => ({ className: "is-none", label: measure === "silent" ? "None should send" : measure === "assessed" ? "No facilities" : "Not assessed" });

/** The class that a unit is coloured by. A class of shares ends before the next one begins. */
export function classOf(unit: UnitCounts, measure: Measure): UnitClass {
  if (measure === "mode") {
    const [most] = modeClasses.toSorted(([a], [b]) => unit.modes[b] - unit.modes[a]);
    return most && unit.modes[most[0]] > 0 ? { className: `is-mode-${modeClasses.indexOf(most)}`, label: most[1] } : noData(measure);
  }
  const share = measured(unit, measure);
  if (share === undefined) return noData(measure);
  const step = Math.min(4, Math.floor(share / 20));
  // Many silent sites are bad: the dark end of the palette is the one to look at in both.
  return { className: `is-share-${step}`, label: shareClasses[step]! };
}

/** All classes of a measure in the order of the legend. */
export const classesOf = (measure: Measure): UnitClass[] => [
  ...(measure === "mode" ? modeClasses.map(([, label], index) => ({ className: `is-mode-${index}`, label })) : shareClasses.map((label, index) => ({ className: `is-share-${index}`, label }))),
  noData(measure),
];

/** What a unit says in words: "Central: functional 83 %, 25 of 30 assessed". */
export function unitText(name: string, unit: UnitCounts, measure: Measure): string {
  const none = noData(measure).label.toLowerCase();
  if (measure === "mode") return `${name}: ${classOf(unit, measure).label}`;
  const [value, of] = measure === "assessed" ? [unit.assessed, unit.facilities] : measure === "silent" ? [unit.silent, unit.expected] : [unit[measure], unit.assessed];
  const share = measured(unit, measure);
  return share === undefined ? `${name}: ${none}` : `${name}: ${measures[measure].label.toLowerCase()} ${percent(share)}, ${formatNumber(value!)} of ${formatNumber(of!)}`;
}
