import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { newsOf } from "../../gateway/change/news.ts";
import { type Answer, bearerAt, bodyOf, type Person, type TestGateway, testGateway } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { cursorNow } from "../support/settled.ts";
import { isShort } from "../support/short.ts";

/** Requests to the feed that wait for new changes. */

let gateway: TestGateway;
let admin: Person;
type Changes = { changes: { kind: string; key: string }[]; cursor: string; hasMore: boolean };

beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
});
afterAll(() => gateway.stop());

const now = () => cursorNow(gateway.db, admin);
const rename = (suffix: string) =>
  sql`
  update facility set facility_name = facility_name || ${suffix} where facility_uuid = (select min(facility_uuid) from facility)`.execute(
    gateway.db,
  );
const waiting = () => newsOf(gateway.db).waiting;
const allWait = (count: number) => vi.waitFor(() => expect(waiting()).toBe(count), { timeout: patience, interval: 50 });

test("a waiting request is answered by the next change, at once if there are changes, and empty when its time is over", async () => {
  const cursor = await now();
  const answered = admin.get(`/api/v1/changes?since=${cursor}&wait=50`);
  await allWait(1);
  await rename("!");
  const { body, status } = await answered;
  expect([status, (body as Changes).changes.map(({ kind }) => kind)]).toEqual([
    200,
    expect.arrayContaining(["facility"]),
  ]);
  expect(bodyOf<Changes>(await admin.get(`/api/v1/changes?since=${cursor}&wait=50`)).changes.length).toBeGreaterThan(0);
  const last = (body as Changes).cursor;
  expect(bodyOf<Changes>(await admin.get(`/api/v1/changes?since=${last}&wait=1`))).toMatchObject({
    changes: [],
    hasMore: false,
    cursor: last,
  });
  expect(waiting()).toBe(0);
});

test("a request waiting for another kind keeps waiting until a change of that kind; GraphQL waits as REST does", async () => {
  const { cursor } = bodyOf<Changes>(await admin.get(`/api/v1/changes?since=${await now()}`));
  const ofTdbs = bodyOf<Changes>(await admin.get("/api/v1/changes?kinds=tdb&limit=1000"));
  const [tdbs, graphql] = [
    admin.get(`/api/v1/changes?since=${ofTdbs.cursor}&wait=50`),
    admin.graphql("query ($since: String) { changes(since: $since, wait: 50) { changes { kind } } }", {
      since: cursor,
    }),
  ];
  await allWait(2);
  await rename("?");
  expect((await graphql).data.changes.changes[0].kind).toBe("FACILITY");
  // The same look at the feed answered one request and left the other waiting.
  expect(waiting()).toBe(1);
  await gateway.sql`update tdb set library_version = library_version || '!' where tdb_uuid = (select tdb_uuid from tdb order by tdb_uuid limit 1)`;
  expect(bodyOf<Changes>(await tdbs).changes.map(({ kind }) => kind)).toEqual(["tdb"]);
  expect(waiting()).toBe(0);
});

test("rights are looked at again when a waiting answer is sent: to a person who was deactivated, signed out or lost a right, and to an ended token", async () => {
  const manage = async (login: string, act: (uuid: string) => Promise<Answer>) => {
    const { userUuid } = await gateway.db
      .selectFrom("appUser")
      .select("userUuid")
      .where("userName", "=", login)
      .executeTakeFirstOrThrow();
    expect((await act(userUuid)).status).toBe(200);
  };
  const uploader = await gateway.as("uploader");
  const made = await uploader.call("POST", "/api/v1/token", {
    name: "Waits",
    privileges: ["uploadTdbs"],
    expiryDate: "2027-01-01",
  });
  const { token, uuid } = bodyOf<{ token: string; uuid: string }>(made);
  const people = {
    deactivated: await gateway.as("viewer"),
    signedOut: await gateway.as("plain"),
    lessRights: await gateway.as("assessor"),
    token: bearerAt(gateway.url, token),
  };
  const cursor = bodyOf<Changes>(await people.signedOut.get("/api/v1/changes?kinds=facility&limit=1000")).cursor;
  const answers = Object.values(people).map((person) => person.get(`/api/v1/changes?since=${cursor}&wait=50`));
  await allWait(4);
  await manage("viewer", (userUuid) => admin.call("POST", `/api/v1/user/${userUuid}/deactivate`));
  await people.signedOut.get("/api/v1/auth/logout");
  await manage("assessor", (userUuid) =>
    admin.call("PATCH", "/api/v1/user", { uuid: userUuid, privileges: { editAssessments: false } }),
  );
  await uploader.call("DELETE", `/api/v1/token/${uuid}`);
  await rename("~");
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 403, 401]);
});

test("a `wait` that is not a whole number of seconds in the allowed range is refused", async () => {
  for (const wait of ["-1", "51", "x", "1.5"])
    expect([wait, (await admin.get(`/api/v1/changes?wait=${wait}`)).status]).toEqual([wait, 422]);
  expect((await admin.graphql("{ changes(wait: 51) { cursor } }")).errors![0].extensions.errors?.[0].path).toBe("wait");
});

test("many waiting clients hold no database connection, do not block other requests, and all get the change", async () => {
  const cursor = await now();
  const clients: Promise<Answer>[] = [];
  const follow = async (): Promise<Answer> => {
    const answer = await admin.get(`/api/v1/changes?since=${cursor}&wait=50`);
    // As an integrator does: it requests again if there were no changes.
    return answer.status === 200 && bodyOf<Changes>(answer).changes.length === 0 ? follow() : answer;
  };
  // In groups: how many connections a busy machine accepts at once is not tested here.
  while (clients.length < (isShort ? 200 : 1000)) {
    for (let count = 0; count < 100; count += 1) clients.push(follow());
    await allWait(clients.length);
  }
  const busy = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (state <> 'idle' or wait_event_type = 'Lock')`.execute(
    gateway.db,
  );
  expect(busy.rows[0]!.count).toBeLessThanOrEqual(2);
  const light = await Promise.all(
    Array.from({ length: 20 }, async () => (await gateway.as("manager")).get("/api/v1/province")),
  );
  expect(new Set(light.map(({ status }) => status))).toEqual(new Set([200]));
  await allWait(clients.length);
  await rename("#");
  const answers = await Promise.all(clients);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => (body as Changes).changes.length > 0))).toEqual(new Set([true]));
  expect(waiting()).toBe(0);
});

test("a client that disconnects is forgotten, and a gateway that stops answers waiting clients", async () => {
  const cursor = await now();
  const stop = new AbortController();
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const left = fetch(`${gateway.url}/api/v1/changes?since=${cursor}&wait=50`, {
    headers: { cookie },
    signal: stop.signal,
  }).catch(() => "left");
  await allWait(1);
  stop.abort();
  expect(await left).toBe("left");
  await allWait(0);
  const last = admin.get(`/api/v1/changes?since=${cursor}&wait=50`);
  await allWait(1);
  newsOf(gateway.db).close();
  expect((await last).status).toBe(200);
});
