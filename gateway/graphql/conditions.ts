import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, visit } from "graphql";

/**
 * Documents whose @include and @skip compiled code takes amiss: it knows one condition for a field of the text, however often a
 * fragment brings that field, and forgets the condition of a field that is asked for several times at one place.
 */

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
type Asked = { nodes: FieldNode[]; isConditional: boolean };

/** The fields at one place by their names in the answer. */
function gather(set: SelectionSetNode, fragments: Fragments, isConditional: boolean, found: Map<string, Asked>): void {
  for (const selection of set.selections) {
    const isNow = isConditional || (selection.directives ?? []).length > 0;
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      const { nodes, isConditional: isBefore } = found.get(name) ?? { nodes: [], isConditional: false };
      found.set(name, { nodes: [...nodes, selection], isConditional: isBefore || isNow });
    } else {
      const part = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (part) gather(part.selectionSet, fragments, isNow, found);
    }
  }
}

/** Whether a field that is asked for several times at one place has a condition at one of them. */
function isConditionalTwice(sets: readonly SelectionSetNode[], fragments: Fragments): boolean {
  const found = new Map<string, Asked>();
  for (const set of sets) gather(set, fragments, false, found);
  return [...found.values()].some(
    ({ nodes, isConditional }) =>
      (isConditional && nodes.length > 1) || isConditionalTwice(nodes.flatMap(({ selectionSet }) => selectionSet ?? []), fragments),
  );
}

/** Whether compiled code would answer a valid document as it is meant. */
export function hasPlainConditions(document: DocumentNode): boolean {
  let hasDirectives = false;
  const spreads: string[] = [];
  visit(document, { Directive: () => void (hasDirectives = true), FragmentSpread: ({ name }) => void spreads.push(name.value) });
  if (!hasDirectives) return true;
  if (new Set(spreads).size < spreads.length) return false;
  const fragments = new Map(document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])));
  return document.definitions.every((each) => each.kind !== Kind.OPERATION_DEFINITION || !isConditionalTwice([each.selectionSet], fragments));
}
