import { z } from "zod";

/** The OpenAPI description, as tests read it. */

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON schema, whose keywords can nest in any way
export type Schema = Record<string, any>;
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: object[];
  parameters?: { name: string; in: string; schema: Schema; example?: unknown; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<
    string,
    { description?: string; headers?: object; content?: Record<string, { schema: Schema }>; $ref?: string }
  >;
  "x-codeSamples": { source: string }[];
};
export type Description = {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<"schemas" | "responses" | "headers" | "parameters", Record<string, Schema>>;
};

/** All operations with their method and path. */
export const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );

/** A self-contained schema that, with `isClosed`, refuses fields that it does not name. */
function alone(value: unknown, isClosed: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => alone(each, isClosed));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) =>
    key === "$ref" ? [key, String(each).replace("#/components/schemas/", "#/$defs/")] : [key, alone(each, isClosed)],
  );
  const isOpen = isClosed && "properties" in value && !("additionalProperties" in value);
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) };
}

/** The zod type of a schema of the description. */
export const ruleOf = ({ components }: Description, schema: Schema, { isClosed = true } = {}): z.ZodType =>
  z.fromJSONSchema({ ...(alone(schema, isClosed) as object), $defs: alone(components.schemas, isClosed) } as Parameters<
    typeof z.fromJSONSchema
  >[0]);
