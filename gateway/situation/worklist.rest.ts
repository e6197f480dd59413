import { z } from "zod";

import { namedSitesRule } from "../facility/facility.rules.ts";
import { headings, type SiteColumn, siteCell } from "../facility/siteColumns.rules.ts";
import { listQueryRules } from "../input/page.rules.ts";
import { sendList } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import { type CsvCell, formatRule, sendTable, tableTypes } from "../rest/table.ts";
import * as acts from "./worklist.ts";
import { worklist, worklistFilterShape, worklistKindRule, worklistKinds, worklistNames } from "./worklist.rules.ts";

/** Routes of the work list: sites that need work, with the newest note about each. */

const Entry = z
  .object({
    kind: z.enum(worklistKinds),
    facilityUuid: z.string(),
    facilityName: z.string(),
    districtId: z.number(),
    district: z.string(),
    provinceId: z.number(),
    province: z.string(),
    implementingPartnerId: z.number().nullable(),
    implementingPartner: z.string().nullable().describe("The partner that supports the facility today"),
    sinceDate: z
      .string()
      .nullable()
      .describe(
        `Since when it stands there: ${worklistKinds.map((kind) => `${kind}: ${worklist[kind].since}`).join("; ")}. null: it never sent a TDB`,
      ),
    days: z.number().nullable().describe("Days since then"),
    lastVisitDate: z.string().nullable(),
    lastWorkedDate: z
      .string()
      .nullable()
      .describe("Of stopped and lostPower: the day of the last visit that found it working"),
    lastTdbDate: z.string().nullable().describe("Day on which its latest TDB was made"),
    libraryVersion: z.string().nullable(),
    contactName: z
      .string()
      .nullable()
      .describe("Of the latest assessment. The contact and the note are null for people who may not see assessments"),
    contactRole: z.string().nullable(),
    contactPhone: z.string().nullable(),
    comment: z.string().nullable().describe("The newest note"),
    commentedDate: z.string().nullable(),
    commentedBy: z.string().nullable().describe("Its author's user name"),
    snoozedUntil: z.string().nullable().describe("The day on which the entry is shown again"),
    snoozed: z.boolean().describe("Whether it is hidden today"),
  })
  .meta({ id: "WorklistEntry" });

const bodyOf = (row: acts.WorklistEntry): z.input<typeof Entry> => ({
  kind: row.kind,
  facilityUuid: row.facilityUuid,
  facilityName: row.facilityName,
  districtId: row.districtId,
  district: row.district,
  provinceId: row.provinceId,
  province: row.province,
  implementingPartnerId: row.implementingPartnerId,
  implementingPartner: row.implementingPartner,
  sinceDate: row.sinceDate,
  days: row.days,
  lastVisitDate: row.lastVisitDate,
  lastWorkedDate: row.lastWorkedDate,
  lastTdbDate: row.lastTdbDate,
  libraryVersion: row.libraryVersion,
  contactName: row.contactName,
  contactRole: row.contactRole,
  contactPhone: row.contactPhone,
  comment: row.comment,
  commentedDate: row.commentedDate,
  commentedBy: row.commentedBy,
  snoozedUntil: row.snoozedUntil,
  snoozed: row.snoozed,
});

/** Columns of the state that the list does not have itself. */
const stateColumns = [
  "smartCareFunctional",
  "powerWorking",
  "functionalityStatusMode",
  "daysSinceLastTdb",
  "overdue",
] as const satisfies SiteColumn[];
/** The newest columns are the last ones: programs may read the others by their place. */
const header = [
  ...["Kind", headings.facilityName, headings.district, headings.province, headings.implementingPartner],
  ...["Since", "Days on the list", headings.lastVisitDate, "Last worked", headings.lastTdbCreationDate],
  ...[headings.libraryVersion, headings.contactName, headings.contactRole, headings.contactPhone],
  ...["Note", "Noted on", "Noted by", "Snoozed until", "Facility UUID"],
  ...stateColumns.map((name) => headings[name]),
];
async function* csvRows(entries: AsyncIterable<acts.ExportedEntry>): AsyncGenerator<CsvCell[]> {
  for await (const { state, ...row } of entries)
    yield [
      ...[worklistNames[row.kind], row.facilityName, row.district, row.province, row.implementingPartner],
      ...[row.sinceDate, row.days, row.lastVisitDate, row.lastWorkedDate, row.lastTdbDate],
      ...[row.libraryVersion, row.contactName, row.contactRole, row.contactPhone],
      ...[row.comment, row.commentedDate, row.commentedBy, row.snoozed ? row.snoozedUntil : null, row.facilityUuid],
      ...stateColumns.map((name) => siteCell(name, state)),
    ];
}

const tags = ["Situation"];
const right = "Contacts and notes are for viewAssessments, editAssessments or administrator.";
const ByKind = z.strictObject({ kind: worklistKindRule });
const about = worklistKinds.map((kind) => `${kind}: ${worklist[kind].about}`).join(" ");

export function worklistRoutes(server: RestServer): void {
  server.get(
    "/worklist/:kind",
    {
      schema: {
        operationId: "listWorklist",
        summary: "Sites where something is to be done, by kind",
        description: `Those that last the longest first. ${about} ${right}`,
        tags,
        params: ByKind,
        querystring: z.strictObject({ ...worklistFilterShape, ...listQueryRules.shape }),
        response: { 200: z.array(Entry) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...asked } = request.query;
      const { kind } = request.params;
      return sendList(
        request,
        reply,
        { limit, cursor },
        (page) => acts.listWorklist(request.context, { kind, ...asked, page }),
        bodyOf,
      );
    },
  );
  server.get(
    "/worklist/:kind/csv",
    {
      schema: {
        operationId: "exportWorklistAsCsv",
        summary: "The same list as a CSV or Excel file",
        description: right,
        produces: tableTypes,
        tags,
        params: ByKind,
        querystring: z.strictObject({
          ...worklistFilterShape,
          format: formatRule,
          facilityUuid: namedSitesRule,
          mine: z
            .literal("yes", "must be yes")
            .optional()
            .describe(
              "Only those with an open action that names the caller, or, if none does, of the caller's partner. Needs viewAssessments, editAssessments or administrator.",
            ),
        }),
      },
    },
    async (request, reply) => {
      const { kind } = request.params;
      const { format, facilityUuid, mine, ...asked } = request.query;
      const view = { facilityUuids: facilityUuid, mine: mine === "yes" };
      const rows = csvRows(await acts.exportWorklist(request.context, { kind, ...asked, ...view }));
      return sendTable(reply, { name: `worklist-${kind}`, format }, header, rows);
    },
  );
}
