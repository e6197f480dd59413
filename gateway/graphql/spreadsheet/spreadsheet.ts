import { type DocumentNode, type FieldNode, GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode, parse, print, validate, visit } from "graphql";

import { requireViewer } from "../../access/access.ts";
import type { Context } from "../../context.ts";
import { invalid, notFound } from "../../problem.ts";
import { problemOfAnswer, type Question, type Questions, type Spreadsheet, type SpreadsheetPages } from "../../reading/questions.ts";
import type { CsvCell } from "../../rest/csv.ts";
import { checkText, operationOf } from "../limits/documentLimits.ts";
import { type Column, type Table, tableOf } from "./table.ts";

const pageKey = "spreadsheetPage";

const argumentOf = (field: FieldNode, name: string) => field.arguments?.find((each) => each.name.value === name)?.value;

/** The variable that carries the cursor: the query's own, if it has one. */
function cursorVariable({ connection }: Table): { after: string; isOwn: boolean; start?: string } {
  for (const field of connection) {
    const value = argumentOf(field, "after");
    if (value?.kind === Kind.VARIABLE) return { after: value.name.value, isOwn: true };
    if (value?.kind === Kind.STRING) return { after: "pageAfter", isOwn: false, start: value.value };
  }
  return { after: "pageAfter", isOwn: false };
}

/** The query with its list's `after` as a variable and with the cursor of the next page in its answer. */
function paged(document: DocumentNode, operation: OperationDefinitionNode, table: Table): DocumentNode {
  const { connection } = table;
  const { after, isOwn } = cursorVariable(table);
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const variable = { kind: Kind.VARIABLE, name: name(after) } as const;
  const field = (value: string, inner: FieldNode[] = [], alias?: string): FieldNode => ({
    kind: Kind.FIELD,
    name: name(value),
    ...(alias ? { alias: name(alias) } : {}),
    ...(inner.length > 0 ? { selectionSet: { kind: Kind.SELECTION_SET, selections: inner } } : {}),
  });
  const pageInfo = field("pageInfo", [field("hasNextPage"), field("endCursor")], pageKey);
  const isRows = (selection: { kind: Kind; name?: { value: string } }) => selection.kind !== Kind.FIELD || !["totalCount", "pageInfo"].includes(selection.name!.value);
  return visit(document, {
    OperationDefinition: (node) =>
      node === operation && !isOwn
        ? {
            ...node,
            variableDefinitions: [
              ...(node.variableDefinitions ?? []),
              { kind: Kind.VARIABLE_DEFINITION, variable, type: { kind: Kind.NAMED_TYPE, name: name("String") } } as const,
            ],
          }
        : undefined,
    Field: (node) =>
      connection.has(node)
        ? {
            ...node,
            arguments: [...(node.arguments ?? []).filter((each) => each.name.value !== "after"), { kind: Kind.ARGUMENT, name: name("after"), value: variable } as const],
            selectionSet: { ...node.selectionSet!, selections: [...node.selectionSet!.selections.filter(isRows), pageInfo] },
          }
        : undefined,
  });
}

/** The document of a query that the schema knows. @throws Problem INVALID */
function readDocument(schema: GraphQLSchema, { query, operationName }: Question): DocumentNode {
  try {
    checkText(query);
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) throw errors[0]!;
    operationOf(document, operationName);
    return document;
  } catch (error) {
    throw error instanceof GraphQLError ? invalid([{ path: "query", message: error.message }]) : error;
  }
}

/** The value at a path; of a list, the values of its items. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const [depth, key] of path.entries()) {
    if (Array.isArray(found)) return found.map((item) => valueAt(item, path.slice(depth)));
    if (found === null || typeof found !== "object") return null;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.filter((each) => each !== null).join("; ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : JSON.stringify(value);
}

function refuseBackwards(connection: ReadonlySet<FieldNode>): void {
  const backwards = [...connection].flatMap((field) => ["last", "before", "offset"].filter((name) => argumentOf(field, name)));
  if (backwards.length > 0)
    throw invalid([{ path: "pages", message: `all pages are read forwards: leave out ${[...new Set(backwards)].join(", ")} of the list` }]);
}

/** Writes to the audit log that a table is handed out. */
export type NoteExport = (context: Context, details: Record<string, string | null>) => Promise<void>;

/**
 * Makes the table of a query's answer. Rows are read page by page as they are taken, each page a query of its own under the same
 * limits and rights, so that a long table needs no more memory than one page.
 */
export function spreadsheetOf(schema: GraphQLSchema, ask: Questions["ask"], noteExport: NoteExport) {
  return (context: Context, question: Question, pages: SpreadsheetPages): Spreadsheet => {
    requireViewer(context);
    const document = readDocument(schema, question);
    const operation = operationOf(document, question.operationName);
    const variables = question.variables ?? {};
    const table = tableOf(schema, document, operation, variables);
    const isPaged = pages === "all" && table.connection.size > 0;
    if (isPaged) refuseBackwards(table.connection);
    const query = isPaged ? print(paged(document, operation, table)) : question.query;

    async function* rows(): AsyncGenerator<CsvCell[]> {
      const { after, start } = cursorVariable(table);
      let cursor = start;
      let outer: Map<Column, CsvCell> | undefined;
      for (;;) {
        const answer = await ask(context, { ...question, query, variables: cursor && isPaged ? { ...variables, [after]: cursor } : variables });
        // A table is whole or not at all.
        const problem = problemOfAnswer(answer);
        if (problem) throw problem;
        const list = valueAt(answer.data, table.list);
        if (list === null || list === undefined) throw notFound(`${table.list.join(".")} for these arguments`);
        if (!outer) {
          const list = table.list.join(".");
          await noteExport(context, { list, pages, operationName: question.operationName ?? null, query: question.query.slice(0, 4000) });
          outer = new Map(table.columns.filter((column) => column.outer).map((column) => [column, cellOf(valueAt(answer.data, column.path))]));
        }
        for (const item of valueAt(list, table.rows) as unknown[]) {
          const row = valueAt(item, table.item);
          yield table.columns.map((column) => outer!.get(column) ?? (column.outer ? null : cellOf(valueAt(row, column.path))));
        }
        if (!isPaged) return;
        const { hasNextPage, endCursor } = valueAt(list, [pageKey]) as { hasNextPage: boolean; endCursor: string | null };
        if (!hasNextPage || endCursor === null || endCursor === cursor) return;
        cursor = endCursor;
      }
    }
    return { header: table.columns.map(({ name }) => name), rows: rows() };
  };
}
