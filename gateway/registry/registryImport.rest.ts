import { Readable } from "node:stream";

import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { parse, parseJson } from "../input/parse.ts";
import { checkAnnounced, whileUploading } from "../input/upload.ts";
import { invalid, Problem } from "../problem.ts";
import { linkNext, pageOf, sendList } from "../rest/list.ts";
import { multipartRoutes, partsOf } from "../rest/multipart.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { applyRegistryImport, revertRegistryImport } from "./applyImport.ts";
import { codeRepairs, columnManners, listFormats, placeManners } from "./reading/reading.rules.ts";
import * as acts from "./registryImport.ts";
import {
  importDecisionRules,
  importDecisions,
  importKinds,
  importRowFilterShape,
  importStatuses,
  sentListRules,
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
const Reading = z
  .object({
    format: z.enum(listFormats),
    encoding: z.string().nullable(),
    isEncodingSure: z.boolean().describe("Whether the encoding follows from the file; otherwise it is a guess"),
    delimiter: z.string().nullable(),
    sheets: z.array(z.string()),
    sheet: z.string().nullable(),
    headerLine: z.number(),
    rows: z.number(),
    columns: z.array(
      z.object({
        heading: z.string(),
        field: z.string().nullable().describe("What it was taken for; null: it is left out"),
        manner: z.enum(columnManners),
        filled: z.number().describe("Rows in which it is not empty"),
        examples: z.array(z.string()),
      }),
    ),
    fields: z.array(z.string()).describe("The fields that a column can be taken for"),
    empty: z.array(z.object({ text: z.string(), rows: z.number() })).describe("Texts that count as empty"),
    codes: z.array(
      z.object({
        repair: z.enum(codeRepairs),
        rows: z.number(),
        examples: z.array(z.object({ read: z.string(), taken: z.string().nullable() })),
      }),
    ),
    levels: z.array(
      z.object({ level: z.number(), units: z.number(), examples: z.array(z.string()), isChosen: z.boolean() }),
    ),
    places: z.array(
      z.object({
        province: z.string().nullable(),
        district: z.string().nullable().describe("Null: the province is meant"),
        rows: z.number(),
        means: z.string().nullable(),
        manner: z.enum(placeManners),
      }),
    ),
    notes: z.array(z.string()),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    errorCount: z.number(),
    source: z.string().nullable().describe("The name under which the choices are remembered"),
  })
  .meta({ id: "RegistryImportReading" });

/** Fields of the form that are sent as JSON, and those that are numbers. */
const jsonFields = new Set(["columns", "empty", "places"]);
const numberFields = new Set(["headerLine", "level"]);
const valueOf = (name: string, text: string): unknown =>
  jsonFields.has(name) ? parseJson(text, name) : numberFields.has(name) && /^\d{1,6}$/.test(text) ? Number(text) : text;

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
  const fields: Record<string, unknown> = {};
  for await (const part of partsOf(request)) {
    if (part.type === "field") {
      const { fieldname: name, value } = part as { fieldname: string; value: string };
      if (value !== "") fields[name] = valueOf(name, value);
      continue;
    }
    if (part.fieldname !== "file" || list)
      throw invalid([
        {
          path: part.fieldname,
          message: list ? "one file at a time" : "is not a known field: the list is sent as 'file'",
        },
      ]);
    list = await acts.receiveList(request.context, { fileName: part.filename ?? "", content: part.file });
  }
  const { step, ...choice } = parse(sentListRules, fields);
  if (!list) throw invalid([{ path: "file", message: "File is required" }]);
  return acts.keepImport(request.context, { ...list, choice }, step === "read");
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
  server.get(
    "/registry/import/:uuid/reading",
    {
      ...editors,
      schema: {
        operationId: "getRegistryImportReading",
        summary: "How the file of an import was read",
        description: `Its format, what each column was taken for, what counts as empty, codes put right, levels, and spellings of places that are no known names. Null for an import that was not made of a file. ${description}`,
        tags,
        params,
        response: { 200: z.object({ reading: Reading.nullable() }) },
      },
    },
    async (request) => ({ reading: (await acts.readReading(request.context, request.params.uuid)).reading }),
  );
  server.delete(
    "/registry/import/:uuid",
    {
      ...editors,
      schema: {
        operationId: "discardRegistryImport",
        summary: "Discard an import that nothing was applied of",
        description: `Its file and its review are deleted. ${description}`,
        tags,
        params,
        response: { 200: z.object({}) },
      },
    },
    async (request) => {
      await acts.discardImport(request.context, request.params.uuid);
      return {};
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
          description: `CSV of any spreadsheet, .xlsx, GeoJSON points, DHIS2's organisation units (CSV or JSON, flat or nested) or a FHIR bundle of Location or Organization. Format, encoding, headings and columns are found by themselves; the other fields of the form choose otherwise (columns, empty and places as JSON). An empty cell leaves what is stored, (erase) erases it. No facility is changed. ${description}`,
          tags,
          form: z.object({
            ...sentListRules.shape,
            columns: z
              .string()
              .optional()
              .describe(
                'The field of a column, by its heading, as a JSON object: {"Region": "province", "Notes": ""}; an empty text leaves the column out',
              ),
            empty: z
              .string()
              .optional()
              .describe('Texts that count as empty in every column, as a JSON list: ["not stated"]'),
            places: z
              .string()
              .optional()
              .describe(
                'What spellings of places mean, as a JSON list: [{"province": "NW Prov.", "means": "North Western"}, {"province": "Lusaka", "district": "Lsk", "means": "Lusaka"}]',
              ),
            file: z.file(),
          }),
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
