import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";

/** The answer to a request without a route: 404, or 405 if the address has other methods. */

/** Converts a route's pattern to a regular expression: a parameter matches one part of the path, a star the rest. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(/:\w+/g, "[^/]+")
      .replaceAll("*", ".*")}/?$`,
  );

/**
 * Records the routes of a server. `pages`: the paths of the client's files, which one route serves.
 *
 * @returns a function that makes the failure for a request without a route
 */
export function otherMethods(
  server: FastifyInstance,
  pages: ReadonlySet<string>,
): (request: FastifyRequest) => Problem {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  server.addHook("onRoute", ({ url, method }) => {
    // The client's files: which there are, `pages` tells.
    if (url === "/*" || url === "*") return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  return ({ method, url }) => {
    const [path = ""] = url.split("?");
    const taken = new Set(
      [...routes.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]),
    );
    if (pages.has(path)) for (const each of ["GET", "HEAD"]) taken.add(each);
    const allow = [...taken].toSorted().join(", ");
    // If the address allows the method, it is one of a missing file: 404.
    return allow && !taken.has(method)
      ? new Problem("NOT_ALLOWED", `${method} is not for ${path}, which takes ${allow}.`, { allow })
      : new Problem("NOT_FOUND", `There is nothing at ${path}.`);
  };
}
