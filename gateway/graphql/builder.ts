import SchemaBuilder from "@pothos/core";
import RelayPlugin, { decodeGlobalID } from "@pothos/plugin-relay";
import { GraphQLError, type GraphQLSchema, isObjectType } from "graphql";

import { type FileUpload, GraphQLUpload } from "graphql-upload-minimal";

import { requireViewer } from "../access/access.ts";
import { rangeRule } from "../calendar/range.rules.ts";
import type { Context } from "../context.ts";
import { mostRows } from "../input/page.rules.ts";
import { invalid } from "../problem.ts";

/** A global id in its parts; a text that is none has no type. */
function partsOf(globalId: string): { typename: string; id: string } {
  try {
    return decodeGlobalID(globalId);
  } catch {
    return { typename: "", id: globalId };
  }
}
/** Whether a type has global ids. */
function hasIds(schema: GraphQLSchema, typename: string): boolean {
  const type = schema.getType(typename);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === "Node");
}

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
    decodeGlobalID: partsOf,
    edgesFieldOptions: { nullable: { list: false, items: false } },
    nodeFieldOptions: { nullable: false },
    nodesOnConnection: true,
    nodeTypeOptions: { description: "Anything with a global id, to be fetched again by node(id:)." },
    nodeQueryOptions: {
      description: "The thing with this global id; null when there is none, or none that you may see.",
      resolve: (_, { id }, context, { schema }, resolveNode) => {
        requireViewer(context);
        if (!hasIds(schema, id.typename))
          throw new GraphQLError(`Invalid global ID: ${id.id}`, { extensions: { code: "BAD_ID" } });
        return resolveNode(id);
      },
    },
    nodesQueryOptions: {
      description: `The things with these global ids, in their order, at most ${mostRows}; null in the place of each that there is not, or that you may not see.`,
      resolve: (_, { ids }, context, { schema }, resolveNodes) => {
        requireViewer(context);
        if (ids.length > mostRows)
          throw invalid([
            { path: "ids", message: `${ids.length} ids were asked for; at most ${mostRows} can be given at once` },
          ]);
        // Pothos reads `ids` itself and passes over null.
        const places: ((typeof ids)[number] | null)[] = ids;
        for (const [place, { typename }] of ids.entries()) if (!hasIds(schema, typename)) places[place] = null;
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
