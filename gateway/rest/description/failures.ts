import { z } from "zod";

import { codesOfStatus, type ProblemCode, titleOf } from "../../problem.ts";

/** Failures in the description: each status that a call can return, with the problems that have it. */

const Problem = z
  .object({
    type: z.string().describe("What kind of failure: urn:problem: and its name."),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("A sentence for a person."),
    instance: z.string().optional().describe("With 500 and above: under this id it is in the log."),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe("What is wrong with the input, and where: dots between keys."),
    present: z.unknown().optional().describe("With 409: the present state."),
    files: z.array(z.unknown()).optional().describe("Of an upload: what became of each file."),
  })
  .describe("A failure (RFC 9457).");
export const problemSchema = z.toJSONSchema(Problem, { io: "input" });

/** For each status: the name of its component, when it is returned, and an example. */
const statuses: Record<number, { name: string; about: string; code: ProblemCode; detail: string; headers?: string[] }> =
  {
    400: {
      name: "Malformed",
      about: "The request cannot be read.",
      code: "MALFORMED",
      detail: "The body is not the JSON that its headers announce.",
    },
    401: {
      name: "NotSignedIn",
      about: "There is no session or token, or it has ended.",
      code: "UNAUTHENTICATED",
      detail: "Please sign in.",
      headers: ["WWW-Authenticate"],
    },
    403: { name: "NoRight", about: "Who asks may not do this.", code: "FORBIDDEN", detail: "You may not do this." },
    404: {
      name: "NotFound",
      about: "There is no such thing, or who asks may not know of it.",
      code: "NOT_FOUND",
      detail: "There is no such facility.",
    },
    406: {
      name: "NoSuchFormat",
      about: "The Accept header names only formats that there are not.",
      code: "NOT_ACCEPTABLE",
      detail: "The only format is application/fhir+json.",
    },
    408: {
      name: "Timeout",
      about: "The body did not arrive in time.",
      code: "TIMEOUT",
      detail: "The body has not arrived within 60 seconds.",
    },
    409: {
      name: "Conflict",
      about: "The present state does not allow it. `present` has that state, where the caller may see it.",
      code: "CONFLICT",
      detail: "Somebody else has changed this user meanwhile.",
    },
    410: {
      name: "Gone",
      about:
        "The cursor is from another database, or from before a backup was restored: begin again. Or the content of the file was removed by the rules of retention.",
      code: "GONE",
      detail: "This cursor is from another database.",
    },
    412: {
      name: "Changed",
      about: "If-Match names another state than the present one: nothing was changed.",
      code: "STALE",
      detail: "It was changed since you read it.",
    },
    413: {
      name: "TooLarge",
      about: "The body is larger than this call takes.",
      code: "TOO_LARGE",
      detail: "The body is larger than this call takes: at most 1,048,576 bytes.",
    },
    415: {
      name: "WrongMediaType",
      about: "The body is of another media type than this call takes.",
      code: "UNSUPPORTED",
      detail: "The body must be sent as application/json.",
    },
    416: {
      name: "NoSuchRange",
      about: "The file has none of the bytes that the Range header asks for.",
      code: "NO_SUCH_RANGE",
      detail: "The file has 1024 bytes: the Range header asks for none of them.",
      headers: ["Content-Range"],
    },
    422: {
      name: "Rejected",
      about: "A value is not accepted; `errors` names each by its path.",
      code: "INVALID",
      detail: "limit: must be 1 to 1000",
    },
    424: {
      name: "Locked",
      about: "The account is locked or deactivated.",
      code: "LOCKED",
      detail: "Invalid Username or Password Entered",
    },
    429: {
      name: "TooMany",
      about: "Too many requests: wait as long as Retry-After says.",
      code: "TOO_MANY",
      detail: "This access token may call 1200 times in 60 seconds. Wait 12 seconds.",
      headers: ["Retry-After"],
    },
    500: {
      name: "Fault",
      about: "A fault of the server, in its log under `instance`.",
      code: "INTERNAL",
      detail: "Something went wrong on the server. It has been logged.",
    },
    503: {
      name: "Away",
      about:
        "The database or the storage is away, or others were changing the same records: nothing was done, try again.",
      code: "UNAVAILABLE",
      detail: "The database is away. Please try again in a moment.",
      headers: ["Retry-After"],
    },
    504: {
      name: "TooSlow",
      about: "The query takes longer than its time limit: narrow it.",
      code: "TOO_SLOW",
      detail: "This takes longer than the time limit for one query.",
    },
    507: {
      name: "NoRoom",
      about: "The server has no room left; nothing was stored.",
      code: "STORAGE_FULL",
      detail: "The database has no room left.",
    },
  };

const typeOf = (code: ProblemCode): string => `urn:problem:${code.toLowerCase().replaceAll("_", "-")}`;

/** The components of all failures. */
export const failureResponses = Object.fromEntries(
  Object.entries(statuses).map(([status, { name, about, code, detail, headers = [] }]) => {
    const kinds = codesOfStatus(Number(status)).map((kind) => typeOf(kind));
    return [
      name,
      {
        description: `${about} Type: ${kinds.join(", ")}.`,
        headers: Object.fromEntries(
          ["X-Request-Id", ...headers].map((header) => [header, { $ref: `#/components/headers/${header}` }]),
        ),
        content: {
          "application/problem+json": {
            schema: {
              allOf: [
                { $ref: "#/components/schemas/Problem" },
                { type: "object", properties: { type: { enum: kinds }, status: { const: Number(status) } } },
              ],
            },
            example: {
              type: typeOf(code),
              title: titleOf(code),
              status: Number(status),
              detail,
              ...(status === "422" ? { errors: [{ path: "limit", message: "must be 1 to 1000" }] } : {}),
            },
          },
        },
      },
    ];
  }),
);

/** The properties of a call that decide which failures it can have. */
type Call = {
  method: string;
  path: string;
  isOpen: boolean;
  hasBody: boolean;
  isFile: boolean;
  isConditional: boolean;
  more: readonly number[];
};

/** The failures of a call, by status. */
export function failuresOf({
  method,
  path,
  isOpen,
  hasBody,
  isFile,
  isConditional,
  more,
}: Call): Record<string, { $ref: string }> {
  const isReading = method === "get";
  const numbers = new Set([
    ...[422, 429, 500, 503, ...more],
    ...(isOpen ? [] : [401, 403]),
    ...(/\{\w*(uuid|id)\}/i.test(path) ? [404] : []),
    ...(hasBody ? [400, 408, 413, 415] : []),
    ...(isReading ? [504] : [403, 507]),
    ...(isFile ? [416] : []),
    ...(isConditional ? [412] : []),
  ]);
  return Object.fromEntries(
    [...numbers]
      .toSorted((one, other) => one - other)
      .map((status) => [String(status), { $ref: `#/components/responses/${statuses[status]!.name}` }]),
  );
}

/** FHIR has its own media type and form of failures. */
export const fhirType = "application/fhir+json";
const Issue = z.object({
  severity: z.enum(["fatal", "error"]),
  code: z.string(),
  diagnostics: z.string().describe("A sentence for a person."),
  expression: z.array(z.string()).optional().describe("The parameter."),
});
export const outcomeSchema = z.toJSONSchema(
  z
    .object({ resourceType: z.literal("OperationOutcome"), issue: z.array(Issue) })
    .describe("A failure in the form of FHIR."),
  { io: "input" },
);
/** Changes the failures of a call to OperationOutcomes. There, a wrong parameter has the status 400. */
export function asOutcomes(responses: Record<string, { $ref?: string }>): void {
  for (const [status, { $ref }] of Object.entries(responses)) {
    const known = failureResponses[$ref?.split("/").at(-1) ?? ""];
    if (known)
      responses[status] = {
        ...known,
        content: { [fhirType]: { schema: { $ref: "#/components/schemas/OperationOutcome" } } },
      } as object;
  }
}
