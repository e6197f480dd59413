import { parse as parseCsv } from "csv-parse/sync";
import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import { type AuditAction, events } from "../../gateway/audit/events.rules.ts";
import { todayIn } from "../../gateway/calendar/fiscal.rules.ts";
import { bearerAt, bodyOf, errorsOf, type Person, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The table of rights, cell by cell: every demonstration account tries every act on people, by REST, by GraphQL and
 * with a token that has all its owner's privileges.
 */

const logins = ["admin", "manager", "assessor", "uploader", "viewer", "newcomer", "plain"] as const;
type Login = (typeof logins)[number];

const people = {} as Record<Login, { session: Person; token: Person }>;
const uuids: Record<string, string> = {};
let partnerA: number;
let partnerB: number;
let serial = 0;

const particulars = () => {
  serial += 1;
  const name = `cell-${serial}`;
  return {
    userName: name,
    firstName: "Kunda",
    surname: "Mwape",
    gender: "F",
    primaryEmail: `${name}@demo.example`,
    primaryPhoneNumber: "0977000000",
  };
};

const bearing = (secret: string): Person => bearerAt(gateway.url, secret);

async function makeToken(person: Person, privileges: string[], name = "test"): Promise<string> {
  const expiryDate = new Date(Date.now() + 86_400_000 * 30).toISOString().slice(0, 10);
  const answer = await person.call("POST", "/api/v1/token", { name, expiryDate, privileges });
  if (answer.status !== 200) throw new Error(`no token was made: ${answer.text}`);
  return bodyOf<{ token: string }>(answer).token;
}

const gateway = await gatewayOfFile();
beforeAll(async () => {
  const newcomer = stranger(gateway.url);
  await newcomer.call("POST", "/api/v1/auth", { login: "newcomer", password: "temporary-1" });
  await newcomer.call("POST", "/api/v1/auth", {
    login: "newcomer",
    password: "demo-password",
    confirmPassword: "demo-password",
  });
  const admin = await gateway.as("admin");
  const found = await sql<{ id: number; name: string }>`
    select implementing_partner_id as id, name from implementing_partner`.execute(gateway.db);
  partnerA = found.rows.find(({ name }) => name === "Partner A")!.id;
  partnerB = found.rows.find(({ name }) => name === "Partner B")!.id;
  for (const [name, implementingPartnerId, administrator] of [
    ["mate", partnerA, false],
    ["outsider", partnerB, false],
    ["boss", partnerA, true],
  ] as const) {
    const answer = await admin.call("POST", "/api/v1/user", {
      ...particulars(),
      userName: name,
      implementingPartnerId,
      privileges: { administrator },
    });
    if (answer.status !== 200) throw new Error(`${name} was not created: ${answer.text}`);
  }
  const rows = await sql<{ userName: string; userUuid: string }>`select user_name, user_uuid from app_user`.execute(
    gateway.db,
  );
  for (const { userName, userUuid } of rows.rows) uuids[userName] = userUuid;
  for (const login of logins) {
    const session = await gateway.as(login);
    const privileges = Object.entries(bodyOf<object>(await session.get("/api/v1/privilege"))).flatMap(([name, value]) =>
      value ? [name] : [],
    );
    people[login] = { session, token: bearing(await makeToken(session, privileges)) };
  }
  await gateway.sql`create table kept as select * from app_user`;
});
/** Restores what an act has changed, and nothing else, because each change is recorded in the feed. */
async function putBack(...names: string[]): Promise<void> {
  const [own, kept] = ["app_user", "kept"].map((table) => names.map((name) => `${table}.${name}`).join());
  await gateway.sql`update app_user set ${sql.raw(names.map((name) => `${name} = kept.${name}`).join())} from kept
    where kept.user_uuid = app_user.user_uuid and (${sql.raw(own!)}) is distinct from (${sql.raw(kept!)})`;
}
const rights = [
  "administrator",
  "edit_assessments",
  "view_assessments",
  "upload_tdbs",
  "access_downloads",
  "manage_users",
  "edit_self",
];
const reset = () => putBack("first_name", "user_name", "implementing_partner_id", ...rights);
afterEach(() =>
  putBack(
    "user_name",
    "first_name",
    "implementing_partner_id",
    ...rights,
    "active",
    "password_hash",
    "password_temporary",
  ),
);

type Cells = Partial<Record<Login, number>> & { others: number };
type Act = {
  name: string;
  rest: (login: Login) => [method: string, path: string, body?: object];
  /** the query, its variables, and the path of the field that must not be null */
  graphql: (login: Login) => [query: string, variables: object, field: string];
  cells: Cells;
};

const api = (path: string) => `/api/v1${path}`;
const user =
  "uuid userName firstName primaryEmail primaryPhoneNumber bio privileges { editSelf } lastLoginDate version active";
const whoOf = (who: string, login: Login) => uuids[who === "self" ? login : who]!;

const reading = (name: string, who: string, cells: Cells): Act[] =>
  (["", "/meta", "/privilege"] as const).map((kind) => ({
    name: `read ${name}${kind}`,
    rest: (login) => [
      "GET",
      api(kind === "/privilege" ? `/privilege/user/${whoOf(who, login)}` : `/user${kind}/${whoOf(who, login)}`),
    ],
    graphql: (login) => [
      `query ($uuid: String!) { user(uuid: $uuid) { ${user} } }`,
      { uuid: whoOf(who, login) },
      "user",
    ],
    cells,
  }));

const updating = (name: string, who: string, changes: () => object, cells: Cells): Act => ({
  name: `change ${name}`,
  rest: (login) => ["PATCH", api("/user"), { uuid: whoOf(who, login), ...changes() }],
  graphql: (login) => [
    `mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { ${user} } errors { path message } } }`,
    { input: { uuid: whoOf(who, login), ...changes() } },
    "updateUser",
  ],
  cells,
});

const treating = (
  verb: "resetPassword" | "deactivate" | "reactivate" | "endEverything",
  who: string,
  cells: Cells,
): Act => {
  const mutation = {
    resetPassword: "resetUserPassword",
    deactivate: "deactivateUser",
    reactivate: "reactivateUser",
    endEverything: "endEverythingOfUser",
  }[verb];
  return {
    name: `${verb} ${who}`,
    rest: (login) => ["POST", api(`/user/${whoOf(who, login)}/${verb}`)],
    graphql: (login) => [
      `mutation ($input: UserInput!) { ${mutation}(input: $input) { user { uuid } errors { path message } } }`,
      { input: { uuid: whoOf(who, login) } },
      mutation,
    ],
    cells,
  };
};

const listing = (name: string, path: () => string, query: () => string, field: string, cells: Cells): Act => ({
  name,
  rest: () => ["GET", api(path())],
  graphql: () => [query(), {}, field],
  cells,
});

const own = { admin: 200, manager: 200, others: 200 };
const managers = { admin: 200, manager: 200, others: 403 };
const hidden = { admin: 200, manager: 200, others: 404 };

const acts: Act[] = [
  ...reading("their own account", "self", own),
  ...reading("a colleague", "mate", hidden),
  ...reading("an administrator of the same partner", "boss", hidden),
  ...reading("a person of another partner", "outsider", { admin: 200, others: 404 }),
  listing(
    "the directory",
    () => "/user",
    () => `{ users(first: 5) { nodes { ${user} } } }`,
    "users",
    managers,
  ),
  listing(
    "people of Partner A",
    () => `/user/ip/${partnerA}`,
    () => `{ implementingPartner(implementingPartnerId: ${partnerA}) { users(first: 5) { nodes { ${user} } } } }`,
    "implementingPartner.users",
    managers,
  ),
  listing(
    "people of Partner B",
    () => `/user/ip/${partnerB}`,
    () => `{ users(implementingPartnerId: ${partnerB}, first: 5) { nodes { ${user} } } }`,
    "users",
    { admin: 200, others: 403 },
  ),
  listing(
    "the template of a new user",
    () => "/user/new",
    () => "{ users(first: 1) { totalCount } }",
    "users",
    managers,
  ),
  listing(
    "the audit",
    () => "/audit?limit=5",
    () => "{ auditEvents(first: 5) { nodes { action } } }",
    "auditEvents",
    { admin: 200, others: 403 },
  ),
  listing(
    "the audit as CSV",
    () => "/audit/csv?start=2099-01-01",
    () => "{ auditActions }",
    "auditActions",
    { admin: 200, others: 403 },
  ),
  listing(
    "their own tokens",
    () => "/token",
    () => "{ viewer { accessTokens { name } } }",
    "viewer.accessTokens",
    own,
  ),
  {
    name: "create a user",
    rest: (login) => [
      "POST",
      api("/user"),
      { ...particulars(), ...(login === "admin" ? { implementingPartnerId: partnerA } : {}) },
    ],
    graphql: (login) => [
      "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { uuid } errors { path message } } }",
      { input: { ...particulars(), ...(login === "admin" ? { implementingPartnerId: partnerA } : {}) } },
      "createUser",
    ],
    cells: managers,
  },
  updating("their own name", "self", () => ({ firstName: "Another" }), { plain: 403, newcomer: 403, others: 200 }),
  updating("their own user name", "self", () => ({ userName: particulars().userName }), managers),
  updating("their own partner", "self", () => ({ implementingPartnerId: partnerB + 1 }), { admin: 200, others: 403 }),
  updating("their own privileges", "self", () => ({ privileges: { editAssessments: true, uploadTdbs: true } }), {
    admin: 200,
    others: 403,
  }),
  updating("their own privilege editSelf", "self", () => ({ privileges: { editSelf: true, administrator: true } }), {
    admin: 200,
    others: 403,
  }),
  updating("a colleague's name", "mate", () => ({ firstName: "Another" }), hidden),
  updating("a colleague's user name", "mate", () => ({ userName: particulars().userName }), hidden),
  updating("a colleague's partner", "mate", () => ({ implementingPartnerId: partnerB }), {
    admin: 200,
    manager: 403,
    others: 404,
  }),
  ...(["editAssessments", "viewAssessments", "uploadTdbs", "accessDownloads", "manageUsers"] as const).map((name) =>
    updating(`a colleague's privilege ${name}`, "mate", () => ({ privileges: { [name]: true } }), hidden),
  ),
  updating("a colleague's privilege administrator", "mate", () => ({ privileges: { administrator: true } }), {
    admin: 200,
    manager: 403,
    others: 404,
  }),
  updating("a colleague's privilege editSelf", "mate", () => ({ privileges: { editSelf: false } }), {
    admin: 200,
    manager: 403,
    others: 404,
  }),
  updating("an administrator's name", "boss", () => ({ firstName: "Another" }), {
    admin: 200,
    manager: 403,
    others: 404,
  }),
  updating("the name of a person of another partner", "outsider", () => ({ firstName: "Another" }), {
    admin: 200,
    others: 404,
  }),
  ...(["resetPassword", "deactivate", "reactivate", "endEverything"] as const).flatMap((verb) => [
    treating(verb, "mate", managers),
    treating(verb, "boss", { admin: 200, others: 403 }),
    treating(verb, "outsider", { admin: 200, manager: 404, others: 403 }),
  ]),
  treating("deactivate", "self", { admin: 422, manager: 422, others: 403 }),
  treating("resetPassword", "self", { admin: 422, manager: 422, others: 403 }),
];

/** The status that REST would return for the answer of GraphQL. */
async function statusOf(person: Person, [query, variables, field]: [string, object, string]): Promise<number> {
  const { data, errors } = await person.graphql(query, variables);
  const codes: Record<string, number> = { FORBIDDEN: 403, NOT_FOUND: 404, INVALID: 422 };
  if (errors) return codes[errors[0].extensions.code] ?? 500;
  const value = field.split(".").reduce((row, name) => row?.[name], data);
  const wrong = value?.errors?.[0];
  if (!wrong) return value === null || value === undefined || value.user === null ? 500 : 200;
  if (wrong.message === "There is no such user.") return 404;
  return wrong.path === "" ? 403 : 422;
}

describe.each(acts)("$name", ({ rest, graphql, cells }) => {
  test.each(logins)("as %s", async (login) => {
    const { session, token } = people[login];
    const expected = cells[login] ?? cells.others;
    const denied = async () =>
      (await gateway.sql<{ n: number }>`select count(*) as n from audit_event where outcome = 'denied'`)[0]!.n;
    const before = await denied();
    const byRest = (await session.call(...rest(login))).status;
    await reset();
    const byToken = (await token.call(...rest(login))).status;
    await reset();
    const byGraphql = await statusOf(session, graphql(login));
    await reset();
    const byBoth = await statusOf(token, graphql(login));
    expect({ byRest, byToken, byGraphql, byBoth }).toEqual({
      byRest: expected,
      byToken: expected,
      byGraphql: expected,
      byBoth: expected,
    });
    expect((await denied()) - before, "refusals written down").toBe(expected === 200 ? 0 : 4);
  });
});

describe("tokens", () => {
  test("are stored as hashes, work by REST and GraphQL, and are distinguished from their owner in the audit", async () => {
    const { session } = people.assessor;
    const secret = await makeToken(session, ["viewAssessments"], "figures");
    const rows = await gateway.sql<{ text: string }>`select string_agg(t::text, '') as text from access_token t`;
    expect(rows[0]!.text).not.toContain(secret);
    const token = bearing(secret);
    expect((await token.get("/api/v1/privilege")).body).toMatchObject({
      viewAssessments: true,
      editAssessments: false,
      editSelf: false,
    });
    expect(
      (await token.graphql("{ viewer { user { userName } privileges { viewAssessments editSelf } } }")).data.viewer,
    ).toEqual({
      user: { userName: "assessor" },
      privileges: { viewAssessments: true, editSelf: false },
    });
    expect((await token.call("PATCH", "/api/v1/user", { uuid: uuids["assessor"], bio: "By token" })).status).toBe(403);
    const audit = await sql<{ action: string; outcome: string; name: string }>`
      select action, outcome, name from audit_event join access_token using (token_uuid) where name = 'figures' order by audit_event_id`.execute(
      gateway.db,
    );
    expect(audit.rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "token.use done",
      "user.update denied",
    ]);
    const listed = bodyOf<{ name: string; lastUsedDate: string | null }[]>(await session.get("/api/v1/token"));
    expect(listed.find(({ name }) => name === "figures")?.lastUsedDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("never have more rights than their owner, neither when created nor after the owner loses a right", async () => {
    const { session } = people.viewer;
    const more = await session.call("POST", "/api/v1/token", {
      name: "more",
      expiryDate: "2027-01-01",
      privileges: ["viewAssessments", "manageUsers"],
    });
    expect(more.status).toBe(403);
    const token = bearing(await makeToken(session, ["viewAssessments"]));
    await gateway.sql`update app_user set view_assessments = false where user_name = 'viewer'`;
    expect((await token.get("/api/v1/privilege")).body).toMatchObject({ viewAssessments: false });
    await gateway.sql`update app_user set view_assessments = true where user_name = 'viewer'`;
  });

  test.each([
    ["revoked", sql`update access_token set revoked_at = now() where name = 'ending'`],
    ["expired", sql`update access_token set expires_at = now() where name = 'ending'`],
    ["deactivated", sql`update app_user set active = false where user_name = 'uploader'`],
  ])("that are %s are refused, and the refusal is recorded in the audit", async (reason, end) => {
    await gateway.sql`delete from access_token where name = 'ending' and not exists (select from audit_event where audit_event.token_uuid = access_token.token_uuid)`;
    const secret = await makeToken(people.uploader.session, ["uploadTdbs"], "ending");
    await end.execute(gateway.db);
    const answer = await bearing(secret).get("/api/v1/province");
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await bearing(secret).graphql("{ viewer { user { userName } } }")).status).toBe(401);
    await gateway.sql`update app_user set active = true where user_name = 'uploader'`;
    const rows = await gateway.sql<{ action: string; outcome: string; userName: string; reason: string }>`
      select action, outcome, user_name, details->>'reason' as reason from audit_event join app_user using (user_uuid) order by audit_event_id desc limit 1`;
    expect(rows[0]).toEqual({ action: "token.use", outcome: "denied", userName: "uploader", reason });
    if (reason === "deactivated") people.uploader.session.cookies.clear();
  });

  test("that do not exist are refused, even with a valid session, and guesses are limited", async () => {
    for (const authorization of [
      "Bearer nonsense",
      "Bearer",
      "Basic YWRtaW46ZGVtby1wYXNzd29yZA==",
      `Bearer ${"x".repeat(43)}`,
      "",
    ])
      expect((await people.admin.session.get("/api/v1/province", { authorization })).status, authorization).toBe(401);
    const statuses = [];
    for (let guess = 0; guess < 25; guess += 1)
      statuses.push((await bearing(`${"g".repeat(40)}${guess}`).get("/api/v1/province")).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await people.viewer.token.get("/api/v1/province")).status).toBe(200);
    await gateway.sql`delete from sign_in_limit`;
  });

  test.each([
    ["POST", "/api/v1/token", { name: "child", expiryDate: "2027-01-01", privileges: [] }],
    [
      "POST",
      "/api/v1/user/me/password",
      { currentPassword: "demo-password", password: "other-password", confirmPassword: "other-password" },
    ],
    ["GET", "/api/v1/user/me/session", undefined],
    ["DELETE", "/api/v1/user/me/session", undefined],
  ])("cannot be used for the account itself: %s %s", async (method, path, body) => {
    expect((await people.admin.token.call(method, path, body)).status).toBe(403);
  });

  test.each([
    ["no name", { name: " " }, "name"],
    ["a name too long", { name: "x".repeat(65) }, "name"],
    ["a day in the past", { expiryDate: "2020-01-01" }, "expiryDate"],
    ["a day too far ahead", { expiryDate: "2099-01-01" }, "expiryDate"],
    ["a text that is not a day", { expiryDate: "soon" }, "expiryDate"],
    ["an unknown privilege", { privileges: ["everything"] }, "privileges"],
    ["an unknown key", { userUuid: "x" }, "userUuid"],
  ])("with %s are not created", async (_, wrong, path) => {
    const expiryDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const answer = await people.admin.session.call("POST", "/api/v1/token", {
      name: "good",
      expiryDate,
      privileges: [],
      ...wrong,
    });
    expect([answer.status, errorsOf(answer)[0]!.path.split(".")[0]]).toEqual([422, path]);
  });

  test("can be revoked under /token by their owner only", async () => {
    const made = await people.viewer.session.call("POST", "/api/v1/token", {
      name: "mine",
      expiryDate: todayIn("Africa/Lusaka"),
      privileges: [],
    });
    const { uuid, token } = bodyOf<{ uuid: string; token: string }>(made);
    expect((await people.admin.session.call("DELETE", `/api/v1/token/${uuid}`)).status).toBe(404);
    expect((await bearing(token).get("/api/v1/province")).status).toBe(200);
    expect((await people.viewer.session.call("DELETE", `/api/v1/token/${uuid}`)).body).toMatchObject({ revoked: true });
    expect((await bearing(token).get("/api/v1/province")).status).toBe(401);
    expect((await people.viewer.session.call("DELETE", "/api/v1/token/nonsense")).status).toBe(404);
  });

  test("are limited to 20 per person, also when many are created at the same time", async () => {
    const { session } = people.viewer;
    const body = { name: "one of many", expiryDate: todayIn("Africa/Lusaka"), privileges: [] };
    const answers = await Promise.all(Array.from({ length: 30 }, () => session.call("POST", "/api/v1/token", body)));
    const live = bodyOf<{ revoked: boolean }[]>(await session.get("/api/v1/token")).filter(({ revoked }) => !revoked);
    expect(live).toHaveLength(20);
    const refused = answers.find(({ status }) => status !== 200)!;
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining("You have 20 tokens in use. Revoke one before you make another."),
    ]);
  });
});

describe("the audit", () => {
  test("is filtered by person, action, outcome, day and subject, the same by REST and GraphQL, and paged", async () => {
    const { session } = people.admin;
    await people.manager.session.call("PATCH", "/api/v1/user", { uuid: uuids["mate"], bio: "Seen" });
    const today = todayIn("Africa/Lusaka");
    for (const [query, args] of [
      ["who=MANAGER&action=user.update&outcome=done", 'who: "MANAGER", action: "user.update", outcome: done'],
      ["about=mate&outcome=denied", 'about: "mate", outcome: denied'],
      [`start=${today}&end=${today}&action=token.create`, `start: "${today}", end: "${today}", action: "token.create"`],
      ["end=2020-01-01", 'end: "2020-01-01"'],
    ] as const) {
      const rest = bodyOf<{ id: number }[]>(await session.get(`/api/v1/audit?limit=100&${query}`));
      const graphql = (await session.graphql(`{ auditEvents(first: 100, ${args}) { nodes { id } } }`)).data.auditEvents
        .nodes as { id: string }[];
      expect(
        rest.map(({ id }) => String(id)),
        query,
      ).toEqual(graphql.map(({ id }) => id));
      expect(rest.length > 0).toBe(!query.startsWith("end"));
    }
    const [latest] = bodyOf(await session.get("/api/v1/audit?who=manager&action=user.update&outcome=done&limit=1"));
    expect(latest).toMatchObject({
      userName: "manager",
      subjectUserName: "mate",
      address: "127.0.0.1",
      details: { new: { bio: "Seen" } },
    });
    expect((await session.get("/api/v1/audit?start=2026-02-02&end=2026-02-01")).status).toBe(422);
    expect((await session.get("/api/v1/audit?limit=2")).headers.get("link")).toContain('rel="next"');
  });

  test("is exported as CSV, and the export is recorded too", async () => {
    const { session } = people.admin;
    await stranger(gateway.url).call("POST", "/api/v1/auth", {
      login: "=cmd|' /C calc'!A0",
      password: "not-the-password",
    });
    const answer = await session.get("/api/v1/audit/csv?action=session.sign-in");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.text.split("\r\n")[0]!.replace("\uFEFF", "")).toMatch(/^date,time,action,outcome,userName/);
    expect(answer.text).toContain("'=cmd|' /C calc'!A0");
    const listed = bodyOf<Record<string, unknown>[]>(
      await session.get("/api/v1/audit?action=session.sign-in&limit=1000"),
    ).map(({ date, time, outcome, userName }) => [date, time, outcome, userName ?? ""].join());
    const exported = (parseCsv(answer.text, { bom: true, columns: true }) as Record<string, string>[]).map(
      ({ date, time, outcome, userName }) => [date, time, outcome, userName].join(),
    );
    expect(exported).toEqual(listed);
    const complete = parseCsv((await session.get("/api/v1/audit/csv")).text, { bom: true, columns: true }) as Record<
      string,
      string
    >[];
    expect(complete.length).toBeGreaterThan(10);
    for (const { action, what } of complete) expect([action, what]).toEqual([action, events[action as AuditAction]]);
    const [latest] = bodyOf(await session.get("/api/v1/audit?limit=1"));
    expect(latest).toMatchObject({ action: "audit.export", userName: "admin" });
  });

  test("cannot be changed, not even by SQL", async () => {
    await expect(sql`update audit_event set action = 'x'`.execute(gateway.db)).rejects.toThrow("append-only");
    await expect(sql`delete from audit_event`.execute(gateway.db)).rejects.toThrow("append-only");
    await expect(sql`truncate audit_event`.execute(gateway.db)).rejects.toThrow("append-only");
  });
});
