import { z } from "zod";

import { builtInSystems } from "../../db/identifierSystems.rules.ts";
import { wholeNumber } from "../input/page.rules.ts";
import { storable } from "../input/text.rules.ts";

/** What FHIR asks with: ids of resources, systems of identifiers and search parameters. */

type Kind = "country" | "province" | "district" | "implementingPartner" | "facility";
type Key = { kind: Kind; id: string };

/** Ids of resources: `country`, `province-3`, `district-17`, `partner-5`, and for a facility its uuid. */
const prefixes: [prefix: string, kind: Kind][] = [["province-", "province"], ["district-", "district"], ["partner-", "implementingPartner"]];
const isOfPlace = (id: string): boolean => id === "country" || prefixes.some(([prefix]) => id.startsWith(prefix));

/** FHIR takes letters, digits, hyphens and dots. Other characters of a uuid are written as dots with two hexadecimal digits for each byte. */
const escaped = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => (/[A-Za-z0-9-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `.${byte.toString(16).padStart(2, "0")}`)).join("");

export function resourceIdOf({ kind, id }: Key): string {
  if (kind === "country") return kind;
  if (kind !== "facility") return prefixes.find(([, of]) => of === kind)![0] + id;
  const own = escaped(id);
  return isOfPlace(own) ? `.${own.charCodeAt(0).toString(16)}${own.slice(1)}` : own;
}

/** The unit of a resource's id; undefined where none can have it. */
export function unitOfResource(resourceId: string): Key | undefined {
  if (!/^[A-Za-z0-9\-.]{1,200}$/.test(resourceId)) return undefined;
  if (resourceId === "country") return { kind: "country", id: "0" };
  const [prefix, kind] = prefixes.find(([start]) => resourceId.startsWith(start)) ?? [];
  if (prefix && kind) return /^\d{1,9}$/.test(resourceId.slice(prefix.length)) ? { kind, id: String(Number(resourceId.slice(prefix.length))) } : undefined;
  if (!/^([A-Za-z0-9-]|\.[0-9a-f]{2})+$/.test(resourceId)) return undefined;
  try {
    return { kind: "facility", id: decodeURIComponent(resourceId.replaceAll(".", "%")) };
  } catch {
    return undefined;
  }
}

/** The systems of identifiers: those of the registry, and the platform's own ids. */
export const platformSystem = (kind: Kind): string => `urn:zm:platform:${kind}`;
export const systemUriOf = (system: string): string => builtInSystems.find((one) => one.system === system)?.uri ?? `urn:zm:${system}`;
const systemOfUri = (uri: string): string => builtInSystems.find((one) => one.uri === uri)?.system ?? uri.replace(/^urn:zm:/, "");
const platformKinds: Kind[] = ["country", "province", "district", "implementingPartner", "facility"];

/** A comma list whose commas may be escaped. */
const listOf = (text: string): string[] => (text.match(/(?:\\.|[^,\\])+/g) ?? []).map((part) => part.replaceAll(/\\(.)/g, "$1"));
const most = 100;
const text = z.string().min(1, "must not be empty").max(4000).refine(...storable);
const listRule = text.refine((list) => listOf(list).length >= 1 && listOf(list).length <= most, `must be a comma list of 1 to ${most}`);

const identifierRule = listRule
  .transform((list) =>
    listOf(list).map((token) => {
      const [system, value] = token.includes("|") ? [token.slice(0, token.indexOf("|")), token.slice(token.indexOf("|") + 1)] : [null, token];
      const kind = platformKinds.find((one) => system === platformSystem(one)) ?? null;
      return { system: system === null || kind !== null ? null : systemOfUri(system), kind, value: value === "" ? null : value };
    }),
  )
  .describe("system|value, system| (any of it) or value (in any system); several with commas.");

const idsRule = listRule.transform((list) => listOf(list).map((id) => unitOfResource(id)).filter((key) => key !== undefined));
const referenceRule = (type: "Location" | "Organization") =>
  listRule.transform((list) =>
    listOf(list)
      .map((reference) => unitOfResource(reference.slice(reference.lastIndexOf("/") + 1)))
      .filter((key) => key !== undefined),
  ).describe(`${type}/id; several with commas.`);

const instant = /^(eq|gt|lt|ge|le|sa|eb)?(\d{4})(-\d\d)?(-\d\d)?(?:T(\d\d:\d\d)(:\d\d)?(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?)?$/;
/** A range of instants that a prefix and a date name: a date alone is the ministry's day. */
function rangeOf(asked: string) {
  const [, prefix = "eq", year = "", month, day, time, seconds, fraction] = instant.exec(asked)!;
  const at = `${year}${month ?? "-01"}${day ?? "-01"}${asked.slice(asked.search(/T|$/))}`.replace(/(T\d\d:\d\d)(?=$|Z|[+-])/, "$1:00");
  const lasts = fraction ? "1 millisecond" : seconds ? "1 second" : time ? "1 minute" : day ? "1 day" : month ? "1 month" : "1 year";
  const when = { at, lasts };
  return { eq: { from: when, until: when }, gt: { after: when }, sa: { after: when }, ge: { from: when }, lt: { before: when }, eb: { before: when }, le: { until: when } }[prefix]!;
}
const isInstant = (asked: string): boolean => {
  const [, , year, month = "-01", day = "-01", time = "00:00", seconds = ":00"] = instant.exec(asked) ?? [];
  const date = new Date(`${year}${month}${day}T${time}${seconds}Z`);
  return year !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}${month}${day}T${time}${seconds}`);
};
const instantWords = "must be a date or an instant, after none or one of eq, gt, lt, ge, le, sa, eb";
const changedRule = z
  .preprocess((asked) => (asked === undefined ? undefined : [asked].flat()), z.array(z.string(instantWords).refine(isInstant, instantWords)).max(4).optional())
  .transform((ranges) => ranges?.map(rangeOf))
  .describe("When it was changed last: ge2026-06-30, lt2026-06-30T12:00:00Z.");

/** Kilometres of the units that `near` takes; the default where it names no distance. */
const kilometres: Record<string, number> = { "": 1, km: 1, m: 0.001, "[mi_us]": 1.609344, "[mi_i]": 1.609344, mi: 1.609344 };
const nearKilometres = 50;
const nearWords = "must be latitude|longitude|distance|unit: degrees, and km, m or [mi_us]";
function placeOf(asked: string) {
  const [latitude = "", longitude = "", distance = "", unit = ""] = asked.split("|");
  const numbers = [latitude, longitude, distance || String(nearKilometres)].map((number) => (/^-?\d+(\.\d+)?$/.test(number) ? Number(number) : NaN));
  return { latitude: numbers[0]!, longitude: numbers[1]!, kilometres: numbers[2]! * (kilometres[unit] ?? NaN) };
}
const nearRule = text
  .refine((asked) => {
    const { latitude, longitude, kilometres: distance } = placeOf(asked);
    return asked.split("|").length <= 4 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && distance >= 0 && distance <= 20_000;
  }, nearWords)
  .transform(placeOf)
  .describe(`latitude|longitude|distance|unit: facilities within this distance (without one: ${nearKilometres} km).`);

const typeRule = listRule.transform((list) => listOf(list).map((token) => token.slice(token.lastIndexOf("|") + 1))).describe("facility or jurisdiction, with or without the system of mCSD.");
const nameRule = (about: string) => text.max(256).optional().describe(about);

const mostResources = 1000;
const common = {
  _id: idsRule.optional().describe("Ids; several with commas."),
  identifier: identifierRule.optional(),
  name: nameRule("Names that begin with it, whatever the case and accents."),
  "name:contains": nameRule("Names that hold it."),
  "name:exact": nameRule("Exactly this name."),
  type: typeRule.optional(),
  _lastUpdated: changedRule,
  _count: wholeNumber.refine((count) => count >= 0 && count <= mostResources, `must be 0 to ${mostResources}`).default(100).meta({ description: "Resources of a page; 0: their number only.", minimum: 0, maximum: mostResources }),
  cursor: z.string().max(2000).optional().describe("From the link to the next page."),
  _format: z.enum(["json", "application/json", "application/fhir+json"], "must be json: the only format").optional().describe("json, which is the only format."),
  _summary: z.enum(["false", "count"], "must be false or count").optional().describe("count: their number only."),
};
const { _format: format } = common;
export const capabilityRules = z.strictObject({ _format: format });
export const locationSearchRules = z.strictObject({
  ...common,
  near: nearRule.optional(),
  partof: referenceRule("Location").optional(),
  organization: referenceRule("Organization").optional(),
  status: z.enum(["active", "inactive", "suspended"], "must be active, inactive or suspended").optional().describe("inactive: closed."),
  _include: z.enum(["Location:organization"], "must be Location:organization").optional().describe("Location:organization: with the managing organizations."),
});
export const organizationSearchRules = z.strictObject({
  ...common,
  partof: referenceRule("Organization").optional(),
  active: z.enum(["true", "false"], "must be true or false").optional().describe("false: closed."),
  _revinclude: z.enum(["Location:organization"], "must be Location:organization").optional().describe("Location:organization: with the locations that they manage."),
});
export type LocationSearch = z.output<typeof locationSearchRules>;
export type OrganizationSearch = z.output<typeof organizationSearchRules>;
