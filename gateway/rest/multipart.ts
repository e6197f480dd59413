import multipart from "@fastify/multipart";

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
