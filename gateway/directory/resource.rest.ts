import type {
  Bundle,
  BundleEntry,
  CodeableConcept,
  Identifier,
  Location,
  Meta,
  OperationOutcome,
  OperationOutcomeIssue,
  Organization,
  Reference,
} from "fhir/r4";

import type { Problem } from "../problem.ts";
import { outlineOf } from "../reference/boundary.rules.ts";
import type { DirectoryUnit, UnitKey, UnitHistory, UnitPage } from "./directory.ts";
import { mcsd, platformSystem, type ResourceForm, resourceIdOf, systemUriOf, typeSystems } from "./fhir.rules.ts";

/**
 * Units as FHIR R4 resources by the profiles of IHE mCSD: each is a Location with an Organization that manages it; a
 * partner is only an Organization.
 */

/** The address of a profile of IHE mCSD. */
export const profile = (name: string): string => `${mcsd}/StructureDefinition/IHE.mCSD.${name}`;
const concept = (system: string, code: string, display: string, text?: string): CodeableConcept => ({
  coding: [{ system, code, display }],
  ...(text ? { text } : {}),
});
const facility = concept(typeSystems.unit, "facility", "Facility");
const jurisdiction = concept(typeSystems.unit, "jurisdiction", "Jurisdiction");
const physicalTypes = "http://terminology.hl7.org/CodeSystem/location-physical-type";
/** The kind of service of a facility, as far as its type shows it. */
const serviceOf = (type: string | null): CodeableConcept =>
  /hospital/i.test(type ?? "")
    ? concept(typeSystems.role, "HOSP", "Hospital", type ?? undefined)
    : concept(typeSystems.role, "PC", "Primary care clinic", type ?? undefined);

const boundaryUrl = "http://hl7.org/fhir/StructureDefinition/location-boundary-geojson";

type Type = "Location" | "Organization";
const referenceTo = (type: Type, unit: UnitKey & { name: string }): Reference => ({
  reference: `${type}/${resourceIdOf(unit)}`,
  display: unit.name,
});

const metaOf = ({ changedAt }: DirectoryUnit, profiles: string[]): Meta => ({
  ...(changedAt === null ? {} : { lastUpdated: changedAt }),
  profile: profiles.map(profile),
});

function identifiersOf({ kind, id, formerIds, identifiers }: DirectoryUnit): Identifier[] {
  return [
    { use: "official", system: platformSystem(kind), value: id },
    ...formerIds.map((value): Identifier => ({ use: "old", system: platformSystem(kind), value })),
    ...identifiers.map(({ system, value, from, until }): Identifier => ({
      use: until === null ? "official" : "old",
      system: systemUriOf(system),
      value,
      ...(from === null && until === null
        ? {}
        : { period: { ...(from === null ? {} : { start: from }), ...(until === null ? {} : { end: until }) } }),
    })),
  ];
}

export function locationOf(unit: DirectoryUnit): Location {
  const { kind, name, parent, isOpen, site } = unit;
  const { outline } = unit;
  const isPlaced = site !== null && site.latitude !== null && site.longitude !== null;
  return {
    resourceType: "Location",
    id: resourceIdOf(unit),
    meta: metaOf(
      unit,
      kind === "facility" ? ["FacilityLocation", ...(isPlaced ? ["LocationDistance"] : [])] : ["JurisdictionLocation"],
    ),
    ...(outline
      ? {
          extension: [
            {
              url: boundaryUrl,
              valueAttachment: {
                contentType: "application/geo+json",
                data: Buffer.from(JSON.stringify(outlineOf(outline.path))).toString("base64"),
                ...(outline.credit ? { title: `Outline: ${outline.credit}` } : {}),
              },
            },
          ],
        }
      : {}),
    identifier: identifiersOf(unit),
    status: isOpen ? "active" : "inactive",
    name,
    mode: "instance",
    type: site ? [facility, serviceOf(site.facilityType)] : [jurisdiction],
    ...(site ? { address: { district: parent!.name, state: site.province, country: "ZM" } } : {}),
    physicalType: site ? concept(physicalTypes, "bu", "Building") : concept(physicalTypes, "jdn", "Jurisdiction"),
    ...(isPlaced ? { position: { longitude: site.longitude!, latitude: site.latitude! } } : {}),
    managingOrganization: referenceTo("Organization", unit),
    ...(parent ? { partOf: referenceTo("Location", parent) } : {}),
  };
}

export function organizationOf(unit: DirectoryUnit): Organization {
  const { kind, name, parent, isOpen } = unit;
  const [profiles, type] =
    kind === "facility"
      ? ["FacilityOrganization", facility]
      : kind === "implementingPartner"
        ? ["Organization", concept(typeSystems.organization, "other", "Other", "Implementing partner")]
        : ["JurisdictionOrganization", jurisdiction];
  return {
    resourceType: "Organization",
    id: resourceIdOf(unit),
    meta: metaOf(unit, [profiles as string]),
    identifier: identifiersOf(unit),
    active: isOpen,
    type: [type as CodeableConcept],
    name,
    ...(parent ? { partOf: referenceTo("Organization", parent) } : {}),
  };
}

/** The elements of FHIR's summary (marked Σ in its tables), and the elements that every answer has. */
const always = new Set(["resourceType", "id", "meta"]);
const summaries: Record<Type, readonly string[]> = {
  Location: [
    "identifier",
    "status",
    "operationalStatus",
    "name",
    "description",
    "mode",
    "type",
    "physicalType",
    "managingOrganization",
  ],
  Organization: ["identifier", "active", "type", "name", "partOf"],
};
const subsetted = {
  system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
  code: "SUBSETTED",
  display: "Resource encoded in summary mode",
};

/**
 * A resource with the requested elements. If some are missing, it is tagged as SUBSETTED, so that nobody stores it as
 * the whole resource.
 */
export function shaped<Resource extends Location | Organization>(
  resource: Resource,
  { _summary: summary, _elements: elements }: ResourceForm,
): Resource {
  const type: Type = resource.resourceType;
  const named = elements?.split(",").map((name) => name.trim().replace(new RegExp(`^${type}\\.`), ""));
  const wanted = summary === "true" ? summaries[type] : summary === "text" ? [] : named;
  if (!wanted) return resource;
  const meta = { ...resource.meta, tag: [subsetted] };
  const fields = Object.entries({ ...resource, meta });
  const part = Object.fromEntries(fields.filter(([name]) => always.has(name) || wanted.includes(name)));
  // FHIR allows a part of a resource, but its types do not.
  return part as unknown as Resource;
}

/** A warning for each search parameter that was ignored. */
const ignoredOutcome = (ignored: readonly string[]): OperationOutcome => ({
  resourceType: "OperationOutcome",
  issue: ignored.slice(0, 20).map((name) => ({
    severity: "warning",
    code: "not-supported",
    diagnostics: `${name.slice(0, 200)} is not known: it was left out`,
  })),
});

type BundleForm = {
  type: Type;
  both: boolean;
  base: string;
  self: string;
  nextAddress: (cursor: string) => string;
  ignored: readonly string[];
  hasTotal: boolean;
  form: ResourceForm;
};
/** The Bundle for a page of a search. `both`: with the other resource (Location or Organization) of each unit. */
export function bundleOf(
  { units, total, next }: UnitPage,
  { type, both, base, self, nextAddress, ignored, hasTotal, form }: BundleForm,
): Bundle {
  const make = {
    Location: (unit: DirectoryUnit) => shaped(locationOf(unit), form),
    Organization: (unit: DirectoryUnit) => shaped(organizationOf(unit), form),
  };
  const other = type === "Location" ? "Organization" : "Location";
  const entryOf = (of: Type, unit: DirectoryUnit, mode: "match" | "include"): BundleEntry => ({
    fullUrl: `${base}/${of}/${resourceIdOf(unit)}`,
    resource: make[of](unit),
    search: { mode },
  });
  const paired = both ? units.filter(({ kind }) => kind !== "implementingPartner") : [];
  const outcomes: BundleEntry[] =
    ignored.length === 0 ? [] : [{ resource: ignoredOutcome(ignored), search: { mode: "outcome" } }];
  const entries = [
    ...units.map((unit) => entryOf(type, unit, "match")),
    ...paired.map((unit) => entryOf(other, unit, "include")),
    ...outcomes,
  ];
  return {
    resourceType: "Bundle",
    type: "searchset",
    ...(hasTotal ? { total } : {}),
    link: [{ relation: "self", url: self }, ...(next === null ? [] : [{ relation: "next", url: nextAddress(next) }])],
    ...(entries.length > 0 ? { entry: entries } : {}),
  };
}

/** The Bundle of what changed: units as they are now, and deletions of facilities that were merged away. */
export function historyOf(
  { units, total, next, merged }: UnitHistory,
  { type, base, self, nextAddress, form }: Pick<BundleForm, "type" | "base" | "self" | "nextAddress" | "form">,
): Bundle {
  const entries = [
    ...units.map((unit): BundleEntry => {
      const url = `${type}/${resourceIdOf(unit)}`;
      return {
        fullUrl: `${base}/${url}`,
        resource: shaped(type === "Location" ? locationOf(unit) : organizationOf(unit), form),
        request: { method: "PUT", url },
        response: { status: "200", ...(unit.changedAt === null ? {} : { lastModified: unit.changedAt }) },
      };
    }),
    ...merged.map(({ id, at }): BundleEntry => {
      const url = `${type}/${resourceIdOf({ kind: "facility", id })}`;
      return {
        fullUrl: `${base}/${url}`,
        request: { method: "DELETE", url },
        response: { status: "204", lastModified: at },
      };
    }),
  ];
  return {
    resourceType: "Bundle",
    type: "history",
    total,
    link: [{ relation: "self", url: self }, ...(next === null ? [] : [{ relation: "next", url: nextAddress(next) }])],
    ...(entries.length > 0 ? { entry: entries } : {}),
  };
}

/** FHIR's issue codes for the codes of problems. */
const kinds: Partial<Record<Problem["code"], OperationOutcomeIssue["code"]>> = {
  UNAUTHENTICATED: "login",
  CODE_WANTED: "login",
  SESSION_REVOKED: "login",
  FORBIDDEN: "forbidden",
  ENROLMENT_NEEDED: "forbidden",
  NOT_FOUND: "not-found",
  GONE: "deleted",
  NOT_ALLOWED: "not-supported",
  NOT_SUPPORTED: "not-supported",
  NOT_ACCEPTABLE: "not-supported",
  INVALID: "invalid",
  MALFORMED: "structure",
  TOO_MANY: "throttled",
  TIMEOUT: "timeout",
  TOO_SLOW: "too-costly",
  UNAVAILABLE: "transient",
  INTERNAL: "exception",
};

/** A failure as an OperationOutcome, with one issue for each wrong parameter. */
export function outcomeOf({ code, message, extra }: Problem): OperationOutcome {
  const kind = kinds[code] ?? "processing";
  const whole: OperationOutcomeIssue = {
    severity: code === "INTERNAL" ? "fatal" : "error",
    code: kind,
    diagnostics: message.slice(0, 1000),
  };
  const issues = (extra.errors ?? []).slice(0, 20).map(({ path, message: words }): OperationOutcomeIssue => ({
    ...whole,
    diagnostics: `${path}: ${words}`.slice(0, 500),
    expression: [path.slice(0, 200)],
  }));
  return { resourceType: "OperationOutcome", issue: issues.length > 0 ? issues : [whole] };
}
