import multipart, { type Multipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";
import type { RestServer } from "./route.ts";

/** Registers routes that accept a form with files, which is streamed part by part. Other routes accept none. */
export function multipartRoutes(server: RestServer, routes: (scope: RestServer) => void): void {
  void server.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: {
        fieldNameSize: 100,
        fieldSize: 64 * 1024,
        fields: 20,
        fileSize: Number.MAX_SAFE_INTEGER,
        files: 1000,
        parts: 1020,
        headerPairs: 100,
      },
    });
    routes(scope as RestServer);
  });
}

/**
 * The parts of a request's form, one by one.
 *
 * @throws Problem MALFORMED if the form is damaged; errors of Fastify
 */
export async function* partsOf(
  request: FastifyRequest,
  options?: { preservePath: boolean },
): AsyncGenerator<Multipart, void> {
  try {
    yield* request.parts(options);
  } catch (error) {
    // The errors of the form parser (missing boundary, missing end, no parts) have no codes.
    throw error instanceof Error && !("code" in error)
      ? new Problem("MALFORMED", "The form cannot be read: it is damaged or ends too early.")
      : error;
  }
}
