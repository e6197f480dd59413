import type { Context } from "../context.ts";
import { type InputError, isProblemCode, Problem } from "../problem.ts";
import type { CsvCell } from "../../db/list/csv.ts";

/** A GraphQL query with all that it needs to run. */
export type Question = { query: string; variables?: Record<string, unknown> | null; operationName?: string | null };

/** A variable of a query, as a parameter of its address. `type`: as written in the query; `value`: its default. */
export type QuestionParameter = {
  name: string;
  type: string;
  required: boolean;
  value: unknown;
  choices: string[] | null;
};

/**
 * What a query would cost: the most rows and the highest cost (null if it cannot be measured), and why it would be
 * refused.
 */
export type QuestionMeasure = { nodes: number | null; cost: number | null; errors: InputError[] };

/** GraphQL's answer. Its errors contain only what the caller may see. */
export type QuestionAnswer = {
  data?: unknown;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
  extensions?: unknown;
};

/** The one list of an answer as the rows of a table. */
export type Spreadsheet = { header: string[]; rows: AsyncIterable<CsvCell[]> };

/** Which pages of the answer's list a table has: only the one that the query asks for, or that one and all after it. */
export type SpreadsheetPages = "one" | "all";

/** The interface by which other rooms run GraphQL queries. */
export type Questions = {
  /** Answers a query with the caller's rights. Failures are in the answer, not thrown. */
  ask: (context: Context, question: Question) => Promise<QuestionAnswer>;
  /** The answer's list as a table. The export is written to the audit log. @throws Problem before the first row */
  spreadsheet: (context: Context, question: Question, pages: SpreadsheetPages) => Spreadsheet;
  /** the limits of a query */
  limits: { nodes: number; cost: number };
  /** The cost of a query, and the schema's errors for it and its variables, without running it. */
  measure: (question: Question) => QuestionMeasure;
  /** The question with the values of an address. @throws Problem INVALID */
  given: (question: Question, values: Readonly<Record<string, string | string[]>>) => Question;
};

/** The first error of an answer as a REST problem; none if there is no error. */
export function problemOfAnswer({ errors }: QuestionAnswer): Problem | undefined {
  const [error] = errors ?? [];
  if (!error) return undefined;
  const {
    code,
    errors: inputs,
    retryAfterSeconds,
  } = (error.extensions ?? {}) as {
    code?: unknown;
    errors?: InputError[];
    retryAfterSeconds?: number;
  };
  // Codes that only GraphQL has are about the query: with the place, a value is rejected.
  return new Problem(isProblemCode(code) ? code : inputs ? "INVALID" : "MALFORMED", error.message, {
    ...(inputs ? { errors: inputs } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
}

declare module "fastify" {
  interface FastifyInstance {
    questions: Questions;
  }
}
