import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  validate,
  visit,
} from "graphql";

import { requireViewer } from "../../access/access.ts";
import type { Context } from "../../context.ts";
import { invalid, notFound } from "../../problem.ts";
import {
  problemOfAnswer,
  type Question,
  type Questions,
  type Spreadsheet,
  type SpreadsheetPages,
} from "../../reading/questions.ts";
import { mostRows } from "../../input/page.rules.ts";
import type { CsvCell } from "../../rest/table.ts";
import { operationOf, parseWithin } from "../limits/documentLimits.ts";
import { type Column, type Level, type Table, tableOf } from "./table.ts";

const pageKey = "spreadsheetPage";

const argumentOf = (field: FieldNode, name: string) => field.arguments?.find((each) => each.name.value === name)?.value;

/** The variable for the cursor of the list: that of the query if it has one, else a new one. */
function cursorVariable({ levels: [{ connection }] }: Table): { after: string; isOwn: boolean; start?: string } {
  for (const field of connection) {
    const value = argumentOf(field, "after");
    if (value?.kind === Kind.VARIABLE) return { after: value.name.value, isOwn: true };
    if (value?.kind === Kind.STRING) return { after: "pageAfter", isOwn: false, start: value.value };
  }
  return { after: "pageAfter", isOwn: false };
}

const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
const field = (value: string, inner: FieldNode[] = [], alias?: string): FieldNode => ({
  kind: Kind.FIELD,
  name: name(value),
  ...(alias ? { alias: name(alias) } : {}),
  ...(inner.length > 0 ? { selectionSet: { kind: Kind.SELECTION_SET, selections: inner } } : {}),
});

/** Inner connections without `first` or `last`: the table must contain all their items, or is refused. */
const guarded = ({ levels }: Table): ReadonlySet<FieldNode> =>
  new Set(
    levels
      .slice(1)
      .flatMap(({ connection }) =>
        [...connection].filter((each) => !argumentOf(each, "first") && !argumentOf(each, "last")),
      ),
  );

/** The query with a variable for `after` of its list, and with the cursor of the next page in its answer. */
function paged(document: DocumentNode, operation: OperationDefinitionNode, table: Table): DocumentNode {
  const { connection } = table.levels[0];
  const { after, isOwn } = cursorVariable(table);
  const variable = { kind: Kind.VARIABLE, name: name(after) } as const;
  const pageInfo = field("pageInfo", [field("hasNextPage"), field("endCursor")], pageKey);
  const isRows = (selection: { kind: Kind; name?: { value: string } }) =>
    selection.kind !== Kind.FIELD || !["totalCount", "pageInfo"].includes(selection.name!.value);
  return visit(document, {
    OperationDefinition: (node) =>
      node === operation && !isOwn
        ? {
            ...node,
            variableDefinitions: [
              ...(node.variableDefinitions ?? []),
              {
                kind: Kind.VARIABLE_DEFINITION,
                variable,
                type: { kind: Kind.NAMED_TYPE, name: name("String") },
              } as const,
            ],
          }
        : undefined,
    Field: (node) =>
      connection.has(node)
        ? {
            ...node,
            arguments: [
              ...(node.arguments ?? []).filter((each) => each.name.value !== "after"),
              { kind: Kind.ARGUMENT, name: name("after"), value: variable } as const,
            ],
            selectionSet: {
              ...node.selectionSet!,
              selections: [...node.selectionSet!.selections.filter(isRows), pageInfo],
            },
          }
        : undefined,
  });
}

/** The query in which each of these connections also selects whether it has more items. */
const withGuards = (document: DocumentNode, guards: ReadonlySet<FieldNode>): DocumentNode => {
  const places = new Set([...guards].map(({ loc }) => loc));
  const isCut = field("pageInfo", [field("hasNextPage")], pageKey);
  return visit(document, {
    Field: {
      leave: (node) =>
        node.loc && places.has(node.loc)
          ? { ...node, selectionSet: { ...node.selectionSet!, selections: [...node.selectionSet!.selections, isCut] } }
          : undefined,
    },
  });
};

/** Parses a query and validates it against the schema. @throws Problem INVALID */
function readDocument(schema: GraphQLSchema, { query, operationName }: Question): DocumentNode {
  try {
    const document = parseWithin(query);
    const errors = validate(schema, document);
    if (errors.length > 0) throw errors[0]!;
    operationOf(document, operationName);
    return document;
  } catch (error) {
    throw error instanceof GraphQLError ? invalid([{ path: "query", message: error.message }]) : error;
  }
}

/** The value at a path; if there is a list on the path, the values of its items. */
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
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : JSON.stringify(value);
}

function refuseBackwards(connection: ReadonlySet<FieldNode>): void {
  const backwards = [...connection].flatMap((field) =>
    ["last", "before", "offset"].filter((name) => argumentOf(field, name)),
  );
  if (backwards.length > 0)
    throw invalid([
      {
        path: "pages",
        message: `all pages are read forwards: leave out ${[...new Set(backwards)].join(", ")} of the list`,
      },
    ]);
}

type Cells = ReadonlyMap<Column, CsvCell>;

const cellsAt = ({ columns }: Table, item: unknown, level: number, around: Cells = new Map()): Cells =>
  new Map([
    ...around,
    ...columns
      .filter((column) => column.level === level)
      .map((column) => [column, cellOf(valueAt(item, column.path))] as const),
  ]);

const itemsAt = (list: unknown, { rows, item }: Level): unknown[] =>
  list === null || list === undefined
    ? []
    : ((valueAt(list, rows) as unknown[] | null) ?? []).map((each) => valueAt(each, item));

/**
 * The rows of an item: one for each item of its inner list, or one row if that list is empty.
 *
 * @throws Problem INVALID
 */
function* rowsBelow(table: Table, item: unknown, level: number, around: Cells): Generator<Cells> {
  const cells = cellsAt(table, item, level, around);
  const next = table.levels[level + 1];
  if (!next) return yield cells;
  const list = valueAt(item, next.list);
  if ((valueAt(list, [pageKey, "hasNextPage"]) as boolean | null) === true)
    throw invalid([
      {
        path: "query",
        message: `As a spreadsheet, ${next.name} is whole, and one of these lists has more than ${mostRows} rows. Say with first how many you want, or ask for them as the outermost list.`,
      },
    ]);
  const items = itemsAt(list, next);
  if (items.length === 0) yield cells;
  for (const each of items) yield* rowsBelow(table, each, level + 1, cells);
}

/** Writes the export of a table to the audit log. */
export type NoteExport = (context: Context, details: Record<string, string | null>) => Promise<void>;

/**
 * Makes the table of a query's answer. Rows are read page by page while the caller takes them. Each page is a separate
 * query with the same limits and rights. So a long table needs no more memory than one page.
 */
export function spreadsheetOf(schema: GraphQLSchema, ask: Questions["ask"], noteExport: NoteExport) {
  return (context: Context, question: Question, pages: SpreadsheetPages): Spreadsheet => {
    requireViewer(context);
    const document = readDocument(schema, question);
    const operation = operationOf(document, question.operationName);
    const variables = question.variables ?? {};
    const table = tableOf(schema, document, operation, variables);
    const [outermost] = table.levels;
    const isPaged = pages === "all" && outermost.connection.size > 0;
    if (isPaged) refuseBackwards(outermost.connection);
    const guards = guarded(table);
    const followed = isPaged ? paged(document, operation, table) : document;
    const query = isPaged || guards.size > 0 ? print(withGuards(followed, guards)) : question.query;

    async function* rows(): AsyncGenerator<CsvCell[]> {
      const { after, start } = cursorVariable(table);
      let cursor = start;
      let outer: Cells | undefined;
      for (;;) {
        const answer = await ask(context, {
          ...question,
          query,
          variables: cursor && isPaged ? { ...variables, [after]: cursor } : variables,
        });
        // A page with an error ends the table: an incomplete table must not look complete.
        const problem = problemOfAnswer(answer);
        if (problem) throw problem;
        const list = valueAt(answer.data, outermost.list);
        if (list === null || list === undefined) throw notFound(`${outermost.name} for these arguments`);
        if (!outer) {
          await noteExport(context, {
            list: outermost.name,
            pages,
            operationName: question.operationName ?? null,
            query: question.query.slice(0, 4000),
          });
          outer = cellsAt(table, answer.data, -1);
        }
        for (const item of itemsAt(list, outermost))
          for (const cells of rowsBelow(table, item, 0, outer))
            yield table.columns.map((column) => cells.get(column) ?? null);
        if (!isPaged) return;
        const { hasNextPage, endCursor } = valueAt(list, [pageKey]) as {
          hasNextPage: boolean;
          endCursor: string | null;
        };
        if (!hasNextPage || endCursor === null || endCursor === cursor) return;
        cursor = endCursor;
      }
    }
    return { header: table.columns.map(({ name }) => name), rows: rows() };
  };
}
