import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * `Expect: 100-continue`: the caller sends the body when it is told to. Node would tell it before anything is known of
 * the caller, and somebody who is not signed in would send 30 GB for an answer of 401.
 */

/** Takes over from Node: what expects to be told goes on like any request. */
export function expectLikeOthers({ server }: FastifyInstance): void {
  server.on("checkContinue", (request, response) => server.emit("request", request, response));
}

/** Tells callers of these routes to send the body, unless `check` refuses them. */
export function letSend(server: FastifyInstance, check: (request: FastifyRequest) => void = () => {}): void {
  server.addHook("onRequest", async (request, reply) => {
    if (request.headers.expect === undefined) return;
    check(request);
    reply.raw.writeContinue();
  });
}
