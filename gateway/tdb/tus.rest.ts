import { once } from "node:events";

import { Server } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";

import { requireSender } from "../access/access.ts";
import type { Context } from "../context.ts";
import { Problem, problemOf, problemOfStatus } from "../problem.ts";
import { problemHead, problemType } from "../rest/answer.ts";
import type { RestServer } from "../rest/route.ts";
import { storageProblem } from "../storage/storage.ts";
import { uuidTextRule } from "../input/page.rules.ts";
import { whileUploading } from "../input/upload.ts";
import { checkAnnouncedFacility, checkHead } from "./head.ts";
import { isBound } from "./reach.ts";
import { checkPart, findCompleteSize, readPartial, uploadLocks } from "./resumable.ts";
import { batchLimitBytes } from "../input/upload.rules.ts";
import { faultOfFileName } from "./tdbxFile.rules.ts";
import { tusLocker } from "./tusLocker.ts";

/** Resumable uploads by tus 1.0. These routes store the parts only; the act finishUpload handles the complete file. */

const path = "/api/v1/tdb/resumable";
const hashPattern = /^[0-9a-f]{64}$/;
const keptMessage = "What was sent so far is kept: choose the file again later.";

const tags = ["TDBs"];
const beginning = `Needs uploadTdbs or administrator. Headers: \`Tus-Resumable: 1.0.0\`, \`Upload-Length\` (bytes, at most ${batchLimitBytes}), \`Upload-Metadata\` (\`filename\`, and as you like \`end\`, the SHA-256 of the file's last 262,144 bytes in hexadecimal, by which any device recognises the file, \`facilityUuid\` or \`hmisCode\` as in the file's manifest, by which a file that cannot be accepted is refused before its first byte, and \`owner\`, the uuid of whom you believe to be signed in; each with its Base64). Without a body. After a break, HEAD of the upload's address tells in \`Upload-Offset\` how much is here, also of an upload that was finished. When all is here: POST …/finish.`;
const going =
  "For who began it. Header `Tus-Resumable: 1.0.0`; parts come as application/offset+octet-stream with `Upload-Offset`.";
const begun = z.null().describe("Begun: Location is the upload's address");
const taken = z.null().describe("Taken: Upload-Offset is the number of bytes received");
const gone = z.null().describe("Nothing of it is left");

/** What the tus server says about a wrong request, and what we say instead; a number is another status. */
const reasons: Record<string, [detail: string, status?: number]> = {
  "Tus-Resumable Required": ["The header Tus-Resumable: 1.0.0 is missing."],
  "Invalid tus-resumable": ["This server speaks tus 1.0.0 only: send the header Tus-Resumable: 1.0.0.", 412],
  "Upload-Offset header required": ["The header Upload-Offset is missing: the number of bytes sent before.", 400],
  "Invalid upload-offset": ["The header Upload-Offset must be a whole number of 0 or more."],
  "Upload-Offset conflict": ["Upload-Offset is not the number of bytes that are here. HEAD tells it."],
  "Content-Type header required": ["A part is sent as application/offset+octet-stream.", 415],
  "Invalid content-type": ["A part is sent as application/offset+octet-stream.", 415],
  "Upload-Length or Upload-Defer-Length header required": [
    "The header Upload-Length is missing: the number of bytes of the whole file.",
  ],
  "Invalid upload-length": ["The header Upload-Length must be a whole number of 0 or more."],
  "Invalid upload-metadata": [
    "The header Upload-Metadata must be pairs of a name and its Base64, with commas between.",
  ],
  "Maximum size exceeded": [`The file is larger than ${batchLimitBytes.toLocaleString("en")} bytes.`],
  "upload's size exceeded": ["This is more than Upload-Length announced."],
  "The file for this url was not found": ["There is no such upload."],
  "The file for this url no longer exists": ["There is no such upload any more."],
  "Cannot terminate an already completed upload": ["This upload is complete and cannot be given up."],
};

/** A problem in the form that the tus server expects. */
const refusal = ({ status, message }: Problem) => ({ status_code: status, body: `${message}\n` });
const orRefuse = async <Result>(act: () => Result | Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Problem ? refusal(error) : error;
  }
};

/**
 * Failures that the tus server does not handle: if a disk or storage fails during a part, no acknowledged byte may be
 * lost.
 */
function unforeseen(error: unknown, { log }: Context) {
  if ((error as { status_code?: number }).status_code !== undefined) return undefined;
  const problem = problemOf(storageProblem(error));
  if (problem.code === "INTERNAL" || problem.extra.cause) log?.(problem.extra.cause ?? error, "a fault");
  if (problem.code === "STORAGE_FULL")
    return refusal(new Problem(problem.code, `The server has no room left for files. ${keptMessage}`));
  if (problem.code === "STORAGE_AWAY")
    return refusal(new Problem(problem.code, `The server cannot store files at the moment. ${keptMessage}`));
  return refusal(problem);
}

/** The tus server, with its refusals in our problem format. */
class ProblemServer extends Server {
  override write(context: Parameters<Server["write"]>[0], headers: Headers, status: number, body?: string) {
    if (status < 400) return super.write(context, headers, status, body);
    const said = (body ?? "").trim();
    const [detail, ours = status] = reasons[said] ?? [said];
    headers.set("content-type", problemType);
    headers.set("cache-control", "no-store");
    return super.write(context, headers, ours, JSON.stringify(problemHead(problemOfStatus(ours, detail))));
  }
}

/** Checks the first bytes of a file before the tus server writes them. @throws Problem */
async function checkBytes({ context, raw, method, headers, params }: FastifyRequest): Promise<void> {
  if (headers["content-type"] !== "application/offset+octet-stream") return;
  if (method === "POST" && isBound(context)) await checkHead(context, { size: Number(headers["upload-length"]) }, raw);
  if (method === "PATCH")
    await checkPart(context, (params as { uuid: string }).uuid, {
      offset: Number(headers["upload-offset"]),
      body: raw,
    });
  if (raw.destroyed) throw new Problem("MALFORMED", "The connection was closed.");
}

function tusServer({ primary, files }: Context, contextOf: (request: unknown) => Context): Server {
  return new ProblemServer({
    path,
    datastore: files.parts.dataStore,
    locker: tusLocker(uploadLocks(primary)),
    onResponseError: (request, error) => unforeseen(error, contextOf(request)),
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: batchLimitBytes,
    namingFunction: () => uuidv7(),
    onUploadCreate: (request, { size, metadata }) =>
      orRefuse(async () => {
        const context = contextOf(request);
        const viewer = requireSender(context);
        const fault = faultOfFileName(metadata?.["filename"] ?? "");
        if (fault) throw new Problem("INVALID", fault);
        if (!size) throw new Problem("INVALID", "The file is empty.");
        const { filename, owner, end, facilityUuid, hmisCode } = metadata as Record<string, string | null>;
        // If somebody else has signed in meanwhile, the first person's files must not become theirs.
        if (owner && owner !== viewer.userUuid) throw new Problem("CONFLICT", "Somebody else is signed in now.");
        if (end && !hashPattern.test(end)) throw new Problem("INVALID", "end: must be a SHA-256 in hexadecimal");
        await checkAnnouncedFacility(
          context,
          { fileName: filename!, size },
          { uuid: facilityUuid ?? undefined, hmisCode: hmisCode ?? undefined },
        );
        await context.files.staging.checkRoom(size);
        return { metadata: { filename: filename!, owner: viewer.userUuid, ...(end ? { end } : {}) } };
      }),
    onIncomingRequest: (request, id) =>
      orRefuse(async () => {
        if (request.method === "POST") return;
        const context = contextOf(request);
        await readPartial(context, id);
        // Other uploads may have begun meanwhile and need the same free space.
        if (request.method === "PATCH")
          await context.files.parts.checkRoom(Number(request.headers.get("content-length") ?? 0));
      }),
  });
}

export function tusRoutes(server: RestServer): void {
  const contexts = new WeakMap<object, Context>();
  let tus: Server | undefined;
  const handler = async (request: FastifyRequest<{ Params: { uuid?: string } }>, reply: FastifyReply) => {
    const { context, raw, params } = request;
    requireSender(context);
    // The tus server knows nothing of an upload that is being finished. Its sender would begin the whole file again.
    const size = raw.method === "HEAD" && params.uuid ? await findCompleteSize(context, params.uuid) : undefined;
    if (size !== undefined) {
      const complete = {
        "tus-resumable": "1.0.0",
        "upload-offset": size,
        "upload-length": size,
        "cache-control": "no-store",
      };
      return reply.status(200).headers(complete).send();
    }
    contexts.set(raw, context);
    const contextOf = (tusRequest: unknown) => {
      const { runtime } = tusRequest as { runtime?: { node?: { req: object } } };
      return contexts.get(runtime!.node!.req)!;
    };
    tus ??= tusServer(context, contextOf);
    const { idleSeconds, gate } = server.uploads;
    try {
      // No limit on the total time: on a slow line an upload may take days.
      await whileUploading(request, { idleSeconds, gate }, async () => {
        await checkBytes(request);
        reply.hijack();
        // The tus server would wait for ever until a disconnected sender has received its answer. The lock is released
        // without that.
        const isGone = reply.raw.destroyed ? undefined : once(reply.raw, "close");
        await Promise.race([tus!.handle(raw, reply.raw), isGone]);
      });
    } catch (error) {
      if (!reply.sent) throw error;
      request.log.info(error);
      raw.destroy();
    }
  };
  void server.register(async (scope) => {
    // The tus server reads the body, and refuses other types.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_, __, done) => done(null));
    scope.post("/tdb/resumable", {
      schema: {
        operationId: "beginUpload",
        failures: [400, 409, 412, 413, 415],
        summary: "Begin a resumable upload (tus 1.0)",
        description: beginning,
        tags,
        response: { 201: begun },
      },
      handler,
    });
    // The capabilities of the server, for clients that ask for them first.
    scope.options("/tdb/resumable", { schema: { hide: true }, handler });
    const params = z.strictObject({ uuid: uuidTextRule });
    const parts = { description: going, tags, params };
    scope.head("/tdb/resumable/:uuid", { schema: { ...parts, hide: true }, handler });
    scope.patch("/tdb/resumable/:uuid", {
      schema: {
        ...parts,
        operationId: "sendUploadPart",
        failures: [400, 408, 409, 412, 413, 415],
        summary: "Send the next part",
        response: { 204: taken },
      },
      handler,
    });
    scope.delete("/tdb/resumable/:uuid", {
      schema: {
        ...parts,
        operationId: "discardUpload",
        failures: [400, 412],
        summary: "Give a resumable upload up",
        response: { 204: gone },
      },
      handler,
    });
  });
}
