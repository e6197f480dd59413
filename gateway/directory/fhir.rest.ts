import type { FastifyReply, FastifyRequest } from "fastify";
import type { FhirResource } from "fhir/r4";
import { z } from "zod";

import { parse } from "../input/parse.ts";
import { lineRule } from "../input/texts.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { beginFailure } from "../rest/answer.ts";
import type { RestServer } from "../rest/route.ts";
import { capabilityAt } from "./capability.rest.ts";
import * as directory from "./directory.ts";
import {
  capabilityRules,
  historyRules,
  type LocationSearch,
  locationSearchRules,
  type OrganizationSearch,
  organizationSearchRules,
  pairing,
  type ResourceForm,
  resourceRules,
  sortParameters,
  unitOfResource,
} from "./fhir.rules.ts";
import { bundleOf, historyOf, locationOf, organizationOf, outcomeOf, shaped } from "./resource.rest.ts";

/**
 * FHIR R4, read-only, by IHE mCSD: facilities, places and partners as Locations and Organizations. Failures are
 * OperationOutcomes.
 */

const fhirType = "application/fhir+json";
const sendResource = (
  reply: FastifyReply,
  resource: FhirResource,
  { _pretty: pretty }: Pick<ResourceForm, "_pretty"> = {},
): FastifyReply =>
  reply.type(`${fhirType}; charset=utf-8`).send(JSON.stringify(resource, null, pretty === "true" ? 2 : undefined));
const baseOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}/api/v1/fhir`;

/** The filter from the search parameters that both resources have. Wrong parameters are answered with 400. */
function filterOf(
  query: LocationSearch | OrganizationSearch,
  kinds: readonly directory.UnitKind[],
): directory.UnitFilter {
  const { _id: keys, identifier, type, _lastUpdated: changed, partof } = query;
  const names = (
    [
      ["name", "start"],
      ["name:contains", "part"],
      ["name:exact", "whole"],
    ] as const
  ).flatMap(([name, is]) => (query[name] === undefined ? [] : [{ texts: query[name], is }]));
  const typeOf = (kind: directory.UnitKind) =>
    kind === "facility" ? kind : kind === "implementingPartner" ? "other" : "jurisdiction";
  return {
    kinds: type ? kinds.filter((kind) => type.includes(typeOf(kind))) : kinds,
    keys,
    parents: partof,
    identifiers: identifier,
    names,
    changed,
  };
}

/**
 * The filter by status: nothing for both open and closed; no kinds (so that nothing matches) if neither is asked for.
 */
function openOf<Code>(asked: readonly Code[] | undefined, open: Code, closed: Code): { isOpen?: boolean; kinds?: [] } {
  if (asked === undefined) return {};
  const [takesOpen, takesClosed] = [asked.includes(open), asked.includes(closed)];
  if (takesOpen === takesClosed) return takesOpen ? {} : { kinds: [] };
  return { isOpen: takesOpen };
}

const locationKinds: directory.UnitKind[] = ["country", "province", "district", "facility"];
function locationsOf(query: LocationSearch): directory.UnitFilter {
  const filter = filterOf(query, locationKinds);
  const { organization, near, status, type } = query;
  // A role is also a type of the Locations of facilities, so facilities must be searched too.
  const roles = ["HOSP", "PC"].filter((role) => type?.includes(role));
  const isByRole = roles.length > 0 && !filter.kinds.includes("facility");
  const kinds = isByRole ? [...filter.kinds, "facility" as const] : filter.kinds;
  const isHospital = isByRole && roles.length === 1 ? roles[0] === "HOSP" : undefined;
  const isSame = (one: directory.UnitKey) => (other: directory.UnitKey) =>
    one.kind === other.kind && one.id === other.id;
  const keys =
    organization && filter.keys
      ? organization.filter((key) => filter.keys!.some(isSame(key)))
      : (organization ?? filter.keys);
  return { ...filter, kinds, isHospital, keys, near, ...openOf(status, "active", "inactive") };
}
const organizationKinds: directory.UnitKind[] = [...locationKinds, "implementingPartner"];
const organizationsOf = (query: OrganizationSearch): directory.UnitFilter => ({
  ...filterOf(query, organizationKinds),
  ...openOf(query.active, "true", "false"),
});

/**
 * Whether the caller wants unknown parameters to be refused (`Prefer: handling=strict`). By default FHIR ignores them.
 */
const isStrict = ({ headers: { prefer } }: FastifyRequest): boolean =>
  /(^|[,;\s])handling\s*=\s*"?strict/i.test([prefer].flat().join());

const searches = {
  Location: { rules: locationSearchRules, filter: (query: object) => locationsOf(query as LocationSearch) },
  Organization: {
    rules: organizationSearchRules,
    filter: (query: object) => organizationsOf(query as OrganizationSearch),
  },
};

/** The address of the next page of an answer. */
const nextOf = (self: URL, cursor: string): string => {
  const next = new URL(self);
  next.searchParams.set("cursor", cursor);
  return next.href;
};

/** Answers a search. @param text the parameters of the address or form */
async function search(request: FastifyRequest, reply: FastifyReply, type: "Location" | "Organization", text: string) {
  const { rules, filter } = searches[type];
  const { taken, ignored, modified } = sortParameters(new URLSearchParams(text), Object.keys(rules.shape), type);
  const refused = [
    ...modified.map((path) => ({ path, message: "has a modifier that is not known" })),
    ...(isStrict(request) ? ignored.map((each) => ({ path: each.replace(/=.*/s, ""), message: "is not known" })) : []),
  ];
  if (refused.length > 0) throw invalid(refused);
  const query = parse<typeof locationSearchRules | typeof organizationSearchRules>(rules, parametersOf(taken));
  const both = ["_include", "_revinclude"].some((name) => taken.getAll(name).includes(pairing));
  const { _summary: summary, _count: count, _total: total, cursor } = query;
  const page = await directory.listUnits(request.context, {
    ...filter(query),
    count: summary === "count" ? 0 : count,
    cursor,
  });
  // FHIR demands that the link `self` has the parameters that were used.
  const self = new URL(`${baseOf(request)}/${type}`);
  self.search = ignored.length === 0 ? text : taken.toString();
  return sendResource(
    reply,
    bundleOf(page, {
      type,
      both,
      base: baseOf(request),
      self: self.href,
      nextAddress: (at) => nextOf(self, at),
      ignored,
      hasTotal: total !== "none",
      form: query,
    }),
    query,
  );
}

const jsonTypes = /^(application\/fhir\+json|application\/json|text\/json|application\/\*|\*\/\*)$/;
const jsonFormats = /^((application|text)\/)?json$/i;
/** Whether the caller accepts JSON, the only format. `_format` has precedence over the Accept header. */
function takesJson({ headers: { accept }, query }: FastifyRequest): boolean {
  const { _format: format } = query as Record<string, unknown>;
  // A plus sign that is not percent-encoded arrives as a space.
  if (format !== undefined)
    return typeof format === "string" && jsonFormats.test(format.replace(/fhir[+ ]json/i, "json"));
  if (accept === undefined || accept.trim() === "") return true;
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((each) => each.trim().toLowerCase());
    return jsonTypes.test(type) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

/** The parameters by name; a repeated one is a list. */
function parametersOf(asked: URLSearchParams): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of asked) {
    const before = Object.hasOwn(found, name) ? found[name]! : undefined;
    Object.defineProperty(found, name, {
      value: before === undefined ? value : [before, value].flat(),
      enumerable: true,
      configurable: true,
    });
  }
  return found;
}
const queryIn = ({ url }: FastifyRequest): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

/** The unit of a resource in a path. @throws Problem NOT_FOUND */
async function unitAt(
  request: FastifyRequest,
  type: "Location" | "Organization",
  resourceId: string,
): Promise<directory.DirectoryUnit> {
  const key = unitOfResource(resourceId);
  if (!key || (type === "Location" && key.kind === "implementingPartner")) throw notFound(type);
  return directory.readUnit(request.context, key);
}

function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = beginFailure(error, request, reply);
  if (problem.code === "INVALID") reply.status(400);
  sendResource(reply, outcomeOf(problem));
}

const resourceId = lineRule(200)
  .min(1)
  .describe("country, province-3, district-17, a facility's uuid, or (of an organization) partner-5");
const shared = { tags: ["Directories"], produces: [fhirType] };
const byForm =
  "A Bundle of what matches all parameters, with a link to the next page. POST …/_search takes the same parameters as a form. GET …/_history with _since has the present state of what changed since an instant, and deletions of facilities that were merged into others.";

/** Answers what changed since an instant, and what was merged away. */
async function history(request: FastifyRequest, reply: FastifyReply, type: "Location" | "Organization") {
  const text = queryIn(request);
  const query = parse(historyRules, parametersOf(new URLSearchParams(text)));
  const { _since: since, _count: count, cursor } = query;
  const kinds = type === "Location" ? locationKinds : organizationKinds;
  const found = await directory.listUnitHistory(request.context, { kinds, since, count, cursor });
  const self = new URL(`${baseOf(request)}/${type}/_history`);
  self.search = text;
  return sendResource(
    reply,
    historyOf(found, {
      ...{ type, base: baseOf(request), self: self.href, form: query },
      nextAddress: (at) => nextOf(self, at),
    }),
    query,
  );
}

export function fhirRoutes(server: RestServer): void {
  void server.register(
    async (fhir: RestServer) => {
      fhir.setErrorHandler(answerFailure);
      fhir.addHook("preValidation", async (request) => {
        if (!takesJson(request)) throw new Problem("NOT_ACCEPTABLE", "The only format is application/fhir+json.");
      });
      fhir.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, text, done) =>
        done(null, String(text)),
      );
      // Bodies of other types are not read, so that a write is refused as a write.
      fhir.addContentTypeParser("*", { parseAs: "string" }, (_request, _text, done) => done(null, null));
      for (const url of [
        "/_history",
        ...["Location", "Organization"].flatMap((type) => [`/${type}/:id/_history`, `/${type}/:id/_history/:version`]),
      ])
        fhir.get(url, { schema: { hide: true } }, () => {
          throw new Problem(
            "NOT_SUPPORTED",
            "Earlier versions of resources are not kept: Location/_history and Organization/_history show what changed since an instant.",
          );
        });
      for (const type of ["Location", "Organization"] as const)
        fhir.get(`/${type}/_history`, { schema: { hide: true } }, (request, reply) => history(request, reply, type));
      fhir.get("/*", { schema: { hide: true } }, () => {
        throw new Problem("NOT_FOUND", "Only metadata, Location and Organization can be read here.");
      });
      for (const type of ["Location", "Organization"] as const)
        fhir.post(`/${type}/_search`, { schema: { hide: true } }, (request, reply) => {
          if (request.body !== undefined && typeof request.body !== "string")
            throw new Problem("UNSUPPORTED", "The parameters must be sent as application/x-www-form-urlencoded.");
          return search(
            request,
            reply,
            type,
            [queryIn(request), request.body ?? ""].filter((text) => text !== "").join("&"),
          );
        });
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        fhir.route({
          method,
          url: "/*",
          schema: { hide: true },
          handler: () => {
            throw new Problem("NOT_ALLOWED", "The directory is read-only.", { allow: "GET, HEAD" });
          },
        });
      fhir.get(
        "/metadata",
        {
          schema: {
            operationId: "getFhirCapability",
            summary: "What the FHIR interface can do: its CapabilityStatement",
            querystring: capabilityRules,
            failures: [400, 406],
            ...shared,
          },
        },
        (request, reply) => sendResource(reply, capabilityAt(baseOf(request)), request.query),
      );
      fhir.get(
        "/Location",
        {
          schema: {
            operationId: "searchFhirLocations",
            summary: "Facilities and places as FHIR Locations by IHE mCSD",
            description: byForm,
            querystring: locationSearchRules,
            failures: [400, 406],
            ...shared,
          },
        },
        (request, reply) => search(request, reply, "Location", queryIn(request)),
      );
      fhir.get(
        "/Organization",
        {
          schema: {
            operationId: "searchFhirOrganizations",
            summary: "Facilities, places and partners as FHIR Organizations by IHE mCSD",
            description: byForm,
            querystring: organizationSearchRules,
            failures: [400, 406],
            ...shared,
          },
        },
        (request, reply) => search(request, reply, "Organization", queryIn(request)),
      );
      fhir.get(
        "/Location/:locationId",
        {
          schema: {
            operationId: "getFhirLocation",
            summary: "One facility or place as a FHIR Location",
            params: z.strictObject({ locationId: resourceId }),
            querystring: resourceRules,
            failures: [400, 406, 410],
            ...shared,
          },
        },
        async (request, reply) =>
          sendResource(
            reply,
            shaped(locationOf(await unitAt(request, "Location", request.params.locationId)), request.query),
            request.query,
          ),
      );
      fhir.get(
        "/Organization/:organizationId",
        {
          schema: {
            operationId: "getFhirOrganization",
            summary: "One facility, place or partner as a FHIR Organization",
            params: z.strictObject({ organizationId: resourceId }),
            querystring: resourceRules,
            failures: [400, 406, 410],
            ...shared,
          },
        },
        async (request, reply) =>
          sendResource(
            reply,
            shaped(organizationOf(await unitAt(request, "Organization", request.params.organizationId)), request.query),
            request.query,
          ),
      );
    },
    { prefix: "/fhir" },
  );
}
