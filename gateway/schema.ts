import { lexicographicSortSchema } from "graphql";

import "./faces.ts";
import { builder } from "./graphql/builder.ts";
import { shareConnections } from "./graphql/connectionTypes.ts";
import { describe } from "./graphql/glossary.ts";
import { makeIdsAtOnce } from "./graphql/node.ts";

/** The GraphQL schema of all nouns, in the order of its names so that only changes move its text. */
export const schema = describe(lexicographicSortSchema(shareConnections(makeIdsAtOnce(builder.toSchema()))));
