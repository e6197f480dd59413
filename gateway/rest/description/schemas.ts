/** Schemas as a person would write them: generated from the zod rules, then named and simplified. */

export type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a limit is only that of JavaScript's integers, which the generator adds. */
const isNoLimit = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
/** Formats whose pattern adds nothing to the format. */
const formats = new Set(["date", "date-time", "uuid"]);
/** Keywords whose values are objects with names as keys, not keywords. */
const named = new Set(["properties", "schemas", "parameters", "headers", "responses"]);

/**
 * A schema, or an object that contains schemas, without limits of the generator and without patterns that a format
 * implies. In answers objects may have further fields: later versions add some, and a generated client must accept
 * them.
 */
export function tidied(value: unknown, isAnswer: boolean, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((each) => tidied(each, isAnswer));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key, each]) => {
    if (isNamed) return true;
    if ((key === "minimum" || key === "maximum") && isNoLimit(each)) return false;
    if (key === "pattern" && formats.has(String(value["format"]))) return false;
    return !(isAnswer && key === "additionalProperties" && each === false);
  });
  return Object.fromEntries(entries.map(([key, each]) => [key, tidied(each, isAnswer, !isNamed && named.has(key))]));
}

/** The schema of a query parameter: null cannot be sent there. */
export function withoutNull(schema: Json): Json {
  const choices = schema["anyOf"];
  if (!Array.isArray(choices)) return schema;
  const [only, ...more] = (choices as Json[]).filter(({ type }) => type !== "null");
  const { anyOf: _, ...rest } = schema;
  return only && more.length === 0 ? { ...only, ...rest } : schema;
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Names the schemas of bodies and answers that have no name, after the operation, as in GraphQL: …Input, …Payload. */
export function nameInline(
  operationId: string,
  { requestBody, responses }: { requestBody?: object; responses: Record<string, object> },
  schemas: Record<string, unknown>,
): void {
  const noun = operationId[0]!.toUpperCase() + operationId.slice(1);
  const move = (content: Record<string, { schema?: Json }> | undefined, type: string, name: string) => {
    const part = content?.[type];
    if (
      part?.schema?.["type"] !== "object" ||
      (part.schema["additionalProperties"] !== undefined && part.schema["properties"] === undefined)
    )
      return;
    schemas[name] = part.schema;
    part.schema = reference(name);
  };
  const { content } = (requestBody ?? {}) as { content?: Record<string, { schema?: Json }> };
  move(content, "application/json", `${noun}Input`);
  move(content, "multipart/form-data", `${noun}Form`);
  move(
    (responses["200"] as { content?: Record<string, { schema?: Json }> } | undefined)?.content,
    "application/json",
    `${noun}Payload`,
  );
}

/** The schemas that something refers to, directly or through another. */
export function usedSchemas(paths: unknown, schemas: Record<string, unknown>): Record<string, unknown> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(schemas[name!] ?? {});
    }
  };
  visit(paths);
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => used.has(name))
      .toSorted(([one], [other]) => one.localeCompare(other, "en")),
  );
}
