import { encodeGlobalID } from "@pothos/plugin-relay";
import { type GraphQLSchema, isInterfaceType, type GraphQLObjectType } from "graphql";

import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";

/**
 * Loads a node by its act. If it is not found, `node(id:)` returns null and no error. A refusal is returned, not thrown:
 * GraphQL reports it in the place of this node, and `nodes(ids:)` answers the others.
 */
export function loadNode<Row>(read: (id: string, context: Context) => Promise<Row>) {
  return async (id: string, context: Context): Promise<Row | null> => {
    try {
      return await read(id, context);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The cast: GraphQL takes an error in the place of a value.
      return error.code === "NOT_FOUND" ? null : (error as never);
    }
  };
}

/** The number in a global id. @throws Problem NOT_FOUND if it is not a number */
export function integerId(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw notFound("thing");
  return Number(id);
}

/**
 * The uuid in a global id, in lower case.
 *
 * @param what the noun for the error, for example "target"
 * @param path the key of a mutation's input that holds it
 * @throws Problem NOT_FOUND if it is not a uuid
 */
export function uuidId(id: string, what: string, path = "uuid"): string {
  if (!isUuid(id)) throw notFound(what, path);
  return id.toLowerCase();
}

/**
 * The uuid of the record that a mutation changes: from its input, which accepts a global id or a uuid, or from the
 * former argument.
 *
 * @throws Problem INVALID if neither is given
 */
export function uuidOfInput(
  type: string,
  { input, uuid }: { input?: { id: string } | null; uuid?: string | null },
): string {
  const given = input?.id ?? uuid;
  if (given == null) throw invalid([{ path: "input", message: "is required" }]);
  const [name, id] = Buffer.from(given, "base64").toString().split(":");
  return name === type && id ? id : given;
}

type NodeOptions = { pothosOptions: { id: { resolve: (row: unknown) => string | number } } };

/**
 * Makes global ids without promises. Pothos makes each id a promise, so each row and each list of rows becomes one too.
 * For a page of facilities with places and partners that was a third of the time of the answer.
 */
export function makeIdsAtOnce(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType("Node");
  const types: readonly GraphQLObjectType[] = isInterfaceType(node) ? schema.getPossibleTypes(node) : [];
  for (const type of types) {
    const { id } = (type.extensions as NodeOptions).pothosOptions;
    type.getFields()["id"]!.resolve = (row) => encodeGlobalID(type.name, id.resolve(row));
  }
  return schema;
}
