import { at, calendarKeys, type KeyName, type Row } from "./questionKeys.ts";
import type { Need } from "./siteFilters.ts";

/** What questions count: their subjects, with the figures, keys and periods of each. */

/**
 * A figure of a group. `counts`: of what it is made in a `measure` of GraphQL; a median has none. `plain`: the field and
 * the order by which it is asked for without one. `of`: the denominator of a share.
 */
export type Measure = {
  label: string;
  counts?: { count: string; per?: string };
  /** divided by so many of it */
  each?: { label: string; size: number };
  plain?: { fields: string; sort: string; valueOf: (row: Row) => number | null; of?: (row: Row) => Part };
  isShare?: true;
  /** a sentence on what it counts, where another figure has nearly the same name */
  about?: string;
  /** It counts sites, so that it can be a part of those that there are. */
  isSites?: true;
  /** It is as it stands today, so that it has no period. */
  isState?: true;
  /** Without this right it is not offered. */
  needs?: Need;
};
export type Part = { count: number; of: number };
const wordOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
export const numberAt = (row: Row, ...path: string[]) => (at(row, ...path) as number | null | undefined) ?? null;
const count = (label: string, field: string): Measure => ({
  ...{ label, counts: { count: wordOf(field) } },
  plain: { fields: field, sort: wordOf(field), valueOf: (row) => numberAt(row, field) },
});
const figure =
  (name: "mean" | "median") =>
  (label: string, field: string): Measure => ({
    label,
    plain: {
      ...{ fields: `${field} { ${name} known }`, sort: `${wordOf(field)}_${name.toUpperCase()}` },
      valueOf: (row) => numberAt(row, field, name),
    },
  });
const mean = figure("mean");
const median = figure("median");
const shareOfAnswers = (label: string, field: string): Measure => ({
  ...{ label, isShare: true },
  counts: { count: `SUM_${wordOf(field)}`, per: `RECORDED_${wordOf(field)}` },
});
const answer = (label: string, field: string): Measure => ({
  ...shareOfAnswers(label, field),
  plain: {
    ...{ fields: `${field} { yes no share }`, sort: `${wordOf(field)}_SHARE` },
    valueOf: (row) => numberAt(row, field, "share"),
    of: (row) => {
      const yes = numberAt(row, field, "yes") ?? 0;
      return { count: yes, of: yes + (numberAt(row, field, "no") ?? 0) };
    },
  },
});
const works = "smartCareFunctional";
const aboutPower = {
  about: "This source alone, of the sites with a recorded answer. On Home a site has power if either source works.",
};
const ofLatestTdb = (what: string, word: string): Measure => ({
  ...{ label: `${what} by the latest TDB`, counts: { count: word }, isState: true, needs: "viewTdbs" },
});
const sitesIn = (label: string, field: string): Measure => ({ ...count(label, field), isSites: true });
/** By what counts can be divided, besides other counts. */
export const wholes: Record<string, Measure> = { there: { label: "Sites that there are", counts: { count: "OF" } } };
export const wholesOfSites: Record<string, Measure> = {
  ...wholes,
  ofAssessed: { label: "Assessed sites", counts: { count: "OF_ASSESSED" } },
};

const places: readonly KeyName[] = ["province", "district", "partner"];
/** Ranges of days of visits and receipts. */
const days: Record<string, string> = {
  LAST_12_MONTHS: "last 12 months",
  LAST_90_DAYS: "last 90 days",
  THIS_QUARTER: "this quarter",
  PREVIOUS_QUARTER: "last quarter",
  LAST_4_QUARTERS: "last four quarters",
  THIS_YEAR: "this fiscal year",
  PREVIOUS_YEAR: "last fiscal year",
  THIS_CALENDAR_YEAR: "this calendar year",
  PREVIOUS_CALENDAR_YEAR: "last calendar year",
};

/** What is counted: its list of groups in GraphQL, the keys and measures that it has, and how a period is said. */
export const subjects = {
  sites: {
    label: "Sites",
    field: "facilityGroups",
    keys: [...places, "mode", "version", "type", "owner", "area", "distance", ...calendarKeys] as readonly KeyName[],
    measures: {
      works: answer("Share of assessed sites that work", works),
      primary: { ...answer("Share of assessed sites where primary power works", "primaryPowerWorking"), ...aboutPower },
      backup: { ...answer("Share of assessed sites where backup power works", "backupPowerWorking"), ...aboutPower },
      assessed: {
        ...{ label: "Share of sites that were assessed", isShare: true, counts: { count: "ASSESSED", per: "OF" } },
        plain: {
          ...{ fields: "completeness { count of share }", sort: "COMPLETENESS_SHARE" },
          valueOf: (row) => numberAt(row, "completeness", "share"),
          of: (row) => ({
            count: numberAt(row, "completeness", "count") ?? 0,
            of: numberAt(row, "completeness", "of") ?? 0,
          }),
        },
      },
      sites: sitesIn("Sites", "facilities"),
      working: sitesIn("Sites that work", "sumSmartCareFunctional"),
      efirst: sitesIn("Sites in mode E-First", "efirst"),
      elast: sitesIn("Sites in mode E-Last", "elast"),
      staff: count("Staff trained", "sumTrainedStaff"),
      staffEach: mean("Staff trained at a site, on average", "staffTrained"),
      areaWorks: {
        ...answer("Share of service areas where SmartCare works", "serviceAreaFunctional"),
        counts: undefined,
      },
      clients: ofLatestTdb("Clients", "CLIENTS"),
      computers: ofLatestTdb("Computers", "COMPUTERS"),
      sinceVisit: median("Days since the last visit, in the median", "daysSinceLastVisit"),
      population: {
        ...{ label: "People in catchment areas", counts: { count: "CATCHMENT_POPULATION" } },
        each: { label: "10,000 people", size: 10_000 },
      },
    } as Record<string, Measure>,
    ranges: {
      "": "as they stand today",
      THIS_QUARTER: "this quarter",
      LAST_QUARTER: "last quarter",
      THIS_YEAR: "this fiscal year",
      LAST_YEAR: "last fiscal year",
    } as Record<string, string>,
    argumentsOf: (range: string) => (range ? [`period: { relative: ${range} }`] : []),
  },
  visits: {
    label: "Visits",
    field: "assessmentGroups",
    keys: [...places, "mode", "version", "type", "owner", "person", ...calendarKeys] as readonly KeyName[],
    measures: {
      visits: count("Visits", "assessments"),
      sites: sitesIn("Sites visited", "facilities"),
      works: shareOfAnswers("Share of visited sites that work", works),
      primary: {
        ...shareOfAnswers("Share of visited sites where primary power works", "primaryPowerWorking"),
        ...aboutPower,
      },
      unpowered: {
        ...{ label: "Share of visited sites without power", isShare: true },
        counts: { count: "WITHOUT_POWER", per: "FACILITIES" },
        about: "Neither primary nor backup power worked at the latest visit of the period; of all sites visited.",
      },
      staff: count("Staff trained", "sumTrainedStaff"),
      between: median("Days between two visits, in the median", "daysBetweenVisits"),
      receipt: median("Days from a visit to its receipt, in the median", "daysToReceipt"),
      visitors: mean("People who visited a site, on average", "visitors"),
    } as Record<string, Measure>,
    ranges: days,
    argumentsOf: (range: string) => [`start: "${range}"`, `end: "${range}"`],
  },
  tdbs: {
    label: "TDBs",
    field: "tdbGroups",
    keys: [...places, "type", "owner", ...calendarKeys] as readonly KeyName[],
    measures: {
      tdbs: count("TDBs received", "tdbCount"),
      sites: sitesIn("Sites that sent a TDB", "facilities"),
      clients: count("Clients", "totalPatients"),
      bytes: count("Bytes received", "fileSize"),
      between: median("Days between two TDBs, in the median", "daysBetweenTdbs"),
    } as Record<string, Measure>,
    ranges: days,
    argumentsOf: (range: string) => [`start: "${range}"`, `end: "${range}"`],
  },
};
export type SubjectName = keyof typeof subjects;
