import { z } from "zod";

import type { Context } from "../context.ts";
import { listQueryRules, spreadsheetPagesRule } from "../input/page.rules.ts";
import { problemOfAnswer } from "../reading/questions.ts";
import { csvText, sendCsv } from "../rest/csv.ts";
import { mapRows, objectOf, sendNdjson } from "../rest/lines.ts";
import { expectMatch } from "../rest/etag.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import * as saved from "./query.ts";
import { changedQueryRules, measuredQueryRules, newQueryRules, pathOfQuery, queryFilterShape, queryUuidRule } from "./query.rules.ts";

/** Routes of saved queries, which have a name, and an address at which they are answered. */

const SavedQuery = z.object({
  uuid: z.string(),
  path: z.string().describe("Its address: answered as JSON, and with .csv at the end as a spreadsheet"),
  name: z.string(),
  description: z.string().nullable(),
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullable(),
  operationName: z.string().nullable(),
  shared: z.boolean(),
  ownerUserName: z.string(),
  own: z.boolean().describe("Whether it is the caller's"),
  editable: z.boolean().describe("Whether the caller may change or remove it"),
  createdDate: z.string(),
  changedDate: z.string(),
}).meta({ id: "SavedQuery" });

const body = (row: saved.SavedQuery) => ({
  uuid: row.uuid,
  path: pathOfQuery(row.uuid),
  name: row.name,
  description: row.description,
  query: row.query,
  variables: row.variables,
  operationName: row.operationName,
  shared: row.shared,
  ownerUserName: row.ownerUserName,
  own: row.own,
  editable: row.editable,
  createdDate: row.createdDate,
  changedDate: row.changedDate,
});
const tags = ["Saved queries"];
const params = z.strictObject({ uuid: queryUuidRule });
const fileName = (name: string) => name.replaceAll(/\s+/g, "-").slice(0, 80);
const SavedQueryParameter = z
  .object({
    name: z.string(),
    type: z.string().describe("As in the query: String, Int!, [FunctionalityStatusMode!], …"),
    required: z.boolean().describe("Whether there is no answer without it"),
    value: z.unknown().describe("What stands for it unless it is given; null: nothing"),
    choices: z.array(z.string()).nullable().describe("The values that it may have, where they are few"),
  })
  .meta({ id: "SavedQueryParameter" });
const QueryCheck = z
  .object({
    nodes: z.number().nullable().describe("Rows that its lists hold at most; null where it cannot be measured"),
    cost: z.number().nullable().describe("What it costs at most"),
    mostNodes: z.number().describe("The limit of nodes"),
    mostCost: z.number().describe("The limit of cost"),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).describe("Why it would not be answered; empty: it would"),
  })
  .meta({ id: "QueryCheck" });
/** The values of the query's variables. Their names depend on the query. */
const given = z.union([z.string().max(5000), z.array(z.string().max(5000)).max(100)]);
const Given = z.object({}).catchall(given);
const GivenTable = z.object({ pages: spreadsheetPagesRule }).catchall(given);

export function queryRoutes(server: RestServer): void {
  const { questions } = server;
  server.get(
    "/query",
    {
      schema: {
        operationId: "listSavedQueries",
        summary: "Your saved queries and those that others share, by name",
        tags,
        querystring: listQueryRules.extend({ ...queryFilterShape, mine: z.stringbool({ truthy: ["true"], falsy: ["false"] }).optional().describe("Only your own.") }),
        response: { 200: z.array(SavedQuery) },
      },
    },
    async (request, reply) => {
      const { search, mine, ...page } = request.query;
      return linkNext(request, reply, await saved.listSavedQueries(request.context, { search, mine, page: pageOf(page) })).map(body);
    },
  );
  server.post(
    "/query",
    {
      schema: {
        operationId: "createSavedQuery",
        example: { name: "Facilities of a province", query: "query ($province: String!) { facilities(filter: { province: $province }) { nodes { facilityName } } }", variables: { province: "Southern" }, shared: true },
        summary: "Save a GraphQL query: it is checked against the schema first", tags, body: newQueryRules, response: { 200: SavedQuery },
      },
    },
    async (request) => body(await saved.createSavedQuery(request.context, request.body, questions.check)),
  );
  server.get(
    "/query/:uuid/definition",
    { schema: { operationId: "getSavedQuery", summary: "What a saved query asks", tags, params, response: { 200: SavedQuery } } },
    async (request) => body(await saved.readSavedQuery(request.context, request.params.uuid)),
  );
  server.patch(
    "/query/:uuid",
    {
      schema: { operationId: "updateSavedQuery", example: { shared: false }, conditional: true, summary: "Change a saved query: what is left out stays. For its owner and administrators", tags, params, body: changedQueryRules, response: { 200: SavedQuery } },
    },
    async (request) => {
      expectMatch(request, body);
      return body(await saved.updateSavedQuery(request.context, request.params.uuid, request.body, questions.check));
    },
  );
  server.delete(
    "/query/:uuid",
    { schema: { operationId: "deleteSavedQuery", conditional: true, summary: "Remove a saved query and its address. For its owner and administrators", tags, params, response: { 200: SavedQuery } } },
    async (request) => {
      expectMatch(request, body);
      return body(await saved.deleteSavedQuery(request.context, request.params.uuid));
    },
  );
  server.get(
    "/query/:uuid/parameters",
    {
      schema: {
        operationId: "getSavedQueryParameters",
        summary: "What the address of a saved query takes as parameters",
        description: "Each variable of the query is a parameter of its address, as JSON, CSV and NDJSON: `?province=Southern&year=2026`.",
        tags,
        params,
        response: { 200: z.object({ parameters: z.array(SavedQueryParameter) }) },
      },
    },
    async (request) => ({ parameters: questions.parameters(await saved.readSavedQuery(request.context, request.params.uuid)) }),
  );
  server.post(
    "/query/check",
    {
      schema: {
        operationId: "checkQuery",
        example: { query: "{ facilityGroups(by: [PROVINCE]) { province { name } facilities } }" },
        summary: "What a GraphQL query would cost, and why it would be refused, without running it",
        tags,
        body: measuredQueryRules,
        response: { 200: QueryCheck },
      },
    },
    async (request) => {
      const { nodes: mostNodes, cost: mostCost } = questions.limits;
      return { ...saved.measureQuery(request.context, request.body, questions.measure), mostNodes, mostCost };
    },
  );
  const asked = "Variables of the query are parameters of the address: lists with commas, dates YYYY-MM-DD. Who cannot send a token in a header sends it as the password of Basic authentication, with their user name.";
  server.get(
    "/query/:uuid",
    {
      schema: {
        operationId: "runSavedQuery",
        summary: "The present answer of a saved query, with the rights of who asks",
        description: asked,
        tags,
        params,
        querystring: Given,
        response: { 200: z.object({ data: z.unknown(), extensions: z.unknown() }) },
      },
    },
    async (request) => {
      const answer = await questions.ask(request.context, questions.given(await saved.readSavedQuery(request.context, request.params.uuid), request.query));
      const problem = problemOfAnswer(answer);
      if (problem) throw problem;
      return { data: answer.data, extensions: answer.extensions };
    },
  );
  const table = async (request: { context: Context; params: { uuid: string }; query: z.output<typeof GivenTable> }) => {
    const { pages, ...values } = request.query;
    const found = await saved.readSavedQuery(request.context, request.params.uuid);
    return { name: found.name, pages, ...questions.spreadsheet(request.context, questions.given(found, values as z.output<typeof Given>), pages) };
  };
  server.get(
    "/query/:uuid.csv",
    {
      schema: {
        operationId: "runSavedQueryAsCsv",
        summary: "The same as a CSV file: the list's page, with an ETag, or (pages=all) all of its pages, streamed",
        description: asked,
        produces: ["text/csv"],
        tags,
        params,
        querystring: GivenTable,
      },
    },
    async (request, reply) => {
      const { name, pages, header, rows } = await table(request);
      return pages === "all" ? sendCsv(reply, `${fileName(name)}.csv`, header, rows) : csvText(reply, `${fileName(name)}.csv`, header, rows);
    },
  );
  server.get(
    "/query/:uuid.ndjson",
    {
      schema: {
        operationId: "runSavedQueryAsNdjson",
        summary: "The same rows, a JSON object a line: its keys are the columns of the CSV",
        description: asked,
        produces: ["application/x-ndjson"],
        tags,
        params,
        querystring: GivenTable,
      },
    },
    async (request, reply) => {
      const { name, header, rows } = await table(request);
      return sendNdjson(reply, `${fileName(name)}.ndjson`, mapRows(rows, (cells) => objectOf(header, cells)));
    },
  );
}
