import {
  type DocumentNode,
  type FieldNode,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from "graphql";

import { invalid, type Problem } from "../../problem.ts";
import { isConnection } from "../limits/cost.ts";

/**
 * How the answer of a query becomes a table. This is derived from the query before it runs. There is a row for each
 * item of the innermost list. The values around the list are repeated in each row. An item whose inner list is empty
 * has one row. Lists must be nested, not side by side.
 */

type Path = readonly string[];

/** A column: the path of its value from the item of its level, or (level -1) from the answer. */
export type Column = { name: string; path: Path; level: number };

/**
 * A list whose items make rows. The outermost is level 0; each further one is nested in the items of the one before.
 */
export type Level = {
  name: string;
  /** from the answer, or from the item around it, to the object or array that holds the items */
  list: Path;
  /** the path to the array within a connection, and the path within each item (`node` of an edge) */
  rows: Path;
  item: Path;
  /** the fields of a connection in the document, if pages can be requested; none for a plain list */
  connection: ReadonlySet<FieldNode>;
};
export type Table = { levels: [Level, ...Level[]]; columns: Column[] };

const refuse = (message: string): Problem => invalid([{ path: "query", message: `As a spreadsheet, ${message}` }]);

type Merged = Map<string, { nodes: FieldNode[]; type: GraphQLOutputType; of: GraphQLNamedType }>;

class Tabulator {
  private readonly lists: Table[] = [];
  private readonly outer: Column[] = [];
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
    private readonly variables: Record<string, unknown>,
  ) {}

  private isLeftOut(node: { directives?: SelectionSetNode["selections"][number]["directives"] }): boolean {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, this.variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, this.variables);
    return skip?.["if"] === true || include?.["if"] === false;
  }

  /** The fields of selections by their names in the answer. Fields of fragments on several types are merged. */
  private fieldsOf(sets: readonly SelectionSetNode[], type: GraphQLNamedType, found: Merged = new Map()): Merged {
    for (const selection of sets.flatMap(({ selections }) => selections)) {
      if (this.isLeftOut(selection)) continue;
      if (selection.kind !== Kind.FIELD) {
        const part =
          selection.kind === Kind.INLINE_FRAGMENT
            ? selection
            : this.document.definitions.find(
                (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
              );
        if (part?.kind !== Kind.INLINE_FRAGMENT && part?.kind !== Kind.FRAGMENT_DEFINITION) continue;
        const on = part.typeCondition ? this.schema.getType(part.typeCondition.name.value) : type;
        this.fieldsOf([part.selectionSet], on ?? type, found);
        continue;
      }
      const field =
        "getFields" in type
          ? (type.getFields() as Record<string, { type: GraphQLOutputType }>)[selection.name.value]
          : undefined;
      const key = selection.alias?.value ?? selection.name.value;
      if (!field) continue;
      const known = found.get(key);
      if (known) known.nodes.push(selection);
      else found.set(key, { nodes: [selection], type: field.type, of: getNamedType(field.type) });
    }
    return found;
  }

  private within(nodes: readonly FieldNode[]): SelectionSetNode[] {
    return nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  }

  /** Columns of an item. A list within it is the next level, or, of single values, one column. */
  private columnsOf(
    sets: readonly SelectionSetNode[],
    type: GraphQLNamedType,
    path: Path,
    names: Path,
    levels: Level[],
    level: number,
  ): Column[] {
    const columns: Column[] = [];
    for (const [key, { nodes, type: fieldType, of }] of this.fieldsOf(sets, type)) {
      const here = [...path, key];
      const name = [...names, key];
      const inner = this.within(nodes);
      if (!isCompositeType(of)) columns.push({ name: name.join("."), path: here, level });
      else if (isListType(getNullableType(fieldType))) {
        const deeper: Level[] = [];
        const [single, ...others] = this.columnsOf(inner, of, [], [], deeper, 0);
        if (single && others.length === 0 && single.path.length === 1 && deeper.length === 0)
          columns.push({ name: [...name, single.name].join("."), path: [...here, single.path[0]!], level });
        else
          columns.push(
            ...this.listWithin(
              levels,
              level,
              { name: name.join("."), list: here, rows: [], item: [], connection: new Set() },
              inner,
              of,
              name,
            ),
          );
      } else if (isConnection(of)) columns.push(...this.connectionWithin(nodes, of, here, name, levels, level));
      else columns.push(...this.columnsOf(inner, of, here, name, levels, level));
    }
    return columns;
  }

  /** The columns of a list within the items of another. */
  private listWithin(
    levels: Level[],
    level: number,
    found: Level,
    inner: readonly SelectionSetNode[],
    of: GraphQLNamedType,
    names: Path,
  ): Column[] {
    const other = levels[level + 1];
    if (other)
      throw refuse(
        `lists stand within each other, not side by side: ${other.name} and ${found.name} do. Ask for one of them at a time.`,
      );
    levels[level + 1] = found;
    return this.columnsOf(inner, of, [], names, levels, level + 1);
  }

  /** Where a connection holds its items; undefined if the query selects none. */
  private itemsOf(
    nodes: FieldNode[],
    type: GraphQLNamedType,
    path: Path,
  ): { rows: Path; item: Path; inner: SelectionSetNode[]; of: GraphQLNamedType } | undefined {
    const lists = [...this.fieldsOf(this.within(nodes), type)].filter(([, { type: each }]) =>
      isListType(getNullableType(each)),
    );
    if (lists.length > 1)
      throw refuse(`an answer has one list: ask ${path.join(".")} for nodes or for edges, not for both.`);
    const [list] = lists;
    if (!list) return undefined;
    const [key, { nodes: listNodes, of }] = list;
    if (listNodes[0]!.name.value === "nodes") return { rows: [key], item: [], inner: this.within(listNodes), of };
    // Edges: their nodes are the rows; cursors belong to pages, not to a table.
    const node = [...this.fieldsOf(this.within(listNodes), of)].find(
      ([, { nodes: each }]) => each[0]?.name.value === "node",
    );
    if (!node) throw refuse(`${path.join(".")} has no rows: ask its edges for node { … }.`);
    return { rows: [key], item: [node[0]], inner: this.within(node[1].nodes), of: node[1].of };
  }

  private connectionWithin(
    nodes: FieldNode[],
    type: GraphQLNamedType,
    path: Path,
    names: Path,
    levels: Level[],
    level: number,
  ): Column[] {
    const items = this.itemsOf(nodes, type, names);
    const single = [...this.fieldsOf(this.within(nodes), type)].filter(([, { of }]) => !isCompositeType(of));
    const columns = single.map(([key]) => ({ name: [...names, key].join("."), path: [...path, key], level }));
    if (!items) return columns;
    const { rows, item, inner, of } = items;
    return [
      ...columns,
      ...this.listWithin(
        levels,
        level,
        { name: names.join("."), list: path, rows, item, connection: new Set(nodes) },
        inner,
        of,
        names,
      ),
    ];
  }

  private addList(level: Level, inner: readonly SelectionSetNode[], of: GraphQLNamedType): void {
    const levels: [Level, ...Level[]] = [level];
    const columns = this.columnsOf(inner, of, [], [], levels, 0);
    this.lists.push({ levels, columns });
  }

  private connection(nodes: FieldNode[], type: GraphQLNamedType, path: Path): void {
    const items = this.itemsOf(nodes, type, path);
    if (items)
      return this.addList(
        { name: path.join("."), list: path, rows: items.rows, item: items.item, connection: new Set(nodes) },
        items.inner,
        items.of,
      );
    for (const [key, { of }] of this.fieldsOf(this.within(nodes), type))
      if (!isCompositeType(of)) this.outer.push({ name: [...path, key].join("."), path: [...path, key], level: -1 });
  }

  private walk(sets: readonly SelectionSetNode[], type: GraphQLNamedType, path: Path): void {
    for (const [key, { nodes, type: fieldType, of }] of this.fieldsOf(sets, type)) {
      const here = [...path, key];
      if (isListType(getNullableType(fieldType)) && isCompositeType(of))
        this.addList(
          { name: here.join("."), list: here, rows: [], item: [], connection: new Set() },
          this.within(nodes),
          of,
        );
      else if (!isCompositeType(of)) this.outer.push({ name: here.join("."), path: here, level: -1 });
      else if (isConnection(of)) this.connection(nodes, of, here);
      else this.walk(this.within(nodes), of, here);
    }
  }

  tableOf(operation: OperationDefinitionNode): Table {
    if (operation.operation !== OperationTypeNode.QUERY) throw refuse("only a query can be opened.");
    this.walk([operation.selectionSet], this.schema.getQueryType()!, []);
    const [table, ...others] = this.lists;
    if (!table)
      throw refuse(
        "an answer has one list, and this one has none. Ask for a list such as facilities { nodes { facilityName } }.",
      );
    if (others.length > 0)
      throw refuse(
        `lists stand within each other, not side by side, and this answer has ${this.lists.length}: ${this.lists.map(({ levels: [{ name }] }) => name).join(", ")}. Ask for one of them at a time.`,
      );
    if (table.columns.length === 0) throw refuse(`the rows of ${table.levels[0].name} need at least one field.`);
    return { ...table, columns: [...this.outer, ...table.columns] };
  }
}

/** The table for an operation's answer. @throws Problem INVALID if it does not have exactly one list */
export function tableOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Table {
  return new Tabulator(schema, document, variables).tableOf(operation);
}
