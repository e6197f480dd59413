import { facilityFields, fieldFilters, type FieldMatch } from "../../db/facility/facilityFields.rules.ts";
import { isTextOf, type ListParameter, type ListValue, notRecorded, valueOf } from "../input/listParameters.rules.ts";
import { type Mode, modeLabels, modes } from "./mode.rules.ts";

/**
 * The catalogue of the filters of facility lists, without places: the parameters of screen addresses and of REST, which
 * are texts, and the arguments of GraphQL's `FacilityFilter` for which they stand. It does not import zod, because the
 * client's first lists need it.
 */

/** In a list of modes: facilities without a mode, because nobody assessed them. */
const noMode = "none";
export const listedModes = [...modes, noMode] as const;
export type ListedMode = Mode | typeof noMode;
export const listedModeLabels: Record<ListedMode, string> = { ...modeLabels, none: "None recorded" };

type FacilityParameter = ListParameter & {
  /** The argument of `FacilityFilter`. */
  argument: string;
  /** the value of that argument, if it is made of several */
  made?: (text: string) => object;
};

/** Ranges by which it is said since when nothing came, so that a saved question follows the calendar. */
const since = {
  THIS_QUARTER: "in this quarter",
  LAST_4_QUARTERS: "in the last four quarters",
  THIS_YEAR: "in this fiscal year",
  LAST_90_DAYS: "in the last 90 days",
  LAST_180_DAYS: "in the last 180 days",
  LAST_365_DAYS: "in the last 365 days",
} as const;
const sinceAbout = " A range relative to today stands for its first day.";

const answersInARow = {
  SMART_CARE_FUNCTIONAL: "SmartCare",
  PRIMARY_POWER_WORKING: "Primary power",
  BACKUP_POWER_WORKING: "Backup power",
};
const inARow = Object.fromEntries(
  Object.entries(answersInARow).flatMap(([answer, what]) =>
    [2, 3, 4].flatMap((visits) => [
      [`${answer}.${visits}.no`, `${visits} × ${what} did not work`],
      [`${answer}.${visits}.yes`, `${visits} × ${what} worked`],
    ]),
  ),
) as Record<string, string>;

export const listParameters = {
  assessed: {
    kind: "flag",
    argument: "assessed",
    label: "Assessed",
    about: "yes: somebody ever assessed it. no: nobody did.",
    words: ["assessed", "never assessed"],
  },
  assessedBefore: {
    kind: "day",
    argument: "assessedBefore",
    label: "Not visited",
    choices: since,
    about: `Without an assessment on this day or later: last assessed before it, or never. With assessed=yes: only those last assessed before it.${sinceAbout}`,
  },
  functional: {
    kind: "flag",
    argument: "functional",
    label: "SmartCare",
    about: `yes: its latest assessment found that SmartCare works. no: that it does not. ${notRecorded}: it records neither. Never assessed ones match none.`,
    words: ["works", "does not work", "not recorded"],
  },
  power: {
    kind: "flag",
    argument: "power",
    label: "Power",
    about: `yes: its latest assessment found that primary or backup power works. no: that neither does. ${notRecorded}: it does not record that. Never assessed ones match none.`,
    words: ["works", "does not work", "not recorded"],
  },
  oldVersion: {
    kind: "flag",
    argument: "oldVersion",
    label: "Version age",
    about:
      "yes: its latest assessment names an older library version than the newest that any names. no: it names the newest. Where none is known neither matches.",
    words: ["older than the newest", "the newest"],
  },
  libraryVersion: {
    kind: "text",
    argument: "libraryVersion",
    label: "Library version",
    about: "Its latest assessment names this library version.",
  },
  modes: {
    kind: "choices",
    choices: listedModeLabels,
    argument: "modes",
    label: "Present mode",
    about: `Its present mode is one of these: ${modes.join(", ")}; ${noMode}: no mode, because nobody assessed it.`,
  },
  silent: {
    kind: "flag",
    argument: "silent",
    label: "TDBs",
    about:
      "yes: it should have sent its next TDB and did not, or never sent one though the system is deployed. no: it should send, and is in time.",
    words: ["overdue", "in time"],
  },
  noTdbSince: {
    kind: "day",
    argument: "noTdbSince",
    label: "No TDB made",
    choices: since,
    about: `Without a TDB made on this day or later: its latest was made before it, or it never sent one. With silent=yes: only those that should have sent.${sinceAbout}`,
  },
  sent: {
    kind: "flag",
    argument: "hasSentTdb",
    label: "Any TDB",
    about: "yes: it ever sent a TDB. no: it never did.",
    words: ["received", "never received"],
  },
  connected: {
    kind: "flag",
    argument: "connectivityPresent",
    label: "Network",
    about: `yes: connected to a network. no: not connected. ${notRecorded}: it is not recorded whether it is.`,
    words: ["connected", "not connected", "not recorded"],
  },
  position: {
    kind: "flag",
    argument: "hasPosition",
    label: "Position",
    about: "yes: its coordinates are known. no: they are not.",
    words: ["known", "not known"],
  },
  outside: {
    kind: "box",
    argument: "positionOutside",
    label: "Position outside",
    about:
      "Its coordinates are known and lie outside this box of degrees: west, south, east, north. Probably a mistake where the box is the country's.",
  },
  near: {
    kind: "circle",
    argument: "near",
    label: "Distance",
    about:
      "Its coordinates are known and lie within so many kilometres of a position: latitude, longitude, kilometres. A fourth number: at least so many kilometres from it; then the third may be empty.",
  },
  closed: {
    kind: "flag",
    argument: "closed",
    label: "State",
    about: "yes: closed facilities only. no, or without it: open ones.",
    words: ["closed", "open"],
  },
  fieldList: {
    kind: "uuid",
    argument: "fieldList",
    label: "Field list",
    about:
      "It is on the field list with this uuid: the caller's own, or a shared one. Needs editAssessments or administrator.",
  },
  ...(Object.fromEntries(
    fieldFilters.map(({ argument, compare, name, about }) => [
      argument,
      {
        kind: compare === "same" ? "text" : "count",
        argument,
        label: `${facilityFields[name].label}${compare === "same" ? "" : compare === "least" ? ", at least" : ", at most"}`,
        about,
      },
    ]),
  ) as Record<keyof FieldMatch, FacilityParameter>),
  inARow: {
    kind: "choice",
    choices: inARow,
    argument: "inARow",
    label: "Last visits",
    about:
      "Its latest visits, so many, all gave the same answer: SMART_CARE_FUNCTIONAL.2.no says that SmartCare did not work at the last two. Facilities with fewer visits never match.",
    made: (text: string) => {
      const [answer, visits, said] = text.split(".");
      return { visits: Number(visits), answer, said: said === "yes" };
    },
  },
} as const satisfies Record<string, FacilityParameter>;

/** Arguments of `FacilityFilter` of which it may be unknown whether they are yes or no. */
export const notRecordedNames = ["functional", "power", "connectivityPresent", "mobileCoverage"] as const;

export type ListParameterName = keyof typeof listParameters;
export const listParameterNames = Object.keys(listParameters) as ListParameterName[];
/** The parameters as texts, as they are in an address or a REST query. */
export type ListTexts = { [Name in ListParameterName]?: string | undefined };

/** A parameter by its name. */
export const parameterOf = (name: ListParameterName): FacilityParameter => listParameters[name];

/** Whether a parameter may have this text. */
export const isListText = (name: ListParameterName, text: string): boolean => isTextOf(parameterOf(name), text);

/** Whether a text is a latitude and a longitude with a comma between. */
export const isPosition = (text: string): boolean => isListText("near", `${text},1`);

/** The words of a distance from a position, with the name of the place in its stead: "within 20 km of Kabwe District". */
export const nearWords = (words: string, place: string | null | undefined): string =>
  place ? words.replace(/-?[\d.]+, -?[\d.]+$/, () => place) : words;

/** The `FacilityFilter` that the texts stand for; undefined without any. */
export function listMatch(texts: ListTexts): Record<string, ListValue | object> | undefined {
  const given = listParameterNames.filter((name) => texts[name] !== undefined);
  if (given.length === 0) return undefined;
  const unknown = given.filter((name) => texts[name] === notRecorded && parameterOf(name).kind === "flag");
  return {
    ...Object.fromEntries(
      given
        .filter((name) => !unknown.includes(name))
        .map((name) => {
          const { argument, made } = parameterOf(name);
          return [argument, made?.(texts[name]!) ?? valueOf(parameterOf(name), texts[name]!)];
        }),
    ),
    ...(unknown.length > 0 ? { notRecorded: unknown.map((name) => parameterOf(name).argument) } : {}),
  };
}
