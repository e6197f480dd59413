import {
  BREAK, type DocumentNode, type FieldNode, getNamedType, type GraphQLField, type GraphQLNamedType, type GraphQLObjectType, type GraphQLSchema, isLeafType, isObjectType, isRequiredArgument, Kind,
  type OperationDefinitionNode, OperationTypeNode, parse, parseType, print, type SelectionNode, type SelectionSetNode, TypeInfo, visit, visitWithTypeInfo,
} from "graphql";

/** Click-to-build: adds fields of the documentation to a query and removes them. The query stays valid. */

const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
const set = (selections: readonly SelectionNode[]): SelectionSetNode => ({ kind: Kind.SELECTION_SET, selections });
type Field = GraphQLField<unknown, unknown>;

const withoutComments = (query: string): string => query.replaceAll(/#.*/g, "").trim();
/** Parses a query. An empty text is a query without fields. @throws GraphQLError */
function read(query: string): DocumentNode {
  if (withoutComments(query) !== "") return parse(query);
  return { kind: Kind.DOCUMENT, definitions: [{ kind: Kind.OPERATION_DEFINITION, operation: OperationTypeNode.QUERY, selectionSet: set([]) }] };
}
/** Prints a query, with the comments at its beginning. */
const write = (before: string, document: DocumentNode): string => `${/^(\s*#.*\n)*/.exec(before)![0]}${print(document)}`;

/** The first selection set of a type in a query. */
function placeOf(schema: GraphQLSchema, document: DocumentNode, type: string): SelectionSetNode | undefined {
  let place: SelectionSetNode | undefined;
  const types = new TypeInfo(schema);
  visit(document, visitWithTypeInfo(types, { SelectionSet: (node) => {
    if (types.getParentType()?.name !== type) return undefined;
    place = node;
    return BREAK;
  } }));
  return place;
}

const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());
const isFree = (field: Field): boolean => !field.args.some(isRequiredArgument);
/** Whether a field is the name of its type. Names are preferred to ids. */
const isName = ({ name: one }: Field, type: GraphQLNamedType): boolean => /(^name|Name)$/.test(one) || one.toLowerCase() === type.name.toLowerCase();

/** The first selection of a type: its name, or the nodes of a connection. */
function firstOf(type: GraphQLNamedType, depth = 0): SelectionSetNode | undefined {
  if (isLeafType(type)) return undefined;
  if (!isObjectType(type) || depth > 4) return set([{ kind: Kind.FIELD, name: name("__typename") }]);
  const free = fieldsOf(type).filter(isFree);
  const leaves = free.filter((field) => isLeafType(getNamedType(field.type)));
  const rows = free.find((field) => field.name === "nodes");
  const chosen = rows ?? leaves.find((field) => isName(field, type)) ?? leaves.find((field) => field.name !== "id") ?? leaves[0] ?? free[0];
  return set([chosen ? nodeOf(chosen, depth + 1) : { kind: Kind.FIELD, name: name("__typename") }]);
}

const variableOf = (field: Field, argument: string): string => (argument === "id" || argument === "uuid" ? `${field.name}${argument[0]!.toUpperCase()}${argument.slice(1)}` : argument);
/** A field with its selection. Its required arguments are variables. */
function nodeOf(field: Field, depth = 0): FieldNode {
  const inner = firstOf(getNamedType(field.type), depth);
  const needed = field.args.filter(isRequiredArgument).map((argument) => ({ kind: Kind.ARGUMENT, name: name(argument.name), value: { kind: Kind.VARIABLE, name: name(variableOf(field, argument.name)) } as const }) as const);
  return { kind: Kind.FIELD, name: name(field.name), arguments: needed, ...(inner ? { selectionSet: inner } : {}) };
}

/** The shortest path from the query type to a type, through fields without required arguments. */
function wayTo(schema: GraphQLSchema, type: string): Field[] | undefined {
  const start = schema.getQueryType()!;
  const seen = new Set([start.name]);
  let ways: { at: GraphQLObjectType; way: Field[] }[] = [{ at: start, way: [] }];
  while (ways.length > 0) {
    const found = ways.find(({ at }) => at.name === type);
    if (found) return found.way;
    ways = ways.flatMap(({ at, way }) =>
      fieldsOf(at).flatMap((field) => {
        const to = getNamedType(field.type);
        if (!isFree(field) || !isObjectType(to) || seen.has(to.name)) return [];
        seen.add(to.name);
        return [{ at: to, way: [...way, field] }];
      }),
    );
  }
  return undefined;
}

const isField = (selection: SelectionNode, of: string): selection is FieldNode => selection.kind === Kind.FIELD && selection.name.value === of;
/** Adds a selection, and removes the placeholder `__typename`. */
const adding = (selections: readonly SelectionNode[], more: SelectionNode): SelectionNode[] => [...selections.filter((each) => !isField(each, "__typename")), more];

/** The selections with a field at the end of a path. Steps that are missing are added. */
function along(selections: readonly SelectionNode[], [step, ...rest]: readonly Field[], last: Field): SelectionNode[] {
  if (!step) return adding(selections, nodeOf(last));
  const there = selections.find((each) => isField(each, step.name)) as FieldNode | undefined;
  const inner = along(there?.selectionSet?.selections ?? [], rest, last);
  const node = { ...(there ?? nodeOf(step)), selectionSet: set(inner) };
  return there ? selections.map((each) => (each === there ? node : each)) : adding(selections, node);
}

/** The operation with declarations of exactly the variables that it uses. */
function withVariables(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const used = new Map<string, string>();
  visit(document, visitWithTypeInfo(types, { Argument: { enter: ({ value }) => {
    if (value.kind === Kind.VARIABLE) used.set(value.name.value, String(types.getInputType()));
  } }, Variable: (node) => { used.set(node.name.value, used.get(node.name.value) ?? String(types.getInputType())); }, VariableDefinition: () => false }));
  let isFirst = true;
  return visit(document, { OperationDefinition: (node): OperationDefinitionNode => {
    const kept = (node.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value));
    const known = new Set(kept.map(({ variable }) => variable.name.value));
    const more = isFirst ? [...used].filter(([each]) => !known.has(each)) : [];
    isFirst = false;
    return {
      ...node,
      variableDefinitions: [
        ...kept,
        ...more.map(([each, type]) => ({ kind: Kind.VARIABLE_DEFINITION, variable: { kind: Kind.VARIABLE, name: name(each) }, type: parseType(type) }) as const),
      ],
    };
  } });
}

/** The fields of a type that a query selects; null if the query is not valid. */
export function chosenFields(schema: GraphQLSchema, query: string, type: string): ReadonlySet<string> | null {
  try {
    const place = placeOf(schema, read(query), type);
    return new Set(place?.selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : [])) ?? []);
  } catch {
    return null;
  }
}

/**
 * The query with a field of a type added or removed. If the query does not select the type yet, the path to it is added too. Null if there is no
 * such path, or if the query is not valid.
 */
export function chooseField(schema: GraphQLSchema, query: string, { type, field, isChosen }: { type: string; field: string; isChosen: boolean }): string | null {
  try {
    const document = read(query);
    const owner = schema.getType(type);
    const found = isObjectType(owner) ? owner.getFields()[field] : undefined;
    if (!found) return null;
    const place = placeOf(schema, document, type);
    const changed = (selections: readonly SelectionNode[]): readonly SelectionNode[] => {
      if (isChosen) return selections.some((each) => isField(each, field)) ? selections : adding(selections, nodeOf(found));
      const left = selections.filter((each) => !isField(each, field));
      return left.length > 0 ? left : [{ kind: Kind.FIELD, name: name("__typename") }];
    };
    if (place) return write(query, withVariables(schema, visit(document, { SelectionSet: (node) => (node === place ? set(changed(node.selections)) : undefined) })));
    const way = wayTo(schema, type);
    if (!isChosen || !way) return null;
    let isFirst = true;
    const added = visit(document, { OperationDefinition: (node) => {
      if (!isFirst) return undefined;
      isFirst = false;
      return { ...node, selectionSet: set(along(node.selectionSet.selections, way, found)) };
    } });
    return write(query, withVariables(schema, added));
  } catch {
    return null;
  }
}
