import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { v7 as uuidv7 } from "uuid";

import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import type { RestServer } from "../rest/route.ts";
import { whileUploading } from "../upload.ts";
import { readPartial } from "./resumable.ts";
import { checkMayUpload } from "./tdb.ts";
import { batchLimitBytes, faultOfFileName } from "./tdbx.rules.ts";

/** Resumable uploads by tus 1.0: the parts only. What becomes of a complete file is decided by the act finishUpload. */

const path = "/api/v1/tdb/resumable";

/** Parts that were acknowledged are on the disk for good. */
class DurableStore extends FileStore {
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const end = await super.write(content, id, offset);
    const file = await open(join(this.directory, id), "r+");
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
    return end;
  }
}

/** A refusal in the form that the tus server answers. */
const refusal = ({ status, message }: Problem) => ({ status_code: status, body: `${message}\n` });
const orRefuse = async <Result>(act: () => Result | Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Problem ? refusal(error) : error;
  }
};

function tusServer(resumable: string, contextOf: (request: unknown) => Context): Server {
  return new Server({
    path,
    datastore: new DurableStore({ directory: resumable }),
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: batchLimitBytes,
    namingFunction: () => uuidv7(),
    onUploadCreate: (request, { size, metadata }) =>
      orRefuse(async () => {
        const context = contextOf(request);
        const viewer = checkMayUpload(context);
        const fault = faultOfFileName(metadata?.["filename"] ?? "");
        if (fault) throw new Problem("INVALID", fault);
        if (!size) throw new Problem("INVALID", "The file is empty.");
        await context.files.staging.checkRoom(size);
        return { metadata: { filename: metadata!["filename"]!, owner: viewer.userUuid } };
      }),
    onIncomingRequest: (request, id) =>
      orRefuse(async () => {
        if (request.method !== "POST") await readPartial(contextOf(request), id);
      }),
  });
}

export function tusRoutes(server: RestServer): void {
  const contexts = new WeakMap<object, Context>();
  let tus: Server | undefined;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { context, raw } = request;
    checkMayUpload(context);
    contexts.set(raw, context);
    tus ??= tusServer(context.files.staging.resumable, (tusRequest) => {
      const { runtime } = tusRequest as { runtime?: { node?: { req: object } } };
      return contexts.get(runtime!.node!.req)!;
    });
    const { idleSeconds, gate } = server.uploads;
    try {
      // No cap on the whole: a slow line may take days, part by part.
      await whileUploading(request, { idleSeconds, gate }, async () => {
        reply.hijack();
        await tus!.handle(raw, reply.raw);
      });
    } catch (error) {
      if (!reply.sent) throw error;
      request.log.info(error);
      raw.destroy();
    }
  };
  void server.register(async (scope) => {
    // The body is the tus server's to read.
    scope.addContentTypeParser("application/offset+octet-stream", (_, __, done) => done(null));
    const schema = { hide: true };
    scope.post("/tdb/resumable", { schema }, handler);
    scope.route({ method: ["HEAD", "PATCH", "DELETE"], url: "/tdb/resumable/:uuid", schema, handler });
  });
}
