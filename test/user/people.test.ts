import { randomBytes } from "node:crypto";

import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { type Answer, bodyOf, stranger } from "../support/gateway.ts";
import { saveQuery } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

const uuids: Record<string, string> = {};
const partners: Record<string, number> = {};

const gateway = await gatewayOfFile();
beforeAll(async () => {
  for (const { userName, userUuid } of await gateway.sql<{ userName: string; userUuid: string }>`
    select user_name, user_uuid from app_user`)
    uuids[userName] = userUuid;
  const found = await sql<{ id: number; name: string }>`
    select implementing_partner_id as id, name from implementing_partner`.execute(gateway.db);
  for (const { id, name } of found.rows) partners[name] = id;
});

let serial = 0;
/** The request body for a new user. */
function newUser(more: object = {}): Record<string, unknown> {
  serial += 1;
  return {
    userName: `person-${serial}`,
    firstName: "Kunda",
    surname: "Mwape",
    gender: "F",
    primaryEmail: `person-${serial}@demo.example`,
    primaryPhoneNumber: "0977000000",
    ...more,
  };
}
type Created = { uuid: string; temporaryPassword: string };
const create = async (as: string, more: object = {}) => {
  const answer = await (
    await gateway.as(as)
  ).call(
    "POST",
    "/api/v1/user",
    newUser(as === "admin" ? { implementingPartnerId: partners["Partner A"], ...more } : more),
  );
  expect(answer.status, answer.text).toBe(200);
  return bodyOf<Created>(answer);
};
const record = async (uuid: string) => bodyOf(await (await gateway.as("admin")).get(`/api/v1/user/${uuid}`));
const paths = (answer: Answer) => bodyOf<{ errors?: { path: string }[] }>(answer).errors?.map(({ path }) => path);
const lastAudit = async () =>
  (
    await gateway.sql<{
      action: string;
      outcome: string;
      userName: string | null;
      subjectId: string | null;
      tokenUuid: string | null;
      details: Record<string, unknown>;
    }>`
      select action, outcome, app_user.user_name, subject_id, token_uuid, details from audit_event left join app_user using (user_uuid)
      order by audit_event_id desc limit 1`
  )[0]!;
const signIn = async (login: string, password: string, person = stranger(gateway.url), confirmPassword?: string) =>
  person.call("POST", "/api/v1/auth", { login, password, ...(confirmPassword ? { confirmPassword } : {}) });

test.each(["with space", "Кирилл", "zero\u200Bwidth name", "Ünicode", "a/b/c", "<b>bold</b>", "smile\u{1F600}x"])(
  "the user name %j is refused",
  async (userName) => {
    const answer = await (await gateway.as("manager")).call("POST", "/api/v1/user", newUser({ userName }));
    expect([answer.status, paths(answer)]).toEqual([422, ["userName"]]);
  },
);

test("names, addresses and phone numbers are stored in one form", async () => {
  const { uuid } = await create("manager", {
    userName: "a.b+c_D-1\u200B",
    firstName: "E\u0301ve\u202Edir",
    surname: "tab\tname",
    primaryEmail: "ZeRo\u200Bw@x.example ",
    primaryPhoneNumber: "+260-977-1234",
    bio: " Two\nlines ",
  });
  expect(await record(uuid)).toMatchObject({
    userName: "a.b+c_D-1",
    firstName: "\u00C9vedir",
    surname: "tab name",
    primaryEmail: "ZeRow@x.example",
    primaryPhoneNumber: "+2609771234",
    bio: "Two\nlines",
  });
});

test("a user name may look like an e-mail address, but not like somebody else's, nor an address like a name", async () => {
  const { uuid } = await create("manager", { userName: "own@demo.example", primaryEmail: "own@demo.example" });
  const manager = await gateway.as("manager");
  const asName = await manager.call("POST", "/api/v1/user", newUser({ userName: "OWN@demo.example" }));
  const other = newUser({ userName: "Viewer@Demo.example" });
  const asAddress = await manager.call("POST", "/api/v1/user", newUser({ primaryEmail: "Own@demo.example" }));
  expect([asName, await manager.call("POST", "/api/v1/user", other), asAddress].map(paths)).toEqual([
    ["userName"],
    ["userName"],
    ["primaryEmail"],
  ]);
  const changed = await manager.call("PATCH", "/api/v1/user", { uuid, primaryEmail: "viewer" });
  expect(paths(changed)).toEqual(["primaryEmail"]);
});

test("a new user is created with a temporary password, signs in, and is signed out by a reset", async () => {
  const manager = await gateway.as("manager");
  const body = newUser({ privileges: { viewAssessments: true } });
  const answer = await manager.call("POST", "/api/v1/user", body);
  expect(answer.status).toBe(200);
  const { uuid, temporaryPassword } = bodyOf<Created>(answer);
  expect(Object.keys(bodyOf<object>(answer))).toEqual(["uuid", "temporaryPassword"]);
  expect(await record(uuid)).toEqual({
    ...body,
    uuid,
    middleName: null,
    bio: null,
    secondaryEmail: null,
    secondaryPhoneNumber: null,
    implementingPartnerId: partners["Partner A"],
    privileges: {
      administrator: false,
      editAssessments: false,
      viewAssessments: true,
      uploadTdbs: false,
      accessDownloads: false,
      manageUsers: false,
      editSelf: true,
    },
    version: 1,
    active: true,
  });
  const person = stranger(gateway.url);
  expect((await signIn(body["userName"] as string, temporaryPassword, person)).status).toBe(202);
  expect((await signIn(body["userName"] as string, "my-own-password", person, "my-own-password")).status).toBe(200);
  expect((await person.get("/api/v1/privilege")).status).toBe(200);
  const again = await manager.call("POST", `/api/v1/user/${uuid}/resetPassword`);
  expect(again.status).toBe(200);
  expect((await person.get("/api/v1/privilege")).status).toBe(401);
  expect((await signIn(body["userName"] as string, "my-own-password")).status).toBe(401);
  expect((await signIn(body["userName"] as string, bodyOf<Created>(again).temporaryPassword)).status).toBe(202);
  const rows = await gateway.sql<{ hash: string; trace: string }>`
    select password_hash as hash, (select string_agg(details::text, '') from audit_event) as trace from app_user where user_uuid = ${uuid}`;
  expect(rows[0]!.hash).toMatch(/^\$argon2id\$/);
  for (const secret of [temporaryPassword, "my-own-password", "argon2id"]) expect(rows[0]!.trace).not.toContain(secret);
});

test("a GET answer can be sent back by PATCH, and changes nothing", async () => {
  for (const login of ["admin", "manager", "viewer"]) {
    const person = await gateway.as(login);
    const before = await person.get(`/api/v1/user/${uuids[login]}`);
    const answer = await person.call("PATCH", "/api/v1/user", before.body);
    expect(answer.status, login).toBe(200);
    expect(answer.body).toEqual(before.body);
  }
});

test("user/new returns a template that can be filled in and sent", async () => {
  const template = bodyOf<object>(await (await gateway.as("manager")).get("/api/v1/user/new"));
  expect(Object.keys(template)).toEqual(Object.keys(await record(uuids["viewer"]!)));
  const answer = await (await gateway.as("manager")).call("POST", "/api/v1/user", { ...template, ...newUser() });
  expect(answer.status, answer.text).toBe(200);
});

test("`me` in a path stands for the caller", async () => {
  const viewer = await gateway.as("viewer");
  const { uuid } = bodyOf<{ uuid: string }>(await viewer.get("/api/v1/user/me"));
  for (const call of ["user", "user/meta", "privilege/user"]) {
    const answer = await viewer.get(`/api/v1/${call}/me`);
    expect([call, answer.status, answer.body]).toEqual([call, 200, (await viewer.get(`/api/v1/${call}/${uuid}`)).body]);
  }
});

test("user/meta returns the partner and the last sign-in", async () => {
  await gateway.as("viewer");
  const { body } = await (await gateway.as("manager")).get(`/api/v1/user/meta/${uuids["viewer"]}`);
  expect(body).toEqual({
    implementingPartner: "Partner A",
    lastLoginDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    lastLoginTime: expect.stringMatching(/^\d\d:\d\d$/),
  });
  expect(bodyOf(await (await gateway.as("admin")).get(`/api/v1/user/meta/${uuids["newcomer"]}`)).lastLoginDate).toBe(
    null,
  );
});

test("privileges are sent as an object, which keeps omitted ones, or as a list of role codes, which keeps editSelf", async () => {
  const manager = await gateway.as("manager");
  const { uuid } = await create("manager", { privileges: ["VIEW_ASSESSMENTS", "UPLOAD_TDBS"] });
  const granted = async () =>
    Object.entries((await record(uuid)).privileges).flatMap(([name, value]) => (value ? [name] : []));
  expect(await granted()).toEqual(["viewAssessments", "uploadTdbs", "editSelf"]);
  await manager.call("PATCH", "/api/v1/user", { uuid, privileges: { editAssessments: true, uploadTdbs: false } });
  expect(await granted()).toEqual(["editAssessments", "viewAssessments", "editSelf"]);
  await manager.call("PATCH", "/api/v1/user", { uuid, privileges: ["MANAGE_USERS", "ACCESS_DOWNLOADS"] });
  expect(await granted()).toEqual(["accessDownloads", "manageUsers", "editSelf"]);
  expect(await lastAudit()).toMatchObject({
    action: "user.privileges",
    outcome: "done",
    userName: "manager",
    subjectId: uuid,
    details: { old: { editAssessments: true, manageUsers: false }, new: { editAssessments: false, manageUsers: true } },
  });
  expect((await manager.call("PATCH", "/api/v1/user", { uuid, privileges: ["NO_SUCH_ROLE"] })).status).toBe(422);
});

test.each([
  ["userName", 3, 32],
  ["firstName", 3, 32],
  ["surname", 3, 32],
  ["primaryPhoneNumber", 3, 15],
  ["primaryEmail", 3, 128],
  ["middleName", 0, 32],
  ["secondaryEmail", 0, 128],
  ["secondaryPhoneNumber", 0, 15],
  ["bio", 0, 1024],
])("%s accepts %i to %i characters, and not fewer or more", async (name, least, most) => {
  const manager = await gateway.as("manager");
  const text = (length: number) =>
    name.endsWith("Email") && length > 2
      ? `${serial % 10}@${"b".repeat(length - 2)}`
      : name.endsWith("Email")
        ? "".padEnd(length, "e")
        : `${serial}`.padEnd(length, name.endsWith("Number") ? "7" : "y").slice(0, length);
  const send = (value: unknown) => manager.call("POST", "/api/v1/user", newUser({ [name]: value }));
  for (const length of [least, most]) expect((await send(text(length))).status, `${length}`).toBe(200);
  for (const wrong of [
    text(most + 1),
    ...(least ? [text(least - 1), "", "   ", null, undefined] : []),
    7,
    {},
    "abc\u0000d",
  ]) {
    const answer = await send(wrong);
    expect([answer.status, ...new Set(paths(answer))], JSON.stringify(wrong)).toEqual([422, name]);
  }
});

test.each([
  ["an existing user name in another case", { userName: "VIEWER" }, "userName"],
  ["an existing e-mail address in another case", { primaryEmail: "Viewer@DEMO.example" }, "primaryEmail"],
  ["an invalid e-mail address", { primaryEmail: "nobody" }, "primaryEmail"],
  ["an e-mail address with a space", { primaryEmail: "no body@demo.example" }, "primaryEmail"],
  ["an invalid second e-mail address", { secondaryEmail: "nobody" }, "secondaryEmail"],
  ["gender Z", { gender: "Z" }, "gender"],
  ["no gender", { gender: undefined }, "gender"],
  ["administrator as a key", { administrator: true }, "administrator"],
  ["passwordHash as a key", { passwordHash: "x" }, "passwordHash"],
  ["a uuid", { uuid: "01900000-0000-7000-8000-000000000000" }, "uuid"],
  ["an unknown privilege", { privileges: { everything: true } }, "privileges"],
])("%s is refused, and no user is created", async (_, wrong, path) => {
  const count = async () => (await gateway.sql<{ n: number }>`select count(*) as n from app_user`)[0]!.n;
  const before = await count();
  const answer = await (await gateway.as("manager")).call("POST", "/api/v1/user", newUser(wrong));
  expect([answer.status, paths(answer)?.[0]?.split(".")[0]]).toEqual([422, path]);
  expect(await count()).toBe(before);
});

test("an administrator must name a partner that exists and is active", async () => {
  const admin = await gateway.as("admin");
  for (const implementingPartnerId of [undefined, 999_999, partners["Partner E (ended)"], "none"]) {
    const answer = await admin.call("POST", "/api/v1/user", newUser({ implementingPartnerId }));
    expect([answer.status, paths(answer)], String(implementingPartnerId)).toEqual([422, ["implementingPartnerId"]]);
  }
});

test("a uuid that no user can have (invalid or too long text) is not found, and the attempt is recorded in the audit", async () => {
  const admin = await gateway.as("admin");
  const long = randomBytes(30_000).toString("hex");
  for (const [uuid, written] of [
    ["a\0b", "a\uFFFDb"],
    ["a\ud800b", "a\uFFFDb"],
    [long, long.slice(0, 200)],
  ] as const)
    for (const mutation of ["deactivateUser", "reactivateUser", "resetUserPassword"]) {
      const answer = await admin.graphql(
        `mutation ($uuid: String!) { ${mutation}(input: { uuid: $uuid }) { user { uuid } errors { path code message } } }`,
        { uuid },
      );
      expect([answer.status, answer.data?.[mutation]]).toEqual([
        200,
        { user: null, errors: [{ path: "uuid", code: "NOT_FOUND", message: "There is no such user." }] },
      ]);
      expect(await lastAudit()).toMatchObject({ outcome: "denied", userName: "admin", subjectId: written });
    }
  const saved = async (variables: object) => {
    const { errors } = await saveQuery(admin, {
      name: "Half a character",
      query: "query ($text: String) { facilities(search: $text) { totalCount } }",
      variables,
    });
    return errors.map(({ path }) => path);
  };
  for (const variables of [{ text: "a\ud800" }, { text: "a\0" }]) expect(await saved(variables)).toEqual(["variables"]);
  expect(await saved({ text: String.raw`a\u0000` })).toEqual([]);
});

test("a manager cannot grant more than the table of rights allows, make an administrator, or create users of another partner", async () => {
  const manager = await gateway.as("manager");
  for (const more of [
    { privileges: { administrator: true } },
    { privileges: ["SYS_ADMINISTRATOR"] },
    { implementingPartnerId: partners["Partner B"] },
  ]) {
    expect((await manager.call("POST", "/api/v1/user", newUser(more))).status, JSON.stringify(more)).toBe(403);
    expect(await lastAudit()).toMatchObject({ action: "user.create", outcome: "denied", userName: "manager" });
  }
  const uuid = uuids["viewer"]!;
  const before = await record(uuid);
  for (const more of [
    { privileges: { administrator: true } },
    { privileges: ["SYS_ADMINISTRATOR", "VIEW_ASSESSMENTS"] },
    { privileges: { editSelf: false } },
    { implementingPartnerId: partners["Partner B"] },
  ]) {
    expect((await manager.call("PATCH", "/api/v1/user", { uuid, ...more })).status, JSON.stringify(more)).toBe(403);
    expect(await lastAudit()).toMatchObject({ action: "user.update", outcome: "denied", subjectId: uuid });
  }
  expect(await record(uuid)).toEqual(before);
});

test("the last administrator cannot be removed, also when two deactivate each other at the same time; nobody can deactivate themselves", async () => {
  const admin = await gateway.as("admin");
  const uuid = uuids["admin"]!;
  const own = await admin.call("POST", `/api/v1/user/${uuid}/deactivate`);
  expect([own.status, paths(own)]).toEqual([422, ["uuid"]]);
  expect(await lastAudit()).toMatchObject({ action: "user.deactivate", outcome: "denied", subjectId: uuid });
  expect((await admin.call("PATCH", "/api/v1/user", { uuid, privileges: { administrator: false } })).status).toBe(409);

  const second = await create("admin", { privileges: { administrator: true } });
  const other = stranger(gateway.url);
  const { userName } = await record(second.uuid);
  await signIn(userName, second.temporaryPassword, other);
  expect((await signIn(userName, "another-admin", other, "another-admin")).status).toBe(200);
  const both = await Promise.all([
    admin.call("POST", `/api/v1/user/${second.uuid}/deactivate`),
    other.call("POST", `/api/v1/user/${uuid}/deactivate`),
  ]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const rows = await gateway.sql<{ n: number }>`select count(*) as n from app_user where administrator and active`;
  expect(rows[0]!.n).toBe(1);
  await gateway.sql`update app_user set active = (user_name = 'admin') where administrator`;
  await gateway.sql`delete from session where user_uuid = ${uuid}`;
  expect((await signIn("admin", "demo-password", admin)).status).toBe(200);
});

test("if two windows change the same profile, the second gets 409 with the current record", async () => {
  const { uuid } = await create("manager");
  const manager = await gateway.as("manager");
  const seen = bodyOf(await manager.get(`/api/v1/user/${uuid}`));
  expect((await manager.call("PATCH", "/api/v1/user", { ...seen, bio: "First" })).status).toBe(200);
  const second = await manager.call("PATCH", "/api/v1/user", { ...seen, bio: "Second" });
  expect([second.status, bodyOf(second).present.bio]).toEqual([409, "First"]);
  expect((await record(uuid)).bio).toBe("First");
  expect((await manager.call("PATCH", "/api/v1/user", { uuid, active: false })).status).toBe(422);
});

test("deactivation ends sessions, and prevents sign-in until the account is reactivated", async () => {
  const { uuid, temporaryPassword } = await create("manager");
  const { userName } = await record(uuid);
  const person = stranger(gateway.url);
  await signIn(userName, temporaryPassword, person);
  await signIn(userName, "my-own-password", person, "my-own-password");
  const manager = await gateway.as("manager");
  expect(bodyOf(await manager.call("POST", `/api/v1/user/${uuid}/deactivate`)).active).toBe(false);
  expect((await person.get("/api/v1/auth")).status).toBe(401);
  expect((await signIn(userName, "my-own-password")).status).toBe(424);
  expect(bodyOf(await manager.call("POST", `/api/v1/user/${uuid}/reactivate`)).active).toBe(true);
  expect((await signIn(userName, "my-own-password", person)).status).toBe(200);
});

test("a person's own password change needs the present one, allows five wrong guesses, and ends other sessions", async () => {
  const { uuid, temporaryPassword } = await create("manager");
  const { userName } = await record(uuid);
  const [here, there] = [stranger(gateway.url), stranger(gateway.url)];
  await signIn(userName, temporaryPassword, here);
  await signIn(userName, "first-password", here, "first-password");
  await signIn(userName, "first-password", there);
  const change = (currentPassword: string, password: string, confirmPassword = password) =>
    here.call("POST", "/api/v1/user/me/password", { currentPassword, password, confirmPassword });
  expect(paths(await change("first-password", "12345"))).toEqual(["password"]);
  expect(paths(await change("first-password", "second-password", "third-password"))).toEqual(["confirmPassword"]);
  expect(paths(await change("first-password", "first-password"))).toEqual(["password"]);
  expect(paths(await change("wrong-password", "second-password"))).toEqual(["currentPassword"]);
  expect((await here.get("/api/v1/user/me/session")).body).toHaveLength(2);
  expect((await change("first-password", "second-password")).status).toBe(200);
  expect([(await here.get("/api/v1/auth")).status, (await there.get("/api/v1/auth")).status]).toEqual([200, 401]);
  expect((await signIn(userName, "second-password", there)).status).toBe(200);
  expect((await here.call("DELETE", "/api/v1/user/me/session")).body).toEqual({ ended: 1 });
  expect((await there.get("/api/v1/auth")).status).toBe(401);
  for (let guess = 0; guess < 5; guess += 1)
    expect((await change(`guess-${guess}`, "third-password")).status).toBe(422);
  expect((await change("second-password", "third-password")).status).toBe(429);
});

test("the directory is searched by names and e-mail addresses, and paged", async () => {
  const admin = await gateway.as("admin");
  const names = async (query: string) =>
    bodyOf<{ userName: string }[]>(await admin.get(`/api/v1/user?${query}`)).map(({ userName }) => userName);
  expect(await names("search=NYAMB%20bwal")).toEqual(["assessor"]);
  expect(await names("search=uploader%40demo")).toEqual(["uploader"]);
  expect(await names("search=%25%25%25")).toEqual([]);
  expect(await names(`implementingPartnerId=${partners["Partner B"]}&active=true`)).toEqual(["newcomer", "plain"]);
  const page = await admin.get("/api/v1/user?limit=2");
  expect(page.headers.get("link")).toContain('rel="next"');
  expect(page.body).toHaveLength(2);
});
