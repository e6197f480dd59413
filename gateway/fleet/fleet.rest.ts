import { z } from "zod";

import { fleetStates } from "./fleetState.rules.ts";
import {
  aboutStuck,
  fleetScopeRules,
  fleetSiteFilterRules,
  fleetSiteFilterShape,
  updateOutcomes,
} from "./rollout.rules.ts";
import { fileTypes } from "../download/download.rules.ts";
import { channels, downloadParts } from "../download/release.rules.ts";
import { listQueryRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { sendList } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as act from "./fleet.ts";
import { Rollout } from "./rollout.rest.ts";
import { updateRoutes } from "./update.rest.ts";

/** Routes of the fleet: what runs where, and how far the rollouts are. */

const VersionCount = z.object({ version: z.string(), facilities: z.number() }).meta({ id: "FleetVersion" });
const counts = Object.fromEntries(fleetStates.map((state) => [state, z.number()])) as Record<
  (typeof fleetStates)[number],
  z.ZodNumber
>;
const File = z
  .object({
    uuid: z.string(),
    name: z.string(),
    fileType: z.enum(fileTypes),
    version: z.string(),
    installs: z.array(z.enum(downloadParts)),
    channel: z.enum(channels),
    size: z.number().describe("Bytes"),
    needed: z.number().describe("Sites that still need it"),
    next: z.number().describe("Of these, sites whose next file it is"),
    failed: z.number().describe("Of these, sites that reported that it failed"),
    applied: z.number().describe("Reports that it was applied"),
    medianDays: z
      .number()
      .nullable()
      .describe("Days from the day on which it was due to the report, of half of these at most"),
    longestDays: z.number().nullable(),
  })
  .meta({ id: "FleetFile" });
const Fleet = z
  .object({
    facilities: z.number(),
    known: z.number().describe("Facilities whose version is known: by their latest TDB or visit that names one"),
    versions: z.array(VersionCount).describe("What runs today, the newest version first"),
    quarters: z
      .array(
        z.object({ periodStart: z.string().describe("First day of the quarter"), versions: z.array(VersionCount) }),
      )
      .describe("What ran at the end of the last eight quarters"),
    rollouts: z
      .array(
        z.object({
          rollout: Rollout,
          covered: z.number(),
          stuck: z.number().describe("failed, `silent` and noPath together"),
          ...counts,
        }),
      )
      .describe("Running and paused ones. A site counts in one: that to the newest version, paused ones last"),
    files: z.array(File).describe("Files with a version, by name"),
  })
  .meta({ id: "Fleet" });
const Site = z
  .object({
    facilityUuid: z.string(),
    facilityName: z.string(),
    provinceId: z.number(),
    province: z.string(),
    districtId: z.number(),
    district: z.string(),
    implementingPartnerId: z.number().nullable(),
    implementingPartner: z.string().nullable(),
    presentVersion: z.string().nullable().describe("By its latest TDB or visit that names one"),
    presentDate: z.string().nullable(),
    source: z.enum(["tdb", "visit"]).nullable(),
    rolloutUuid: z.string(),
    target: z.string().describe("Its target version"),
    state: z.enum(fleetStates),
    downloadUuid: z.string().nullable().describe("The file that comes next"),
    dueDate: z.string().describe("Since when"),
    days: z.number().describe("Since then"),
    outcome: z.enum(updateOutcomes).nullable().describe("What it last reported of the next file"),
    why: z.string().nullable(),
    reportedDate: z.string().nullable(),
  })
  .meta({ id: "FleetSite" });

const body = ({ files, rollouts, ...fleet }: act.Fleet): z.input<typeof Fleet> => ({
  ...fleet,
  rollouts: rollouts.map(({ rollout, ...figures }) => ({ rollout: Rollout.parse(rollout), ...figures })),
  files: files.map(({ file: { uuid, name, fileType, version, installs, channel, size }, ...figures }) => ({
    ...{ uuid, name, fileType: fileType as (typeof fileTypes)[number], version, installs, channel, size },
    ...figures,
  })),
});
const siteOf = (row: act.FleetSite): z.input<typeof Site> => Site.parse(row);

const tags = ["Fleet"];
const description = "Needs viewAssessments, editAssessments, uploadTdbs or administrator.";

export function fleetRoutes(server: RestServer): void {
  updateRoutes(server);
  server.get(
    "/fleet",
    {
      ...needs("viewFleet"),
      schema: {
        operationId: "getFleet",
        summary: "Which versions run, how far the rollouts are, and who still needs which file",
        description,
        tags,
        querystring: fleetScopeRules,
        response: { 200: Fleet },
      },
    },
    async ({ context, query }) => body(await act.readFleet(context, query)),
  );
  server.get(
    "/fleet/site",
    {
      ...needs("viewFleet"),
      schema: {
        operationId: "listFleetSites",
        summary: "Sites that running rollouts cover, with their state and next file, by name",
        description,
        tags,
        querystring: listQueryRules.extend({
          ...fleetSiteFilterShape,
          stuck: z
            .stringbool({ truthy: ["true"], falsy: ["false"] })
            .optional()
            .describe(aboutStuck),
        }),
        response: { 200: z.array(Site) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      const asked = parse(fleetSiteFilterRules, filter);
      return sendList(
        request,
        reply,
        { limit, cursor },
        (page) => act.listFleetSites(request.context, { ...asked, page }),
        siteOf,
      );
    },
  );
}
