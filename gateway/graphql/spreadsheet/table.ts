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

/** How the answer of a query becomes a table: derived from the query before it runs. */

type Path = readonly string[];

/** A column: where its value lies, from a row or (outer) from the answer. */
export type Column = { name: string; path: Path; outer: boolean };

export type Table = {
  /** from the answer to the object or array that holds the rows */
  list: Path;
  /** the array within a connection, and what of its items is the row */
  rows: Path;
  item: Path;
  columns: Column[];
  /** the fields of a connection in the document, if pages can be requested; none for a plain list */
  connection: ReadonlySet<FieldNode>;
};

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

  /** The fields of selections by their names in the answer; those of fragments on several types stand together. */
  private fieldsOf(sets: readonly SelectionSetNode[], type: GraphQLNamedType, found: Merged = new Map()): Merged {
    for (const selection of sets.flatMap(({ selections }) => selections)) {
      if (this.isLeftOut(selection)) continue;
      if (selection.kind !== Kind.FIELD) {
        const part =
          selection.kind === Kind.INLINE_FRAGMENT
            ? selection
            : this.document.definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value);
        if (part?.kind !== Kind.INLINE_FRAGMENT && part?.kind !== Kind.FRAGMENT_DEFINITION) continue;
        const on = part.typeCondition ? this.schema.getType(part.typeCondition.name.value) : type;
        this.fieldsOf([part.selectionSet], on ?? type, found);
        continue;
      }
      const field = "getFields" in type ? (type.getFields() as Record<string, { type: GraphQLOutputType }>)[selection.name.value] : undefined;
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

  /** Columns of a row; a list within it is taken only where its items are single values. */
  private columnsOf(sets: readonly SelectionSetNode[], type: GraphQLNamedType, path: Path, rowPath: Path): Column[] {
    const columns: Column[] = [];
    for (const [key, { nodes, type: fieldType, of }] of this.fieldsOf(sets, type)) {
      const here = [...path, key];
      const name = [...rowPath, key].join(".");
      const inner = this.within(nodes);
      if (!isCompositeType(of)) columns.push({ name, path: here, outer: false });
      else if (isListType(getNullableType(fieldType))) {
        const [single, ...others] = this.columnsOf(inner, of, [], []);
        if (!single || others.length > 0 || single.path.length > 1)
          throw refuse(`an answer has one list: ${name} is a list within its rows. Take it out, or ask it for one value only.`);
        columns.push({ name: `${name}.${single.name}`, path: [...here, single.path[0]!], outer: false });
      } else if (isConnection(of) && ["nodes", "edges"].some((list) => [...this.fieldsOf(inner, of).values()].some(({ nodes }) => nodes[0]?.name.value === list)))
        throw refuse(`an answer has one list: ${name} is a list within its rows. Take it out, or ask for its totalCount only.`);
      else columns.push(...this.columnsOf(inner, of, here, [...rowPath, key]));
    }
    return columns;
  }

  private connection(nodes: FieldNode[], type: GraphQLNamedType, path: Path): void {
    const parts = [...this.fieldsOf(this.within(nodes), type)];
    const lists = parts.filter(([, { type: each }]) => isListType(getNullableType(each)));
    if (lists.length > 1) throw refuse(`an answer has one list: ask ${path.join(".")} for nodes or for edges, not for both.`);
    const [list] = lists;
    if (!list) {
      for (const [key] of parts.filter(([, { of }]) => !isCompositeType(of)))
        this.outer.push({ name: [...path, key].join("."), path: [...path, key], outer: true });
      return;
    }
    const [key, { nodes: listNodes, of }] = list;
    const base = { list: path, rows: [key], connection: new Set(nodes) };
    if (listNodes[0]!.name.value === "nodes") {
      this.lists.push({ ...base, item: [], columns: this.columnsOf(this.within(listNodes), of, [], []) });
      return;
    }
    // Edges: their nodes are the rows; cursors belong to pages, not to a table.
    const node = [...this.fieldsOf(this.within(listNodes), of)].find(([, { nodes }]) => nodes[0]?.name.value === "node");
    if (!node) throw refuse(`${path.join(".")} has no rows: ask its edges for node { … }.`);
    this.lists.push({ ...base, item: [node[0]], columns: this.columnsOf(this.within(node[1].nodes), node[1].of, [], []) });
  }

  private walk(sets: readonly SelectionSetNode[], type: GraphQLNamedType, path: Path): void {
    for (const [key, { nodes, type: fieldType, of }] of this.fieldsOf(sets, type)) {
      const here = [...path, key];
      if (isListType(getNullableType(fieldType)) && isCompositeType(of))
        this.lists.push({ list: here, rows: [], item: [], columns: this.columnsOf(this.within(nodes), of, [], []), connection: new Set() });
      else if (!isCompositeType(of)) this.outer.push({ name: here.join("."), path: here, outer: true });
      else if (isConnection(of)) this.connection(nodes, of, here);
      else this.walk(this.within(nodes), of, here);
    }
  }

  tableOf(operation: OperationDefinitionNode): Table {
    if (operation.operation !== OperationTypeNode.QUERY) throw refuse("only a query can be opened.");
    this.walk([operation.selectionSet], this.schema.getQueryType()!, []);
    const [table, ...others] = this.lists;
    if (!table) throw refuse("an answer has one list, and this one has none. Ask for a list such as facilities { nodes { facilityName } }.");
    if (others.length > 0)
      throw refuse(`an answer has one list, and this one has ${this.lists.length}: ${this.lists.map(({ list }) => list.join(".")).join(", ")}. Ask for one of them at a time.`);
    if (table.columns.length === 0) throw refuse(`the rows of ${table.list.join(".")} need at least one field.`);
    return { ...table, columns: [...this.outer, ...table.columns] };
  }
}

/** The table that an operation's answer makes. @throws Problem INVALID where it has not exactly one list */
export function tableOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: Record<string, unknown>): Table {
  return new Tabulator(schema, document, variables).tableOf(operation);
}
