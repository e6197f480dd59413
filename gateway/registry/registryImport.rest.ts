import { Readable } from "node:stream";

import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { checkAnnounced, whileUploading } from "../input/upload.ts";
import { invalid, Problem } from "../problem.ts";
import { linkNext, pageOf, sendList } from "../rest/list.ts";
import { multipartRoutes, partsOf } from "../rest/multipart.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { applyRegistryImport, revertRegistryImport } from "./applyImport.ts";
import * as acts from "./registryImport.ts";
import {
  importDecisionRules,
  importDecisions,
  importKinds,
  importRowFilterShape,
  importStatuses,
} from "./registryImport.rules.ts";

/** Routes of imports: sending a list, reviewing it, deciding on its rows, applying and reverting it. */

const importShape = {
  uuid: z.string(),
  fileName: z.string(),
  status: z.enum(importStatuses),
  rows: z.number(),
  ignored: z.array(z.string()).describe("Columns of the file that are not used"),
  createdDate: z.string(),
  createdTime: z.string(),
  userName: z.string().nullable().describe("Who sent it"),
  appliedDate: z.string().nullable(),
  appliedBy: z.string().nullable(),
  revertedDate: z.string().nullable(),
  revertedBy: z.string().nullable(),
};
const Listed = z.object(importShape).meta({ id: "RegistryImportListed" });
const Kind = z.object({
  kind: z.enum(importKinds),
  rows: z.number(),
  undecided: z.number(),
  accepted: z.number(),
  rejected: z.number(),
  warned: z.number().describe("Rows with a warning"),
  acceptable: z.number().describe("Rows that can be accepted"),
});
const Import = z.object({ ...importShape, kinds: z.array(Kind) }).meta({ id: "RegistryImport" });
const Row = z
  .object({
    line: z.number().describe("Its line in the file"),
    kind: z.enum(importKinds),
    decision: z.enum(importDecisions),
    acceptable: z.boolean(),
    facilityName: z.string(),
    place: z.string(),
    facilityUuid: z.string().nullable().describe("The facility that it was matched with, or the uuid of the new one"),
    score: z.number().nullable().describe("How sure the match is, 0 to 1"),
    reason: z.string().describe("Why it was matched, or what is doubtful"),
    warnings: z.array(z.object({ column: z.string(), message: z.string() })),
    changes: z.array(z.object({ field: z.string(), present: z.string().nullable(), proposed: z.string().nullable() })),
  })
  .meta({ id: "RegistryImportRow" });

/**
 * Prepares an import of the only file of a form, or of the body. A form is read to its end before the import is stored.
 */
async function prepare(request: FastifyRequest): Promise<acts.Import> {
  if (!request.isMultipart()) {
    // An empty body is not parsed.
    const content: AsyncIterable<Buffer> = request.body instanceof Readable ? request.body : Readable.from([]);
    return acts.prepareImport(request.context, { fileName: "list.csv", content });
  }
  let list: acts.ReadList | undefined;
  for await (const part of partsOf(request)) {
    if (part.type === "field" || part.fieldname !== "file" || list)
      throw invalid([
        {
          path: part.fieldname,
          message: list ? "one file at a time" : "is not a known field: the list is sent as 'file'",
        },
      ]);
    list = await acts.readImportList(request.context, { fileName: part.filename ?? "", content: part.file });
  }
  if (!list) throw invalid([{ path: "file", message: "File is required" }]);
  return acts.keepImport(request.context, list);
}

const listed = ({
  uuid,
  fileName,
  status,
  rows,
  ignored,
  createdDate,
  createdTime,
  userName,
  appliedDate,
  appliedBy,
  revertedDate,
  revertedBy,
}: Omit<acts.Import, "kinds">): z.input<typeof Listed> => ({
  ...{
    uuid,
    fileName,
    status,
    rows,
    ignored,
    createdDate,
    createdTime,
    userName,
    appliedDate,
    appliedBy,
    revertedDate,
    revertedBy,
  },
});
const bodyOf = ({ kinds, ...rest }: acts.Import): z.input<typeof Import> => ({ ...listed(rest), kinds });

const tags = ["Registry"];
const description = "Needs editRegistry or administrator.";
const params = z.strictObject({ uuid: uuidTextRule });
const response = { 200: Import };

export function registryImportRoutes(server: RestServer): void {
  const editors = needs("editRegistry");
  server.get(
    "/registry/import",
    {
      ...editors,
      schema: {
        operationId: "listRegistryImports",
        summary: "Imports of facilities, the newest first",
        description,
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(Listed) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, await acts.listRegistryImports(request.context, { page: pageOf(request.query) })).map(
        listed,
      ),
  );
  server.get(
    "/registry/import/:uuid",
    {
      ...editors,
      schema: {
        operationId: "getRegistryImport",
        summary: "An import with its counts",
        description,
        tags,
        params,
        response,
      },
    },
    async (request) => bodyOf(await acts.readRegistryImport(request.context, request.params.uuid)),
  );
  server.get(
    "/registry/import/:uuid/rows",
    {
      ...editors,
      schema: {
        operationId: "listRegistryImportRows",
        summary: "Rows of an import, as they stand in the file",
        description: `Each with the facility it was matched with, score, reason, and what it would change beside the present value. ${description}`,
        tags,
        params,
        querystring: listQueryRules.extend(importRowFilterShape),
        response: { 200: z.array(Row) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      return sendList(
        request,
        reply,
        { limit, cursor },
        (page) => acts.listRegistryImportRows(request.context, request.params.uuid, { ...filter, page }),
        (row) => row,
      );
    },
  );
  server.post(
    "/registry/import/:uuid/decisions",
    {
      ...editors,
      schema: {
        operationId: "decideRegistryImport",
        example: { decision: "accepted", kind: "changed" },
        summary: "Accept or reject rows: some, all of a kind, all with a warning, or all",
        description: `What cannot be accepted stays out. ${description}`,
        tags,
        params,
        body: importDecisionRules,
        response,
      },
    },
    async (request) => bodyOf(await acts.decideRegistryImport(request.context, request.params.uuid, request.body)),
  );
  server.post(
    "/registry/import/:uuid/apply",
    {
      ...editors,
      schema: {
        operationId: "applyRegistryImport",
        summary: "Apply the accepted rows, in one transaction",
        description: `Refused where a facility was changed since the review. ${description}`,
        tags,
        params,
        response,
      },
    },
    async (request) => bodyOf(await applyRegistryImport(request.context, request.params.uuid)),
  );
  server.post(
    "/registry/import/:uuid/revert",
    {
      ...editors,
      schema: {
        operationId: "revertRegistryImport",
        summary: "Revert an import as a whole",
        description: `Refused where something newer touched its rows. ${description}`,
        tags,
        params,
        response,
      },
    },
    async (request) => bodyOf(await revertRegistryImport(request.context, request.params.uuid)),
  );
  multipartRoutes(server, (scope) => {
    scope.addContentTypeParser("text/csv", (_, payload, done) => done(null, payload));
    scope.post(
      "/registry/import",
      {
        schema: {
          operationId: "prepareRegistryImport",
          summary: "Send a list of facilities for review: as text/csv, or as a form with field file",
          description: `CSV with commas or semicolons, in UTF-8 or Windows-1252. An empty cell leaves what is stored, (erase) erases it. No facility is changed. ${description}`,
          tags,
          form: z.object({ file: z.file() }),
          response,
        },
      },
      async (request) => {
        acts.checkMayImport(request.context);
        if (!request.isMultipart() && !/^text\/csv\b/i.test(request.headers["content-type"] ?? ""))
          throw new Problem("UNSUPPORTED", "The body must be sent as text/csv or as multipart/form-data.");
        await checkAnnounced(request);
        return bodyOf(await whileUploading(request, server.uploads, () => prepare(request)));
      },
    );
  });
}
