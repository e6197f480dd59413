import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";

import type { PageInput } from "../../db/list/page.ts";

type Asked = { count: boolean; more: boolean };

function lookAt(set: SelectionSetNode | undefined, fragments: GraphQLResolveInfo["fragments"], asked: Asked): Asked {
  for (const selection of set?.selections ?? []) {
    if (selection.kind !== Kind.FIELD)
      lookAt(
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments[selection.name.value]?.selectionSet
          : selection.selectionSet,
        fragments,
        asked,
      );
    else if (selection.name.value === "totalCount") asked.count = true;
    else if (selection.name.value !== "__typename") asked.more = true;
  }
  return asked;
}

/** The part of a resolver's `info` that says what is selected below its field. */
export type Selected = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments">;

/**
 * Whether a list's `totalCount` is selected. If nothing else is, no row is read; otherwise rows and number are read by
 * one statement.
 */
export function countingOf({ fieldNodes, fragments }: Selected): PageInput["counting"] {
  const { count, more } = fieldNodes.reduce((asked, { selectionSet }) => lookAt(selectionSet, fragments, asked), {
    count: false,
    more: false,
  });
  if (!more) return "only";
  return count ? "too" : undefined;
}
