import { routes } from "../routes.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { figureOf, isPartOf, type Question } from "./question.ts";
import { calendarKeys, type KeyName } from "./questionKeys.ts";
import { listFilters } from "./siteFilters.ts";

/** The list of the sites that a group counts, with the same filters. */

type Row = Record<string, unknown>;
type Match = Record<string, string | number>;
const idIn = (row: Row, what: string, id: string) => (row[what] as Row | null | undefined)?.[id] as number | undefined;

/** The filters of a list by a key of a group; null where the list has none. */
const matchOfKey: Partial<Record<KeyName, (row: Row, question: Question) => Match | null>> = {
  province: (row) => ({ provinceId: idIn(row, "province", "provinceId")! }),
  district: (row) => ({ districtId: idIn(row, "district", "districtId")! }),
  partner: (row) => ({ implementingPartnerId: idIn(row, "implementingPartner", "implementingPartnerId") ?? "none" }),
  mode: (row) => ({ modes: (row["functionalityStatusMode"] as string | null) ?? "none" }),
  version: ({ libraryVersion }) => (typeof libraryVersion === "string" ? { libraryVersion } : null),
  type: ({ facilityType }) => (typeof facilityType === "string" ? { facilityType } : null),
  distance: ({ distance }, { from: position, fromName }): Match => {
    const band = distance as { from: number; to: number | null } | null;
    if (band === null) return { position: "no" };
    const near = [position, band.to ?? "", ...(band.from === 0 ? [] : [band.from])].join(",");
    return { near, ...(fromName ? { nearName: fromName } : {}) };
  },
  owner: ({ facilityOwner }) => (typeof facilityOwner === "string" ? { facilityOwner } : null),
};
/** The filters of a list by a measure: the sites that it counts. */
const matchOfMeasure: Record<string, Match> = {
  works: { functional: "yes" },
  working: { functional: "yes" },
  assessed: { assessed: "yes" },
  sites: {},
  efirst: { modes: "EFirst" },
  elast: { modes: "ELast" },
  population: { catchmentPopulationFrom: 0 },
};

/** The filters of a list by a share: the sites that do not count, and how they are said after their number. */
const othersOfMeasure: Record<string, { match: Match; words: string }> = {
  works: { match: { functional: "no" }, words: "do not" },
  assessed: { match: { assessed: "no" }, words: "not assessed" },
};

/** Why a list cannot show the sites of any figure of this question; undefined if it can. */
export function listFault(question: Question): string | undefined {
  const { subject, by, and, measure, per, range, filters } = question;
  if (subject !== "sites") return "Figures of visits and TDBs open no list of sites.";
  if (range !== "" || [by, and].some((key) => key && calendarKeys.includes(key)))
    return "A list shows sites as they stand today, so figures of a period open none.";
  const isListed = listFilters(subject, filters) !== undefined;
  if (
    !isListed ||
    (per !== undefined && !isPartOf(question)) ||
    !(measure in matchOfMeasure) ||
    [by, and].some((key) => key && !(key in matchOfKey))
  )
    return "A list of sites has no filter for this figure.";
  return undefined;
}

/** The list of the sites that a share does not count, and their number in words; undefined where there is none. */
export function othersOf(question: Question, row: Row): { list: string; words: string } | undefined {
  const others = othersOfMeasure[question.measure];
  const { of, isChange } = figureOf(question);
  const list = others && !isChange ? sitesOf(question, row, others.match) : undefined;
  const part = of?.(row);
  if (!others || list === undefined || !part || part.of === part.count) return undefined;
  return { list, words: `${formatNumber(part.of - part.count)} ${others.words}` };
}

/**
 * The address of the list of the sites of a group; undefined where a list cannot show them. `counted`: the filters by
 * the figure.
 */
export function sitesOf(
  question: Question,
  row: Row,
  counted: Match = matchOfMeasure[question.measure]!,
): string | undefined {
  if (listFault(question) !== undefined) return undefined;
  const { subject, by, and, provinceId, implementingPartnerId, filters } = question;
  const matches = [by, ...(and ? [and] : [])].map((key) => matchOfKey[key]!(row, question));
  const filtered = listFilters(subject, filters)!;
  const place = filtered["near"] && question.nearName;
  // Sites in one mode among those of another one are none.
  const names = [counted, filtered, ...matches].flatMap((match) => Object.keys(match ?? {}));
  if (matches.includes(null) || new Set(names).size < names.length) return undefined;
  return routes.facilityList(
    Object.assign(
      {},
      provinceId === undefined ? {} : { provinceId },
      implementingPartnerId === undefined ? {} : { implementingPartnerId },
      filtered,
      place ? { nearName: place } : {},
      ...matches,
      counted,
    ) as Match,
  );
}
