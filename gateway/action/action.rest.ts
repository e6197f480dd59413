import { z } from "zod";

import { worklistKinds, worklistNames } from "../../db/situation/state.rules.ts";
import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { type CsvCell, fileShape, sendTable, tableTypes } from "../rest/table.ts";
import { sendList } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as acts from "./action.ts";
import { actionFilterShape, actionOrigins, actionStates, overdueAbout } from "./action.rules.ts";

/** Routes that read actions. GraphQL agrees and closes them; those of a visit come with the visit. */

export const ActionBody = z
  .object({
    actionUuid: z.string(),
    facilityUuid: z.string(),
    facilityName: z.string(),
    text: z.string().describe("What is to be done"),
    responsible: z.string().nullable().describe("The name of who is to do it"),
    implementingPartnerId: z.number().nullable().describe("The implementing partner that is to do it"),
    implementingPartner: z.string().nullable().describe("The name of that partner"),
    dueDay: z.string().describe("Until when, YYYY-MM-DD"),
    origin: z
      .enum(actionOrigins)
      .describe("visit: agreed at a visit; worklist: about an entry of the work list; hand: at the facility's page"),
    assessmentUuid: z.string().nullable().describe("The visit at which it was agreed"),
    kind: z.enum(worklistKinds).nullable().describe("The kind of the entry of the work list that it is about"),
    wantedVersion: z
      .string()
      .nullable()
      .describe("Of oldVersion: the library version that was the newest when it was agreed"),
    agreedBy: z.string().describe("User name"),
    agreedDate: z.string().describe("The day of the visit, or of the entry, YYYY-MM-DD"),
    agreedTime: z.string().describe("HH:MM"),
    state: z.enum(actionStates),
    closedDate: z.string().nullable(),
    closedBy: z.string().nullable().describe("User name; null while it is open, or if it closed by itself"),
    reason: z.string().nullable().describe("Why it was closed"),
    closingAssessmentUuid: z.string().nullable().describe("The visit that showed it done, if it closed by itself"),
    closingTdbUuid: z.string().nullable().describe("The TDB that showed it done, if it closed by itself"),
    version: z.number().describe("Counts its changes from 1"),
  })
  .meta({ id: "Action" });

/** An action as a REST body. */
export function bodyOf(row: acts.Action): z.input<typeof ActionBody> {
  const { overdueDays: _days, isClosed: _order, userUuid: _user, ...body } = row;
  return body;
}

const header = [
  ...["Facility", "District", "Province", "IP", "Action", "Responsible", "Responsible IP", "Due", "Days overdue"],
  ...["Origin", "Work list", "Agreed on", "Agreed by", "State", "Closed on", "Closed by", "Reason"],
  ...["Facility UUID", "Visit UUID", "Action UUID"],
];
const originNames = { visit: "Visit", worklist: "Work list", hand: "By hand" };
const stateNames = { open: "Open", done: "Done", dropped: "Dropped" };
async function* csvRows(actions: AsyncIterable<acts.ExportedAction>): AsyncGenerator<CsvCell[]> {
  for await (const row of actions)
    yield [
      ...[row.facilityName, row.district, row.province, row.facilityPartner, row.text, row.responsible],
      ...[row.implementingPartner, row.dueDay, row.overdueDays, originNames[row.origin]],
      ...[row.kind && worklistNames[row.kind], row.agreedDate, row.agreedBy, stateNames[row.state], row.closedDate],
      ...[row.closedBy, row.reason, row.facilityUuid, row.assessmentUuid, row.actionUuid],
    ];
}

const tags = ["Actions"];
const right = "Needs viewAssessments, editAssessments or administrator.";
const filterShape = {
  ...actionFilterShape,
  overdue: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((text) => text === "true")
    .nullish()
    .describe(overdueAbout),
};

export function actionRoutes(server: RestServer): void {
  const viewers = needs("viewAssessments");
  server.get(
    "/action/list",
    {
      ...viewers,
      schema: {
        operationId: "listActions",
        summary: "What was agreed to mend something at a facility",
        description: `Open actions first, by the day on which they are due. ${right}`,
        tags,
        querystring: listQueryRules.extend(filterShape),
        response: { 200: z.array(ActionBody) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      return sendList(
        request,
        reply,
        { limit, cursor },
        (page) => acts.listActions(request.context, { ...filter, page }),
        bodyOf,
      );
    },
  );
  server.get(
    "/action/csv",
    {
      ...viewers,
      schema: {
        operationId: "exportActionsAsCsv",
        summary: "The same list as a CSV or Excel file",
        description: right,
        produces: tableTypes,
        tags,
        querystring: z.strictObject({ ...filterShape, ...fileShape }),
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = csvRows(await acts.exportActions(request.context, filter));
      return sendTable(reply, { name: "actions", format }, header, rows);
    },
  );
  server.get(
    "/action/:actionUuid",
    {
      ...viewers,
      schema: {
        operationId: "getAction",
        summary: "One action",
        description: right,
        tags,
        params: z.strictObject({ actionUuid: uuidTextRule }),
        response: { 200: ActionBody },
      },
    },
    async (request) => bodyOf(await acts.readAction(request.context, request.params.actionUuid)),
  );
}
