import type { z } from "zod";

import { fieldGroups } from "../../db/facility/facilityFields.rules.ts";
import { mapRows, sendNdjson } from "../rest/lines.ts";
import type { RestServer } from "../rest/route.ts";
import { type CsvCell, fileShape, sendTable, tableTypes } from "../rest/table.ts";
import { metresBetween, type Place } from "./distance.rules.ts";
import { type ExportedFacility, exportFacilities } from "./exportFacilities.ts";
import {
  type FacilityConnectivity,
  type FacilityMetadata,
  type FacilitySettings,
  metadataOf,
} from "./facility.rest.ts";
import { settingsOf } from "./facility.ts";
import { facilityExportRules, listOf } from "./facilityQuery.rules.ts";
import { connectivityOf } from "./saveFacility.ts";
import type { SiteColumn, SiteState } from "./siteColumns.rules.ts";

/** Routes that export facilities with all their data as files. */

/** The newest columns are the last ones: programs may read the others by their place. */
const stateColumns = [
  "smartCareFunctional",
  "powerWorking",
  "libraryVersion",
  "lastVisitDate",
  "lastTdbCreationDate",
  "overdue",
  "daysSinceLastTdb",
  "contactName",
  "contactRole",
  "contactPhone",
] as const satisfies SiteColumn[];
const stateIn = (state: SiteState): Pick<SiteState, (typeof stateColumns)[number]> =>
  Object.fromEntries(stateColumns.map((name) => [name, state[name]])) as SiteState;

type Exported = z.input<typeof FacilityMetadata> & {
  functionalityStatusMode: string | null;
  settings: z.input<typeof FacilitySettings>;
  connectivity: z.input<typeof FacilityConnectivity>;
  state: ReturnType<typeof stateIn>;
  openActions: number | null;
};

const recordOf = ({ facility, serviceAreas, identifiers, state }: ExportedFacility): Exported => ({
  ...metadataOf(facility, identifiers),
  functionalityStatusMode: facility.functionalityStatusMode,
  settings: settingsOf(facility, serviceAreas),
  connectivity: connectivityOf(facility),
  state: stateIn(state),
  openActions: state.openActions,
});

const { codes, kinds, location, later } = fieldGroups;
const columns: (keyof ExportedFacility["facility"] | "serviceAreas" | "identifiers")[] = [
  ...([
    "facilityUuid",
    "facilityName",
    ...codes,
    "province",
    "district",
    "implementingPartner",
    "functionalityStatusMode",
  ] as const),
  ...[...kinds, ...location],
  ...([
    "connectivityPresent",
    "connectivityType",
    "connectivityDetails",
    "mobileCoverage",
    "mobileProvider",
    "serviceAreas",
  ] as const),
  ...later,
  ...(["closedOn", "closeReason", "identifiers"] as const),
];
const rowOf = ({ facility, serviceAreas, identifiers, state }: ExportedFacility): CsvCell[] => [
  ...columns.map((name) => {
    if (name === "serviceAreas") return serviceAreas.map(({ serviceArea }) => serviceArea).join("; ");
    if (name === "identifiers")
      return identifiers
        .map(({ system, value, until }) => `${system}:${value}${until ? ` (until ${until})` : ""}`)
        .join("; ");
    return facility[name];
  }),
  ...stateColumns.map((name) => state[name]),
  state.openActions,
];

/** How far a facility with a known position is from another one, with one decimal. */
const kilometresFrom = (place: Place, { latitude, longitude }: ExportedFacility["facility"]) =>
  Math.round(metresBetween(place, { latitude: latitude!, longitude: longitude! }) / 100) / 10;

const tags = ["Facilities"];

export function facilityExportRoutes(server: RestServer): void {
  server.get(
    "/facility/csv",
    {
      schema: {
        operationId: "exportFacilitiesAsCsv",
        summary: "Facilities as a CSV or Excel file, by name",
        description:
          "With place, partner, present mode, connectivity, service areas and state: whether SmartCare and power work, version, days of the last visit and data; for who may see assessments the contact and open actions; with near how many kilometres from there. Narrowed as their lists are.",
        produces: tableTypes,
        tags,
        querystring: facilityExportRules.safeExtend(fileShape),
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const list = listOf(filter);
      const near = list.match?.near;
      const header = [...columns, ...stateColumns, "openActions", ...(near ? ["distanceKm"] : [])];
      const rows = mapRows(await exportFacilities(request.context, list), (one) => [
        ...rowOf(one),
        ...(near ? [kilometresFrom(near, one.facility)] : []),
      ]);
      return sendTable(reply, { name: "facilities", format }, header, rows);
    },
  );
  server.get(
    "/facility/ndjson",
    {
      schema: {
        operationId: "exportFacilitiesAsNdjson",
        summary: "Facilities, a JSON object a line, by name",
        description:
          "Each as /api/v1/facilityMetadata says it, with functionalityStatusMode (the present one), settings (as /api/v1/facility/settings), connectivity (as /api/v1/facilityConnectivity) and its state. Narrowed as their lists are.",
        produces: ["application/x-ndjson"],
        tags,
        querystring: facilityExportRules,
      },
    },
    async (request, reply) =>
      sendNdjson(
        reply,
        "facilities.ndjson",
        mapRows(await exportFacilities(request.context, listOf(request.query)), recordOf),
      ),
  );
}
