import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";

import { dayOf } from "../../calendar/rangeDays.rules.ts";
import { mostRows } from "../../input/page.rules.ts";
import type { Reads, Statistics } from "../../reading/reads.rules.ts";
import { fragmentsOf } from "./documentLimits.ts";
import { refusal } from "./refusal.ts";

/**
 * The highest cost of an operation, computed from its text and variables before it runs. Nodes are the rows of its
 * lists. The cost is the sum of: the number of values that the answer may contain; `listCost` for each time that a list
 * is read; and the rows that the database reads for groups, dashboards and filters, weighted by their time in units of
 * one value (reads.rules.ts).
 */

export const costLimits = { nodes: 20_000, cost: 100_000 } as const;
/** The limit of the cost of what our own screens ask, so that they work in a country ten times as large. */
export const screenCost = 10 * costLimits.cost;

const listCost = 10;
/** The assumed length of a list that is not paged, such as service areas or the months of a chart. */
const usualLength = 10;
const introspectionCost = 100;

/** `reads`: the cost of the rows that the database reads in addition to those of the lists. */
export type Cost = { nodes: number; cost: number; reads: number };
const nothing: Cost = { nodes: 0, cost: 0, reads: 0 };
type Field = { type: GraphQLOutputType; extensions: { reads?: Reads } };
type Variables = Readonly<Record<string, unknown>>;
type Sizes = ReadonlyMap<FieldNode, number>;

function isList(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isList(type.ofType) : isListType(type);
}

export const isConnection = (type: GraphQLNamedType): boolean => isObjectType(type) && "pageInfo" in type.getFields();

const argument = (field: FieldNode, name: string, variables: Variables): unknown => {
  const value = field.arguments?.find((each) => each.name.value === name)?.value;
  return value && valueFromASTUntyped(value, variables);
};

/** The number of rows that a connection is asked for, at most the permitted one. */
function pageSize(field: FieldNode, variables: Variables): number {
  const asked = argument(field, "first", variables) ?? argument(field, "last", variables);
  return typeof asked === "number" && asked >= 0 ? Math.min(asked, mostRows) : mostRows;
}

/** Measures one operation. It records each paged list with its size, for the advice, and the most ids in a list. */
class Meter {
  readonly lists = new Map<FieldNode, number>();
  mostIds = 0;
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Variables,
    private readonly sizes: Sizes,
    private readonly statistics: Statistics | null,
  ) {}

  /**
   * Measures a selection.
   *
   * @param rows the number of rows of a list within it: that of the connection, or else the usual length
   */
  of(set: SelectionSetNode, type: GraphQLNamedType | undefined, rows = usualLength): Cost {
    const sum = { ...nothing };
    for (const selection of set.selections) {
      let cost: Cost;
      if (selection.kind === Kind.FIELD) cost = this.ofField(selection, type, rows);
      else {
        const part = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
        const on = part?.typeCondition?.name.value;
        cost = part ? this.of(part.selectionSet, on ? this.schema.getType(on) : type, rows) : nothing;
      }
      sum.nodes += cost.nodes;
      sum.cost += cost.cost;
      sum.reads += cost.reads;
    }
    return sum;
  }

  private ofField(field: FieldNode, parent: GraphQLNamedType | undefined, rows: number): Cost {
    const name = field.name.value;
    if (name === "__schema" || name === "__type")
      return { ...nothing, cost: introspectionCost * this.countOf(field.selectionSet) };
    const known =
      parent && (isObjectType(parent) || "getFields" in parent)
        ? (parent.getFields() as Record<string, Field>)[name]
        : undefined;
    if (!known) return { ...nothing, cost: 1 };
    const { rows: reads, groups } = this.readsOf(field, known);
    const { nodes, cost, reads: below } = this.ofAnswer(field, known.type, parent, rows, groups ?? rows);
    return { nodes, cost: cost + reads, reads: below + reads };
  }

  /** The rows that are read for a field, and the number of groups that its list may have. */
  private readsOf(field: FieldNode, { extensions: { reads } }: Field): { rows: number; groups?: number | undefined } {
    if (!reads || !this.statistics) return { rows: 0 };
    const args = Object.fromEntries(
      (field.arguments ?? []).map(({ name: { value: name } }) => {
        const given = argument(field, name, this.variables);
        // The days of a relative range, as the field itself reads them.
        const [, which] = /(start|end|asOf)$/i.exec(name) ?? [];
        if (which === undefined || typeof given !== "string") return [name, given];
        return [name, dayOf(given, which.toLowerCase() === "start" ? "start" : "end")];
      }),
    );
    const { rows, groups } = reads(args, this.statistics, this.namesIn(field.selectionSet));
    return { rows: Math.ceil(rows), groups: groups && Math.ceil(groups) };
  }

  private namesIn(set: SelectionSetNode | undefined, found = new Set<string>()): Set<string> {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) found.add(selection.name.value);
      else
        this.namesIn(
          (selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection)
            ?.selectionSet,
          found,
        );
    }
    return found;
  }

  private ofAnswer(
    field: FieldNode,
    type: GraphQLOutputType,
    parent: GraphQLNamedType | undefined,
    rows: number,
    groups: number,
  ): Cost {
    const named = getNamedType(type);
    if (!field.selectionSet || !isCompositeType(named)) return { ...nothing, cost: 1 };
    if (isConnection(named)) {
      const size = this.sizes.get(field) ?? pageSize(field, this.variables);
      this.lists.set(field, size);
      const within = this.of(field.selectionSet, named, size);
      return { ...within, cost: within.cost + listCost };
    }
    if (!isList(type)) {
      // A field with a `limit` has a list of that length.
      const limit = argument(field, "limit", this.variables);
      const within = this.of(
        field.selectionSet,
        named,
        typeof limit === "number" ? Math.max(limit, usualLength) : usualLength,
      );
      return { ...within, cost: within.cost + 1 };
    }
    const isPage = parent && isConnection(parent);
    const ids = argument(field, "ids", this.variables);
    if (Array.isArray(ids)) this.mostIds = Math.max(this.mostIds, ids.length);
    const times = (usual: number) => (Array.isArray(ids) ? ids.length : usual);
    const { nodes, cost, reads } = this.of(field.selectionSet, named);
    // Groups are values, not nodes.
    return {
      nodes: times(rows) * (nodes + 1),
      cost: times(groups) * (cost + 1) + (isPage ? 0 : listCost),
      reads: times(groups) * reads,
    };
  }

  private countOf(set: SelectionSetNode | undefined): number {
    let count = 1;
    for (const selection of set?.selections ?? []) {
      const part = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
      count += this.countOf(part?.selectionSet);
    }
    return count;
  }
}

const number = (value: number): string => value.toLocaleString("en");

/** Advice on how to stay below a limit: a smaller `first` on one list if that is enough, otherwise on every list. */
function adviceFor(
  figure: "nodes" | "cost",
  limit: number,
  lists: ReadonlyMap<FieldNode, number>,
  measure: (sizes: Sizes) => Cost,
): string {
  const now = measure(lists)[figure];
  let best: { field: FieldNode; first: number; share: number } | undefined;
  for (const [field, size] of lists) {
    if (size === 0) continue;
    // Each figure grows in proportion to the size of any one list.
    const without = measure(new Map(lists).set(field, 0))[figure];
    const first = Math.floor((limit - without) / ((now - without) / size));
    if (first >= 1 && first < size && (!best || first / size >= best.share))
      best = { field, first, share: first / size };
  }
  if (best) return `\`first: ${best.first}\` on ${best.field.name.value} would pass.`;
  for (let first = Math.min(mostRows, Math.max(0, ...lists.values())); first >= 1; first -= 1) {
    const sizes = new Map([...lists].map(([field, size]) => [field, Math.min(size, first)]));
    if (measure(sizes)[figure] <= limit) return `\`first: ${first}\` on each of its ${lists.size} lists would pass.`;
  }
  return "Ask for fewer lists within lists, or for fewer fields of their rows.";
}

/**
 * The highest cost of an operation, and what a refusal must know: its lists, and the cost with other sizes of these.
 */
type Measured = {
  cost: Cost;
  lists: ReadonlyMap<FieldNode, number>;
  mostIds: number;
  measure: (sizes: Sizes) => Cost;
};

/** Measures an operation, even if it is over a limit or its variables are wrong. */
export function measureCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  statistics: Statistics | null,
): Measured {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const defaults = Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  );
  const meterOf = (sizes: Sizes) => new Meter(schema, fragments, { ...defaults, ...variables }, sizes, statistics);
  const meter = meterOf(new Map());
  const cost = meter.of(operation.selectionSet, root);
  const { lists, mostIds } = meter;
  return { cost, lists, mostIds, measure: (sizes) => meterOf(sizes).of(operation.selectionSet, root) };
}

/** Refuses an operation that is over a limit. @throws GraphQLError with the figure, the limit and an advice */
export function refuseCostly(
  { cost: { nodes, cost, reads }, lists, mostIds, measure }: Measured,
  most: number = costLimits.cost,
): void {
  if (mostIds > mostRows)
    throw refusal(
      `${number(mostIds)} ids were asked for; at most ${mostRows} can be given at once. ` +
        `Ask in ${number(Math.ceil(mostIds / mostRows))} queries, or use a list with a filter.`,
      "TOO_MANY_IDS",
      "ids",
    );
  if (nodes > costLimits.nodes)
    throw refusal(
      `This query asks for up to ${number(nodes)} nodes; the limit is ${number(costLimits.nodes)}. ` +
        adviceFor("nodes", costLimits.nodes, lists, measure),
      "TOO_COSTLY",
    );
  if (cost > most) {
    const isRead = reads > most / 2;
    const what = isRead ? `, for it reads some ${number(reads)} rows` : "";
    const advice = isRead
      ? "Ask for fewer groups and dashboards in one query, a shorter period, or one province, district or partner: what is read counts."
      : adviceFor("cost", most, lists, measure);
    const limit = number(most);
    throw refusal(`This query costs up to ${number(cost)}${what}; the limit is ${limit}. ${advice}`, "TOO_COSTLY");
  }
}
