import { z } from "zod";

import { idRule, partnerOrAllRule } from "../input/page.rules.ts";
import { dateRangeRules, quarterRule, yearRule } from "../calendar/period.rules.ts";
import type { Scope } from "../reference/reference.ts";
import type { RestServer } from "../rest/route.ts";
import * as dash from "./dash.ts";
import { flatSummarySheet, periodStates, scopeRules, tdbHistoryLevels, viewRule, yearsRule } from "./dash.rules.ts";

/** Routes of the dashboards' figures. */

const notRecorded = z
  .number()
  .describe("Of those assessed, facilities whose latest assessment records no answer: neither yes nor no");
const DashboardRow = z
  .object({
    year: z.number().describe("Fiscal year"),
    quarter: z.number().describe("Fiscal quarter, 1 (October to December) to 4; -1 where the row is a year"),
    calMonth: z.number().nullable().describe("Calendar month, 1 to 12; null where the row is a quarter or year"),
    state: z.enum(periodStates).describe("Whether the period has ended, is running, or has not begun"),
    facilities: z.number().describe("Facilities in the scope today, assessed or not"),
    assessed: z.number().describe("Facilities that were assessed in the period: what shares are of"),
    sumTrainedStaff: z.number(),
    sumSmartCareFunctional: z.number(),
    sumPrimaryPower: z.number(),
    sumPrimaryPowerWorking: z.number(),
    sumBackupPower: z.number(),
    sumBackupPowerWorking: z.number(),
    notRecordedSmartCareFunctional: notRecorded,
    notRecordedPrimaryPower: notRecorded,
    notRecordedPrimaryPowerWorking: notRecorded,
    notRecordedBackupPower: notRecorded,
    notRecordedBackupPowerWorking: notRecorded,
    efirst: z.number(),
    efast: z.number(),
    elast: z.number(),
    partial: z.number(),
    notDeployed: z.number(),
    notOperational: z.number(),
  })
  .meta({ id: "DashboardRow" });
const suppressed = z
  .literal(true)
  .optional()
  .describe(
    "Set where the counts are left out: the group is about too few facilities for people who may not read TDBs",
  );
const rounded = z
  .literal(true)
  .optional()
  .describe(
    "Set where the figures are rounded, for people who may not read TDBs: the patients of each facility to one digit, computers and further TDBs in fives",
  );
const ParamValueRow = z
  .object({
    param: z.string(),
    value: z.number().nullable(),
    of: z.number().nullable().describe("Of how many: facilities assessed in the period, or computers listed"),
    suppressed,
    rounded,
  })
  .meta({ id: "ParamValueRow" });
/** REST leaves `suppressed` and `rounded` out where they are false. */
const shown = <Row extends object>(row: Row & { suppressed?: boolean; rounded?: boolean }) => {
  const { suppressed: isSuppressed, rounded: isRounded, ...rest } = row;
  return {
    ...rest,
    ...(isSuppressed ? { suppressed: true as const } : {}),
    ...(isRounded ? { rounded: true as const } : {}),
  };
};
const TdbHistoryRow = z
  .object({
    hxId: z.number().describe("Id of the province or district"),
    name: z.string(),
    components: z.number().nullable().describe("Facilities that sent a TDB"),
    of: z.number().describe("Facilities there in the scope today, whether they sent or not"),
    tdbCount: z.number().nullable(),
    totalPatients: z.number().nullable().describe("Of each facility's latest TDB of the range, added up"),
    suppressed,
    rounded,
  })
  .meta({ id: "TdbHistoryRow" });

const tags = ["Dashboard"];
const period =
  "Year Y is the fiscal year from 1 October Y-1 to 30 September Y; quarter 1 is October to December, -1 the entire year. ";
const once = "A facility counts once in a period, by its latest assessment of that period. ";
const partner = "Partner -1 is all partners.";

const yearAndQuarter = { year: yearRule, quarter: quarterRule };
const partnerId = { implementingPartnerId: partnerOrAllRule };
const View = z.strictObject({
  view: viewRule
    .default("monthly")
    .describe("A row per month (the default), per quarter or per fiscal year. Each is counted by itself."),
  years: yearsRule.default(1).describe("How many fiscal years, 1 to 9, of which the path's year is the last"),
});
const Nothing = z.strictObject({});

type Asked = { year: number; quarter: number; scope: Scope };

/** The four levels of a chart: its path, and the scope and period that the path names. */
const tails = [
  {
    path: "/:year/:quarter/:implementingPartnerId",
    noun: "",
    of: "the country",
    params: { ...yearAndQuarter, ...partnerId },
  },
  {
    path: "/province/:provinceId/:year/:quarter/:implementingPartnerId",
    noun: "OfProvince",
    of: "a province",
    params: { provinceId: idRule, ...yearAndQuarter, ...partnerId },
  },
  {
    path: "/district/:districtId/:year/:quarter/:implementingPartnerId",
    noun: "OfDistrict",
    of: "a district",
    params: { districtId: idRule, ...yearAndQuarter, ...partnerId },
  },
  {
    path: "/ip/:implementingPartnerId/:year/:quarter",
    noun: "OfImplementingPartner",
    of: "a partner",
    params: { ...partnerId, ...yearAndQuarter },
  },
];

const asked = (params: unknown): Asked => {
  const { year, quarter, ...scope } = params as { year: number; quarter: number } & Scope;
  return { year, quarter, scope };
};

const capitalised = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

const seriesCharts = [
  { name: "functionalityComparison", summary: "Working systems, power and trained staff by month, quarter or year" },
  { name: "deploymentMode", summary: "Facilities by deployment mode, by month, quarter or year" },
];
const periodCharts = [
  { name: "libraryVersion", summary: "Facilities by SmartCare library version", read: dash.readLibraryVersions },
  { name: "cpuCore", summary: "Computers by number of cores", read: dash.readCpuCores },
  { name: "osX64", summary: "Computers with a 64-bit and a 32-bit system", read: dash.readOsX64 },
];

export function dashRoutes(server: RestServer): void {
  for (const { path, noun, of, params } of tails) {
    for (const { name, summary } of seriesCharts) {
      server.get(
        `/dash/${name}${path}`,
        {
          schema: {
            operationId: `get${capitalised(name)}${noun}`,
            summary: `${summary}: ${of}`,
            description: `Rows in fiscal order, zeros included. ${period}${once}${partner}`,
            tags,
            params: z.strictObject(params),
            querystring: View,
            response: { 200: z.array(DashboardRow) },
          },
        },
        (request) => dash.readReportedCounts(request.context, { ...asked(request.params), ...request.query }),
      );
    }
    for (const { name, summary, read } of periodCharts) {
      server.get(
        `/dash/${name}${path}`,
        {
          schema: {
            operationId: `get${capitalised(name)}${noun}`,
            summary: `${summary}: ${of}`,
            description: `${period}${once}Computers are those that a facility's latest TDB of the period lists. ${partner}`,
            tags,
            params: z.strictObject(params),
            querystring: Nothing,
            response: { 200: z.array(ParamValueRow) },
          },
        },
        async (request) => {
          const rows: (dash.ParamValue | dash.ShownComputers)[] = await read(request.context, asked(request.params));
          return rows.map((row) => shown(row));
        },
      );
    }
  }

  const sheets = [
    { path: "", noun: "", of: "the country", params: {} },
    { path: "/province/:provinceId", noun: "OfProvince", of: "a province", params: { provinceId: idRule } },
    { path: "/district/:districtId", noun: "OfDistrict", of: "a district", params: { districtId: idRule } },
    { path: "/ip/:implementingPartnerId", noun: "OfImplementingPartner", of: "a partner", params: partnerId },
  ];
  for (const { path, noun, of, params } of sheets) {
    server.get(
      `/dash/summarySheet${path}`,
      {
        schema: {
          operationId: `getSummarySheet${noun}`,
          summary: `Assessments of the last week, month and three months: ${of}`,
          description:
            "One object: pastWeek, pastMonth and pastQuarter of each province (its name without spaces) and of Total.",
          tags,
          params: z.strictObject(params),
          querystring: Nothing,
          response: { 200: z.record(z.string(), z.number()) },
        },
      },
      async (request) =>
        flatSummarySheet(await dash.readSummarySheet(request.context, { scope: request.params as Scope })),
    );
  }

  for (const level of tdbHistoryLevels) {
    server.get(
      `/dash/tdbHistory/${level}/:start/:end`,
      {
        schema: {
          operationId: `getTdbHistoryBy${capitalised(level)}`,
          summary: `TDBs received on these days, by ${level}`,
          description: `Every ${level} by name, those without TDBs included. Both days count; the query narrows the scope.`,
          tags,
          params: dateRangeRules,
          querystring: scopeRules,
          response: { 200: z.array(TdbHistoryRow) },
        },
      },
      async (request) =>
        (await dash.readTdbHistory(request.context, { level, ...request.params, scope: request.query })).map((row) =>
          shown(row),
        ),
    );
  }
}
