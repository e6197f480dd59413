import { Kind } from "graphql";
import type { AnyVariables, DocumentInput } from "urql";
import { createRequest, formatDocument, stringifyDocument } from "urql";

import type { Request } from "./connection.ts";
import type { AnyAnswer } from "./same.ts";
import type { Samples } from "./samples.ts";

/** The questions, and how each is sent to each answerer. */

/** The prepared statement of one floor question: its answer is the finished JSON. */
export type FloorQuestion = { name: string; sql: string };

export type Operation = {
  /** of the product, as its client or an analyst or integrator sends it */
  product: Request;
  floor: { name: string; values: unknown[] };
  postgraphile?: { query: string; variables: object };
};

/** How fast the product should be, as a multiple of the speed of the floor and of PostGraphile. */
type Wanted = { floor?: number; postgraphile?: number };

export type Question = {
  name: string;
  title: string;
  /** the client's own operations are sent with its session, all others with a token */
  asker: "client" | "token";
  wanted: { first: Wanted; repeated: Wanted };
  /**
   * whether it writes, to a copy of the database: each request then has its own uuid, and the answers are not compared
   */
  writes?: true;
  floor: FloorQuestion[];
  /** sent in turn */
  operations: (samples: Samples) => Operation[];
  /** the values of an answer, in a form that the product's and PostGraphile's have in common */
  values?: { product: (data: AnyAnswer) => unknown; postgraphile: (data: AnyAnswer) => unknown };
};

/** The goals of every question that reads. */
export const readGoals = { first: { floor: 0.5, postgraphile: 2 }, repeated: { floor: 1.5, postgraphile: 8 } };

/** A request as the client sends it: its own operation, with the type names that urql adds. */
export function clientRequest<V extends AnyVariables>(document: DocumentInput<unknown, V>, variables: V): Request {
  const { query } = createRequest(document, variables);
  const formatted = formatDocument(query);
  const operation = formatted.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as {
    name?: { value: string };
  };
  return {
    method: "POST",
    path: "/graphql",
    headers: {
      accept:
        "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
    },
    body: JSON.stringify({ operationName: operation.name?.value, query: stringifyDocument(formatted), variables }),
  };
}

/** A request as a person writes it. */
export const adHocRequest = (query: string, variables: object = {}): Request => ({
  method: "POST",
  path: "/graphql",
  headers: { accept: "application/json" },
  body: JSON.stringify({ query, variables }),
});

export const floorRequest = ({ floor: { name, values } }: Operation): Request => ({
  method: "GET",
  path: `/${name}?${encodeURIComponent(JSON.stringify(values))}`,
});
