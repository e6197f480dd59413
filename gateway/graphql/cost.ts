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

import { mostRows } from "../page.rules.ts";
import { refusal } from "./refusal.ts";

/**
 * What an operation may cost at most, told from its text and variables before it runs. Nodes are the rows of its lists; the cost
 * is the number of values that the answer may hold, and `listCost` for each time that a list is read.
 */

export const costLimits = { nodes: 20_000, cost: 100_000 } as const;

const listCost = 10;
/** A list that is not paged: service areas, months of a chart. */
const usualLength = 10;
const introspectionCost = 100;

export type Cost = { nodes: number; cost: number };
type Variables = Readonly<Record<string, unknown>>;
type Sizes = ReadonlyMap<FieldNode, number>;

function isList(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isList(type.ofType) : isListType(type);
}

export const isConnection = (type: GraphQLNamedType): boolean => isObjectType(type) && "pageInfo" in type.getFields();

const argument = (field: FieldNode, name: string, variables: Variables): unknown => {
  const value = field.arguments?.find((each) => each.name.value === name)?.value;
  return value && valueFromASTUntyped(value, { ...variables });
};

/** The rows that a connection is asked for, as far as its arguments can be granted. */
function pageSize(field: FieldNode, variables: Variables): number {
  const asked = argument(field, "first", variables) ?? argument(field, "last", variables);
  return typeof asked === "number" && asked >= 0 ? Math.min(asked, mostRows) : mostRows;
}

/** Measures one operation; every paged list that it meets is kept, with its size, for the advice. */
class Meter {
  readonly lists = new Map<FieldNode, number>();
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Variables,
    private readonly sizes: Sizes,
  ) {}

  /** @param rows of the list that the selection holds: a connection's, or a usual one's */
  of(set: SelectionSetNode, type: GraphQLNamedType | undefined, rows = usualLength): Cost {
    const sum = { nodes: 0, cost: 0 };
    for (const selection of set.selections) {
      let cost: Cost;
      if (selection.kind === Kind.FIELD) cost = this.ofField(selection, type, rows);
      else {
        const part = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
        const on = part?.typeCondition?.name.value;
        cost = part ? this.of(part.selectionSet, on ? this.schema.getType(on) : type, rows) : { nodes: 0, cost: 0 };
      }
      sum.nodes += cost.nodes;
      sum.cost += cost.cost;
    }
    return sum;
  }

  private ofField(field: FieldNode, parent: GraphQLNamedType | undefined, rows: number): Cost {
    const name = field.name.value;
    if (name === "__schema" || name === "__type") return { nodes: 0, cost: introspectionCost * this.countOf(field.selectionSet) };
    const type = parent && (isObjectType(parent) || "getFields" in parent) ? (parent.getFields() as Record<string, { type: GraphQLOutputType }>)[name]?.type : undefined;
    if (!type || !field.selectionSet) return { nodes: 0, cost: 1 };
    const named = getNamedType(type);
    if (!isCompositeType(named)) return { nodes: 0, cost: 1 };
    if (isConnection(named)) {
      const size = this.sizes.get(field) ?? pageSize(field, this.variables);
      this.lists.set(field, size);
      const { nodes, cost } = this.of(field.selectionSet, named, size);
      return { nodes, cost: cost + listCost };
    }
    if (!isList(type)) {
      // What takes a `limit` holds a list of so many.
      const limit = argument(field, "limit", this.variables);
      const { nodes, cost } = this.of(field.selectionSet, named, typeof limit === "number" ? Math.max(limit, usualLength) : usualLength);
      return { nodes, cost: cost + 1 };
    }
    const isPage = parent && isConnection(parent);
    const ids = argument(field, "ids", this.variables);
    const times = Array.isArray(ids) ? ids.length : rows;
    const { nodes, cost } = this.of(field.selectionSet, named);
    return { nodes: times * (nodes + 1), cost: times * (cost + 1) + (isPage ? 0 : listCost) };
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

/** What would pass: a smaller `first` on one list where that is enough, else on every list. */
function adviceFor(figure: keyof Cost, limit: number, lists: ReadonlyMap<FieldNode, number>, measure: (sizes: Sizes) => Cost): string {
  const now = measure(lists)[figure];
  let best: { field: FieldNode; first: number; share: number } | undefined;
  for (const [field, size] of lists) {
    if (size === 0) continue;
    // Each figure grows in proportion to the size of any one list.
    const without = measure(new Map(lists).set(field, 0))[figure];
    const first = Math.floor((limit - without) / ((now - without) / size));
    if (first >= 1 && first < size && (!best || first / size >= best.share)) best = { field, first, share: first / size };
  }
  if (best) return `\`first: ${best.first}\` on ${best.field.name.value} would pass.`;
  for (let first = Math.min(mostRows, Math.max(0, ...lists.values())); first >= 1; first -= 1) {
    const sizes = new Map([...lists].map(([field, size]) => [field, Math.min(size, first)]));
    if (measure(sizes)[figure] <= limit) return `\`first: ${first}\` on each of its ${lists.size} lists would pass.`;
  }
  return "Ask for fewer lists within lists, or for fewer fields of their rows.";
}

/**
 * Measures an operation.
 *
 * @throws GraphQLError when it is over a limit, with the figure, the limit and what would pass
 */
export function checkCost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Cost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const defaults = Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [variable.name.value, defaultValue && valueFromASTUntyped(defaultValue)]),
  );
  const values = { ...defaults, ...variables };
  const meterOf = (sizes: Sizes) => new Meter(schema, fragments, values, sizes);
  const meter = meterOf(new Map());
  const found = meter.of(operation.selectionSet, root);
  const measure = (sizes: Sizes) => meterOf(sizes).of(operation.selectionSet, root);
  if (found.nodes > costLimits.nodes)
    throw refusal(
      `This query asks for up to ${number(found.nodes)} nodes; the limit is ${number(costLimits.nodes)}. ${adviceFor("nodes", costLimits.nodes, meter.lists, measure)}`,
    );
  if (found.cost > costLimits.cost)
    throw refusal(
      `This query costs up to ${number(found.cost)}; the limit is ${number(costLimits.cost)}. ${adviceFor("cost", costLimits.cost, meter.lists, measure)}`,
    );
  return found;
}

/** Lists of ids that are longer than one query may bring. @throws GraphQLError */
export function checkIds(operation: OperationDefinitionNode, variables: Variables): void {
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD || selection.name.value !== "nodes") continue;
    const ids = argument(selection, "ids", variables);
    if (!Array.isArray(ids) || ids.length <= mostRows) continue;
    throw refusal(
      `${number(ids.length)} ids were asked for; at most ${mostRows} can be given at once. Ask in ${number(Math.ceil(ids.length / mostRows))} queries, or use a list with a filter.`,
      "ids",
    );
  }
}
