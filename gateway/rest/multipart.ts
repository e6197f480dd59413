import multipart, { type Multipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";
import type { RestServer } from "./route.ts";

/** Routes that take a form with files, streamed part by part; no other route takes one. */
export function multipartRoutes(server: RestServer, routes: (scope: RestServer) => void): void {
  void server.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fieldNameSize: 100, fieldSize: 64 * 1024, fields: 20, fileSize: Number.MAX_SAFE_INTEGER, files: 1000, parts: 1020, headerPairs: 100 },
    });
    routes(scope as RestServer);
  });
}

/**
 * The parts of a request's form, one by one.
 *
 * @throws Problem MALFORMED where the form is damaged; Fastify's own refusals
 */
export async function* partsOf(request: FastifyRequest, options?: { preservePath: boolean }): AsyncGenerator<Multipart, void> {
  try {
    yield* request.parts(options);
  } catch (error) {
    // The form parser's errors have no codes: missing boundary, missing end, no parts.
    throw error instanceof Error && !("code" in error) ? new Problem("MALFORMED", "The form cannot be read: it is damaged or ends too early.") : error;
  }
}
