import { getNamedType, type GraphQLResolveInfo, type GraphQLSchema, isObjectType, Kind, type SelectionSetNode } from "graphql";

import type { PageInput } from "../../db/list/page.ts";
import { isConnection } from "./limits/cost.ts";

/** Finds lists whose `totalCount` is selected. If nothing else is, no row is read; otherwise rows and number are read by one statement. */

type Asked = { count: boolean; more: boolean };

function lookAt(set: SelectionSetNode | undefined, fragments: GraphQLResolveInfo["fragments"], asked: Asked): Asked {
  for (const selection of set?.selections ?? []) {
    if (selection.kind !== Kind.FIELD)
      lookAt(selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value]?.selectionSet : selection.selectionSet, fragments, asked);
    else if (selection.name.value === "totalCount") asked.count = true;
    else if (selection.name.value !== "__typename") asked.more = true;
  }
  return asked;
}

function countingOf({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, "fieldNodes" | "fragments">): PageInput["counting"] {
  const { count, more } = fieldNodes.reduce((asked, { selectionSet }) => lookAt(selectionSet, fragments, asked), { count: false, more: false });
  if (!more) return "only";
  return count ? "too" : undefined;
}

/** Sets the argument `counting` (page.rules.ts) of every connection's resolver: whether `totalCount` is selected. */
export function tellCounting(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || !isConnection(getNamedType(field.type))) continue;
      field.resolve = (parent, args: object, context, info) => {
        const counting = countingOf(info);
        return resolve(parent, counting ? { ...args, counting } : args, context, info);
      };
    }
  }
  return schema;
}
