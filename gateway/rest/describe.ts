import type { SwaggerTransform, SwaggerTransformObject } from "@fastify/swagger";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";

/**
 * What the OpenAPI description contains besides the rules of bodies and answers: forms with files, answers that are no JSON, failures, and
 * how a caller signs in. The same for every call.
 */

declare module "fastify" {
  interface FastifySchema {
    /** the multipart/form-data of a call, for its description only: the form is read and checked part by part */
    form?: z.ZodType;
  }
}

const isSchema = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The description of one call. */
export const describeCall: SwaggerTransform = (call) => {
  const { form, ...rest } = (call.schema ?? {}) as typeof call.schema & { form?: z.ZodType };
  const { schema, url } = jsonSchemaTransform({ ...call, schema: rest } as Parameters<typeof jsonSchemaTransform>[0]);
  if (!isSchema(schema)) return { schema, url };
  const file = { type: "string", format: "binary" };
  const produces = (schema as { produces?: string[] }).produces ?? [];
  return {
    url,
    schema: {
      ...schema,
      ...(form ? { body: { content: { "multipart/form-data": { schema: z.toJSONSchema(form) } } } } : {}),
      ...(produces.length > 0 && !schema.response
        ? { response: { 200: { description: "The file", content: Object.fromEntries(produces.map((type) => [type, { schema: file }])) } } }
        : {}),
    },
  };
};

const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("A sentence for a person."),
    instance: z.string().optional().describe("Of a fault: under this id it is in the log."),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional().describe("What is wrong with the input, and where: dots between keys."),
    present: z.unknown().optional().describe("With 409: the present state."),
    files: z.array(z.unknown()).optional().describe("Of an upload: what became of each file."),
  })
  .describe("A failure (RFC 9457).");

const codes =
  "400 malformed, 401 not signed in, 403 no right, 404 not there, 409 conflict, 413 too large, 415 wrong media type, 422 rejected values, 429 too many, 503 database away.";

type Operation = { summary?: string; security?: object[]; responses?: Record<string, { description?: string; content?: object }> };

/** The whole description, with what holds for all calls; `isOpen`: whether a path needs no session. */
export const describeAll =
  (isOpen: (path: string) => boolean): SwaggerTransformObject =>
  (document) => {
    if (!("openapiObject" in document)) return document.swaggerObject;
    const { openapiObject } = document;
    const failure = { description: `A failure: ${codes}`, content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } };
    for (const [path, operations] of Object.entries(openapiObject.paths ?? {})) {
      for (const operation of Object.values(operations ?? {}) as Operation[]) {
        if (isOpen(path)) operation.security = [];
        for (const answer of Object.values(operation.responses ?? {}))
          if (answer.description === "Default Response") answer.description = operation.summary ?? "Done";
        operation.responses = { ...operation.responses, default: failure };
      }
    }
    return {
      ...openapiObject,
      components: {
        ...openapiObject.components,
        schemas: { ...openapiObject.components?.schemas, Problem: z.toJSONSchema(Problem) },
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: "session", description: "Set by POST /api/v1/auth; behind TLS its name is `__Host-session`." },
          token: { type: "http", scheme: "bearer", description: "A personal access token, made on the profile." },
        },
      },
      security: [{ session: [] }, { token: [] }],
    } as typeof openapiObject;
  };
