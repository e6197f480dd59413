import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { ActionBody, bodyOf as actionBody } from "../action/action.rest.ts";
import { AssessmentBody } from "../assessment/assessment.rest.ts";
import { FacilityConnectivity, FacilityMetadata, FacilitySettings, metadataOf } from "../facility/facility.rest.ts";
import { connectivityOf } from "../facility/saveFacility.ts";
import { DownloadFile, recordOf as recordOfDownload } from "../download/download.rest.ts";
import { bodyOf as releaseBody, Release } from "../download/release.rest.ts";
import { body as rolloutBody, Rollout } from "../fleet/rollout.rest.ts";
import {
  District,
  districtBody,
  Partner as ImplementingPartnerBody,
  partnerBody,
  Province,
  provinceBody,
} from "../reference/reference.rest.ts";
import { userBodyOf, UserBody } from "../user/user.rest.ts";
import { body as targetBody, Target } from "../target/target.rest.ts";
import { linkTo } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import { recordOf, TdbRecord } from "../tdb/tdb.rest.ts";
import { type ChangedRecord, awaitChanges } from "./change.ts";
import { type ChangeKind, changeKinds, changeQueryRules } from "./change.rules.ts";

/** The route of the feed of changes. */

const DistrictOfProvince = District.extend({ provinceId: z.number() }).meta({ id: "DistrictOfProvince" });
const Partner = ImplementingPartnerBody.extend({ active: z.boolean() }).meta({ id: "ImplementingPartnerRecord" });

const itemOf = <Kind extends ChangeKind, Body extends z.ZodType>(kind: Kind, same: string, body: Body) =>
  z.object({
    kind: z.literal(kind),
    action: z.enum(["created", "changed", "withdrawn"]),
    key: z.string().describe(`As in ${same}`),
    changedAt: z.string().describe("When, an instant in UTC"),
    record: body.nullable().describe(`What ${same} says now; null when it was withdrawn`),
  });
const Changes = z
  .object({
    kinds: z
      .array(z.enum(changeKinds))
      .describe("What this answer covers: the kinds that were asked for and may be read"),
    changes: z.array(
      z.union([
        itemOf("facility", "/api/v1/facilityMetadata/{facilityUuid}", FacilityMetadata),
        itemOf("facilitySettings", "/api/v1/facility/settings/{facilityUuid}", FacilitySettings),
        itemOf("facilityConnectivity", "/api/v1/facilityConnectivity/{facilityUuid}", FacilityConnectivity),
        itemOf("assessment", "/api/v1/assessment/{assessmentUuid}", AssessmentBody),
        itemOf("tdb", "the lists of TDBs, by uuid", TdbRecord),
        itemOf("province", "/api/v1/province/{id}, as text", Province),
        itemOf("district", "/api/v1/district/{id}, as text, with its provinceId", DistrictOfProvince),
        itemOf("implementingPartner", "/api/v1/implementingPartner/{implementingPartnerId}, as text", Partner),
        itemOf("user", "/api/v1/user/{userUuid}", UserBody),
        itemOf("download", "the list of downloads, by uuid", DownloadFile),
        itemOf("target", "GraphQL's list of targets, by uuid", Target),
        itemOf("release", "/api/v1/download/{uuid}/release", Release),
        itemOf("rollout", "GraphQL's list of rollouts, by uuid", Rollout),
        itemOf("action", "/api/v1/action/{actionUuid}", ActionBody),
      ]),
    ),
    cursor: z.string().describe("To be sent as `since` next time"),
    hasMore: z.boolean().describe("Whether there is more by now: ask again at once"),
  })
  .meta({ id: "Changes" });

/** The record of a change, in the shape in which the REST call for its kind returns it, if it has one. */
function bodyOf(record: ChangedRecord, request: FastifyRequest) {
  switch (record.kind) {
    case "province":
      return provinceBody(record.province);
    case "district":
      return { ...districtBody(record.district), provinceId: record.district.provinceId };
    case "implementingPartner":
      return { ...partnerBody(record.partner), active: record.partner.active };
    case "user":
      return userBodyOf(record.user);
    case "download":
      return recordOfDownload(request, record.download);
    case "target":
      return targetBody(record.target);
    case "release":
      return releaseBody(record.download);
    case "rollout":
      return rolloutBody(record.rollout);
    case "action":
      return actionBody(record.action);
    case "facility":
      return metadataOf(record.facility, record.identifiers);
    case "facilitySettings":
      return record.settings;
    case "facilityConnectivity":
      return connectivityOf(record.facility);
    case "assessment":
      return record.state;
    case "tdb":
      return recordOf(record.tdb);
  }
}

const description = `One ordered feed of facilities, their settings and connectivity, assessments and TDBs, and if you ask for them (\`kinds\`) provinces, districts, implementing partners, users, downloads, targets, releases of files, rollouts and actions: each change with the present record.

- **First sync:** call without \`since\`, then with the \`cursor\` of each answer (or the \`Link\` header) until \`hasMore\` is false.
- **Later:** call with the last \`cursor\`, as often as you like. Store each \`record\` under its \`kind\` and \`key\`, whether it was created or changed; remove what was withdrawn. Keep the cursor with what it brought.
- **At once:** with \`wait=30\` the answer comes as soon as there is a change, or after 30 seconds without any: ask again at once. A copy is then a second or two behind. Waiting costs the server next to nothing.
- No change is skipped because it was committed late, and none is repeated after its cursor. For this, a change is sent only when every transaction that began before it has ended: a long transaction only delays the feed. Several changes of one record may be sent as one, the last.
- Assessments and actions need viewAssessments, editAssessments or administrator, TDBs uploadTdbs or administrator, downloads and releases accessDownloads or administrator, rollouts any right to assessments or TDBs; with manageUsers you get the users of your own partner, as administrator all of them. Kinds that you may not read are left out unless you ask for them (403); \`kinds\` of the answer says what it covers. A cursor stays with its kinds.
- A planned rollout runs from its \`startDay\` on: no row changes on that day, so the feed does not send it again.
- **410:** the cursor is from another database, or from before a backup was restored. Begin again without \`since\`, and drop what you do not get again. **422:** this is not a cursor of this feed.`;

export function changeRoutes(server: RestServer): void {
  server.get(
    "/changes",
    {
      schema: {
        operationId: "listChanges",
        failures: [410],
        summary: "What was created, changed or withdrawn since a cursor",
        description,
        tags: ["Synchronising"],
        querystring: changeQueryRules,
        response: { 200: Changes },
      },
    },
    async (request, reply) => {
      const { kinds, changes, cursor, hasMore } = await awaitChanges(request.context, request.query);
      if (hasMore) linkTo(request, reply, { since: cursor });
      // The cast: each kind has its own body. `bodyOf` chooses it by the kind, but the compiler cannot check that.
      const items = changes.map(({ record, ...change }) => ({
        ...change,
        record: record && bodyOf(record, request),
      })) as z.input<typeof Changes>["changes"];
      return { kinds, changes: items, cursor, hasMore };
    },
  );
}
