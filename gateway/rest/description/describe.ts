import type { SwaggerTransform, SwaggerTransformObject } from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";

import { type Capability, may, noPrivileges, privilegeNames } from "../../access/access.rules.ts";
import { asOutcomes, failureResponses, failuresOf, fhirType, outcomeSchema, problemSchema } from "./failures.ts";
import { headers, headersOf, notModified, parameters, partOfFile } from "./headers.ts";
import { exampleOf, sampleOf } from "./samples.ts";
import { workbookType } from "../workbook/sheet.rules.ts";
import { type Json, nameInline, tidied, usedSchemas, withoutNull } from "./schemas.ts";
import { tags } from "./tags.ts";

/**
 * The parts of the OpenAPI description that do not come from the rules of bodies and answers: names of schemas, forms
 * with files, answers that are not JSON, headers, failures, examples, and how a caller signs in. Parts that many calls
 * share are decided here for all of them.
 */

declare module "fastify" {
  interface FastifySchema {
    /** the multipart/form-data of a call, for its description only: the form is read and checked part by part */
    form?: z.ZodType;
    /** statuses of failures that only this call has */
    failures?: readonly number[];
    /** whether the call honours If-Match */
    conditional?: boolean;
    /** an example of its JSON body */
    example?: object;
  }
}

const isSchema = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const file = { type: "string", format: "binary" };
const geojson = "application/geo+json";
const lines: Record<string, object> = {
  "text/csv": { type: "string", description: "UTF-8 with BOM, CRLF, a header row; formulas are neutralised." },
  [workbookType]: { type: "string", format: "binary", description: "A workbook with one sheet." },
  "application/x-ndjson": { type: "string", description: "A JSON object a line." },
  [geojson]: {
    type: "object",
    description: "A FeatureCollection (RFC 7946). Features without a position have no geometry.",
  },
};
/** Schemas of answers that are neither JSON, nor a file, nor lines. */
const others: Record<string, object> = { [fhirType]: { type: "object", description: "A resource of FHIR R4." } };

/** The description of one call. */
export const describeCall: SwaggerTransform = (call) => {
  const { form, failures, conditional, example, ...rest } = (call.schema ?? {}) as FastifySchema;
  const { schema, url } = jsonSchemaTransform({ ...call, schema: rest } as Parameters<typeof jsonSchemaTransform>[0]);
  if (!isSchema(schema)) return { schema, url };
  const produces = (schema as { produces?: string[] }).produces ?? [];
  return {
    url,
    schema: {
      ...schema,
      "x-more": {
        failures: failures ?? [],
        conditional: conditional ?? false,
        example,
        right: call.route.config?.needs,
      },
      ...(form ? { body: { content: { "multipart/form-data": { schema: z.toJSONSchema(form) } } } } : {}),
      ...(produces.length > 0 && !schema.response
        ? {
            response: {
              200: {
                description: "The file",
                content: Object.fromEntries(
                  produces.map((type) => [type, { schema: lines[type] ?? others[type] ?? file }]),
                ),
              },
            },
          }
        : {}),
    },
  };
};

type Parameter = { name: string; in: string; schema: Json; example?: unknown };
type Operation = {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<
    string,
    { description?: string; headers?: object; content?: Record<string, unknown>; $ref?: string }
  >;
  description?: string;
  "x-more"?: { failures: readonly number[]; conditional: boolean; example?: object; right?: Capability };
  "x-codeSamples"?: object[];
};

/** The privileges that give a right, any one of them. */
const givers = (right: Capability): string =>
  privilegeNames
    .filter((name) => may({ ...noPrivileges, [name]: true }, right))
    .toReversed()
    .join(" or ");

/** Adds to a call what its method, its parameters and its answers imply. */
function complete(method: string, path: string, operation: Operation, isOpen: boolean): void {
  const { "x-more": extra = { failures: [], conditional: false }, responses, requestBody, summary } = operation;
  delete operation["x-more"];
  if (isOpen) operation.security ??= [];
  operation.description ??= isOpen
    ? "Needs no session."
    : extra.right
      ? `Needs ${givers(extra.right)}.`
      : "For everybody who is signed in, as far as their rights reach.";
  const isReading = method === "get";
  const types = Object.keys(responses["200"]?.content ?? {});
  const isFile = types.includes("application/octet-stream");
  const isExport = types.length > 0 && types.every((type) => type in lines) && !path.endsWith("}.csv");
  const isTagged = isReading && types.length > 0 && (!isExport || types.includes(geojson));
  const own = (operation.parameters ?? []) as Parameter[];
  const isPaged = own.some(({ name }) => name === "limit");
  for (const parameter of own) {
    parameter.schema = withoutNull(parameter.schema);
    const example = exampleOf(parameter.name, parameter.schema);
    if (example !== undefined) parameter.example = example;
  }
  operation.parameters = [
    ...own,
    ...(isTagged ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
    ...(isFile ? [{ $ref: "#/components/parameters/Range" }] : []),
    ...(extra.conditional ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
  ];
  // If there are other types besides JSON, the schema of the answer is only for JSON.
  const content = responses["200"]?.content ?? {};
  for (const type of types) if (type in lines) content[type] = { schema: lines[type] };
  for (const [status, answer] of Object.entries(responses)) {
    if (answer.description === "Default Response") answer.description = status === "202" ? "Not yet" : summary;
    answer.headers = {
      ...headersOf({ isTagged, isPaged, isFile, isExport }),
      ...(status === "201" ? { Location: { $ref: "#/components/headers/Location" } } : {}),
    };
  }
  if (isTagged) responses["304"] = { $ref: "#/components/responses/NotModified" };
  if (isFile) responses["206"] = { $ref: "#/components/responses/PartOfFile" };
  const json = requestBody?.content["application/json"];
  if (json && extra.example) json.example = extra.example;
  Object.assign(
    responses,
    failuresOf({
      method,
      path,
      isOpen,
      hasBody: Boolean(requestBody),
      isFile,
      isConditional: extra.conditional,
      more: extra.failures,
    }),
  );
  if (types.includes(fhirType)) asOutcomes(responses);
  const by = operation.security?.length === 0 ? "nothing" : operation.security ? "session" : "token";
  const examples = Object.fromEntries(own.map(({ name, example }) => [name, example]));
  operation["x-codeSamples"] = [
    sampleOf({ method, path, operationId: operation.operationId, by, examples, body: extra.example }),
  ];
}

/** How a caller signs in. */
export const securitySchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "session",
    description: "Set by POST /api/v1/auth; behind TLS its name is `__Host-session`.",
  },
  token: { type: "http", scheme: "bearer", description: "A personal access token, made on the profile." },
  basic: {
    type: "http",
    scheme: "basic",
    description: "To read, for tools that send nothing else: a user name, and an access token as the password.",
  },
} as const;

/** Completes the whole description. `isOpen`: whether a path needs no session. */
export const describeAll =
  (isOpen: (path: string) => boolean): SwaggerTransformObject =>
  (document) => {
    if (!("openapiObject" in document)) return document.swaggerObject;
    const openapiObject = jsonSchemaTransformObject(document) as typeof document.openapiObject;
    // The cast: only our own kinds of operations occur, which are fewer than OpenAPI allows.
    const paths = structuredClone(openapiObject.paths ?? {}) as Record<string, Record<string, Operation>>;
    const { schemas: found = {} } = openapiObject.components ?? {};
    const schemas: Record<string, unknown> = { ...found, Problem: problemSchema, OperationOutcome: outcomeSchema };
    for (const [path, operations] of Object.entries(paths))
      for (const [method, operation] of Object.entries(operations)) {
        nameInline(operation.operationId, operation, schemas);
        complete(method, path, operation, isOpen(path));
        if (method === "get" && !operation.security && !path.startsWith("/api/v1/auth"))
          operation.security = [{ token: [] }, { basic: [] }, { session: [] }];
      }
    const responses = { ...failureResponses, NotModified: notModified, PartOfFile: partOfFile };
    const kept = usedSchemas({ paths, responses }, schemas);
    return {
      ...openapiObject,
      tags,
      paths: tidied(paths, false),
      components: {
        schemas: Object.fromEntries(
          Object.entries(kept).map(([name, schema]) => [name, tidied(schema, !/(Input|Form)$/.test(name))]),
        ),
        responses,
        headers,
        parameters,
        securitySchemes,
      },
      // An import into Postman takes the first, and makes a header of a cookie.
      security: [{ token: [] }, { session: [] }],
      // The cast: the type of a schema here is wider than that of the document.
    } as typeof openapiObject;
  };
