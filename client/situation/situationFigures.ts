import type { SituationUnitAnswer } from "./SituationSection.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";

/** Shares and classes of the units of a situation, as the table and the map show them. */

/** The counts of a unit. `facilityUuid` is present if it is a single facility. */
export type UnitCounts = Pick<SituationUnitAnswer, "facilities"> &
  Partial<Omit<SituationUnitAnswer, "modes">> & { modes: Omit<SituationUnitAnswer["modes"], "__typename"> };

/** A part of a whole in percent; undefined if the whole is zero or the part is unknown. */
export const shareOf = (value: number | null | undefined, of: number | null | undefined): number | undefined =>
  value == null || of == null || of === 0 ? undefined : (100 * value) / of;

/** How many of a unit's facilities have no recorded answer. */
export const notRecorded = (unit: UnitCounts, measure: "functional" | "power"): number =>
  (measure === "functional" ? unit.notRecordedFunctional : unit.notRecordedPower) ?? 0;
/** ", 3 not recorded"; empty where all answers are recorded. */
export const unknownWords = (count: number): string => (count === 0 ? "" : `, ${formatNumber(count)} not recorded`);

/** "83 %", with a space that does not break; less than one percent is not shown as zero. */
export function percent(share: number | undefined): string {
  if (share === undefined) return "–";
  if (share > 0 && share < 1) return "<\u00a01\u00a0%";
  if (share < 100 && share > 99) return ">\u00a099\u00a0%";
  return `${Math.round(share)}\u00a0%`;
}

/** "+12", "−3", "no change". */
export const signed = (change: number): string =>
  change === 0 ? "no change" : `${change > 0 ? "+" : "−"}${formatNumber(Math.abs(change))}`;

export const measures = {
  functional: { label: "Functional", of: "of those assessed" },
  power: { label: "Power", of: "of those assessed" },
  assessed: { label: "Assessed", of: "of all" },
  silent: { label: "Silent", of: "of those that should send" },
  mode: { label: "Mode", of: "most frequent" },
  facilities: { label: "Facilities", of: "how many there are" },
} as const;
export type Measure = keyof typeof measures;
export const isMeasure = (text: string | null): text is Measure => text !== null && text in measures;

/** The measures that are shares of a whole. */
type ShareMeasure = Exclude<Measure, "mode" | "facilities">;

/** A single facility's share is 0 or 100 percent: the subject, and the words for both values. */
export const siteWords = {
  functional: { about: "SmartCare", words: ["does not work", "works"] },
  power: { about: "Power", words: ["does not work", "works"] },
  assessed: { about: "Ever", words: ["assessed: no", "assessed: yes"] },
  silent: { about: "TDBs", words: ["in time", "silent"] },
} as const satisfies Record<ShareMeasure, { about: string; words: readonly [nothing: string, all: string] }>;
const isAnswer = (measure: Measure): measure is "functional" | "power" =>
  measure === "functional" || measure === "power";
const siteText = (measure: ShareMeasure, isAll: boolean): string =>
  `${siteWords[measure].about} ${siteWords[measure].words[isAll ? 1 : 0]}`;

/** A unit's share by a measure. */
export function measured(unit: UnitCounts, measure: ShareMeasure): number | undefined {
  if (measure === "assessed") return shareOf(unit.assessed, unit.facilities);
  return measure === "silent" ? shareOf(unit.silent, unit.expected) : shareOf(unit[measure], unit.assessed);
}

/** How many of a unit's facilities have a mode. */
export const recorded = ({ facilities, modes }: UnitCounts): number => facilities - modes.noneRecorded;

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
const noData = (measure: Measure, isOfFacilities: boolean): UnitClass => ({
  className: "is-none",
  label:
    measure === "silent"
      ? isOfFacilities
        ? "Not expected to send"
        : "None should send"
      : measure === "assessed" || measure === "facilities"
        ? "No facilities"
        : "Not assessed",
});

/** The class of a single facility whose latest assessment records no answer. */
const notRecordedClass: UnitClass = { className: "is-unknown", label: "Not recorded" };

/**
 * The width of each of the five classes of a count: 1, 2 or 5 times a power of ten, so that the largest unit has a
 * class.
 */
export function spanOf(units: readonly UnitCounts[]): number {
  const most = Math.max(...units.map(({ facilities }) => facilities), 1);
  for (let ten = 1; ; ten *= 10) {
    const span = [1, 2, 5].map((times) => times * ten).find((each) => each * shareClasses.length >= most);
    if (span !== undefined) return span;
  }
}

const countClass = (step: number, span: number): string =>
  span === 1 ? String(step + 1) : `${formatNumber(step * span + 1)} to ${formatNumber((step + 1) * span)}`;

/** The most frequent mode of a unit's facilities, and its count; undefined if no mode is recorded. */
export function mostFrequentMode({ modes }: UnitCounts): { step: number; label: string; count: number } | undefined {
  const [most] = modeClasses
    .map(([id, label], step) => ({ step, label, count: modes[id] }))
    .toSorted((a, b) => b.count - a.count || a.step - b.step);
  return most && most.count > 0 ? most : undefined;
}

/**
 * The class that decides the colour of a unit; `span`: the width of the classes of the map. The upper end of a class of
 * shares is not part of it.
 */
export function classOf(unit: UnitCounts, measure: Measure, span: number): UnitClass {
  const isFacility = unit.facilityUuid != null;
  if (measure === "mode") {
    const most = mostFrequentMode(unit);
    return most ? { className: `is-mode-${most.step}`, label: most.label } : noData(measure, isFacility);
  }
  if (measure === "facilities") {
    const step = Math.ceil(unit.facilities / span) - 1;
    return step < 0 ? noData(measure, isFacility) : { className: `is-share-${step}`, label: countClass(step, span) };
  }
  if (isFacility && isAnswer(measure) && notRecorded(unit, measure) > 0) return notRecordedClass;
  const share = measured(unit, measure);
  if (share === undefined) return noData(measure, isFacility);
  const step = Math.min(4, Math.floor(share / 20));
  // A high share of silent sites is bad, other high shares are good. Both use the dark end of the palette.
  return { className: `is-share-${step}`, label: isFacility ? siteText(measure, share > 0) : shareClasses[step]! };
}

function labelsOf(measure: Exclude<Measure, "mode">, span: number, isOfFacilities: boolean): UnitClass[] {
  const all = shareClasses.map((label, index) => ({
    className: `is-share-${index}`,
    label: measure === "facilities" ? countClass(index, span) : label,
  }));
  if (!isOfFacilities || measure === "facilities") return all;
  return [all[0]!, all.at(-1)!].map(({ className }, index) => ({ className, label: siteText(measure, index === 1) }));
}

/** All classes of a measure in the order of the legend. */
export const classesOf = (measure: Measure, span: number, isOfFacilities: boolean): UnitClass[] => [
  ...(measure === "mode"
    ? modeClasses.map(([, label], index) => ({ className: `is-mode-${index}`, label }))
    : labelsOf(measure, span, isOfFacilities)),
  ...(isOfFacilities && isAnswer(measure) ? [notRecordedClass] : []),
  noData(measure, isOfFacilities),
];

/** A unit in words: "Central: functional 83 %, 25 of 30 assessed"; "Kalomo Clinic: SmartCare works". */
export function unitText(name: string, unit: UnitCounts, measure: Measure): string {
  const isFacility = unit.facilityUuid != null;
  const none = noData(measure, isFacility).label.toLowerCase();
  if (isFacility) {
    const { className, label } = classOf(unit, measure, 1);
    return `${name}: ${["is-none", "is-unknown"].includes(className) ? label.toLowerCase() : label}`;
  }
  if (measure === "mode") {
    const most = mostFrequentMode(unit);
    return most
      ? `${name}: ${most.label}, ${formatNumber(most.count)} of ${formatNumber(recorded(unit))}`
      : `${name}: ${none}`;
  }
  if (measure === "facilities") return `${name}: ${counted(unit.facilities, "facility", "facilities")}`;
  const [value, of] =
    measure === "assessed"
      ? [unit.assessed, unit.facilities]
      : measure === "silent"
        ? [unit.silent, unit.expected]
        : [unit[measure], unit.assessed];
  const share = measured(unit, measure);
  if (share === undefined) return `${name}: ${none}`;
  const unknown = isAnswer(measure) ? unknownWords(notRecorded(unit, measure)) : "";
  return `${name}: ${measures[measure].label.toLowerCase()} ${percent(share)}, ${formatNumber(value!)} of ${formatNumber(of!)}${unknown}`;
}
