import SchemaBuilder from "@pothos/core";
import RelayPlugin from "@pothos/plugin-relay";

import { type FileUpload, GraphQLUpload } from "graphql-upload-minimal";

import { requireViewer } from "../access/access.ts";
import { rangeRule } from "../calendar/range.rules.ts";
import type { Context } from "../context.ts";
import { mostRows } from "../input/page.rules.ts";
import { invalid } from "../problem.ts";

/**
 * The schema's builder, with plugins, scalars and limits but no types. Each noun adds its types in <noun>.graphql.ts.
 */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Connection: { count: () => number | Promise<number> };
  Scalars: {
    Date: { Input: string; Output: string };
    ID: { Input: string; Output: string | number };
    Upload: { Input: Promise<FileUpload>; Output: never };
  };
}>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    brandLoadedObjects: true,
    cursorType: "String",
    edgesFieldOptions: { nullable: { list: false, items: false } },
    nodeFieldOptions: { nullable: false },
    nodesOnConnection: true,
    nodeTypeOptions: { description: "Anything with a global id, to be fetched again by node(id:)." },
    nodeQueryOptions: {
      description: "The thing with this global id; null when there is none, or none that you may see.",
      resolve: (_, { id }, context, __, resolveNode) => {
        requireViewer(context);
        return resolveNode(id);
      },
    },
    nodesQueryOptions: {
      description: `The things with these global ids, in their order, at most ${mostRows}.`,
      resolve: (_, { ids }, context, __, resolveNodes) => {
        requireViewer(context);
        if (ids.length > mostRows)
          throw invalid([
            { path: "ids", message: `${ids.length} ids were asked for; at most ${mostRows} can be given at once` },
          ]);
        return resolveNodes(ids);
      },
    },
  },
});

export type SchemaTypes = (typeof builder)["$inferSchemaTypes"];

builder.queryType({});
builder.mutationType({});

builder.scalarType("Date", {
  description:
    "A calendar date, YYYY-MM-DD, in the ministry's time zone. As an argument of a question also a relative range such as LAST_12_MONTHS, THIS_YEAR or PREVIOUS_QUARTER: as a start it stands for its first day, as an end or `asOf` for its last.",
  specifiedByURL: "https://scalars.graphql.org/andimarek/local-date.html",
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== "string" || !(/^\d{4}-\d\d-\d\d$/.test(value) || rangeRule.safeParse(value).success))
      throw new TypeError("A date is written YYYY-MM-DD; a relative range such as LAST_12_MONTHS.");
    return value;
  },
});

builder.addScalarType("Upload", GraphQLUpload, {
  description: "A file, sent along by the GraphQL multipart request specification.",
  specifiedByURL: "https://github.com/jaydenseric/graphql-multipart-request-spec",
});

builder.globalConnectionField("totalCount", (t) =>
  t.int({ description: "Rows of the whole list.", resolve: (connection) => connection.count() }),
);
