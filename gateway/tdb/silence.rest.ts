import { z } from "zod";

import { facilityUuidRule, modes } from "../facility/facility.rules.ts";
import { headings, type SiteColumn, siteCell } from "../facility/siteColumns.rules.ts";
import { listQueryRules } from "../input/page.rules.ts";
import { sendList } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import { type CsvCell, fileShape, sendTable, tableTypes } from "../rest/table.ts";
import * as silence from "./silence.ts";
import {
  irregularities,
  irregularityKinds,
  siteFilterRules,
  siteFilterShape,
  siteCountRules,
  siteLevels,
} from "./silence.rules.ts";

/** Routes of silent sites: facilities that have sent no TDB for too long, or irregular ones. */

const recent = "Day of receipt of the last such TDB of the last 90 days, null without any. ";
const SilentSite = z
  .object({
    facilityUuid: z.string(),
    facilityName: z.string(),
    districtId: z.number(),
    district: z.string(),
    provinceId: z.number(),
    province: z.string(),
    implementingPartnerId: z.number().nullable(),
    implementingPartner: z.string().nullable().describe("The partner that supports the facility today"),
    functionalityStatusMode: z.enum(modes).nullable().describe("The mode of its latest assessment"),
    lastTdbCreationDate: z
      .string()
      .nullable()
      .describe("Day on which its latest TDB was made, YYYY-MM-DD; null when it never sent one"),
    lastTdbUploadDate: z.string().nullable().describe("Day of receipt of that TDB"),
    daysSinceLastTdb: z.number().nullable().describe("Days from lastTdbCreationDate to today, or to asOf"),
    rhythmDays: z.number().describe("Days within which a TDB is expected (the setting TDB_RHYTHM_DAYS)"),
    expected: z
      .boolean()
      .describe("Whether it should send TDBs: the system is deployed by its latest assessment, or it sent one before"),
    overdue: z.boolean().describe("Whether it should send and its last TDB is older than rhythmDays, or there is none"),
    irregular: z
      .boolean()
      .nullable()
      .describe("Whether one of the three dates is there; all four are null for people who may not see TDBs"),
    deltaWithoutBaseDate: z
      .string()
      .nullable()
      .describe(recent + irregularities.deltaWithoutBase.meaning),
    creationBackDate: z
      .string()
      .nullable()
      .describe(recent + irregularities.creationBack.meaning),
    clientsBackDate: z
      .string()
      .nullable()
      .describe(recent + irregularities.clientsBack.meaning),
  })
  .meta({ id: "SilentSite" });

const SilentSiteCount = z
  .object({
    hxId: z
      .number()
      .nullable()
      .describe("Id of the province, district or partner; null for facilities without a partner"),
    name: z.string(),
    facilities: z.number(),
    expected: z.number().describe("Facilities that should send TDBs"),
    overdue: z
      .number()
      .describe("Of these, those whose last TDB is older than rhythmDays, and those that never sent one"),
    neverSent: z.number().describe("Of the overdue, those that never sent one"),
    irregular: z
      .number()
      .nullable()
      .describe("Facilities with an irregular TDB received in the last 90 days; null for people who may not see TDBs"),
    rhythmDays: z.number().describe("Days within which a TDB is expected (the setting TDB_RHYTHM_DAYS)"),
  })
  .meta({ id: "SilentSiteCount" });

const tags = ["TDBs"];
const right = "Irregularities and earlier days (asOf) are for uploadTdbs or administrator.";

const siteOf = (site: silence.Site): z.input<typeof SilentSite> => ({
  facilityUuid: site.facilityUuid,
  facilityName: site.facilityName,
  districtId: site.districtId,
  district: site.district,
  provinceId: site.provinceId,
  province: site.province,
  implementingPartnerId: site.implementingPartnerId,
  implementingPartner: site.implementingPartner,
  functionalityStatusMode: site.functionalityStatusMode as (typeof modes)[number] | null,
  lastTdbCreationDate: site.lastTdbCreationDate,
  lastTdbUploadDate: site.lastTdbUploadDate,
  daysSinceLastTdb: site.daysSinceLastTdb,
  rhythmDays: site.rhythmDays,
  expected: site.expected,
  overdue: site.overdue,
  irregular: site.irregular,
  deltaWithoutBaseDate: site.deltaWithoutBaseDate,
  creationBackDate: site.creationBackDate,
  clientsBackDate: site.clientsBackDate,
});

/** Columns of the state that the list does not have itself. */
const stateColumns = [
  "smartCareFunctional",
  "powerWorking",
  "libraryVersion",
  "lastVisitDate",
  "contactName",
  "contactRole",
  "contactPhone",
] as const satisfies SiteColumn[];
/** The newest columns are the last ones: programs may read the others by their place. */
const csvHeader = [
  ...[headings.facilityName, headings.district, headings.province, headings.implementingPartner],
  ...[headings.functionalityStatusMode, headings.lastTdbCreationDate, "Last TDB uploaded", headings.daysSinceLastTdb],
  ...["Expected every (days)", headings.overdue],
  ...irregularityKinds.map((kind) => irregularities[kind].words),
  ...["Facility UUID", ...stateColumns.map((name) => headings[name])],
];

async function* csvRows(sites: AsyncIterable<silence.ExportedSite>): AsyncGenerator<CsvCell[]> {
  for await (const { state, ...site } of sites)
    yield [
      ...[site.facilityName, site.district, site.province, site.implementingPartner],
      ...[site.functionalityStatusMode, site.lastTdbCreationDate, site.lastTdbUploadDate, site.daysSinceLastTdb],
      ...[site.rhythmDays, site.overdue ? "Yes" : "No"],
      ...irregularityKinds.map((kind) => site[`${kind}Date`]),
      ...[site.facilityUuid, ...stateColumns.map((name) => state && siteCell(name, state))],
    ];
}

export function silenceRoutes(server: RestServer): void {
  server.get(
    "/tdb/silent",
    {
      schema: {
        operationId: "listSilentSites",
        summary: "Overdue sites: facilities whose TDB is overdue, or irregular",
        description: `Those overdue the longest first; province, district and partner narrow the list. ${right}`,
        tags,
        querystring: z.strictObject({ ...siteFilterShape, ...listQueryRules.shape }),
        response: { 200: z.array(SilentSite) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      return sendList(
        request,
        reply,
        { limit, cursor },
        (page) => silence.listSites(request.context, { ...filter, page }),
        siteOf,
      );
    },
  );
  server.get(
    "/tdb/silent/csv",
    {
      schema: {
        operationId: "exportSilentSitesAsCsv",
        summary: "The same list as a CSV or Excel file",
        description: `With how each site stands today and, for who may see assessments, whom to call; these are empty with asOf. ${right}`,
        produces: tableTypes,
        tags,
        querystring: siteFilterRules.safeExtend(fileShape),
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = csvRows(await silence.exportSites(request.context, filter));
      return sendTable(reply, { name: `silent-sites-${filter.show}`, format }, csvHeader, rows);
    },
  );
  server.get(
    "/tdb/silent/facility/:facilityUuid",
    {
      schema: {
        operationId: "getSilentSite",
        summary: "For how long a facility has sent no data",
        description: right,
        tags,
        params: z.strictObject({ facilityUuid: facilityUuidRule }),
        response: { 200: SilentSite },
      },
    },
    async (request) => siteOf(await silence.readSite(request.context, request.params.facilityUuid)),
  );
  for (const level of siteLevels) {
    server.get(
      `/dash/silentSites/${level}`,
      {
        schema: {
          operationId: `countSilentSitesBy${level === "ip" ? "ImplementingPartner" : level === "province" ? "Province" : "District"}`,
          summary: `Overdue sites counted by ${level === "ip" ? "implementing partner" : level}`,
          description:
            "By name. The query narrows the scope. Of partners those that support facilities of the scope. With asOf it needs uploadTdbs or administrator.",
          tags: ["Dashboard"],
          querystring: siteCountRules,
          response: { 200: z.array(SilentSiteCount) },
        },
      },
      ({ context, query: { asOf, ...scope } }) => silence.countSites(context, { level, scope, asOf }),
    );
  }
}
