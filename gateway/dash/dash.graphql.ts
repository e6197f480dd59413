import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { pagesBelow } from "../graphql/connection.ts";
import { parse } from "../input/parse.ts";
import { dateRangeRules } from "../calendar/period.rules.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import { TdbHistoryFacilityRow } from "../tdb/tdb.graphql.ts";
import * as tdb from "../tdb/tdb.ts";
import * as dash from "./dash.ts";
import {
  type ChartView,
  type PeriodState,
  type DashboardRow as DashboardRowShape,
  periodChartRules,
  scopeRules,
  seriesChartRules,
  type SummaryRow,
  type TdbHistoryLevel,
  tdbHistoryRules,
} from "./dash.rules.ts";
import { dashReads } from "./dashReads.rules.ts";

/**
 * The dashboards' figures: fields of the query for any scope, and of a province, district or partner for its own scope.
 */

const once = "A facility counts once in a period, by its latest assessment of that period.";

const DashboardView = builder.enumType("DashboardView", {
  description:
    "Whether a chart has a row per month, quarter or fiscal year. Each is counted by itself, not summed over its months.",
  values: {
    MONTHLY: { value: "monthly" },
    QUARTERLY: { value: "quarterly" },
    YEARLY: { value: "yearly" },
  } satisfies Record<string, { value: ChartView }>,
});

const TdbHistoryLevel = builder.enumType("TdbHistoryLevel", {
  description: "The units that TDBs are counted by.",
  values: { PROVINCE: { value: "province" }, DISTRICT: { value: "district" } } satisfies Record<
    string,
    { value: TdbHistoryLevel }
  >,
});

const DashboardPeriodState = builder.enumType("DashboardPeriodState", {
  description: "Where a period of a chart lies.",
  values: {
    ENDED: { description: "It is over." },
    RUNNING: { description: "It runs: its figures are those so far." },
    AHEAD: { description: "It has not begun: its zeros mean nothing." },
  } satisfies Record<PeriodState, object>,
});

const DashboardRow = builder.objectRef<DashboardRowShape>("DashboardRow").implement({
  description: `A month, quarter or fiscal year of a chart. ${once}`,
  fields: (t) => ({
    year: t.exposeInt("year", { description: "Fiscal year." }),
    quarter: t.exposeInt("quarter", {
      description: "Fiscal quarter, 1 (October to December) to 4; -1 where the row is a year.",
    }),
    calMonth: t.exposeInt("calMonth", {
      nullable: true,
      description: "Calendar month, 1 to 12; null where the row is a quarter or year.",
    }),
    state: t.expose("state", {
      type: DashboardPeriodState,
      description: "Whether the period has ended, is running, or has not begun.",
    }),
    facilities: t.exposeInt("facilities", { description: "Facilities in the scope today, assessed or not." }),
    assessed: t.exposeInt("assessed", {
      description: "Facilities that were assessed in the period: what shares are of.",
    }),
    sumTrainedStaff: t.exposeFloat("sumTrainedStaff", {
      description: "Staff trained in SmartCare, added up over the facilities.",
    }),
    sumSmartCareFunctional: t.exposeInt("sumSmartCareFunctional", { description: "Facilities where SmartCare works." }),
    sumPrimaryPower: t.exposeInt("sumPrimaryPower", { description: "Facilities with primary power." }),
    sumPrimaryPowerWorking: t.exposeInt("sumPrimaryPowerWorking", {
      description: "Facilities whose primary power works.",
    }),
    sumBackupPower: t.exposeInt("sumBackupPower", { description: "Facilities with backup power." }),
    sumBackupPowerWorking: t.exposeInt("sumBackupPowerWorking", {
      description: "Facilities whose backup power works.",
    }),
    notRecordedSmartCareFunctional: t.exposeInt("notRecordedSmartCareFunctional", {
      description: "Facilities whose assessment does not record whether SmartCare works.",
    }),
    notRecordedPrimaryPower: t.exposeInt("notRecordedPrimaryPower", {
      description: "Facilities whose assessment does not record whether there is primary power.",
    }),
    notRecordedPrimaryPowerWorking: t.exposeInt("notRecordedPrimaryPowerWorking", {
      description: "Facilities whose assessment does not record whether primary power works.",
    }),
    notRecordedBackupPower: t.exposeInt("notRecordedBackupPower", {
      description: "Facilities whose assessment does not record whether there is backup power.",
    }),
    notRecordedBackupPowerWorking: t.exposeInt("notRecordedBackupPowerWorking", {
      description: "Facilities whose assessment does not record whether backup power works.",
    }),
    efirst: t.exposeInt("efirst", { description: "Facilities in mode E-First." }),
    efast: t.exposeInt("efast", { description: "Facilities in mode E-Fast." }),
    elast: t.exposeInt("elast", { description: "Facilities in mode E-Last." }),
    partial: t.exposeInt("partial", { description: "Facilities in mode Partial Deployment." }),
    notDeployed: t.exposeInt("notDeployed", { description: "Facilities in mode SmartCare not deployed." }),
    notOperational: t.exposeInt("notOperational", { description: "Facilities in mode Not operational." }),
  }),
});

const roundedText =
  "Whether the figures are rounded: those who may not read TDBs get the patients of each facility to one digit, and computers and further TDBs in fives.";
const suppressedText =
  "Whether the counts are left out (null): the group is about too few facilities for people who may not read TDBs.";

const ParamValueRow = builder.objectRef<dash.ParamValue | dash.ShownComputers>("ParamValueRow").implement({
  description: "A number of facilities or computers that share a property.",
  fields: (t) => ({
    param: t.exposeString("param", {
      description: "The property: a library version, a number of cores, 64-bit or 32-bit.",
    }),
    value: t.exposeFloat("value", { nullable: true, description: "How many have it; null where it is suppressed." }),
    of: t.exposeFloat("of", {
      nullable: true,
      description: "Of how many: facilities assessed in the period, or computers listed; null where it is suppressed.",
    }),
    suppressed: t.boolean({ description: suppressedText, resolve: (row) => "suppressed" in row && row.suppressed }),
    rounded: t.boolean({ description: roundedText, resolve: (row) => "rounded" in row && row.rounded }),
  }),
});

const SummarySheetRow = builder.objectRef<SummaryRow>("SummarySheetRow").implement({
  description: "Assessments made lately, today included: of a province, or (without province) the total.",
  fields: (t) => ({
    province: t.field({ type: Province, nullable: true, resolve: ({ province }) => province }),
    name: t.exposeString("name", { description: "The province's name, or Total." }),
    pastWeek: t.exposeInt("pastWeek", { description: "Assessments of the last 7 days." }),
    pastMonth: t.exposeInt("pastMonth", { description: "Assessments of the last month." }),
    pastQuarter: t.exposeInt("pastQuarter", { description: "Assessments of the last three months." }),
    facilities: t.exposeInt("facilities", { description: "Facilities there in the scope today, assessed or not." }),
  }),
});

const TdbHistoryRow = builder.objectRef<dash.ShownTdbHistory>("TdbHistoryRow").implement({
  description: "TDBs received from the facilities of a province or district.",
  fields: (t) => ({
    hxId: t.exposeInt("hxId", { description: "The id of the province or district." }),
    name: t.exposeString("name"),
    components: t.exposeInt("components", { nullable: true, description: "Facilities that sent a TDB." }),
    of: t.exposeInt("of", { description: "Facilities there in the scope today, whether they sent or not." }),
    tdbCount: t.exposeInt("tdbCount", { nullable: true, description: "TDBs received." }),
    totalPatients: t.exposeFloat("totalPatients", {
      nullable: true,
      description: "Patients of each facility's latest TDB of the range, added up.",
    }),
    suppressed: t.exposeBoolean("suppressed", { description: suppressedText }),
    rounded: t.exposeBoolean("rounded", { description: roundedText }),
  }),
});

type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

const historyFacilitiesBelow = pagesBelow(
  tdb.listTdbHistoryFacilities,
  (asked: Parameters<typeof tdb.listTdbHistoryFacilities>[1]) => asked,
);

/**
 * The fields of a dashboard: for the query type, whose scope is given by arguments, and for each type that is a scope.
 * Fields of such a type have no argument for the part of the scope that the parent gives.
 */
function dashFields<Row extends Scope>(
  t: FieldBuilder<Row>,
  edge: keyof Scope | null,
  alsoFixed: (keyof Scope)[] = [],
) {
  const reads = dashReads(edge);
  const scopeArgs = {
    provinceId: t.arg.int({ description: "Only facilities of this province." }),
    districtId: t.arg.int({ description: "Only facilities of this district." }),
    implementingPartnerId: t.arg.int({
      description: "Only facilities that this partner supports today; -1 or none: all.",
    }),
  };
  for (const name of [...alsoFixed, ...(edge ? [edge] : [])]) delete (scopeArgs as Partial<typeof scopeArgs>)[name];
  const chartArgs = {
    year: t.arg.int({ required: true, description: "Fiscal year: year Y runs from 1 October Y-1 to 30 September Y." }),
    quarter: t.arg.int({
      defaultValue: -1,
      description: "Fiscal quarter, 1 (October to December) to 4; -1 for the entire year.",
    }),
    ...scopeArgs,
  };
  const seriesArgs = {
    ...chartArgs,
    view: t.arg({ type: DashboardView, defaultValue: "monthly" }),
    years: t.arg.int({ defaultValue: 1, description: "How many fiscal years, 1 to 9, of which `year` is the last." }),
  };
  const rangeArgs = {
    start: t.arg({ type: "Date", required: true, description: "First day of receipt." }),
    end: t.arg({ type: "Date", required: true, description: "Last day of receipt, included." }),
    ...scopeArgs,
  };

  type Given = Scope & { year: number; quarter?: number | null };
  const scopeOf = ({ provinceId, districtId, implementingPartnerId }: Scope): Scope =>
    parse(scopeRules, { provinceId, districtId, implementingPartnerId });
  const chart = ({ year, quarter, ...args }: Given) => ({
    ...parse(periodChartRules, { year, quarter: quarter ?? -1 }),
    scope: scopeOf(args),
  });
  const series = ({
    year,
    quarter,
    view,
    years,
    ...args
  }: Given & { view?: ChartView | null; years?: number | null }) => ({
    ...parse(seriesChartRules, { year, quarter: quarter ?? -1, view: view ?? "monthly", years: years ?? 1 }),
    scope: scopeOf(args),
  });
  /**
   * The parent whose part of the scope is asked for, if there is one. Its figures are read together with those of its
   * siblings.
   */
  const below = (row: Row) => (edge ? { edge, key: row[edge]! } : null);

  return {
    functionalityComparison: t.field({
      extensions: { reads: reads.series },
      type: [DashboardRow],
      nullable: true,
      description: `Working systems, power and trained staff by month, quarter or year, in fiscal order, zeros included. ${once}`,
      args: seriesArgs,
      resolve: (row, args, context) => dash.readReportedCounts(context, series(args), below(row)),
    }),
    deploymentMode: t.field({
      extensions: { reads: reads.series },
      type: [DashboardRow],
      nullable: true,
      description: `Facilities by deployment mode, by month, quarter or year, in fiscal order, zeros included. ${once}`,
      args: seriesArgs,
      resolve: (row, args, context) => dash.readReportedCounts(context, series(args), below(row)),
    }),
    libraryVersion: t.field({
      extensions: { reads: reads.chart },
      type: [ParamValueRow],
      nullable: true,
      description: `Facilities by SmartCare library version, oldest version first. ${once}`,
      args: chartArgs,
      resolve: (row, args, context) => dash.readLibraryVersions(context, chart(args), below(row)),
    }),
    cpuCore: t.field({
      extensions: { reads: reads.chart },
      type: [ParamValueRow],
      nullable: true,
      description: "Computers by number of cores, as each facility's latest TDB of the period lists them.",
      args: chartArgs,
      resolve: (row, args, context) => dash.readCpuCores(context, chart(args), below(row)),
    }),
    osX64: t.field({
      extensions: { reads: reads.chart },
      type: [ParamValueRow],
      nullable: true,
      description:
        "Computers with a 64-bit and a 32-bit system, as each facility's latest TDB of the period lists them.",
      args: chartArgs,
      resolve: (row, args, context) => dash.readOsX64(context, chart(args), below(row)),
    }),
    summarySheet: t.field({
      extensions: { reads: reads.sheet },
      type: [SummarySheetRow],
      nullable: true,
      description: "Assessments made in the last week, month and quarter: every province by name, then the total.",
      args: scopeArgs,
      resolve: (row, args, context) => dash.readSummarySheet(context, { scope: scopeOf(args) }, below(row)),
    }),
    tdbHistory: t.field({
      extensions: { reads: reads.history },
      type: [TdbHistoryRow],
      nullable: true,
      description:
        "TDBs by the day of receipt: a row for each province or district within the scope, by name, zeros included.",
      args: { level: t.arg({ type: TdbHistoryLevel, required: true }), ...rangeArgs },
      resolve: (row, { level, start, end, ...args }, context) =>
        dash.readTdbHistory(
          context,
          { ...parse(tdbHistoryRules, { level, start, end }), scope: scopeOf(args) },
          below(row),
        ),
    }),
    tdbHistoryFacilities: t.field({
      extensions: { reads: reads.historyFacilities },
      type: [TdbHistoryFacilityRow],
      nullable: true,
      description:
        "The facilities that sent a TDB on these days, each with its latest. Needs uploadTdbs or administrator.",
      args: rangeArgs,
      resolve: async (row, { start, end, ...args }, context) => {
        const asked = { ...parse(dateRangeRules, { start, end }), scope: scopeOf(args), page: {} };
        const parent = edge && { [edge]: row[edge]! };
        const page = parent
          ? await historyFacilitiesBelow(context, parent, asked)
          : await tdb.listTdbHistoryFacilities(context, asked);
        return page.rows;
      },
    }),
  };
}

// The cast: the query's fields are made like those of any object; only their Pothos types differ.
builder.queryFields((t) => dashFields(t as unknown as FieldBuilder<Scope>, null));
builder.objectFields(Province, (t) => dashFields(t, "provinceId"));
builder.objectFields(District, (t) => dashFields(t, "districtId", ["provinceId"]));
builder.objectFields(ImplementingPartner, (t) => dashFields(t, "implementingPartnerId"));
