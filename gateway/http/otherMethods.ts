import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";

/** The answer to a request without a route: 404, or 405 if the address has other methods. */

/** Turns a route's pattern into an expression: a parameter stands for one part of the path, a star for the rest. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+").replaceAll("*", ".*")}/?$`);

/** @returns the answer to a request without a route */
export function otherMethods(server: FastifyInstance): (request: FastifyRequest) => Problem {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  server.addHook("onRoute", ({ url, method }) => {
    // The client's files are served for any address.
    if (url === "/*" || url === "*") return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  return ({ method, url }) => {
    const [path = ""] = url.split("?");
    const taken = new Set([...routes.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]));
    const allow = [...taken].toSorted().join(", ");
    // A file that is missing where files are served has a route of this method.
    return allow && !taken.has(method)
      ? new Problem("NOT_ALLOWED", `${method} is not for ${path}, which takes ${allow}.`, { allow })
      : new Problem("NOT_FOUND", `There is nothing at ${path}.`);
  };
}
