import { rename, rm, writeFile } from "node:fs/promises";
import { request as openRequest } from "node:http";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { openLog } from "../../gateway/http/log.ts";
import { stranger, testGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf } from "../support/tdbx.ts";

/** What operators see: the log, the metrics and the readiness. */

const lines: string[] = [];
type Entry = Record<string, unknown> & { requestId?: string; err?: { message: string } };
const entries = (): Entry[] => lines.map((line) => JSON.parse(line) as Entry);
/** The log entry of a request. It is written after the answer was sent. */
async function entryOf(requestId: string): Promise<Entry> {
  const find = () => entries().find((entry) => entry.requestId === requestId && entry["status"] !== undefined);
  await expect.poll(find).toBeTruthy();
  return find()!;
}
const toLines = { write: (line: string) => void lines.push(line) };

const gateway = await gatewayOfFile("demo", { log: openLog({ level: "info", format: "json", to: toLines }) });

test("each request has an id, a new one or the caller's, in the answer and in one line of the log", async () => {
  const plain = await gateway.as("plain");
  const { headers } = await plain.get("/api/v1/facility?limit=2&text=Chipembi", { "x-request-id": "from-the-proxy.1" });
  expect(headers.get("x-request-id")).toBe("from-the-proxy.1");
  const entry = await entryOf("from-the-proxy.1");
  expect(entry).toMatchObject({
    level: "info",
    method: "GET",
    route: "/api/v1/facility",
    path: "/api/v1/facility",
    user: expect.stringMatching(/-/),
  });
  expect(entry["ms"]).toBeGreaterThan(0);
  expect(entries().filter(({ requestId }) => requestId === "from-the-proxy.1")).toHaveLength(1);

  for (const bad of ["two words", "x".repeat(65), "<b>"]) {
    const answer = await plain.get("/api/v1/nothing", { "x-request-id": bad });
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([
      404,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  }
  const resumable = await plain.call("POST", "/api/v1/tdb/resumable", undefined, { "x-request-id": "refused" });
  expect([resumable.status, resumable.headers.get("x-request-id")]).toEqual([403, "refused"]);
});

test("slow statements are logged with their request and without their values; others are not logged", async () => {
  const logged: string[] = [];
  const openWith = (slowStatementMs: number) =>
    testGateway("demo", {
      slowStatementMs,
      log: openLog({ level: "warn", format: "json", to: { write: (line) => void logged.push(line) } }),
    });
  const slowOf = (requestId: string) =>
    logged.map((line) => JSON.parse(line) as Entry).filter((entry) => entry.requestId === requestId);
  const all = await openWith(0);
  try {
    const admin = await all.as("admin");
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await admin.get("/api/v1/facility/search/args/Chipembi", { "x-request-id": "by-rest", traceparent });
    const query = 'query Look { facilities(first: 1, search: "Chipembi") { totalCount } }';
    await admin.call(
      "POST",
      "/graphql",
      { query, operationName: "Look" },
      { "x-request-id": "by-graphql", "content-type": "application/json" },
    );
    expect(slowOf("by-rest").at(-1)).toMatchObject({
      level: "warn",
      msg: "a slow statement",
      route: "/api/v1/facility/search/args/:text",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      ms: expect.any(Number),
    });
    for (const requestId of ["by-rest", "by-graphql"])
      expect([requestId, ...slowOf(requestId).map(({ statement }) => String(statement))].join("\n")).toMatch(
        /from "?facility/,
      );
    expect(slowOf("by-graphql").at(-1)).toMatchObject({ operation: "Look" });
    expect(logged.join("")).not.toContain("Chipembi");
  } finally {
    await all.stop();
  }
  logged.length = 0;
  const none = await openWith(3_600_000);
  try {
    await (await none.as("admin")).get("/api/v1/facility?limit=2", { "x-request-id": "quick" });
    expect(logged).toEqual([]);
  } finally {
    await none.stop();
  }
});

test("secrets and search texts are not logged", async () => {
  const admin = await gateway.as("admin");
  await stranger(gateway.url).call("POST", "/api/v1/auth", { login: "Mulenga.Bwalya", password: "a-secret-guess" });
  await admin.get("/api/v1/facility/search/args/Mulenga%20Bwalya", { "x-request-id": "search" });
  await admin.graphql('query Look { users(first: 5, text: "Mulenga") { totalCount } }');
  await admin.get("/api/v1/privilege?name=Mulenga", {
    authorization: "Bearer sct_0123456789012345678901234567890123456789",
  });
  expect((await entryOf("search"))["path"]).toBe("/api/v1/facility/search/args/:text");
  const text = lines.join("");
  for (const secret of ["demo-password", "a-secret-guess", "Mulenga", "sct_0123", cookiesOf(admin).split("=")[1]!])
    expect(text).not.toContain(secret);
});

test("an internal error has its request's id in the answer and in the log, and PostgreSQL's details in neither", async () => {
  const broken = await testGateway("empty", { log: openLog({ level: "error", format: "json", to: toLines }) });
  await sql`alter table setting rename to elsewhere`.execute(broken.db);
  const { status, body } = await stranger(broken.url).get("/api/v1/system", { "x-request-id": "fault-1" });
  expect(status).toBe(500);
  expect(body).toMatchObject({
    instance: "urn:request:fault-1",
    detail: "Something went wrong on the server. It has been logged.",
  });
  const fault = entries().find(({ requestId, err }) => requestId === "fault-1" && err)!;
  expect(fault.err).toMatchObject({ message: expect.stringContaining("setting"), code: "42P01" });

  const graphql = await stranger(broken.url).call(
    "POST",
    "/graphql",
    { query: "{ system { demonstration } }" },
    { "x-request-id": "fault-2" },
  );
  expect([graphql.status, graphql.body]).toMatchObject([
    500,
    { errors: [{ extensions: { code: "INTERNAL", instance: "urn:request:fault-2" } }] },
  ]);
  expect(
    entries().filter(({ requestId, err, msg }) => requestId === "fault-2" && err && msg === "a fault"),
  ).toMatchObject([{ err: { code: "42P01" } }]);
  await broken.stop();

  const logged: string[] = [];
  const log = openLog({ level: "info", format: "json", to: { write: (line) => void logged.push(line) } });
  const fromPostgres = Object.assign(new Error("duplicate key"), {
    code: "23505",
    detail: "Key (primary_email)=(ruth@example.org)",
  });
  log.error(
    { err: new Error("outer", { cause: fromPostgres }), password: "open sesame", headers: { cookie: "session=abc" } },
    "a fault",
  );
  expect(logged[0]).toContain("23505");
  for (const secret of ["ruth@", "sesame", "session=abc"]) expect(logged[0]).not.toContain(secret);
});

test("the text format of the log has readable lines for a terminal", () => {
  const logged: string[] = [];
  const log = openLog({ level: "info", format: "text", to: { write: (line) => void logged.push(line) } });
  log.info({ requestId: "1", method: "GET", path: "/api/v1/facility", status: 200, ms: 3.2 }, "answered");
  log.error({ err: new Error("no room") }, "The sweep of files failed");
  expect(logged[0]).toMatch(/^\d\d:\d\d:\d\d info {2}GET \/api\/v1\/facility 200 3\.2 ms\n$/);
  expect(logged[1]).toMatch(/^\d\d:\d\d:\d\d error The sweep of files failed\nError: no room\n {4}at /);
});

const figures = async (url = gateway.url): Promise<string> => (await stranger(url).get("/metrics")).text;
const figure = (text: string, name: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1] ?? Number.NaN,
  );

test("metrics for Prometheus: requests, failed sign-ins, uploads under way and their bytes as they arrive, the connection pool, the event loop", async () => {
  await stranger(gateway.url).call("POST", "/api/v1/auth", { login: "nobody", password: "wrong-one" });
  const text = await figures();
  expect(figure(text, 'platform_http_requests_total{method="POST",route="/api/v1/auth",status="401"}')).toBeGreaterThan(
    0,
  );
  expect(
    figure(text, 'platform_http_request_duration_seconds_count{method="POST",route="/api/v1/auth"}'),
  ).toBeGreaterThan(0);
  expect(figure(text, 'platform_audit_events_total{action="session.sign-in",outcome="failed"}')).toBeGreaterThan(0);
  expect(figure(text, "platform_database_connections_most")).toBe(10);
  expect(figure(text, "platform_database_waiting")).toBe(0);
  // The first statements waited while their connections were opened.
  expect(figure(text, "platform_database_waited_seconds_total")).toBeGreaterThan(0);
  expect(figure(text, "platform_uploads_under_way")).toBe(0);
  // No backup was made: the alert BackupOld asks whether its age is absent.
  expect(text).not.toMatch(/^platform_backup_(age|checked_age|proved_age)_seconds /m);
  for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes", "process_cpu_seconds_total"])
    expect(text).toContain(`\n${name} `);

  const uploader = await gateway.as("uploader");
  const boundary = "edge";
  const upload = openRequest(`${gateway.url}/api/v1/tdb`, {
    method: "POST",
    headers: { cookie: cookiesOf(uploader), "content-type": `multipart/form-data; boundary=${boundary}` },
  });
  upload.on("error", () => {});
  upload.write(
    `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a.tdbx"\r\n\r\n${"x".repeat(500_000)}`,
  );
  await expect.poll(async () => figure(await figures(), "platform_uploads_under_way")).toBe(1);
  await expect.poll(async () => figure(await figures(), "platform_received_bytes_total")).toBeGreaterThan(500_000);
  upload.destroy();
  await expect.poll(async () => figure(await figures(), "platform_uploads_under_way")).toBe(0);
  await expect
    .poll(async () =>
      figure(await figures(), 'platform_http_requests_total{method="POST",route="/api/v1/tdb",status="499"}'),
    )
    .toBe(1);
});

test("metrics are only for callers on this machine, or with the token", async () => {
  const someone = stranger(gateway.url);
  expect((await someone.get("/metrics")).headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const name of ["x-forwarded-for", "via"])
    expect((await someone.get("/metrics", { [name]: "10.0.0.1" })).status).toBe(404);
  const asOther = await new Promise<number | undefined>((resolve) => {
    openRequest(`${gateway.url}/metrics`, { headers: { host: "platform.example" } }, (answer) =>
      resolve(answer.resume().statusCode),
    ).end();
  });
  expect(asOther).toBe(404);

  const guarded = await testGateway("empty", { metricsToken: "a-token-of-prometheus" });
  const there = stranger(guarded.url);
  expect((await there.get("/metrics")).status).toBe(401);
  expect((await there.get("/metrics", { authorization: "Bearer a-token-of-prometheuS" })).status).toBe(401);
  expect(
    (await there.get("/metrics", { authorization: "Bearer a-token-of-prometheus", "x-forwarded-for": "10.0.0.1" }))
      .status,
  ).toBe(200);
  await guarded.stop();
});

test("a gateway is ready, but not while files cannot be stored or a migration is pending", async () => {
  const someone = stranger(gateway.url);
  const readiness = async () => {
    const { status, body } = await someone.get("/readyz");
    return { code: status, ...(body as object) };
  };
  const ready = {
    code: 200,
    status: "ready",
    room: "ok",
    draining: false,
    database: "ok",
    migrations: "ok",
    storage: "ok",
  };
  await expect.poll(readiness).toEqual(ready);

  const folder = join(gateway.dataDir, "files");
  await rename(folder, `${folder}-away`);
  await writeFile(folder, "");
  await expect
    .poll(readiness)
    .toEqual({ ...ready, code: 503, status: "not ready", storage: "failed", reasons: { storage: "ENOTDIR" } });
  await rm(folder);
  await rename(`${folder}-away`, folder);

  const last = await gateway.sql<{ name: string; timestamp: string }>`
    delete from kysely_migration where name = (select max(name) from kysely_migration) returning name, timestamp`;
  await expect.poll(readiness).toEqual({
    ...ready,
    code: 503,
    status: "not ready",
    migrations: "failed",
    reasons: { migrations: "1 of them wait to be run" },
  });
  await gateway.sql`insert into kysely_migration (name, timestamp) values (${last[0]!.name}, ${last[0]!.timestamp})`;
  await expect.poll(readiness).toEqual(ready);
  expect((await someone.get("/healthz")).text).toBe('{"status":"ok"}');
});
