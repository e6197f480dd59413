import { z } from "zod";

import { builtInSystems } from "../../db/facility/identifierSystems.rules.ts";
import { codeForm } from "../input/identity.rules.ts";
import { wholeNumber } from "../input/page.rules.ts";
import { lineRule } from "../input/texts.rules.ts";

/** Rules for FHIR requests: ids of resources, systems of identifiers and search parameters. */

type Kind = "country" | "province" | "district" | "implementingPartner" | "facility";
type Key = { kind: Kind; id: string };

/** Ids of resources: `country`, `province-3`, `district-17`, `partner-5`, and for a facility its uuid. */
const prefixes: [prefix: string, kind: Kind][] = [
  ["province-", "province"],
  ["district-", "district"],
  ["partner-", "implementingPartner"],
];
const isOfPlace = (id: string): boolean => id === "country" || prefixes.some(([prefix]) => id.startsWith(prefix));

/**
 * FHIR ids consist of letters, digits, hyphens and dots. Other characters of a uuid are written as a dot and two
 * hexadecimal digits for each byte.
 */
const escaped = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9-]/gu, (letter) =>
    [...new TextEncoder().encode(letter)].map((byte) => `.${byte.toString(16).padStart(2, "0")}`).join(""),
  );

/** The FHIR id of a unit. */
export function resourceIdOf({ kind, id }: Key): string {
  if (kind === "country") return kind;
  if (kind !== "facility") return prefixes.find(([, of]) => of === kind)![0] + id;
  const own = escaped(id);
  return isOfPlace(own) ? `.${own.charCodeAt(0).toString(16)}${own.slice(1)}` : own;
}

/** The unit of a resource's id; undefined if no unit can have this id. */
export function unitOfResource(resourceId: string): Key | undefined {
  if (!/^[A-Za-z0-9\-.]{1,200}$/.test(resourceId)) return undefined;
  if (resourceId === "country") return { kind: "country", id: "0" };
  const [prefix, kind] = prefixes.find(([start]) => resourceId.startsWith(start)) ?? [];
  if (prefix && kind)
    return /^\d{1,9}$/.test(resourceId.slice(prefix.length))
      ? { kind, id: String(Number(resourceId.slice(prefix.length))) }
      : undefined;
  if (!/^([A-Za-z0-9-]|\.[0-9a-f]{2})+$/.test(resourceId)) return undefined;
  try {
    return { kind: "facility", id: decodeURIComponent(resourceId.replaceAll(".", "%")) };
  } catch {
    return undefined;
  }
}

/** The systems of identifiers: those of the registry, and the platform's own ids. */
export const platformSystem = (kind: Kind): string => `urn:zm:platform:${kind}`;
/** The URI by which FHIR identifies a system of identifiers. */
export const systemUriOf = (system: string): string =>
  builtInSystems.find((one) => one.system === system)?.uri ?? `urn:zm:${system}`;
const systemOfUri = (uri: string): string =>
  builtInSystems.find((one) => one.uri === uri)?.system ?? uri.replace(/^urn:zm:/, "");
const platformKinds: Kind[] = ["country", "province", "district", "implementingPartner", "facility"];

/** The items of a list with commas. A comma within an item is escaped by a backslash. */
const listOf = (text: string): string[] =>
  (text.match(/(?:\\.|[^,\\])+/g) ?? []).map((part) => part.replaceAll(/\\(.)/g, "$1"));
const most = 100;
const text = lineRule(4000).min(1, "must not be empty");
const listRule = text.refine(
  (list) => listOf(list).length >= 1 && listOf(list).length <= most,
  `must be a comma list of 1 to ${most}`,
);

const identifierRule = listRule
  .transform((list) =>
    listOf(list).map((token) => {
      const [system, value] = token.includes("|")
        ? [token.slice(0, token.indexOf("|")), token.slice(token.indexOf("|") + 1)]
        : [null, token];
      const kind = platformKinds.find((one) => system === platformSystem(one)) ?? null;
      return {
        system: system === null || kind !== null ? null : systemOfUri(system),
        kind,
        value: value === "" ? null : codeForm(value),
      };
    }),
  )
  .describe("system|value, system| (any of it) or value (in any system); several with commas.");

const idsRule = listRule.transform((list) =>
  listOf(list)
    .map((id) => unitOfResource(id))
    .filter((key) => key !== undefined),
);
const referenceRule = (type: "Location" | "Organization") =>
  listRule
    .transform((list) =>
      listOf(list)
        .map((reference) => unitOfResource(reference.slice(reference.lastIndexOf("/") + 1)))
        .filter((key) => key !== undefined),
    )
    .describe(`${type}/id; several with commas.`);

const instant =
  /^(eq|gt|lt|ge|le|sa|eb)?(\d{4})(-\d\d)?(-\d\d)?(?:T(\d\d:\d\d)(:\d\d)?(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?)?$/;
/** The range of instants for a FHIR date with a prefix. A date without a time is a day in the ministry's zone. */
function rangeOf(asked: string) {
  const [, prefix = "eq", year = "", month, day, time, seconds, fraction] = instant.exec(asked)!;
  const at = `${year}${month ?? "-01"}${day ?? "-01"}${asked.slice(asked.search(/T|$/))}`.replace(
    /(T\d\d:\d\d)(?=$|Z|[+-])/,
    "$1:00",
  );
  const lasts = fraction
    ? "1 millisecond"
    : seconds
      ? "1 second"
      : time
        ? "1 minute"
        : day
          ? "1 day"
          : month
            ? "1 month"
            : "1 year";
  const when = { at, lasts };
  return {
    eq: { from: when, until: when },
    gt: { after: when },
    sa: { after: when },
    ge: { from: when },
    lt: { before: when },
    eb: { before: when },
    le: { until: when },
  }[prefix]!;
}
const isInstant = (asked: string): boolean => {
  const [, , year, month = "-01", day = "-01", time = "00:00", seconds = ":00"] = instant.exec(asked) ?? [];
  const date = new Date(`${year}${month}${day}T${time}${seconds}Z`);
  return (
    year !== undefined &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(`${year}${month}${day}T${time}${seconds}`)
  );
};
const instantWords = "must be a date or an instant, after none or one of eq, gt, lt, ge, le, sa, eb";
const changedRule = z
  .preprocess(
    (asked) => (asked === undefined ? undefined : [asked].flat()),
    z.array(z.string(instantWords).refine(isInstant, instantWords)).max(4).optional(),
  )
  .transform((ranges) => ranges?.map(rangeOf))
  .describe("When it was changed last: ge2026-06-30, lt2026-06-30T12:00:00Z.");

/** The units of `near` in kilometres (`nearKilometres`: its default distance). */
const kilometres: Record<string, number> = {
  "": 1,
  km: 1,
  m: 0.001,
  "[mi_us]": 1.609344,
  "[mi_i]": 1.609344,
  mi: 1.609344,
};
const nearKilometres = 50;
const nearWords = "must be latitude|longitude|distance|unit: degrees, and km, m or [mi_us]";
function placeOf(asked: string) {
  const [latitude = "", longitude = "", distance = "", unit = ""] = asked.split("|");
  const numbers = [latitude, longitude, distance || String(nearKilometres)].map((number) =>
    /^-?\d+(\.\d+)?$/.test(number) ? Number(number) : NaN,
  );
  return { latitude: numbers[0]!, longitude: numbers[1]!, kilometres: numbers[2]! * (kilometres[unit] ?? NaN) };
}
const nearRule = text
  .refine((asked) => {
    const { latitude, longitude, kilometres: distance } = placeOf(asked);
    return (
      asked.split("|").length <= 4 &&
      Math.abs(latitude) <= 90 &&
      Math.abs(longitude) <= 180 &&
      distance >= 0 &&
      distance <= 20_000
    );
  }, nearWords)
  .transform(placeOf)
  .describe(`latitude|longitude|distance|unit: facilities within this distance (without one: ${nearKilometres} km).`);

export const mcsd = "https://profiles.ihe.net/ITI/mCSD";
/** The systems of the codes in `type`. */
export const typeSystems = {
  unit: `${mcsd}/CodeSystem/IHE.mCSD.Organization.Location.Types`,
  role: "http://terminology.hl7.org/CodeSystem/v3-RoleCode",
  organization: "http://terminology.hl7.org/CodeSystem/organization-type",
};
const systemOfType: Record<string, string> = {
  facility: typeSystems.unit,
  jurisdiction: typeSystems.unit,
  other: typeSystems.organization,
  HOSP: typeSystems.role,
  PC: typeSystems.role,
};
const typeRule = listRule
  .transform((list) =>
    listOf(list).flatMap((token) => {
      const [code, system] = token.split("|").toReversed();
      return code !== undefined && (system === undefined || system === systemOfType[code]) ? [code] : [];
    }),
  )
  .describe(
    "facility, jurisdiction, or of Locations HOSP (hospitals) and PC (other facilities); with or without their system; several with commas.",
  );
/** One or more of these codes, with or without their system. */
const codesRule = <Code extends string>(codes: readonly Code[]) =>
  listRule
    .transform((list) => listOf(list).map((token) => token.slice(token.lastIndexOf("|") + 1) as Code))
    .refine(
      (asked) => asked.every((code) => codes.includes(code)),
      `must be ${codes.join(", ").replace(/, (?=[^,]*$)/, " or ")}`,
    )
    .optional();
const nameRule = (about: string) =>
  listRule
    .transform(listOf)
    .refine((names) => names.every((name) => name.length <= 256), "has a name of more than 256 characters")
    .optional()
    .describe(`${about} Several with commas.`);

const mostResources = 1000;
const listed = z.preprocess(
  (asked) => (asked === undefined ? undefined : [asked].flat()),
  z.array(lineRule(200)).max(20).optional(),
);
const format = lineRule(100).optional().describe("json, which is the only format.");
const pretty = z
  .enum(["true", "false"], "must be true or false")
  .optional()
  .describe("true: with line breaks and indents.");
/** Parameters for the form of a resource in the answer. */
const form = {
  _format: format,
  _pretty: pretty,
  _summary: z
    .enum(["true", "text", "data", "count", "false"], "must be true, text, data, count or false")
    .optional()
    .describe("true: the elements of FHIR's summary; text: their id and meta only; count: the number only."),
  _elements: text.optional().describe("Only these elements, by name; several with commas."),
};
const common = {
  _id: idsRule.optional().describe("Ids; several with commas."),
  identifier: identifierRule.optional(),
  name: nameRule("Names that begin with it, whatever the case and accents."),
  "name:contains": nameRule("Names that hold it."),
  "name:exact": nameRule("Exactly this name."),
  type: typeRule.optional(),
  _lastUpdated: changedRule,
  _count: wholeNumber
    .refine((count) => count >= 0, "must be 0 or more")
    .transform((count) => Math.min(count, mostResources))
    .default(100)
    .meta({ description: `Resources of a page, ${mostResources} at most; 0: their number only.`, minimum: 0 }),
  _total: z
    .enum(["none", "estimate", "accurate"], "must be none, estimate or accurate")
    .optional()
    .describe("none: without the number of all; else it is accurate."),
  cursor: z.string().max(2000).optional().describe("From the link to the next page."),
  ...form,
};
const { _count: countRule, cursor: cursorRule } = common;
export const historyRules = z.object({
  _since: lineRule(40)
    .refine(
      (asked) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/.test(asked) && isInstant(asked),
      {
        error: "must be an instant, such as 2026-06-30T12:00:00Z",
      },
    )
    .optional(),
  ...{ _count: countRule, cursor: cursorRule, ...form },
});
export const capabilityRules = z.object({ _format: format, _pretty: pretty });
export const resourceRules = z.object(form);
export type ResourceForm = z.output<typeof resourceRules>;
export const locationSearchRules = z.object({
  ...common,
  near: nearRule.optional(),
  partof: referenceRule("Location").optional(),
  organization: referenceRule("Organization").optional(),
  status: codesRule(["active", "inactive", "suspended"]).describe("inactive: closed; several with commas."),
  _include: listed.describe("Location:organization: with the managing organizations."),
});
export const organizationSearchRules = z.object({
  ...common,
  partof: referenceRule("Organization").optional(),
  active: codesRule(["true", "false"]).describe("false: closed."),
  _include: listed.describe("Organization:endpoint: no organization has an endpoint."),
  _revinclude: listed.describe("Location:organization: with the locations that they manage."),
});
export type LocationSearch = z.output<typeof locationSearchRules>;
export type OrganizationSearch = z.output<typeof organizationSearchRules>;

/**
 * Values of `_include` and `_revinclude`: the other resource of a Location and its Organization. Clients of mCSD also
 * ask for endpoints, which no Organization has.
 */
export const pairing = "Location:organization";
const companions = {
  Location: [`_include=${pairing}`],
  Organization: [`_revinclude=${pairing}`, "_include=Organization:endpoint"],
};

/**
 * Divides the parameters of a search into known (`taken`) and unknown ones (`ignored`), and those with an unknown
 * modifier (`modified`). An unknown modifier is always an error, as FHIR demands: ignoring it could invert the meaning
 * of the search.
 */
export function sortParameters(asked: URLSearchParams, known: readonly string[], type: keyof typeof companions) {
  const taken = new URLSearchParams();
  const ignored: string[] = [];
  const modified: string[] = [];
  for (const [name, value] of asked) {
    const isPaired = (name !== "_include" && name !== "_revinclude") || companions[type].includes(`${name}=${value}`);
    if (known.includes(name) && isPaired) taken.append(name, value);
    else if (known.includes(name)) ignored.push(`${name}=${value}`);
    else if (name.includes(":") && known.includes(name.slice(0, name.indexOf(":")))) modified.push(name);
    else ignored.push(name);
  }
  return { taken, ignored: [...new Set(ignored)], modified: [...new Set(modified)] };
}
