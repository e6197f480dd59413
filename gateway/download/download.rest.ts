import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { invalid, Problem } from "../problem.ts";
import { asStored, sendFile } from "../rest/file.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import { multipartRoutes, partsOf } from "../rest/multipart.ts";
import { forSitesToo, needs, type RestServer } from "../rest/route.ts";
import { checkAnnounced, whileUploading } from "../input/upload.ts";
import * as download from "./download.ts";
import { releaseRoutes } from "./release.rest.ts";
import { downloadFormRules, fileTypes } from "./download.rules.ts";

/** Routes of files to download. */

export const DownloadFile = z
  .object({
    id: z.number(),
    uuid: z.string(),
    uploadDate: z.string().describe("YYYY-MM-DD"),
    name: z.string(),
    description: z.string(),
    size: z.number().describe("Bytes"),
    fileType: z.enum(fileTypes),
    sha256: z.string(),
    databaseKey: z.string().nullable().optional().describe("For administrators only"),
  })
  .meta({ id: "Download" });

/** A file as a REST body, with its database key if the caller may see it. */
export function recordOf(request: FastifyRequest, found: download.DownloadRow): z.input<typeof DownloadFile> {
  const { id, uuid, uploadDate, name, description, size, fileType, sha256, databaseKey } = found;
  const row = { id, uuid, uploadDate, name, description, size, fileType, sha256 };
  return download.seesDatabaseKeys(request.context) ? { ...row, databaseKey } : row;
}

/** Reads a form with one file and some fields, in any order, and adds the file. */
async function readForm(request: FastifyRequest): Promise<download.DownloadRow> {
  const fields: Record<string, unknown> = {};
  let arrived: download.ArrivedDownload | undefined;
  try {
    for await (const part of partsOf(request)) {
      if (part.type === "field") {
        if (part.fieldname in fields || part.valueTruncated)
          throw invalid([{ path: part.fieldname, message: part.valueTruncated ? "is too long" : "is given twice" }]);
        fields[part.fieldname] = part.value;
      } else if (part.fieldname !== "file" || arrived) {
        throw invalid([
          {
            path: part.fieldname,
            message: arrived ? "one file at a time" : "is not a known field: the file is sent as 'file'",
          },
        ]);
      } else {
        arrived = await download.receiveDownload(request.context, {
          fileName: part.filename ?? "",
          content: part.file,
        });
      }
    }
    if (!arrived) throw invalid([{ path: "file", message: "File is required" }]);
    const given = fields["fileName"];
    const form = parse(downloadFormRules, {
      ...fields,
      fileName: given === undefined || given === "" ? arrived.fileName : given,
    });
    return await download.addDownload(request.context, arrived, form);
  } finally {
    if (arrived) await download.dropDownload(arrived);
  }
}

const tags = ["Downloads"];
const fields = downloadFormRules.shape;
const form = z.object({
  file: z.file(),
  ...fields,
  fileName: fields.fileName.optional().describe("The file's own name unless given"),
});
const ByUuid = z.strictObject({ uuid: uuidTextRule });

export function downloadRoutes(server: RestServer): void {
  releaseRoutes(server);
  const readers = needs("accessDownloads");
  server.get(
    "/download",
    {
      ...readers,
      schema: {
        operationId: "listDownloads",
        summary: "Files to download, by kind and name",
        description: "Needs accessDownloads or administrator.",
        tags,
        querystring: listQueryRules,
        response: { 200: z.array(DownloadFile) },
      },
    },
    async (request, reply) => {
      const page = await download.listDownloads(request.context, { page: pageOf(request.query) });
      return linkNext(request, reply, page).map((row) => recordOf(request, row));
    },
  );
  server.get(
    "/download/:uuid",
    {
      ...forSitesToo("accessDownloads"),
      ...asStored,
      schema: {
        operationId: "getDownloadFile",
        summary: "Fetch a file",
        description:
          "Needs accessDownloads or administrator; a site fetches by its site credential what it is to apply. With Range, a strong ETag and its SHA-256 as Repr-Digest.",
        produces: ["application/octet-stream"],
        tags,
        params: ByUuid,
      },
    },
    async (request, reply) =>
      sendFile(request, reply, await download.openDownload(request.context, request.params.uuid)),
  );
  server.delete(
    "/download/:uuid",
    {
      ...needs("addDownloads"),
      schema: {
        operationId: "withdrawDownload",
        conditional: true,
        summary: "Withdraw a file: it is kept, and no longer listed",
        description: "Needs administrator.",
        tags,
        params: ByUuid,
        response: { 200: DownloadFile },
      },
    },
    async (request) => {
      expectMatch(request, ({ sha256 }: download.DownloadRow) => `"${sha256}"`);
      return recordOf(request, await download.withdrawDownload(request.context, request.params.uuid));
    },
  );
  multipartRoutes(server, (scope) => {
    scope.post(
      "/download",
      {
        schema: {
          operationId: "addDownload",
          summary:
            "Add a file: fields file, fileName, fileDescription, fileType and (for installers and upgraders) dbKey",
          description: "Needs administrator.",
          tags,
          form,
          response: { 200: DownloadFile },
        },
      },
      async (request) => {
        download.checkMayAddDownload(request.context);
        if (!request.isMultipart()) throw new Problem("UNSUPPORTED", "The body must be sent as multipart/form-data.");
        await checkAnnounced(request);
        return recordOf(request, await whileUploading(request, server.uploads, () => readForm(request)));
      },
    );
  });
}
