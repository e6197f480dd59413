import { counted, formatNumber } from "../../ui/text/counted.ts";
import {
  countedBy,
  type Figure,
  figureWords,
  type Measure,
  measured,
  modeClasses,
  mostFrequentMode,
  recorded,
  siteText,
  type UnitCounts,
  unknownWords,
} from "../situationFigures.ts";
import { percent } from "../../ui/chart/small/shares.ts";

/** The classes by which the map colours the units of a situation. */

/** `mark` is written beside the name on the map, where colours alone do not tell the classes apart. */
export type UnitClass = { className: string; label: string; mark?: string };

const depths = 5;

/**
 * The first value of each class, rising: at most five classes with about as many values each, in whole numbers, so that
 * they separate the values that there are today. Equal values are in the same class.
 */
export function breaksOf(values: readonly number[]): number[] {
  const sorted = values.map(Math.round).toSorted((a, b) => a - b);
  const distinct = [...new Set(sorted)];
  if (distinct.length <= depths) return distinct;
  return [...new Set(Array.from({ length: depths }, (_, at) => sorted[Math.floor((at * sorted.length) / depths)]!))];
}

/** The classes of a measure: the first value of each, and the greatest value of all. */
export type Scale = { breaks: readonly number[]; most: number };

/** The value by which a unit is coloured; undefined if it has none. */
const valueOf = (unit: UnitCounts, measure: Figure | "facilities"): number | undefined =>
  measure === "facilities" ? unit.facilities || undefined : measured(unit, measure);

export function scaleOf(units: readonly UnitCounts[], measure: Measure): Scale {
  if (measure === "mode") return { breaks: [], most: 0 };
  const values = units.flatMap((unit) => valueOf(unit, measure) ?? []);
  return { breaks: breaksOf(values), most: Math.round(Math.max(...values, 0)) };
}

/** The depth of the colour of a class: the first is the lightest, the last the darkest. */
const depthOf = (at: number, classes: number): number =>
  classes === 1 ? depths - 1 : Math.round((at * (depths - 1)) / (classes - 1));

function classAt({ breaks, most }: Scale, at: number, unit: string): UnitClass {
  const first = breaks[at]!;
  const last = (breaks[at + 1] ?? most + 1) - 1;
  const range = first === last ? formatNumber(first) : `${formatNumber(first)} to ${formatNumber(last)}`;
  return { className: `is-share-${depthOf(at, breaks.length)}`, label: `${range}${unit}` };
}
const endingOf = (measure: Measure): string => (measure === "facilities" ? "" : " %");

const isAnswer = (measure: Measure): measure is "functional" | "power" =>
  measure === "functional" || measure === "power";

const noData = (measure: Measure, isOfFacilities: boolean): UnitClass => ({
  className: "is-none",
  label:
    measure === "recent"
      ? isOfFacilities
        ? "Not expected to send"
        : "None should send"
      : measure === "assessed" || measure === "facilities"
        ? "No facilities"
        : "Not assessed",
});

/** The class of a single facility whose latest assessment records no answer. */
const notRecordedClass: UnitClass = { className: "is-unknown", label: "Not recorded" };
const siteClass = (figure: Figure, isAll: boolean): UnitClass => ({
  className: `is-share-${isAll ? depths - 1 : 0}`,
  label: siteText(figure, isAll),
});

const modeClass = (label: string, step: number): UnitClass => ({
  className: `is-mode-${step}`,
  label,
  mark: String(step + 1),
});

/** The class that decides the colour of a unit. Without a scale, that of a facility, or of a mode. */
export function classOf(unit: UnitCounts, measure: Measure, scale: Scale = { breaks: [], most: 0 }): UnitClass {
  const isFacility = unit.facilityUuid != null;
  if (measure === "mode") {
    const most = mostFrequentMode(unit);
    return most ? modeClass(most.label, most.step) : noData(measure, isFacility);
  }
  if (isFacility && isAnswer(measure) && countedBy(measure, unit).notRecorded > 0) return notRecordedClass;
  const value = valueOf(unit, measure);
  if (value === undefined) return noData(measure, isFacility);
  if (isFacility && measure !== "facilities") return siteClass(measure, value > 0);
  const at = scale.breaks.findLastIndex((first) => first <= Math.round(value));
  return classAt(scale, Math.max(at, 0), endingOf(measure));
}

/** All classes of a measure in the order of the legend. */
export function classesOf(measure: Measure, scale: Scale, isOfFacilities: boolean): UnitClass[] {
  const all =
    measure === "mode"
      ? modeClasses.map(([, label], step) => modeClass(label, step))
      : isOfFacilities && measure !== "facilities"
        ? [siteClass(measure, false), siteClass(measure, true)]
        : scale.breaks.map((_, at) => classAt(scale, at, endingOf(measure)));
  return [...all, ...(isOfFacilities && isAnswer(measure) ? [notRecordedClass] : []), noData(measure, isOfFacilities)];
}

/** A unit in words: "Central: 83 % work, 25 of 30 assessed sites"; "Kalomo Clinic: SmartCare works". */
export function unitText(name: string, unit: UnitCounts, measure: Measure): string {
  const isFacility = unit.facilityUuid != null;
  const none = `${name}: ${noData(measure, isFacility).label.toLowerCase()}`;
  if (measure === "facilities") return `${name}: ${counted(unit.facilities, "facility", "facilities")}`;
  if (isFacility) {
    const { className, label } = classOf(unit, measure);
    return `${name}: ${["is-none", "is-unknown"].includes(className) ? label.toLowerCase() : label}`;
  }
  if (measure === "mode") {
    const most = mostFrequentMode(unit);
    return most ? `${name}: ${most.label}, ${formatNumber(most.count)} of ${formatNumber(recorded(unit))}` : none;
  }
  const { value, of, notRecorded } = countedBy(measure, unit);
  const share = measured(unit, measure);
  if (share === undefined) return none;
  const { words, of: whole } = figureWords[measure];
  return `${name}: ${percent(share)} ${words}, ${formatNumber(value)} of ${formatNumber(of)} ${whole}${unknownWords(notRecorded)}`;
}
