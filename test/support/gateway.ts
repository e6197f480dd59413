import { link, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { sql } from "kysely";
import { inject } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import { openLog } from "../../gateway/http/log.ts";
import { createServer, type ServerOptions } from "../../gateway/http/server.ts";
import { usualKeptBytes } from "../../gateway/reading/kept.ts";
import { testDatabase, type TestDatabase } from "./database.ts";

export type Answer = { status: number; headers: Headers; body: unknown; text: string };
type FieldError = { path: string; message: string };

/** The body of an answer. A test that reads rows of it gives their type; a body that is only compared needs none. */
// oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unnecessary-type-parameters -- only the test knows the shape of the answer that it reads
export const bodyOf = <Body = any>({ body }: Pick<Answer, "body">): Body => body as Body;

/** The fields that a refusal reports as wrong. */
export const errorsOf = (answer: Pick<Answer, "body">) => bodyOf<{ errors: FieldError[] }>(answer).errors;

/** A list of GraphQL, without the fields that a test does not read. */
export type Nodes<Node> = { nodes: Node[] };
/** An error of GraphQL. If `errors` is present, it is not empty. */
export type GraphqlError = {
  message: string;
  path: (string | number)[];
  extensions: { code: string; errors?: [FieldError, ...FieldError[]] };
};
/** `Data` is the part of the data that the caller reads. If there are errors it may be null, so check those first. */
export type GraphqlAnswer<Data> = { data: Data; errors?: [GraphqlError, ...GraphqlError[]]; status: number };

/** A caller of the gateway: each call carries the person's cookies. */
export type Person = {
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as in `bodyOf`
  graphql: <Data = any>(query: string, variables?: object) => Promise<GraphqlAnswer<Data>>;
  cookies: Map<string, string>;
};

async function graphqlBy<Data>(call: Person["call"], query: string, variables?: object): Promise<GraphqlAnswer<Data>> {
  const answer = await call("POST", "/graphql", { query, variables });
  return { ...(answer.body as Omit<GraphqlAnswer<Data>, "status">), status: answer.status };
}

/** A person without cookies yet, at this address, or at the one that the function chooses for each call. */
export function stranger(at: string | (() => string)): Person {
  const cookies = new Map<string, string>();
  const call: Person["call"] = async (method, path, body, headers = {}) => {
    const url = typeof at === "string" ? at : at();
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (!name) continue;
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  };
  return {
    cookies,
    call,
    get: (path, headers) => call("GET", path, undefined, headers),
    graphql: <Data>(query: string, variables?: object) => graphqlBy<Data>(call, query, variables),
  };
}

/** A caller with a token instead of cookies. */
export function bearerAt(url: string, secret: string): Person {
  const person = stranger(url);
  const call: Person["call"] = (method, path, body, headers) =>
    person.call(method, path, body, { authorization: `Bearer ${secret}`, ...headers });
  return {
    ...person,
    call,
    get: (path, headers) => call("GET", path, undefined, headers),
    graphql: <Data>(query: string, variables?: object) => graphqlBy<Data>(call, query, variables),
  };
}

export type TestGateway = {
  url: string;
  db: Database;
  /** The rows that a statement of the test's own returns. */
  sql: <Row>(parts: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>;
  database: TestDatabase;
  /** the folder with this gateway's files */
  dataDir: string;
  /** the demonstration person with this login, signed in once */
  as: (login: string) => Promise<Person>;
  stop: () => Promise<void>;
};

/** A log that prints only the lines that are not expected. */
export const printed = (expected: RegExp[]) => ({
  write: (line: string) => {
    if (!expected.some((pattern) => pattern.test(line))) console.error(line);
  },
});

/** Links the demonstration's files into another folder, so that each gateway has its own. */
async function copyFiles(from: string, to: string): Promise<void> {
  for (const folder of ["files/tdb", "files/download"]) {
    await mkdir(join(to, folder), { recursive: true });
    for (const name of await readdir(join(from, folder))) await link(join(from, folder, name), join(to, folder, name));
  }
}

/**
 * The real gateway on its own port, with a copy of the demonstration country (or an empty database). It prints each
 * warning and error that it logs, except those that the test expects.
 */
export async function testGateway(
  from: "empty" | "demo" = "demo",
  options: Partial<ServerOptions> = {},
  expectedLines: RegExp[] = [],
): Promise<TestGateway> {
  const database = await testDatabase(from);
  const dataDir = await mkdtemp(join(tmpdir(), "platform-files-"));
  if (from === "demo") await copyFiles(inject("demoFiles"), dataDir);
  const server = await createServer({
    db: database.db,
    dataDir,
    timeZone: "Africa/Lusaka",
    log: openLog({ level: "warn", format: "json", to: printed(expectedLines) }),
    clientDir: fileURLToPath(new URL("../../dist/client", import.meta.url)),
    // The product's setting for kept answers applies to the tests too.
    keptAnswerBytes: process.env["KEPT_ANSWERS_MB"] === "0" ? 0 : usualKeptBytes,
    ...options,
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const people = new Map<string, Promise<Person>>();
  const signIn = async (login: string): Promise<Person> => {
    const person = stranger(url);
    const answer = await person.call("POST", "/api/v1/auth", { login, password: "demo-password" });
    if (answer.status !== 200) throw new Error(`${login} could not sign in: ${answer.status} ${answer.text}`);
    return person;
  };
  return {
    url,
    db: database.db,
    sql: async <Row>(...statement: [TemplateStringsArray, ...unknown[]]) =>
      (await sql<Row>(...statement).execute(database.db)).rows,
    database,
    dataDir,
    as: (login) => {
      if (!people.has(login)) people.set(login, signIn(login));
      return people.get(login)!;
    },
    stop: async () => {
      await server.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
