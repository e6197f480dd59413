import { z } from "zod";

import { storable } from "./text.rules.ts";
import { lineRule } from "./texts.rules.ts";

/**
 * A whole number, or its digits as text in a path or query. Other texts that JavaScript would convert to a number are
 * refused.
 */
export const wholeNumber = z.preprocess(
  (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
  z.int("must be a whole number"),
);

/** The most rows of one page of a GraphQL connection. */
export const mostRows = 100;
/** The most rows of one page of a REST list. */
export const mostRestRows = 1000;

const size = z
  .number()
  .int()
  .min(0, "must not be negative")
  .max(mostRows, `may be at most ${mostRows}: page on with after (or before), from pageInfo`)
  .nullish();

/** Arguments of a GraphQL connection (Relay's, and `offset` for numbered pages). */
export const connectionRules = z
  .strictObject({
    first: size,
    after: z.string().max(2000).nullish(),
    last: size,
    before: z.string().max(2000).nullish(),
    offset: z
      .number()
      .int()
      .min(0, "must not be negative")
      .max(1_000_000, "may be at most 1,000,000: page on with after (or before), from pageInfo")
      .nullish(),
  })
  .transform((page) => (page.last == null ? { ...page, first: page.first ?? mostRows } : page));

/** Query parameters of a REST list: the whole list unless `limit` asks for pages. */
export const listQueryRules = z.strictObject({
  limit: wholeNumber
    .refine((limit) => limit >= 1 && limit <= mostRestRows, `must be 1 to ${mostRestRows}`)
    .optional()
    .meta({
      description: `Rows of a page, 1 to ${mostRestRows}. The Link header names the next page.`,
      minimum: 1,
      maximum: mostRestRows,
    }),
  cursor: z.string().max(2000).optional().describe("From the Link header of the page before."),
});

/** An id of the small lists, as PostgreSQL's integer. */
export const idRule = wholeNumber
  .refine((id) => Math.abs(id) <= 2147483647, "is not an id")
  .meta({ minimum: -2147483647, maximum: 2147483647 });

/** A partner's id; -1 means all partners, as in the filters of screens. */
export const partnerOrAllRule = idRule.transform((id) => (id === -1 ? null : id));

/** A uuid by which a list is filtered, in upper or lower case. (That of a facility may be any text.) */
export const uuidRule = z.guid("must be a UUID");

/** Whether a text has the form of a UUID of any version, in upper or lower case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** What a caller may send back as it was answered, and what has no effect here or is compared with what is stored. */
export const sentBackRule = z.unknown().optional().describe("May be sent back as it was answered.");

/** A UUID that a client made, so that a repeated call stores once. It is stored in lower case. */
export const clientUuidRule = z
  .string("is required")
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "must be a UUID")
  .transform((uuid) => uuid.toLowerCase());

/** A uuid that names one record, such as that of a path. Any text is allowed: if it is not a uuid, nothing is found. */
export const uuidTextRule = z
  .string()
  .min(1)
  .max(64)
  .refine(...storable);

/** The search text of a list. (The facility search has a separate rule, `searchTextRule`.) */
export const filterTextRule = lineRule(128).nullish();

/** Which pages of the list a table has: only the one that the query asks for, or that one and all after it. */
export const spreadsheetPagesRule = z
  .enum(["one", "all"], 'must be "one" or "all"')
  .default("one")
  .describe("all: the list's page and all pages after it.");
