import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";

/** What a request is told that no route takes: there is nothing at its address, or it is taken by other methods. */

/** Of a route's address: each parameter stands for a part of the address, a star for the rest. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+").replaceAll("*", ".*")}/?$`);

/** @returns what to tell of a request that no route takes */
export function otherMethods(server: FastifyInstance): (request: FastifyRequest) => Problem {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  server.addHook("onRoute", ({ url, method }) => {
    // The client's files are at any address.
    if (url === "/*" || url === "*") return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  return ({ method, url }) => {
    const [path = ""] = url.split("?");
    const allow = [...new Set([...routes.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]))].toSorted().join(", ");
    return allow
      ? new Problem("NOT_ALLOWED", `${method} is not for ${path}, which takes ${allow}.`, { allow })
      : new Problem("NOT_FOUND", `There is nothing at ${path}.`);
  };
}
