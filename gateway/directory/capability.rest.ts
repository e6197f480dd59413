import type {
  CapabilityStatement,
  CapabilityStatementRestResource,
  CapabilityStatementRestResourceSearchParam,
} from "fhir/r4";

import { version } from "../../package.json";
import { profile } from "./resource.rest.ts";

/** The CapabilityStatement, which describes what the FHIR interface can do. */

type Parameter = [name: string, type: CapabilityStatementRestResourceSearchParam["type"], documentation?: string];
const common: Parameter[] = [
  ["_id", "token"],
  ["_lastUpdated", "date", "Prefixes eq, gt, lt, ge, le, sa and eb."],
  ["identifier", "token"],
  ["name", "string"],
  ["name:contains", "string"],
  ["name:exact", "string"],
  ["partof", "reference"],
  ["type", "token", "facility or jurisdiction; of Locations also HOSP and PC."],
];

const resource = (
  type: "Location" | "Organization",
  own: Parameter[],
  profiles: string[],
): CapabilityStatementRestResource => ({
  type,
  supportedProfile: profiles.map(profile),
  interaction: [{ code: "read" }, { code: "search-type" }, { code: "history-type" }],
  versioning: "no-version",
  ...(type === "Location"
    ? { searchInclude: ["Location:organization"] }
    : { searchInclude: ["Organization:endpoint"], searchRevInclude: ["Location:organization"] }),
  searchParam: [...common, ...own].map(([name, kind, documentation]) => ({
    name,
    type: kind,
    ...(documentation ? { documentation } : {}),
  })),
});

const location: Parameter[] = [
  ["near", "special", "latitude|longitude|distance|unit; 50 km where no distance is named."],
  ["organization", "reference"],
  ["status", "token"],
];

/** @param base the address of the FHIR interface */
export const capabilityAt = (base: string): CapabilityStatement => ({
  resourceType: "CapabilityStatement",
  status: "active",
  date: "2026-11-23",
  kind: "instance",
  software: { name: "SmartCare deployment platform", version },
  implementation: {
    description: "The facilities, places and partners of the platform, read-only, by IHE mCSD",
    url: base,
  },
  fhirVersion: "4.0.1",
  format: ["application/fhir+json", "json"],
  rest: [
    {
      mode: "server",
      documentation:
        "Finds care services (ITI-90): facilities and jurisdictions, each a Location with its Organization. Searches are asked by GET, or by POST with a form. Earlier versions are not kept: the history of a type has the present state of what changed since _since, and deletions of facilities that were merged into others. Parameters that are not known are left out and named in an OperationOutcome of the Bundle; with Prefer: handling=strict they are refused. _summary, _elements, _total, _count and _pretty are known.",
      security: { description: "An access token of the platform, as Authorization: Bearer." },
      resource: [
        resource("Location", location, ["Location", "FacilityLocation", "JurisdictionLocation", "LocationDistance"]),
        resource(
          "Organization",
          [["active", "token"]],
          ["Organization", "FacilityOrganization", "JurisdictionOrganization"],
        ),
      ],
    },
  ],
});
