import type { Context } from "../context.ts";
import { invalid, notFound, Problem } from "../problem.ts";

/** Loads a node by its act; one that is not there is null to `node(id:)`, not an error. */
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
 * The uuid of the thing that a mutation is about: from its input, which takes the thing's global id or its uuid, or from the former argument.
 *
 * @throws Problem INVALID where neither is given
 */
export function uuidOfInput(type: string, { input, uuid }: { input?: { id: string } | null; uuid?: string | null }): string {
  const given = input?.id ?? uuid;
  if (given == null) throw invalid([{ path: "input", message: "is required" }]);
  const [name, id] = Buffer.from(given, "base64").toString().split(":");
  return name === type && id ? id : given;
}
