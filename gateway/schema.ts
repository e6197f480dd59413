import { lexicographicSortSchema } from "graphql";

import "./faces.ts";
import { builder } from "./graphql/builder.ts";
import { shareConnections } from "./graphql/connectionTypes.ts";
import { describe } from "./graphql/glossary.ts";
import { makeIdsAtOnce } from "./graphql/node.ts";

/** The GraphQL schema of all nouns. It is sorted by name, so that its text differs only where something changed. */
export const schema = describe(
  lexicographicSortSchema(shareConnections(makeIdsAtOnce(builder.toSchema({ sortSchema: false })))),
);
