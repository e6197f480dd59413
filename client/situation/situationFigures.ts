import type { SituationUnitAnswer } from "./SituationSection.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { shareOf } from "../ui/chart/small/shares.ts";

/** Shares and classes of the units of a situation, as the table and the map show them. */

/** The counts of a unit. `facilityUuid` is present if it is a single facility. */
export type UnitCounts = Pick<SituationUnitAnswer, "facilities"> &
  Partial<Omit<SituationUnitAnswer, "modes" | "__typename">> & {
    modes: Omit<SituationUnitAnswer["modes"], "__typename">;
  };

/** A unit of a situation or of a report. */
export type NamedUnit = UnitCounts & { name: string };

/** ", 3 not recorded"; empty where all answers are recorded. */
export const unknownWords = (count: number): string => (count === 0 ? "" : `, ${formatNumber(count)} not recorded`);

/** "+12", "−3", "no change". */
export const signed = (change: number): string =>
  change === 0 ? "no change" : `${change > 0 ? "+" : "−"}${formatNumber(Math.abs(change))}`;

/** The figures by which units are compared and coloured; of each a higher share is better. */
export const figures = ["assessed", "functional", "power", "recent"] as const;
export type Figure = (typeof figures)[number];

/** `label`: of the tile; `column`: of the table; `words`: after a share; `of`: after its whole. */
export const figureWords: Record<Figure, { label: string; column: string; words: string; of: string }> = {
  assessed: { label: "Sites assessed", column: "Assessed", words: "assessed", of: "sites" },
  functional: { label: "Assessed sites that work", column: "Works", words: "work", of: "assessed sites" },
  power: { label: "Assessed sites with power", column: "Power", words: "have power", of: "assessed sites" },
  recent: {
    label: "Sites with recent data",
    column: "Recent data",
    words: "with recent data",
    of: "sites expected to send",
  },
};

/** The sites that a figure does not count, which people come for, and those whose answer is not recorded. */
export const rests = {
  assessed: { name: "neverAssessed", one: "never assessed", words: "never assessed", unknown: undefined },
  functional: { name: "notFunctional", one: "does not work", words: "do not work", unknown: "notRecordedFunctional" },
  power: { name: "withoutPower", one: "without power", words: "without power", unknown: "notRecordedPower" },
  recent: { name: "silent", one: "overdue", words: "overdue", unknown: undefined },
} as const satisfies Record<Figure, { name: string; one: string; words: string; unknown: string | undefined }>;

/** What the map can show: a figure, the most frequent mode or, before the first assessment, how many facilities. */
export type Measure = Figure | "mode" | "facilities";
export const isFigure = (text: string | null): text is Figure => figures.some((figure) => figure === text);

/** A single facility's share is 0 or 100 percent: the subject, and the words for both values. */
export const siteWords = {
  functional: { about: "SmartCare", words: ["does not work", "works"] },
  power: { about: "Power", words: ["does not work", "works"] },
  assessed: { about: "Ever", words: ["assessed: no", "assessed: yes"] },
  recent: { about: "Data", words: ["overdue", "in time"] },
} as const satisfies Record<Figure, { about: string; words: readonly [nothing: string, all: string] }>;
export const siteText = (figure: Figure, isAll: boolean): string =>
  `${siteWords[figure].about} ${siteWords[figure].words[isAll ? 1 : 0]}`;

/** The counts of a unit, or of the state of some facilities at the end of a quarter. */
type Counts = Partial<
  Record<"assessed" | "functional" | "power" | "notRecordedFunctional" | "notRecordedPower", number | null> &
    Record<"expected" | "silent", number | null>
> & { facilities: number };

/** A part of a whole, and how many of the whole have no recorded answer. */
export type Counted = { value: number; of: number; notRecorded: number };

/** What a figure counts; `expected` less those that are overdue have sent recent data. */
export function countedBy(figure: Figure, counts: Counts): Counted {
  const { facilities, assessed, functional, power, expected, silent } = counts;
  switch (figure) {
    case "assessed":
      return { value: assessed ?? 0, of: facilities, notRecorded: 0 };
    case "functional":
      return { value: functional ?? 0, of: assessed ?? 0, notRecorded: counts.notRecordedFunctional ?? 0 };
    case "power":
      return { value: power ?? 0, of: assessed ?? 0, notRecorded: counts.notRecordedPower ?? 0 };
    case "recent":
      return { value: (expected ?? 0) - (silent ?? 0), of: expected ?? 0, notRecorded: 0 };
  }
}

/** The share of a figure in percent; undefined if the whole is zero. */
export function measured(counts: Counts, figure: Figure): number | undefined {
  const { value, of } = countedBy(figure, counts);
  return shareOf(value, of);
}

/** How many of a unit's facilities have a mode. */
export const recorded = ({ facilities, modes }: UnitCounts): number => facilities - modes.noneRecorded;

export const modeClasses = [
  ["efirst", "E-First"],
  ["efast", "E-Fast"],
  ["elast", "E-Last"],
  ["partial", "Partial"],
  ["notDeployed", "Not deployed"],
  ["notOperational", "Not operational"],
] as const;

/** The most frequent mode of a unit's facilities, and its count; undefined if no mode is recorded. */
export function mostFrequentMode({ modes }: UnitCounts): { step: number; label: string; count: number } | undefined {
  const [most] = modeClasses
    .map(([id, label], step) => ({ step, label, count: modes[id] }))
    .toSorted((a, b) => b.count - a.count || a.step - b.step);
  return most && most.count > 0 ? most : undefined;
}
