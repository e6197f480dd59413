import { connect } from "node:net";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openFiles } from "../../gateway/storage/files.ts";
import { sweepIncoming } from "../../gateway/storage/sweep.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, type Person, stranger, testGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf, formOf, sendForm, tdbxOf, tusOf } from "../support/tdbx.ts";

/** Statuses, headers and problem documents of refusals, and the headers of other answers. */

const gateway = await gatewayOfFile("demo", { trustProxy: 1 });
const admin = await gateway.as("admin");
const facility = await sampleFacility(gateway.db);

const problem = "application/problem+json; charset=utf-8";

/** Records that have an ETag: where each is read, and how it is changed. */
const subjects: [
  string,
  () => Promise<{
    read: string;
    change: (value: string, headers?: Record<string, string>) => ReturnType<Person["call"]>;
  }>,
][] = [
  [
    "an assessment",
    async () => {
      const { assessmentUuid } = bodyOf(await admin.call("POST", "/api/v1/assessment", visit(facility)));
      const read = `/api/v1/assessment/${assessmentUuid}`;
      return {
        read,
        change: async (closingComments, headers) =>
          admin.call(
            "PATCH",
            "/api/v1/assessment",
            { assessmentUuid, version: bodyOf(await admin.get(read)).version, closingComments },
            headers,
          ),
      };
    },
  ],
  [
    "a facility's settings",
    async () => {
      const path = `/api/v1/facility/settings/${facility.facilityUuid}`;
      const [first, second] = facility.serviceAreas;
      return {
        read: path,
        change: (value, headers) =>
          admin.call("PATCH", path, { serviceAreas: value === "one" ? [first] : [first, second] }, headers),
      };
    },
  ],
  [
    "a facility's connectivity",
    async () => {
      const { facilityUuid } = facility;
      const connectivity = (details: string) => ({
        facilityUuid,
        present: true,
        type: 1,
        details,
        mobileCoverage: false,
        mobileProvider: null,
      });
      return {
        read: `/api/v1/facilityConnectivity/${facilityUuid}`,
        change: (value, headers) => admin.call("PUT", "/api/v1/facilityConnectivity", connectivity(value), headers),
      };
    },
  ],
  [
    "a person",
    async () => {
      const { uuid } = bodyOf(await admin.get("/api/v1/user/me"));
      return {
        read: `/api/v1/user/${uuid}`,
        change: (bio, headers) => admin.call("PATCH", "/api/v1/user", { uuid, bio }, headers),
      };
    },
  ],
];
test.each(subjects)("If-Match with the current ETag changes %s, a former ETag gives 412", async (_, open) => {
  const { read, change } = await open();
  const tag = (await admin.get(read)).headers.get("etag")!;
  expect((await change("one", { "if-match": tag })).status).toBe(200);
  const present = await admin.get(read);
  const stale = await change("two", { "if-match": tag });
  expect([stale.status, stale.headers.get("content-type")]).toEqual([412, problem]);
  expect((await admin.get(read)).text).toBe(present.text);
  expect((await change("two", { "if-match": `"other", ${present.headers.get("etag")}` })).status).toBe(200);
  expect((await change("one", { "if-match": "*" })).status).toBe(200);
});

test("a file is withdrawn with the current ETag, another ETag gives 412", async () => {
  const [{ uuid }] = bodyOf(await admin.get("/api/v1/download"));
  const tag = (await admin.get(`/api/v1/download/${uuid}`)).headers.get("etag")!;
  expect((await admin.call("DELETE", `/api/v1/download/${uuid}`, undefined, { "if-match": '"other"' })).status).toBe(
    412,
  );
  expect((await admin.call("DELETE", `/api/v1/download/${uuid}`, undefined, { "if-match": tag })).status).toBe(200);
});

test.each([
  ["DELETE", "/api/v1/assessment/list/facility/x", "GET, HEAD"],
  ["PUT", "/api/v1/assessment", "PATCH, POST"],
  ["POST", "/api/v1/province", "GET, HEAD"],
  ["DELETE", "/api/v1/tdb", "POST"],
  ["PUT", "/graphql", "GET, HEAD, POST"],
  ["POST", "/healthz", "GET, HEAD"],
  ["PUT", "/", "GET, HEAD"],
])("%s %s gives 405, and Allow lists the accepted methods", async (method, path, allow) => {
  const answer = await admin.call(method, path);
  expect([answer.status, answer.headers.get("allow"), answer.headers.get("content-type")]).toEqual([
    405,
    allow,
    problem,
  ]);
});
test.each(["/api/v1/nothing", "/nothing", "/api/v1/assessment/a/b/c"])(
  "an unknown path (%s) gives 404 to POST and DELETE",
  async (path) => {
    for (const method of ["POST", "DELETE"]) expect((await admin.call(method, path)).status).toBe(404);
  },
);

test.each([
  ["401", () => stranger(gateway.url).get("/api/v1/province"), "/api/v1/province"],
  ["403", async () => (await gateway.as("plain")).get("/api/v1/audit"), "/api/v1/audit"],
  ["404", () => admin.get("/api/v1/facilityMetadata/nowhere"), "/api/v1/facilityMetadata/nowhere"],
])("a %s has no ETag and is sent again to a caller with If-None-Match", async (status, ask, path) => {
  const answer = await ask();
  expect([String(answer.status), answer.headers.get("etag")]).toEqual([status, null]);
  const person = status === "401" ? stranger(gateway.url) : status === "403" ? await gateway.as("plain") : admin;
  expect(String((await person.get(path, { "if-none-match": "*" })).status)).toBe(status);
});
test("a change with If-None-Match is not answered with 304", async () => {
  const path = `/api/v1/facility/settings/${facility.facilityUuid}`;
  const tag = (await admin.get(path)).headers.get("etag")!;
  expect((await admin.get(path, { "if-none-match": `"other", ${tag}` })).status).toBe(304);
  expect((await admin.call("PATCH", path, {}, { "if-none-match": tag })).status).toBe(200);
});

test.each([
  "/situation",
  "/facility/geojson",
  "/facility?format=geojson&limit=3",
  "/assessment/geojson/2020-01-01/2998-01-01",
  "/dhis2/organisationUnits",
  "/dhis2/organisationUnits?paging=false",
])("%s has an ETag and is not sent again to who has it", async (path) => {
  const first = await admin.get(`/api/v1${path}`);
  expect(first.status).toBe(200);
  const again = await admin.get(`/api/v1${path}`, { "if-none-match": first.headers.get("etag")! });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("a range beyond the file is refused with a problem (416) and the file's length", async () => {
  const [{ uuid, size }] = bodyOf(await admin.get("/api/v1/download"));
  const answer = await admin.get(`/api/v1/download/${uuid}`, { range: `bytes=${size}-` });
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-range")]).toEqual([
    416,
    problem,
    `bytes */${size}`,
  ]);
  expect([answer.headers.get("content-disposition"), bodyOf(answer).detail]).toEqual([
    null,
    `The file has ${size} bytes: the Range header asks for none of them.`,
  ]);
});

test("refusals of resumable uploads are problems too", async () => {
  const tus = tusOf(gateway.url, admin);
  const path = await tus.create(1000);
  const wrong = await tus.patch(path, 500, Buffer.alloc(10));
  expect([wrong.status, JSON.parse(wrong.text)]).toMatchObject([409, { status: 409, title: "Conflict" }]);
  const withoutVersion = await admin.call("PATCH", path, undefined, {
    "content-type": "application/offset+octet-stream",
  });
  expect([withoutVersion.status, withoutVersion.headers.get("content-type"), withoutVersion.body]).toMatchObject([
    412,
    problem,
    { detail: "The header Tus-Resumable: 1.0.0 is missing." },
  ]);
  const send = (method: string, at: string, headers: Record<string, string>) =>
    admin.call(method, at, undefined, { "tus-resumable": "1.0.0", ...headers });
  const part = { "content-type": "application/offset+octet-stream" };
  for (const [method, at, headers, status, detail] of [
    ["PATCH", path, { "content-type": "application/json", "upload-offset": "0" }, 415, /application\/offset\+octet/],
    ["PATCH", path, part, 400, /Upload-Offset is missing/],
    ["PATCH", path, { ...part, "upload-offset": "x" }, 400, /Upload-Offset must be/],
    ["POST", "/api/v1/tdb/resumable", {}, 400, /Upload-Length is missing/],
    [
      "POST",
      "/api/v1/tdb/resumable",
      { "upload-length": "10", "upload-metadata": "a,,b" },
      400,
      /Upload-Metadata must/,
    ],
    ["POST", "/api/v1/tdb/resumable", { "upload-length": "99999999999" }, 413, /larger than 32,212,254,720 bytes/],
  ] as const) {
    const answer = await send(method, at, headers);
    expect([answer.status, answer.headers.get("content-type")], String(detail)).toEqual([status, problem]);
    expect(bodyOf(answer)).toMatchObject({ status, detail: expect.stringMatching(detail) as string });
  }
});

/** The gateway's answer to bytes that no client would send. */
const answerTo = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = "";
    socket.on("data", (part: Buffer) => (received += part.toString()));
    socket.on("end", () => resolve(received));
    socket.on("error", reject);
  });
test.each([
  ["a request that is not HTTP", "hello there\r\n\r\n", 400],
  ["a header of 20,000 bytes", `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  [
    "a request with two Content-Length headers",
    "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    400,
  ],
  ["a request without Host", "GET /api/v1/province HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
])("%s is answered with a problem", async (_, text, status) => {
  const [head = "", body = ""] = (await answerTo(text)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head.toLowerCase()).toContain(`content-type: ${problem}`);
  expect(JSON.parse(body)).toMatchObject({ status, detail: expect.any(String) as string });
});

test("whoever waits before sending a body is told to go on, or, without a session, refused at once", async () => {
  const head = (cookie: string) =>
    `POST /api/v1/tdb HTTP/1.1\r\nHost: x\r\n${cookie}Expect: 100-continue\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n`;
  expect(await answerTo(head(""))).toMatch(/^HTTP\/1.1 401 /);
  const told = await answerTo(`${head(`Cookie: ${cookiesOf(admin)}\r\n`)}hello`);
  expect(told).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
});

test("NDJSON is compressed for callers that accept it", async () => {
  const path = "/api/v1/assessment/ndjson/2020-01-01/2998-01-01";
  const plain = await admin.get(path, { "accept-encoding": "identity" });
  const packed = await admin.get(path, { "accept-encoding": "gzip" });
  expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([null, "gzip"]);
  expect(packed.text).toBe(plain.text);
});

test("answers with personal data are not cached by browsers, answers for everybody may be", async () => {
  const cacheOf = async (path: string) => (await admin.get(path)).headers.get("cache-control");
  for (const path of [
    "/user/me",
    "/audit",
    "/token",
    "/privilege",
    `/assessment/list/facility/${facility.facilityUuid}`,
    "/tdb/meta/list/all/2026-01-01/2026-12-31",
    "/changes",
  ])
    expect([path, await cacheOf(`/api/v1${path}`)]).toEqual([path, "no-store"]);
  for (const path of ["/province", "/facility", "/dash/summarySheet", "/download"])
    expect([path, await cacheOf(`/api/v1${path}`)]).toEqual([path, "private, no-cache"]);
  const { uuid } = bodyOf(
    await sendForm(
      gateway.url,
      "/api/v1/tdb",
      admin,
      formOf([{ name: "a.tdbx", content: tdbxOf(facility.facilityUuid) }]),
    ),
  )[0];
  expect(await cacheOf(`/api/v1/tdb/file/${uuid}`)).toBe("no-store");
});

test("behind TLS the session cookie has the __Host- prefix; one without it is not read there", async () => {
  const tls = { "x-forwarded-proto": "https" };
  const person = stranger(gateway.url);
  const answer = await person.call("POST", "/api/v1/auth", { login: "viewer", password: "demo-password" }, tls);
  expect(answer.headers.getSetCookie().filter((line) => !/Max-Age=0/.test(line))).toEqual([
    expect.stringMatching(/^__Secure-device=[^;]+; Max-Age=\d+; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect((await person.get("/api/v1/auth", tls)).status).toBe(200);
  // By plain HTTP the cookie is not accepted: a browser would not send it.
  expect((await person.get("/api/v1/auth")).status).toBe(401);

  const older = stranger(gateway.url);
  await older.call("POST", "/api/v1/auth", { login: "viewer", password: "demo-password" });
  expect([...older.cookies.keys()]).toEqual(["device", "session"]);
  expect((await older.get("/api/v1/auth", tls)).status).toBe(401);
});

test("parts that a killed gateway left are deleted, those that may still be written to are not", async () => {
  const files = await openFiles(gateway.dataDir);
  await mkdir(files.staging.incoming, { recursive: true });
  const age = async (name: string, minutes: number) => {
    const path = join(files.staging.incoming, name);
    await writeFile(path, "part");
    await utimes(path, new Date(), new Date(Date.now() - minutes * 60_000));
  };
  await age("left.part", 31);
  await age("coming.part", 29);
  expect(await sweepIncoming(files, 60)).toBe(1);
  expect(await readdir(files.staging.incoming)).toEqual(["coming.part"]);
  // If senders may pause for an hour, older parts are kept too.
  await age("slow.part", 90);
  expect(await sweepIncoming(files, 3600)).toBe(0);
});

test("a gateway with too little disk space is not ready, and says why", async () => {
  const small = await testGateway("empty", { leastRoomBytes: Number.MAX_SAFE_INTEGER }, [
    /"path":"\/readyz","status":507/,
  ]);
  const answer = await fetch(`${small.url}/readyz`);
  expect([answer.status, await answer.json()]).toMatchObject([
    507,
    { status: "not ready", room: "failed", database: "ok", storage: "ok" },
  ]);
  await small.stop();
});
