import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** The headers that every answer carries for browsers. */

/** Headers that browsers use for pages and answers only. Scripts and styles come by the dozen, and the headers would be larger than many of them. */
const headersOfPages = [
  ...["Content-Security-Policy", "Cross-Origin-Opener-Policy", "Referrer-Policy", "X-Frame-Options"],
];
/** Headers left out for scripts and styles whose name changes with their content. Their requests are found in the log by path. */
export const needless = [...headersOfPages, "x-request-id"];

/** One policy for every answer that is not a built script or style: only our own files, no inline script or style, no outside host. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", "data:", "blob:"],
    objectSrc: ["'none'"],
    baseUri: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

/** Sends them with every answer. */
export async function sendHeaders(server: FastifyInstance): Promise<void> {
  await server.register(helmet, {
    contentSecurityPolicy,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
    // Only very old browsers use these headers, and they add 160 bytes to each answer.
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
    // The same as frame-ancestors, which newer browsers use.
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
  });
}
