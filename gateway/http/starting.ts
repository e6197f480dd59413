import Fastify from "fastify";

import type { Settings } from "../env.ts";
import { metricsRoute } from "./metrics.ts";

/**
 * A server that answers on the product's port while the database is made or upgraded: health checks, a page with the
 * progress, and 503 for everything else.
 */
export type Starting = {
  /** Sets what people read. `left`: facilities and provinces that are still to be counted. */ report: (
    progress: string,
    left?: number,
  ) => void;
  close: () => Promise<void>;
};

const page = (title: string, progress: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5">
<title>${title}</title>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 4em auto; padding: 0 1em; color-scheme: light dark">
<h1>${title}</h1><p>${progress}</p>
<p>This page looks again every five seconds. What was recorded on this device is kept and is sent afterwards.</p></body></html>`;

/** The Retry-After of its answers, in seconds. */
const again = "5";

/** Starts this server; undefined if the port is chosen at the start (PORT 0). `isFirst`: the database is still empty. */
export async function openStarting(
  { PORT, HOST, METRICS_TOKEN }: Pick<Settings, "PORT" | "HOST" | "METRICS_TOKEN">,
  isFirst: boolean,
): Promise<Starting | undefined> {
  if (PORT === 0) return undefined;
  const title = isFirst ? "The platform is starting for the first time" : "The platform is being upgraded";
  const state = { progress: isFirst ? "The tables are being created." : "The database is being upgraded.", left: 0 };
  const server = Fastify({ forceCloseConnections: true });
  server.get("/healthz", () => ({ status: "starting" }));
  server.get("/readyz", (_, reply) =>
    reply
      .status(503)
      .header("cache-control", "no-store")
      .send({ status: "not ready", migrations: "failed", reasons: { migrations: state.progress } }),
  );
  const text = () =>
    `# HELP platform_starting 1 while the database is upgraded before anything is served\n# TYPE platform_starting gauge\nplatform_starting 1\n# TYPE platform_recounts_left gauge\nplatform_recounts_left ${state.left}\n`;
  metricsRoute(
    server,
    { read: async () => text(), contentType: "text/plain; version=0.0.4; charset=utf-8" },
    METRICS_TOKEN,
  );
  server.setErrorHandler((_, __, reply) => reply.status(404).send());
  server.all("/*", (request, reply) => {
    void reply.status(503).header("retry-after", again).header("cache-control", "no-store");
    if (request.headers.accept?.includes("text/html"))
      return reply.type("text/html; charset=utf-8").send(page(title, state.progress));
    return reply.type("application/problem+json").send(
      JSON.stringify({
        type: "about:blank",
        title: "Service Unavailable",
        status: 503,
        detail: `${title}. ${state.progress}`,
        code: "STARTING",
      }),
    );
  });
  await server.listen({ port: PORT, host: HOST });
  return {
    report: (progress, left = 0) => Object.assign(state, { progress, left }),
    close: () => server.close(),
  };
}
