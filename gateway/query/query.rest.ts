import { z } from "zod";

import type { Context } from "../context.ts";
import { spreadsheetPagesRule, uuidTextRule } from "../input/page.rules.ts";
import { problemOfAnswer } from "../reading/questions.ts";
import { mapRows, objectOf, sendNdjson } from "../rest/lines.ts";
import type { RestServer } from "../rest/route.ts";
import { csvText, formatRule, sendTable, tableTypes } from "../rest/table.ts";
import * as saved from "./query.ts";
import { measuredQueryRules } from "./query.rules.ts";

/**
 * Routes of saved queries: the addresses at which they are answered, and the cost of a query. GraphQL lists, saves and
 * removes them.
 */

const tags = ["Saved queries"];
const params = z.strictObject({ uuid: uuidTextRule });
const fileName = (name: string) => name.replaceAll(/\s+/g, "-").slice(0, 80);
const QueryCheck = z
  .object({
    nodes: z.number().nullable().describe("Rows that its lists hold at most; null where it cannot be measured"),
    cost: z.number().nullable().describe("What it costs at most"),
    mostNodes: z.number().describe("The limit of nodes"),
    mostCost: z.number().describe("The limit of cost"),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe("Why it would not be answered; empty: it would"),
  })
  .meta({ id: "QueryCheck" });
/** The values of the query's variables. Their names depend on the query. */
const given = z.union([z.string().max(5000), z.array(z.string().max(5000)).max(100)]);
const Given = z.object({}).catchall(given);
const GivenTable = z.object({ pages: spreadsheetPagesRule, format: formatRule }).catchall(given);

export function queryRoutes(server: RestServer): void {
  const { questions } = server;
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
  const asked =
    "Variables of the query are parameters of the address: lists with commas, dates YYYY-MM-DD. Who cannot send a token in a header sends it as the password of Basic authentication, with their user name.";
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
      const answer = await questions.ask(
        request.context,
        questions.given(await saved.readSavedQuery(request.context, request.params.uuid), request.query),
      );
      const problem = problemOfAnswer(answer);
      if (problem) throw problem;
      return { data: answer.data, extensions: answer.extensions };
    },
  );
  const table = async (request: { context: Context; params: { uuid: string }; query: z.output<typeof GivenTable> }) => {
    const { pages, format, ...values } = request.query;
    const found = await saved.readSavedQuery(request.context, request.params.uuid);
    return {
      name: fileName(found.name),
      pages,
      format,
      ...questions.spreadsheet(request.context, questions.given(found, values as z.output<typeof Given>), pages),
    };
  };
  server.get(
    "/query/:uuid.csv",
    {
      schema: {
        operationId: "runSavedQueryAsCsv",
        summary:
          "The same as a CSV or Excel file: the list's page, as CSV with an ETag, or (pages=all) all pages, streamed",
        description: asked,
        produces: tableTypes,
        tags,
        params,
        querystring: GivenTable,
      },
    },
    async (request, reply) => {
      const { name, format, pages, header, rows } = await table(request);
      return pages === "all" || format === "xlsx"
        ? sendTable(reply, { name, format }, header, rows)
        : csvText(reply, `${name}.csv`, header, rows);
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
      return sendNdjson(
        reply,
        `${name}.ndjson`,
        mapRows(rows, (cells) => objectOf(header, cells)),
      );
    },
  );
}
