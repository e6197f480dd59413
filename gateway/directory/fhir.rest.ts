import type { FastifyReply, FastifyRequest } from "fastify";
import type { FhirResource } from "fhir/r4";
import { z } from "zod";

import { parse } from "../input/parse.ts";
import { notFound, Problem } from "../problem.ts";
import { beginFailure } from "../rest/answer.ts";
import type { RestServer } from "../rest/route.ts";
import { capabilityAt } from "./capability.rest.ts";
import * as directory from "./directory.ts";
import { type LocationSearch, locationSearchRules, capabilityRules, type OrganizationSearch, organizationSearchRules, unitOfResource } from "./fhir.rules.ts";
import { bundleOf, locationOf, organizationOf, outcomeOf } from "./resource.rest.ts";

/** FHIR R4, read-only, by IHE mCSD: facilities, places and partners as Locations and Organizations. Failures are OperationOutcomes. */

const fhirType = "application/fhir+json";
const sendResource = (reply: FastifyReply, resource: FhirResource): FastifyReply => reply.type(`${fhirType}; charset=utf-8`).send(JSON.stringify(resource));
const baseOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}/api/v1/fhir`;

/** What both resources are searched by. A wrong parameter is FHIR's 400. */
function filterOf(query: LocationSearch | OrganizationSearch, kinds: readonly directory.UnitKind[]): directory.UnitFilter {
  const { _id: keys, identifier, type, _lastUpdated: changed, partof } = query;
  const names = ([["name", "start"], ["name:contains", "part"], ["name:exact", "whole"]] as const).flatMap(([name, is]) => (query[name] === undefined ? [] : [{ text: query[name], is }]));
  const typeOf = (kind: directory.UnitKind) => (kind === "facility" ? kind : kind === "implementingPartner" ? "other" : "jurisdiction");
  return { kinds: type ? kinds.filter((kind) => type.includes(typeOf(kind))) : kinds, keys, parents: partof, identifiers: identifier, names, changed };
}

const locationKinds: directory.UnitKind[] = ["country", "province", "district", "facility"];
function locationsOf(query: LocationSearch): directory.UnitFilter {
  const filter = filterOf(query, query.status === "suspended" ? [] : locationKinds);
  const { organization, near, status } = query;
  const isSame = (one: directory.UnitKey) => (other: directory.UnitKey) => one.kind === other.kind && one.id === other.id;
  const keys = organization && filter.keys ? organization.filter((key) => filter.keys!.some(isSame(key))) : (organization ?? filter.keys);
  return { ...filter, keys, near, isOpen: status === undefined ? undefined : status === "active" };
}
const organizationsOf = (query: OrganizationSearch): directory.UnitFilter => ({
  ...filterOf(query, [...locationKinds, "implementingPartner"]),
  isOpen: query.active === undefined ? undefined : query.active === "true",
});

async function search(request: FastifyRequest, reply: FastifyReply, type: "Location" | "Organization", filter: directory.UnitFilter, { query, both, asked }: { query: LocationSearch | OrganizationSearch; both: boolean; asked: string }) {
  const { _summary: summary, _count: count, cursor } = query;
  const page = await directory.listUnits(request.context, { ...filter, count: summary === "count" ? 0 : count, cursor });
  const self = new URL(`${baseOf(request)}/${type}${asked}`);
  const nextAddress = (cursor: string): string => {
    const next = new URL(self);
    next.searchParams.set("cursor", cursor);
    return next.href;
  };
  return sendResource(reply, bundleOf(page, { type, both, base: baseOf(request), self: self.href, nextAddress }));
}

const jsonTypes = /^(application\/fhir\+json|application\/json|text\/json|application\/\*|\*\/\*)$/;
/** Whether a caller takes the one format that there is; `_format` counts before what the header says. */
function takesJson({ headers: { accept }, query }: FastifyRequest): boolean {
  if (accept === undefined || accept.trim() === "" || (query as Record<string, unknown>)["_format"] !== undefined) return true;
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((each) => each.trim().toLowerCase());
    return jsonTypes.test(type) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

/** The parameters of a form or address: one that is repeated is a list. */
function parametersOf(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(found, name) ? found[name]! : undefined;
    Object.defineProperty(found, name, { value: before === undefined ? value : [before, value].flat(), enumerable: true, configurable: true });
  }
  return found;
}
const queryIn = ({ url }: FastifyRequest): string => (url.includes("?") ? url.slice(url.indexOf("?")) : "");

/** The unit of a resource in a path. @throws Problem NOT_FOUND */
async function unitAt(request: FastifyRequest, type: "Location" | "Organization", resourceId: string): Promise<directory.DirectoryUnit> {
  const key = unitOfResource(resourceId);
  if (!key || (type === "Location" && key.kind === "implementingPartner")) throw notFound(type);
  return directory.readUnit(request.context, key);
}

function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = beginFailure(error, request, reply);
  if (problem.code === "INVALID") reply.status(400);
  sendResource(reply, outcomeOf(problem));
}

const resourceId = z.string().min(1).max(200).describe("country, province-3, district-17, a facility's uuid, or (of an organization) partner-5");
const shared = { tags: ["Directories"], produces: [fhirType] };
const byForm = "A Bundle of what matches all parameters, with a link to the next page. POST …/_search takes the same parameters as a form.";

export function fhirRoutes(server: RestServer): void {
  void server.register(
    async (fhir: RestServer) => {
      fhir.setErrorHandler(answerFailure);
      fhir.addHook("preValidation", async (request) => {
        if (!takesJson(request)) throw new Problem("NOT_ACCEPTABLE", "The only format is application/fhir+json.");
      });
      fhir.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, text, done) => done(null, String(text)));
      for (const url of ["/_history", ...["Location", "Organization"].flatMap((type) => ["", "/:id"].map((of) => `/${type}${of}/_history`)), "/Location/:id/_history/:version", "/Organization/:id/_history/:version"])
        fhir.get(url, { schema: { hide: true } }, () => {
          throw new Problem("NOT_SUPPORTED", "Earlier versions of resources are not kept: search by _lastUpdated tells what changed.");
        });
      fhir.get("/*", { schema: { hide: true } }, () => {
        throw new Problem("NOT_FOUND", "There are metadata, Location and Organization here.");
      });
      /** A search by form: its parameters, and those of the address. */
      const formOf = (request: FastifyRequest): string => {
        if (request.body !== undefined && typeof request.body !== "string") throw new Problem("UNSUPPORTED", "The parameters must be sent as application/x-www-form-urlencoded.");
        const asked = [queryIn(request).slice(1), request.body ?? ""].filter((text) => text !== "").join("&");
        return asked === "" ? "" : `?${asked}`;
      };
      fhir.post("/Location/_search", { schema: { hide: true } }, (request, reply) => {
        const asked = formOf(request);
        const query = parse(locationSearchRules, parametersOf(asked));
        return search(request, reply, "Location", locationsOf(query), { query, both: "_include" in query, asked });
      });
      fhir.post("/Organization/_search", { schema: { hide: true } }, (request, reply) => {
        const asked = formOf(request);
        const query = parse(organizationSearchRules, parametersOf(asked));
        return search(request, reply, "Organization", organizationsOf(query), { query, both: "_revinclude" in query, asked });
      });
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        fhir.route({ method, url: "/*", schema: { hide: true }, handler: () => {
          throw new Problem("NOT_ALLOWED", "The directory is read-only.", { allow: "GET, HEAD" });
        } });
      fhir.get(
        "/metadata",
        { schema: { operationId: "getFhirCapability", summary: "What the FHIR interface can do: its CapabilityStatement", querystring: capabilityRules, failures: [400, 406], ...shared } },
        (request, reply) => sendResource(reply, capabilityAt(baseOf(request))),
      );
      fhir.get(
        "/Location",
        { schema: { operationId: "searchFhirLocations", summary: "Facilities and places as FHIR Locations by IHE mCSD", description: byForm, querystring: locationSearchRules, failures: [400, 406], ...shared } },
        (request, reply) => search(request, reply, "Location", locationsOf(request.query), { query: request.query, both: "_include" in request.query, asked: queryIn(request) }),
      );
      fhir.get(
        "/Organization",
        { schema: { operationId: "searchFhirOrganizations", summary: "Facilities, places and partners as FHIR Organizations by IHE mCSD", description: byForm, querystring: organizationSearchRules, failures: [400, 406], ...shared } },
        (request, reply) => search(request, reply, "Organization", organizationsOf(request.query), { query: request.query, both: "_revinclude" in request.query, asked: queryIn(request) }),
      );
      fhir.get(
        "/Location/:locationId",
        { schema: { operationId: "getFhirLocation", summary: "One facility or place as a FHIR Location", params: z.strictObject({ locationId: resourceId }), failures: [400, 406, 410], ...shared } },
        async (request, reply) => sendResource(reply, locationOf(await unitAt(request, "Location", request.params.locationId))),
      );
      fhir.get(
        "/Organization/:organizationId",
        { schema: { operationId: "getFhirOrganization", summary: "One facility, place or partner as a FHIR Organization", params: z.strictObject({ organizationId: resourceId }), failures: [400, 406, 410], ...shared } },
        async (request, reply) => sendResource(reply, organizationOf(await unitAt(request, "Organization", request.params.organizationId))),
      );
    },
    { prefix: "/fhir" },
  );
}
