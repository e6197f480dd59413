import { z } from "zod";

import { listQueryRules } from "../input/page.rules.ts";
import { sendLongTable } from "../rest/longTable.ts";
import { fileShape, tableTypes } from "../rest/table.ts";
import { linkNext, linkNextOf, pageOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import * as audit from "./audit.ts";
import { actors, auditExportRules, auditListRules } from "./audit.rules.ts";
import { outcomes } from "./listFilter.rules.ts";

/** Routes of the audit log, for administrators. */

const AuditEvent = z
  .object({
    id: z.number(),
    date: z.string(),
    time: z.string(),
    occurredAt: z.string(),
    action: z.string(),
    outcome: z.enum(Object.keys(outcomes) as [keyof typeof outcomes]),
    actor: z
      .enum(Object.keys(actors) as [keyof typeof actors])
      .nullable()
      .describe(
        "As what it was done: a person, a person's token, a service account, a site; null where nobody is known",
      ),
    userUuid: z.string().nullable(),
    userName: z.string().nullable(),
    tokenUuid: z.string().nullable(),
    tokenName: z.string().nullable(),
    address: z.string().nullable(),
    login: z.string().nullable(),
    facilityUuid: z.string().nullable(),
    facilityName: z.string().nullable(),
    subjectType: z.string().nullable(),
    subjectId: z.string().nullable(),
    subjectUserName: z.string().nullable(),
    details: z.unknown(),
  })
  .meta({ id: "AuditEvent" });

const body = ({ auditEventId, details, sortText: _sortText, ...row }: audit.AuditRow) => ({
  id: auditEventId,
  ...row,
  details: details === null ? null : (JSON.parse(details) as unknown),
});

const tags = ["Audit"];

export function auditRoutes(server: RestServer): void {
  const administrators = needs("viewAudit");
  server.get(
    "/audit",
    {
      ...administrators,
      schema: {
        operationId: "listAuditEvents",
        summary: "Who did what, and when, the newest first unless sorted otherwise",
        tags,
        querystring: auditListRules,
        response: { 200: z.array(AuditEvent) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      // Unlike other lists it has a default limit: the whole log is read as the CSV file, which is streamed.
      const page = pageOf({ limit: limit ?? 100, cursor });
      return linkNext(request, reply, await audit.listAuditEvents(request.context, { ...filter, page })).map(body);
    },
  );
  server.get(
    "/audit/action",
    {
      ...administrators,
      schema: {
        operationId: "listAuditActions",
        summary: "Every kind of event that has been written down",
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(z.string()) },
      },
    },
    async (request, reply) =>
      linkNextOf(request, reply, request.query, await audit.listAuditActions(request.context), (action) => action),
  );
  server.get(
    "/audit/csv",
    {
      ...administrators,
      schema: {
        operationId: "exportAuditEventsAsCsv",
        summary: "The same as a CSV or Excel file",
        produces: tableTypes,
        tags,
        querystring: auditExportRules.safeExtend(fileShape),
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const table = await audit.exportAudit(request.context, filter);
      return sendLongTable(request, reply, { name: "audit", format }, table);
    },
  );
}
