import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { usualKeptBytes } from "../../gateway/reading/kept.ts";
import { type SampleFacility, sampleFacility } from "../support/assessment-data.ts";
import { type Answer, bodyOf, type Person, stranger, testGateway, type TestGateway } from "../support/gateway.ts";
import { isShort } from "../support/short.ts";
import { startProcess } from "../support/process.ts";
import { graphql, type KeptQuestion, keptQuestions, keptWrites, lasting, logins } from "./keptQuestions.ts";

/** Cached answers, compared with those of a second gateway (the twin) on the same database, which caches none. */

let here: TestGateway;
let twin: TestGateway;
let facilities: SampleFacility[];
const people = new Map<string, Person>();
/** Random numbers with a fixed seed, so that a failure can be reproduced. */
let seed = 20_261_123;
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;

beforeAll(async () => {
  here = await testGateway("demo", { keptAnswerBytes: usualKeptBytes });
  twin = await testGateway("empty", { db: here.db, dataDir: here.dataDir, keptAnswerBytes: 0 });
  for (const login of logins) people.set(login, await here.as(login));
  facilities = await Promise.all([0, 1, 2].map((skip) => sampleFacility(here.db, skip)));
});
afterAll(async () => {
  await twin?.stop();
  await here?.stop();
});

/** The same person, signed in at another address. */
function signedInAt(address: string, { cookies }: Person): Person {
  const person = stranger(address);
  for (const [name, value] of cookies) person.cookies.set(name, value);
  return person;
}
const atTwin = (person: Person): Person => signedInAt(twin.url, person);
const sentAgain = async (address = here.url): Promise<number> =>
  Number(/^platform_kept_answers_sent (\d+)/m.exec((await stranger(address).get("/metrics")).text)![1]);
const admin = () => people.get("admin")!;

const ask = (person: Person, { path, body }: KeptQuestion): Promise<Answer> =>
  person.call(body ? "POST" : "GET", path, body);
async function difference(person: Person, login: string, question: KeptQuestion): Promise<string | undefined> {
  const [kept, fresh] = await Promise.all([ask(person, question), ask(atTwin(person), question)]);
  // A gateway that is busy gives no answer to compare.
  if (kept.status === 429 || fresh.status === 429) return difference(person, login, question);
  const isTagged =
    kept.text === fresh.text
      ? kept.headers.get("etag") === fresh.headers.get("etag")
      : lasting(kept.text) !== kept.text;
  if (kept.status === fresh.status && lasting(kept.text) === lasting(fresh.text) && isTagged) return undefined;
  return `${login} ${JSON.stringify(question)}: ${kept.status} ${kept.text.slice(0, 300)} but ${fresh.status} ${fresh.text.slice(0, 300)}`;
}

test("a cached answer has the bytes of the first one, until the data it shows is changed", async () => {
  const { facilityUuid } = facilities[0]!;
  const question = { path: `/api/v1/facilityMetadata/${facilityUuid}` };
  const own = `/api/v1/facility/${facilityUuid}`;
  const viewer = people.get("viewer")!;
  const first = await ask(viewer, question);
  const { facilityName } = bodyOf<{ facilityName: string }>(first);
  const before = await sentAgain();
  const second = await ask(viewer, question);
  expect([second.status, second.text, second.headers.get("etag")]).toEqual([
    200,
    first.text,
    first.headers.get("etag"),
  ]);
  expect((await viewer.get(question.path, { "if-none-match": first.headers.get("etag")! })).status).toBe(304);
  expect(await sentAgain()).toBe(before + 2);
  expect((await admin().call("PATCH", own, { facilityName: `${facilityName} Annex` })).status).toBe(200);
  expect((await ask(viewer, question)).body).toMatchObject({ facilityName: `${facilityName} Annex` });
  expect((await admin().call("PATCH", own, { facilityName })).status).toBe(200);
  expect(await difference(viewer, "viewer", question)).toBeUndefined();
});

test("people with the same rights and partner share a cached answer, other people do not", async () => {
  const rights = async (login: string) => {
    const { viewer } = (
      await people
        .get(login)!
        .graphql<{ viewer: { privileges: object; user: { implementingPartner: { id: string } } } }>(
          "{ viewer { privileges { administrator editAssessments viewAssessments uploadTdbs accessDownloads manageUsers editSelf editRegistry } user { implementingPartner { id } } } }",
        )
    ).data;
    return JSON.stringify(viewer);
  };
  const question = { path: `/api/v1/facilityConnectivity/${facilities[0]!.facilityUuid}` };
  const { rows } = await sql<{ view: boolean; partner: number }>`
    select view_assessments as view, implementing_partner_id as partner from app_user where user_name = 'plain'`.execute(
    here.db,
  );
  const [{ view, partner }] = rows as [{ view: boolean; partner: number }];
  const change = (of: string) =>
    sql`update app_user set (view_assessments, edit_self, implementing_partner_id) = (select view_assessments, edit_self, implementing_partner_id from app_user where user_name = ${of}) where user_name = 'plain'`.execute(
      here.db,
    );
  const first = await ask(people.get("viewer")!, question);
  const before = await sentAgain();
  expect((await ask(people.get("plain")!, question)).text).toBe(first.text);
  expect(await sentAgain()).toBe(before);
  await change("viewer");
  expect(await rights("plain")).toBe(await rights("viewer"));
  expect((await ask(people.get("plain")!, question)).text).toBe(first.text);
  expect(await sentAgain()).toBe(before + 1);
  await sql`update app_user set view_assessments = ${view}, implementing_partner_id = ${partner} where user_name = 'plain'`.execute(
    here.db,
  );
});

test("a long answer is compressed in the encoding that the caller accepts", async () => {
  const question = { path: "/api/v1/facility" };
  const plain = await admin().get(question.path, { "accept-encoding": "identity" });
  for (const encoding of ["br", "gzip", "br"]) {
    const answer = await admin().get(question.path, { "accept-encoding": encoding });
    expect([answer.headers.get("content-encoding"), answer.text]).toEqual([encoding, plain.text]);
  }
});

test("a withdrawn right is lost from the next request on, and no person gets another person's answer", async () => {
  const viewer = people.get("viewer")!;
  const question = { path: `/api/v1/assessment/list/facility/${facilities[0]!.facilityUuid}` };
  const users = graphql("{ users(first: 5) { nodes { userName primaryEmail } } }");
  expect((await ask(viewer, question)).status).toBe(200);
  expect((await ask(viewer, question)).status).toBe(200);
  expect((await ask(admin(), users)).text).toContain('"nodes"');
  await sql`update app_user set view_assessments = false where user_name = 'viewer'`.execute(here.db);
  expect((await ask(viewer, question)).status).toBe(403);
  expect(await difference(people.get("plain")!, "plain", users)).toBeUndefined();
  await sql`update app_user set view_assessments = true where user_name = 'viewer'`.execute(here.db);
  expect((await ask(viewer, question)).status).toBe(200);
});

/** Makes a random change. */
const write = () =>
  oneOf(keptWrites(here.db, { admin: admin(), assessor: people.get("assessor")!, facilities }, random))();

/** With WORKERS=2 in the environment they ask a gateway of two workers, each of which keeps its own answers. */
test("many people at once get the twin's answers, between writes and after writes during reads", async () => {
  const served = process.env["WORKERS"]
    ? await startProcess({ DATABASE_URL: here.database.url, DATA_DIR: here.dataDir })
    : undefined;
  const url = served?.url ?? here.url;
  const askers = new Map(logins.map((login) => [login, signedInAt(url, people.get(login)!)]));
  const questions = keptQuestions(facilities);
  const compare = async (times: number) => {
    const found = Array.from({ length: times }, () => {
      const login = oneOf(logins);
      return difference(askers.get(login)!, login, oneOf(questions));
    });
    return (await Promise.all(found)).filter((each) => each !== undefined);
  };
  const before = await sentAgain(url);
  for (let round = 0; round < (isShort ? 8 : 25); round += 1) {
    await write();
    expect(await compare(40)).toEqual([]);
  }
  const reading = Array.from({ length: 400 }, () => ask(askers.get(oneOf(logins))!, oneOf(questions)));
  for (let writes = 0; writes < 15; writes += 1) await write();
  await Promise.all(reading);
  for (const login of logins)
    // The second answer is a kept one where the first could be kept.
    for (const question of questions.flatMap((each) => [each, each]))
      expect(await difference(askers.get(login)!, login, question)).toBeUndefined();
  // Otherwise only fresh answers were compared.
  expect(await sentAgain(url)).toBeGreaterThan(before + (isShort || served ? 50 : 150));
  served?.child.kill("SIGTERM");
  await served?.ended;
});
