import { z } from "zod";

import { listQueryRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { lineRule } from "../input/texts.rules.ts";
import { readHeavily } from "../reading/shares.ts";
import { mapRows, sendJsonRows, sendNdjson } from "../rest/lines.ts";
import { linkNext, pageOf } from "../rest/list.ts";
import type { RestServer } from "../rest/route.ts";
import { type CsvCell, fileShape, sendTable, tableTypes } from "../rest/table.ts";
import { atomOf } from "./atom.ts";
import { readLedgerFeed } from "./feed.ts";
import * as acts from "./ledger.ts";
import {
  directions,
  kindsRule,
  type LedgerFilterInput,
  ledgerFilterRules,
  ledgerKinds,
  ledgerShape,
  ledgerSources,
} from "./ledger.rules.ts";

/** Routes of the ledger. */

const LedgerEntryBody = z
  .object({
    id: z.string().describe("Names the change"),
    day: z.string().describe("Of the visit, of the receipt or of the act, YYYY-MM-DD"),
    facilityUuid: z.string(),
    facilityName: z.string(),
    district: z.string(),
    province: z.string(),
    implementingPartner: z.string().nullable().describe("The partner of today"),
    kind: z.enum(ledgerKinds),
    event: z
      .string()
      .describe(
        "What happened within the kind: added, closed, reopened, renamed, moved, merged, parted; agreed, done, dropped; …",
      ),
    from: z.string().nullable().describe("In words, such as yes, no, not recorded; null where nothing was before"),
    to: z.string(),
    direction: z.enum(directions),
    who: z
      .string()
      .nullable()
      .describe(
        "The user name of who visited or did it: of changes of a facility for administrators, of others for who may see assessments; null for others",
      ),
    comment: z.string().nullable().describe("For who may see assessments; null for others"),
    source: z.enum(ledgerSources).describe("Where it was read"),
    assessmentUuid: z.string().nullable().describe("The visit. For who may see assessments; null for others"),
  })
  .meta({ id: "LedgerEntry" });

const fields = Object.keys(LedgerEntryBody.shape) as (keyof z.input<typeof LedgerEntryBody>)[];
const bodyOf = (entry: acts.LedgerEntry) =>
  Object.fromEntries(fields.map((name) => [name, entry[name]])) as z.input<typeof LedgerEntryBody>;
const cellsOf = (entry: acts.LedgerEntry): CsvCell[] => fields.map((name) => entry[name]);

const queryShape = {
  ...ledgerShape,
  kinds: z
    .preprocess((value) => (typeof value === "string" ? value.split(",") : value), kindsRule)
    .describe(`Only these kinds, with commas between them: ${ledgerKinds.join(", ")}`),
};
const LedgerCountBody = z
  .object({ kind: z.enum(ledgerKinds), direction: z.enum(directions), count: z.number() })
  .meta({ id: "LedgerCount" });
const filterOf = (query: object): LedgerFilterInput => parse(ledgerFilterRules, query);

const tags = ["Ledger"];
const about =
  "What changed at facilities, from what to what: what visits found, data that became overdue or was received again, partners, the registry, connectivity, and for who may see assessments actions, notes and what was set aside. By default of the last 30 days.";

export function ledgerRoutes(server: RestServer): void {
  server.get(
    "/ledger",
    {
      schema: {
        operationId: "listLedger",
        summary: "Every change of facilities' states, the newest first",
        description: about,
        tags,
        querystring: listQueryRules.extend(queryShape),
        response: { 200: z.array(LedgerEntryBody) },
      },
    },
    async (request, reply) => {
      readHeavily(request.context);
      const { limit, cursor, ...query } = request.query;
      const filter = filterOf(query);
      if (limit === undefined && cursor === undefined)
        return sendJsonRows(reply, mapRows(await acts.readLedger(request.context, filter), bodyOf));
      const page = await acts.listLedger(request.context, { ...filter, page: pageOf({ limit, cursor }) });
      return linkNext(request, reply, page).map(bodyOf);
    },
  );
  server.get(
    "/ledger/counts",
    {
      schema: {
        operationId: "countLedger",
        summary: "How many changes there are of each kind and direction",
        description: "Those that the list has. Kinds and directions without a change are left out.",
        tags,
        querystring: z.strictObject(queryShape),
        response: { 200: z.array(LedgerCountBody) },
      },
    },
    async (request) => {
      readHeavily(request.context);
      return acts.countLedger(request.context, filterOf(request.query));
    },
  );
  server.get(
    "/ledger/csv",
    {
      schema: {
        operationId: "exportLedgerAsCsv",
        summary: "The same list as a CSV or Excel file",
        description: about,
        produces: tableTypes,
        tags,
        querystring: z.strictObject({ ...queryShape, ...fileShape }),
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = mapRows(await acts.exportLedger(request.context, filterOf(filter)), cellsOf);
      return sendTable(reply, { name: "ledger", format }, fields, rows);
    },
  );
  server.get(
    "/ledger/ndjson",
    {
      schema: {
        operationId: "exportLedgerAsNdjson",
        summary: "The same list, a JSON object a line",
        description: about,
        produces: ["application/x-ndjson"],
        tags,
        querystring: z.strictObject(queryShape),
      },
    },
    async (request, reply) =>
      sendNdjson(
        reply,
        "ledger.ndjson",
        mapRows(await acts.exportLedger(request.context, filterOf(request.query)), bodyOf),
      ),
  );
  server.get(
    "/ledger/atom/:secret",
    {
      schema: {
        operationId: "readLedgerFeed",
        summary: "The newest 100 changes of a feed's scope, as Atom",
        description:
          "For feed readers. Whoever knows the address reads what its owner may see at that moment; `createLedgerFeed` of GraphQL makes it, and revoking its access token ends it. No contacts are in it.",
        produces: ["application/atom+xml"],
        security: [],
        tags,
        params: z.strictObject({ secret: lineRule(256).describe("The secret of the address") }),
      },
    },
    async (request, reply) => {
      readHeavily(request.context);
      const feed = await readLedgerFeed(request.context);
      reply.type("application/atom+xml; charset=utf-8").header("cache-control", "private, no-cache");
      return atomOf(feed, request.context.origin ?? "");
    },
  );
}
