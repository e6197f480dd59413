import { z } from "zod";

import { worklistKinds } from "../../db/situation/state.rules.ts";
import { facilityUuidRule, modes } from "../facility/facility.rules.ts";
import { tagOf } from "../rest/etag.ts";
import type { RestServer } from "../rest/route.ts";
import { loadFacilityState } from "../facility/siteState.ts";
import * as situation from "./situation.ts";
import { countEntries } from "./worklist.ts";
import { type Figure, partOf, percentOf, type Quarter as QuarterRow, situationScopeRules } from "./situation.rules.ts";

/** Routes of the situation of a part of the country, and of the state of a facility. */

const FigureBody = z.object({
  value: z.number(),
  of: z.number().nullable().describe("Of how many; null where it is the whole itself"),
  share: z.number().nullable().describe("value as a part of of, 0 to 1; null of nothing"),
  percent: z.number().nullable().describe("The share in percent, with one decimal; null of nothing"),
  notRecorded: z
    .number()
    .nullable()
    .describe(
      "Of those, facilities whose latest assessment records no answer: neither yes nor no; null where the count is about no answer",
    ),
  valueBefore: z.number().nullable().describe("At the end of the quarter before; null where that is not known"),
  ofBefore: z.number().nullable(),
  change: z.number().nullable().describe("How many more or less than then"),
});
const figure = ({ value, of, notRecorded, before }: Figure): z.input<typeof FigureBody> => ({
  value,
  of,
  share: of === null ? null : partOf(value, of),
  percent: of === null ? null : percentOf(value, of),
  notRecorded,
  valueBefore: before?.value ?? null,
  ofBefore: before?.of ?? null,
  change: before && value - before.value,
});
const Modes = z.object({
  efirst: z.number(),
  efast: z.number(),
  elast: z.number(),
  partial: z.number(),
  notDeployed: z.number(),
  notOperational: z.number(),
  noneRecorded: z.number().describe("No mode: nobody assessed them"),
});
const Quarter = z.object({
  periodStart: z.string().describe("Its first day"),
  assessed: z.number(),
  functional: z.number(),
  notRecordedFunctional: z
    .number()
    .describe("Of those assessed, those whose assessment does not record whether SmartCare works"),
  power: z.number(),
  notRecordedPower: z.number(),
  expected: z.number().describe("Those that should send TDBs"),
  silent: z.number().describe("Of these, those that were overdue or never sent"),
  functionalShare: z
    .number()
    .nullable()
    .describe("functional as a part of assessed, 0 to 1; null where nobody assessed any"),
});
const FunctionalTarget = z
  .number()
  .nullable()
  .describe(
    "The functional share that is aimed at in the running fiscal year, in percent: the nearest target that holds",
  );
const quarterOf = (quarter: QuarterRow): z.input<typeof Quarter> => ({
  ...quarter,
  functionalShare: partOf(quarter.functional, quarter.assessed),
});
const Unit = z.object({
  hxId: z.number().nullable().describe("Id of the province or district"),
  facilityUuid: z.string().nullable().describe("Where the unit is a facility"),
  name: z.string(),
  facilities: z.number(),
  assessed: z.number(),
  functional: z.number(),
  power: z.number(),
  notRecordedFunctional: z.number(),
  notRecordedPower: z.number(),
  expected: z.number(),
  silent: z.number(),
  knownVersion: z.number(),
  oldVersion: z.number(),
  modes: Modes,
  functionalShareChange: z.number().nullable().describe("Percentage points since the end of the quarter before"),
  functionalTarget: FunctionalTarget,
  functionalAttainment: z
    .number()
    .nullable()
    .describe("How much of that target is reached, in percent: 100 where it is met"),
  quarters: z.array(Quarter).describe("The last eight quarters, the running one last; none of a facility"),
});
const Situation = z
  .object({
    asAt: z.string().describe("The moment that the figures are of"),
    quarterStart: z.string().describe("First day of the running fiscal quarter: changes are since the day before"),
    level: z.enum(["province", "district", "facility"]).describe("What its units are"),
    newestLibraryVersion: z.string().nullable().describe("Versions older than this one are old"),
    facilities: FigureBody,
    assessed: FigureBody.describe("Facilities that somebody ever assessed, of all"),
    functional: FigureBody.describe("Where SmartCare works, of those assessed"),
    power: FigureBody.describe("Where primary or backup power works, of those assessed"),
    silent: FigureBody.describe("Whose TDB is overdue or that never sent one, of those that should send"),
    oldVersion: FigureBody.describe("With an older library version than the newest, of those whose version is known"),
    withoutPosition: FigureBody.describe("Without latitude or longitude, of all"),
    modes: Modes,
    worklist: z
      .array(
        z.object({
          kind: z.enum(worklistKinds),
          entries: z.number().describe("All, snoozed ones included"),
          snoozed: z.number(),
        }),
      )
      .describe("How many sites need something done, by kind"),
    functionalTarget: FunctionalTarget,
    quarters: z.array(Quarter).describe("All facilities in the last eight quarters, the running one last"),
    units: z.array(Unit),
  })
  .meta({ id: "Situation" });

const FacilityState = z
  .object({
    facilityUuid: z.string(),
    functionalityStatusMode: z.enum(modes).nullable(),
    smartCareFunctional: z.boolean().nullable(),
    powerWorking: z.boolean().nullable().describe("Whether primary or backup power works"),
    primaryPower: z.boolean().nullable(),
    primaryPowerWorking: z.boolean().nullable(),
    backupPower: z.boolean().nullable(),
    backupPowerWorking: z.boolean().nullable(),
    libraryVersion: z.string().nullable(),
    lastVisitDate: z.string().nullable().describe("Day of the latest assessment"),
    lastTdbCreationDate: z.string().nullable().describe("Day on which the latest TDB was made"),
    lastTdbUploadDate: z.string().nullable().describe("Day of its receipt"),
    daysSinceLastTdb: z.number().nullable().describe("Days from lastTdbCreationDate to today"),
    expected: z.boolean().describe("Whether it should send TDBs"),
    overdue: z.boolean().describe("Whether it should, and the next one is overdue or none was ever sent"),
    contactName: z
      .string()
      .nullable()
      .describe("Of the latest assessment. The contact is null for people who may not see assessments"),
    contactRole: z.string().nullable(),
    contactPhone: z.string().nullable(),
  })
  .meta({ id: "FacilityState" });

export function situationRoutes(server: RestServer): void {
  server.get(
    "/facility/state/:facilityUuid",
    {
      schema: {
        operationId: "getFacilityState",
        summary: "How a facility stands today",
        description:
          "By its latest assessment and TDB, however old. Null where it was never assessed, or never sent a TDB.",
        tags: ["Situation"],
        params: z.strictObject({ facilityUuid: facilityUuidRule }),
        response: { 200: FacilityState },
      },
    },
    async (request) => {
      const {
        functionalityStatusMode,
        openActions: _,
        ...state
      } = await loadFacilityState(request.context, request.params.facilityUuid);
      return { ...state, functionalityStatusMode: functionalityStatusMode as (typeof modes)[number] | null };
    },
  );
  server.get(
    "/situation",
    {
      schema: {
        operationId: "getSituation",
        summary: "How the country, a province, a district or a partner's facilities stand",
        description:
          "By the latest assessment and TDB of each facility, however old. Units one level below, by name; of a partner those where it supports facilities. The query narrows the scope.",
        tags: ["Situation"],
        querystring: situationScopeRules,
        response: { 200: Situation },
      },
    },
    async (request, reply) => {
      const found = await situation.readSituation(request.context, request.query);
      const body = {
        quarterStart: found.quarterStart,
        level: found.level,
        newestLibraryVersion: found.newestLibraryVersion,
        facilities: figure(found.facilities),
        assessed: figure(found.assessed),
        functional: figure(found.functional),
        power: figure(found.power),
        silent: figure(found.silent),
        oldVersion: figure(found.oldVersion),
        withoutPosition: figure(found.withoutPosition),
        modes: found.modes,
        worklist: await countEntries(request.context, found.scope, found),
        functionalTarget: found.functionalTarget,
        quarters: found.quarters.map(quarterOf),
        units: found.units.map((unit) => ({
          hxId: unit.hxId,
          facilityUuid: unit.facilityUuid,
          name: unit.name,
          facilities: unit.facilities,
          assessed: unit.assessed,
          functional: unit.functional,
          power: unit.power,
          notRecordedFunctional: unit.notRecordedFunctional,
          notRecordedPower: unit.notRecordedPower,
          expected: unit.expected,
          silent: unit.silent,
          knownVersion: unit.knownVersion,
          oldVersion: unit.oldVersion,
          modes: unit.modes,
          functionalShareChange: unit.functionalShareChange,
          functionalTarget: unit.functionalTarget,
          functionalAttainment: unit.functionalAttainment,
          quarters: unit.quarters.map(quarterOf),
        })),
      };
      // The same figures a minute later are no news.
      reply.header("etag", tagOf(JSON.stringify(body)));
      return { asAt: found.asAt, ...body };
    },
  );
}
