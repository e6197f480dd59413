import { Readable } from "node:stream";

import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { lineRule } from "../input/texts.rules.ts";
import { checkAnnounced, whileUploading } from "../input/upload.ts";
import { invalid, Problem } from "../problem.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import { multipartRoutes, partsOf } from "../rest/multipart.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { type CsvCell, fileShape, sendTable, tableTypes } from "../rest/table.ts";
import { counted } from "./readImport.ts";
import * as acts from "./reconciliation.ts";
import { findingFilterShape, findingKinds, listForms, sourceRules } from "./reconciliation.rules.ts";

/**
 * Routes of comparisons with other lists: sending a list, its counts, and its findings as CSV. GraphQL decides on
 * findings.
 */

const shape = {
  uuid: z.string(),
  source: z.string().describe("Whose list it is"),
  fileName: z.string(),
  form: z.enum(listForms).describe("A list of facilities, or DHIS2's organisation units"),
  rows: z.number().describe("Facilities of their list"),
  here: z.number().describe("Open facilities of the registry"),
  equal: z.number().describe("Facilities that are the same in both"),
  found: z.number().describe("Findings, without those that are gone"),
  open: z.number().describe("Of these the open ones"),
  compared: z.array(z.string()).describe("The fields that were compared: those that their list has"),
  notes: z.array(z.string()).describe("What was left out of their list"),
  previousUuid: z.string().nullable().describe("The comparison with the same source before it"),
  isNewest: z.boolean().describe("Whether it is the newest one with its source: decisions are taken there"),
  createdDate: z.string(),
  createdTime: z.string(),
  userName: z.string().nullable().describe("Who sent the list, or ran the command"),
};
const Listed = z.object(shape).meta({ id: "RegistryReconciliationListed" });
const KindCount = z.object({
  kind: z.enum(findingKinds),
  found: z.number(),
  open: z.number(),
  done: z.number(),
  ignored: z.number(),
  new: z.number().describe("Not found the previous time"),
  changed: z.number().describe("Found the previous time, with other values"),
  still: z.number().describe("Found the previous time, the same"),
  gone: z.number().describe("Found the previous time, and no longer"),
});
const Reconciliation = z
  .object({
    ...shape,
    kinds: z.array(KindCount),
    fields: z
      .array(z.object({ field: z.string(), found: z.number() }))
      .describe("In how many facilities each field differs"),
  })
  .meta({ id: "RegistryReconciliation" });
type Sent = Parameters<typeof acts.reconcile>[1];

/** The list that was sent: the file and fields of a form, or the body with the query parameters. */
async function sentOf(
  request: FastifyRequest,
  query: { source?: string | undefined; level?: unknown; fileName?: string | undefined },
): Promise<Sent> {
  if (!request.isMultipart()) {
    // An empty body is not parsed.
    const content: AsyncIterable<Buffer> = request.body instanceof Readable ? request.body : Readable.from([]);
    return {
      ...parse(sourceRules, { source: query.source, level: query.level }),
      fileName: query.fileName ?? "list",
      content,
    };
  }
  const fields: Record<string, unknown> = {
    ...(query.source === undefined ? {} : { source: query.source }),
    ...(query.level === undefined ? {} : { level: query.level }),
  };
  let file: { fileName: string; bytes: Buffer } | undefined;
  for await (const part of partsOf(request)) {
    if (part.type === "field") {
      if (part.value !== "") fields[part.fieldname] = part.value;
      continue;
    }
    if (part.fieldname !== "file" || file)
      throw invalid([
        {
          path: part.fieldname,
          message: file ? "one file at a time" : "is not a known field: the list is sent as 'file'",
        },
      ]);
    const pieces: Buffer[] = [];
    for await (const piece of counted(part.file)) pieces.push(piece);
    file = { fileName: part.filename ?? "", bytes: Buffer.concat(pieces) };
  }
  const source = parse(sourceRules, fields);
  if (!file) throw invalid([{ path: "file", message: "File is required" }]);
  return { ...source, fileName: query.fileName ?? file.fileName, content: Readable.from([file.bytes]) };
}

const listed = ({ createdAt: _at, ...row }: acts.ReconciliationRow): z.input<typeof Listed> => row;
const bodyOf = ({ createdAt: _at, ...row }: acts.Reconciliation): z.input<typeof Reconciliation> => row;

const header = [
  "Number",
  "Kind",
  "Trend",
  "State",
  "Facility UUID",
  "Facility",
  "Place",
  "Their id",
  "Field",
  "Ours",
  "Theirs",
  "Score",
  "Reason",
  "Note",
  "Decided on",
  "Decided by",
];
/** A line for each field that differs; a finding without such a field has one line. */
async function* csvRows(findings: AsyncIterable<acts.FindingRow>): AsyncGenerator<CsvCell[]> {
  for await (const {
    number,
    kind,
    trend,
    state,
    facilityUuid,
    facilityName,
    place,
    theirId,
    differences,
    score,
    reason,
    note,
    decidedDate,
    decidedBy,
  } of findings)
    for (const { field, ours, theirs } of differences.length > 0
      ? differences
      : [{ field: null, ours: null, theirs: null }])
      yield [
        number,
        kind,
        trend,
        state,
        facilityUuid,
        facilityName,
        place,
        theirId,
        field,
        ours,
        theirs,
        score,
        reason,
        note,
        decidedDate,
        decidedBy,
      ];
}

const tags = ["Registry"];
const description = "Needs editRegistry or administrator.";
const params = z.strictObject({ uuid: uuidTextRule });
const response = { 200: Reconciliation };

export function reconciliationRoutes(server: RestServer): void {
  const editors = needs("editRegistry");
  server.get(
    "/registry/reconciliations",
    {
      ...editors,
      schema: {
        operationId: "listRegistryReconciliations",
        summary: "Comparisons with other lists, the newest first",
        description,
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(Listed) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await acts.listReconciliations(request.context, { page: pageOf(request.query) })).map(
        listed,
      ),
  );
  server.get(
    "/registry/reconciliations/:uuid",
    {
      ...editors,
      schema: {
        operationId: "getRegistryReconciliation",
        summary: "A comparison with its counts",
        description,
        tags,
        params,
        response,
      },
    },
    async (request) => bodyOf(await acts.readReconciliation(request.context, request.params.uuid)),
  );
  server.get(
    "/registry/reconciliations/:uuid/csv",
    {
      ...editors,
      schema: {
        operationId: "exportReconciliationFindings",
        summary: "The findings of a comparison as CSV or Excel, a line for each field that differs",
        description,
        tags,
        params,
        querystring: z.strictObject({ ...findingFilterShape, ...fileShape }),
        produces: tableTypes,
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = csvRows(await acts.exportFindings(request.context, request.params.uuid, filter));
      return sendTable(reply, { name: "reconciliation", format }, header, rows);
    },
  );
  multipartRoutes(server, (scope) => {
    scope.removeContentTypeParser("application/json");
    scope.addContentTypeParser(["text/csv", "application/json"], (_, payload, done) => done(null, payload));
    scope.post(
      "/registry/reconciliations",
      {
        config: { takesFile: true },
        schema: {
          operationId: "reconcileRegistry",
          summary:
            "Compare the registry with a list: as text/csv or application/json, or as a form with fields source, level and file",
          description: `CSV as of an import, or DHIS2's organisation units as CSV or as the JSON of its API. No facility is changed. ${description}`,
          tags,
          querystring: z.strictObject({
            source: sourceRules.shape.source.optional(),
            level: sourceRules.shape.level.unwrap().unwrap().optional(),
            fileName: lineRule(256).optional(),
          }),
          form: z.object({ source: sourceRules.shape.source, level: sourceRules.shape.level, file: z.file() }),
          response,
        },
      },
      async (request) => {
        acts.checkMayReconcile(request.context);
        if (!request.isMultipart() && !/^(text\/csv|application\/json)\b/i.test(request.headers["content-type"] ?? ""))
          throw new Problem(
            "UNSUPPORTED",
            "The body must be sent as text/csv, application/json or multipart/form-data.",
          );
        await checkAnnounced(request);
        return bodyOf(
          await whileUploading(request, server.uploads, async () =>
            acts.reconcile(request.context, await sentOf(request, request.query)),
          ),
        );
      },
    );
  });
}
