import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { uuidTextRule } from "../input/page.rules.ts";
import { invalid, Problem } from "../problem.ts";
import { asStored, sendFile } from "../rest/file.ts";
import { multipartRoutes, partsOf } from "../rest/multipart.ts";
import { needs, needsSender, type RestServer } from "../rest/route.ts";
import { checkAnnounced, whileUploading } from "../input/upload.ts";
import { type IncomingFile, receiveTdbs } from "./receive.ts";
import { finishUpload } from "./resumable.ts";
import { openTdbFile } from "./tdb.ts";
import { tdbReceiptRules, unfinishedListRules, unfinishedUploadRules, uploadHashesRules } from "./tdb.rules.ts";
import { tusRoutes } from "./tus.rest.ts";
import { hashUpload, listUnfinishedUploads } from "./unfinished.ts";

/** Routes that upload and download transport databases. */

const tags = ["TDBs"];
const right = "Needs uploadTdbs or administrator.";

async function* filesOf(request: FastifyRequest): AsyncGenerator<IncomingFile> {
  // A path in a file name is not cut off silently. Such a name is refused like any other invalid one.
  for await (const part of partsOf(request, { preservePath: true })) {
    const path = part.fieldname;
    if (part.type === "field" || path !== "files") {
      if (part.type === "file") part.file.resume();
      throw invalid([
        { path, message: path === "files" ? "must be a file" : "is not a known field: files are sent as 'files'" },
      ]);
    }
    yield { fileName: part.filename ?? "", content: part.file };
  }
}

/** The file's SHA-256 in hexadecimal, if the sender gave it. @throws Problem INVALID */
function digestOf({ headers }: FastifyRequest): string | undefined {
  const field = headers["repr-digest"];
  if (field === undefined) return undefined;
  const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(String(field)) ?? [];
  if (base64 === undefined)
    throw invalid([{ path: "Repr-Digest", message: "must have the SHA-256 of the file: sha-256=:<Base64>:" }]);
  return Buffer.from(base64, "base64").toString("hex");
}

const UploadInCheck = z.object({ state: z.literal("checking") }).meta({ id: "UploadInCheck" });
const ById = z.strictObject({ uuid: uuidTextRule });
/**
 * How long a call waits until an upload is hashed and stored: shorter than the time limits of proxies, and of senders
 * that detect dead connections.
 */
const finishWaitMs = 10_000;

export function tdbUploadRoutes(server: RestServer): void {
  multipartRoutes(server, (scope) => {
    scope.post(
      "/tdb",
      {
        ...needsSender,
        schema: {
          operationId: "uploadTdbs",
          summary: "Send transport databases, each as a field 'files'",
          description: `${right} Each file succeeds or fails by itself: 200 when all were accepted, 422 with the same list as \`files\` when any was rejected (the accepted ones are kept). At most 30 GB in all.`,
          tags,
          form: z.object({ files: z.array(z.file()).min(1) }),
          response: { 200: z.array(tdbReceiptRules) },
        },
      },
      async (request) => {
        if (!request.isMultipart()) throw new Problem("UNSUPPORTED", "The body must be sent as multipart/form-data.");
        await checkAnnounced(request);
        const receipts = await whileUploading(request, server.uploads, () =>
          receiveTdbs(request.context, filesOf(request)),
        );
        const errors = receipts.flatMap(({ error }, index) =>
          error ? [{ path: `files.${index}`, message: error.message }] : [],
        );
        if (errors.length === 0) return receipts;
        const detail =
          receipts.length === 1 ? errors[0]!.message : `${errors.length} of ${receipts.length} files were rejected.`;
        throw new Problem("INVALID", detail, { errors, files: receipts });
      },
    );
  });

  tusRoutes(server);
  server.get(
    "/tdb/resumable",
    {
      ...needsSender,
      schema: {
        operationId: "listUnfinishedUploads",
        summary: "Your unfinished resumable uploads",
        description: `${right} The newest first; nobody else's. Who has the file can go on with one from any device: send the next part to \`/api/v1/tdb/resumable/{uuid}\`.`,
        tags,
        querystring: unfinishedListRules,
        response: { 200: z.array(unfinishedUploadRules) },
      },
    },
    async ({ context, query }) => listUnfinishedUploads(context, query.size),
  );
  server.get(
    "/tdb/resumable/:uuid/hashes",
    {
      ...needsSender,
      schema: {
        operationId: "getUploadHashes",
        failures: [410],
        summary: "Check whether a file is the one of an unfinished upload",
        description: `${right} Compare each hash with the same bytes of the file: where all are equal, and the size, it is that file.`,
        tags,
        params: ById,
        response: { 200: uploadHashesRules },
      },
    },
    async ({ context, params }) => hashUpload(context, params.uuid),
  );
  server.post(
    "/tdb/resumable/:uuid/finish",
    {
      schema: {
        operationId: "finishUpload",
        failures: [409],
        summary: "Take in a resumable upload whose parts are all there",
        description: `${right} 202 while it is being checked: ask again. Asking again later gives the same receipt. With \`Repr-Digest: sha-256=:…:\` (RFC 9530, of the whole file) another content is rejected.`,
        tags,
        params: ById,
        response: { 200: tdbReceiptRules, 202: UploadInCheck },
      },
    },
    async (request, reply) => {
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), finishWaitMs);
      });
      const receipt = await Promise.race([
        finishUpload(request.context, request.params.uuid, digestOf(request)),
        waited,
      ]);
      clearTimeout(timer);
      return receipt ? reply.send(receipt) : reply.status(202).send({ state: "checking" });
    },
  );

  server.get(
    "/tdb/file/:uuid",
    {
      ...needs("viewTdbs"),
      ...asStored,
      schema: {
        operationId: "getTdbFile",
        summary: "Fetch a stored transport database back",
        description: `Needs viewTdbs; for administrators and for who sent the file. With Range, a strong ETag and its SHA-256 as Repr-Digest. Every fetch is written to the audit log.`,
        produces: ["application/octet-stream"],
        tags,
        params: ById,
        failures: [410],
      },
    },
    async (request, reply) =>
      sendFile(request, reply, await openTdbFile(request.context, request.params.uuid), { isPersonal: true }),
  );
}
