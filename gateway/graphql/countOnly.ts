import { getNamedType, type GraphQLResolveInfo, type GraphQLSchema, isObjectType, Kind, type SelectionSetNode } from "graphql";

import { isConnection } from "./cost.ts";

/** Lists of which only the number is asked: no row of them is read. */

function asksOnlyCount(set: SelectionSetNode | undefined, fragments: GraphQLResolveInfo["fragments"]): boolean {
  return (set?.selections ?? []).every((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === "totalCount" || selection.name.value === "__typename";
    return asksOnlyCount(selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value]?.selectionSet : selection.selectionSet, fragments);
  });
}

/** Tells the resolver of every connection, by the argument `countOnly` (page.rules.ts), that no row is asked for. */
export function tellCountOnly(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || !isConnection(getNamedType(field.type))) continue;
      field.resolve = (parent, args: object, context, info) => {
        const isCountOnly = info.fieldNodes.every(({ selectionSet }) => asksOnlyCount(selectionSet, info.fragments));
        return resolve(parent, isCountOnly ? { ...args, countOnly: true } : args, context, info);
      };
    }
  }
  return schema;
}
