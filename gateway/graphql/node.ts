import { encodeGlobalID } from "@pothos/plugin-relay";
import { type GraphQLSchema, isInterfaceType, type GraphQLObjectType } from "graphql";

import type { Context } from "../context.ts";
import { invalid, notFound, Problem } from "../problem.ts";

/** Loads a node by its act. If there is none, `node(id:)` answers null, not an error. */
export function loadNode<Row>(read: (id: string, context: Context) => Promise<Row>) {
  return async (id: string, context: Context): Promise<Row | null> => {
    try {
      return await read(id, context);
    } catch (error) {
      if (error instanceof Problem && error.code === "NOT_FOUND") return null;
      throw error;
    }
  };
}

/** The number within a global id. @throws Problem NOT_FOUND when it holds none */
export function integerId(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw notFound("thing");
  return Number(id);
}

/**
 * The uuid of the record that a mutation changes: from its input, which accepts a global id or a uuid, or from the former argument.
 *
 * @throws Problem INVALID where neither is given
 */
export function uuidOfInput(type: string, { input, uuid }: { input?: { id: string } | null; uuid?: string | null }): string {
  const given = input?.id ?? uuid;
  if (given == null) throw invalid([{ path: "input", message: "is required" }]);
  const [name, id] = Buffer.from(given, "base64").toString().split(":");
  return name === type && id ? id : given;
}

type NodeOptions = { pothosOptions: { id: { resolve: (row: unknown) => string | number } } };

/**
 * Makes global ids at once. Pothos makes each a promise, and then its row is one too, and each list of such rows: on a page of facilities with its places and
 * partners that was a third of what the answer cost.
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
