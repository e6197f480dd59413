import { z } from "zod";

import { channels } from "../download/release.rules.ts";
import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as act from "./rollout.ts";
import { newRolloutRules, rolloutChangeRules, rolloutStates } from "./rollout.rules.ts";

/** Routes of rollouts. */

export const Rollout = z
  .object({
    uuid: z.string(),
    version: z.string().describe("The target version of the sites"),
    channel: z.enum(channels),
    state: z.enum(["planned", ...rolloutStates]).describe("planned: its first day is to come"),
    provinceIds: z.array(z.number()),
    districtIds: z.array(z.number()),
    implementingPartnerIds: z.array(z.number()),
    facilities: z.number().nullable().describe("How many facilities it names; null: it names none"),
    percentage: z.number(),
    startDay: z.string(),
    resumedDate: z.string().nullable().describe("When it last went on after a pause"),
    endedDate: z.string().nullable(),
    createdDate: z.string(),
  })
  .meta({ id: "Rollout" });

/** A rollout as a REST body. */
export const body = (row: act.Rollout): z.input<typeof Rollout> => {
  const { uuid, version, channel, state, provinceIds, districtIds, implementingPartnerIds, facilities, percentage, startDay, resumedDate, endedDate, createdDate } = row;
  return { uuid, version, channel, state, provinceIds, districtIds, implementingPartnerIds, facilities, percentage, startDay, resumedDate, endedDate, createdDate };
};

const tags = ["Fleet"];
const forReaders = "Needs viewAssessments, editAssessments, uploadTdbs or administrator.";
const params = z.strictObject({ uuid: uuidTextRule });

export function rolloutRoutes(server: RestServer): void {
  server.get(
    "/rollout",
    {
      ...needs("viewFleet"),
      schema: { operationId: "listRollouts", summary: "Rollouts, the newest first", description: forReaders, tags, querystring: listQueryRules, response: { 200: z.array(Rollout) } },
    },
    async (request, reply) => linkNext(request, reply, await act.listRollouts(request.context, { page: pageOf(request.query) })).map(body),
  );
  server.get(
    "/rollout/:uuid",
    { ...needs("viewFleet"), schema: { operationId: "getRollout", summary: "A rollout", description: forReaders, tags, params, response: { 200: Rollout } } },
    async ({ context, params: { uuid } }) => body(await act.readRollout(context, uuid)),
  );
  server.post(
    "/rollout",
    {
      ...needs("manageRollouts"),
      schema: {
        operationId: "createRollout",
        example: { version: "4.10.2", provinceIds: [1], percentage: 50, startDay: "2026-12-01" },
        summary: "Start a rollout: which sites are updated to which version",
        description: "Each part of the scope that is given narrows it; without any it is for every site. Refused where no path of files leads to the version. Needs administrator.",
        tags,
        body: newRolloutRules,
        response: { 200: Rollout },
      },
    },
    async ({ context, body: input }) => body(await act.createRollout(context, input)),
  );
  server.patch(
    "/rollout/:uuid",
    {
      ...needs("manageRollouts"),
      schema: {
        operationId: "changeRollout",
        example: { state: "paused" },
        conditional: true,
        summary: "Pause, resume or end a rollout, or change its share of the sites",
        description: "While it is paused, sites hear nothing of it. Needs administrator.",
        tags,
        params,
        body: rolloutChangeRules,
        response: { 200: Rollout },
      },
    },
    async (request) => {
      expectMatch(request, body);
      return body(await act.changeRollout(request.context, request.params.uuid, request.body));
    },
  );
}
