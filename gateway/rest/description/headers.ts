/** Headers in the description: those of answers, and those that a caller may send. */

const text = { type: "string" };

export const headers: Record<string, { description: string; schema: object; example?: unknown }> = {
  ETag: {
    description:
      "The state that was answered: send it as If-None-Match to save reading it again, or as If-Match with a change.",
    schema: text,
    example: 'W/"2jmj7l5rSw0yVb/vlWAYkK/YBwk="',
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"`; missing on the last page and for a whole list.',
    schema: text,
    example: '</api/v1/facility?limit=100&cursor=WyJ4Il0>; rel="next"',
  },
  Location: {
    description: "The address of what was begun.",
    schema: { type: "string", format: "uri-reference" },
    example: "/api/v1/tdb/resumable/0192f0c4-7d3e-7a51-9c0b-3f7c2a1e5d84",
  },
  "Content-Disposition": {
    description: "The name to save the file under.",
    schema: text,
    example: 'attachment; filename="facilities.csv"',
  },
  "Content-Range": { description: "Which bytes of how many these are.", schema: text, example: "bytes 0-1023/4096" },
  "Accept-Ranges": { description: "Parts can be asked for by Range.", schema: { const: "bytes" } },
  "Repr-Digest": {
    description: "SHA-256 of the whole file (RFC 9530).",
    schema: text,
    example: "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    schema: { type: "integer", minimum: 1 },
    example: 5,
  },
  RateLimit: {
    description: "To a token: how many calls are left, and for how many seconds.",
    schema: text,
    example: '"token";r=1187;t=42',
  },
  "RateLimit-Policy": {
    description: "To a token: how many calls it may make in how many seconds.",
    schema: text,
    example: '"token";q=1200;w=60',
  },
  "WWW-Authenticate": { description: "How to sign in.", schema: text, example: "Bearer" },
  "X-Request-Id": {
    description: "Under this id the request is in the log.",
    schema: text,
    example: "0192f0c4-7d3e-7a51-9c0b-3f7c2a1e5d84",
  },
};

export const parameters = {
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of what you have: 304 where it is still so.",
    schema: text,
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "The ETag of what you have read: 412 where it was changed since.",
    schema: text,
  },
  Range: { name: "Range", in: "header", description: "Some bytes of the file.", schema: text, example: "bytes=0-1023" },
};

const references = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const limits = ["RateLimit", "RateLimit-Policy"];

/** The headers of an answer that succeeds. */
export const headersOf = ({
  isTagged,
  isPaged,
  isFile,
  isExport,
}: Record<"isTagged" | "isPaged" | "isFile" | "isExport", boolean>) =>
  references([
    ...(isTagged ? ["ETag"] : []),
    ...(isPaged ? ["Link"] : []),
    ...(isFile ? ["Accept-Ranges", "Repr-Digest"] : []),
    ...(isFile || isExport ? ["Content-Disposition"] : []),
    ...limits,
  ]);

/** The answer 304, if the caller has the answer already. */
export const notModified = {
  description: "Unchanged since the state that If-None-Match names.",
  headers: references(["ETag", ...limits]),
};
/** The answer 206, to a request with Range. */
export const partOfFile = {
  description: "The bytes that Range asks for.",
  headers: references(["Content-Range", "ETag", "Repr-Digest", ...limits]),
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
};
