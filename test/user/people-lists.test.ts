import { parse } from "csv-parse/sync";
import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { bodyOf, errorsOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Filters and orders of the list of people: the same rows by REST, by GraphQL and in the CSV file, compared with a
 * plain query.
 */

let partnerA: number;
const gateway = await gatewayOfFile();
const [admin, manager] = await Promise.all([gateway.as("admin"), gateway.as("manager")]);
beforeAll(async () => {
  ({ id: partnerA } = await gateway.db
    .selectFrom("implementingPartner")
    .select("implementingPartnerId as id")
    .where("name", "=", "Partner A")
    .executeTakeFirstOrThrow());
  await gateway.sql`update app_user set last_login_at = '2026-02-01T22:30:00Z' where user_name = 'viewer'`;
  await gateway.sql`update app_user set surname = '=HYPERLINK(1)' where user_name = 'viewer'`;
});

const document = `query ($implementingPartnerId: Int, $active: Boolean, $role: RoleCode, $lastLoginBefore: Date, $search: String, $sort: UserSort) {
  users(implementingPartnerId: $implementingPartnerId, active: $active, role: $role, lastLoginBefore: $lastLoginBefore, search: $search, sort: $sort, first: 100) {
    totalCount nodes { uuid } } }`;

const day = "2026-02-03";
type Case = [query: string, variables: object, where: RawBuilder<unknown>, order?: RawBuilder<unknown>];
const cases = (): Case[] => [
  ["", {}, sql`true`],
  ["role=UPLOAD_TDBS", { role: "UPLOAD_TDBS" }, sql`upload_tdbs`],
  ["role=SYS_ADMINISTRATOR&active=true", { role: "SYS_ADMINISTRATOR", active: true }, sql`administrator and active`],
  // Days are those of the configured time zone: the evening of the first in UTC is the second in Lusaka.
  [
    `lastLoginBefore=${day}`,
    { lastLoginBefore: day },
    sql`(last_login_at is null or last_login_at < '2026-02-02T22:00:00Z')`,
  ],
  [
    "lastLoginBefore=2026-02-02",
    { lastLoginBefore: "2026-02-02" },
    sql`(last_login_at is null or last_login_at < '2026-02-01T22:00:00Z')`,
  ],
  [
    `implementingPartnerId=${partnerA}&sort=-surname`,
    { implementingPartnerId: partnerA, sort: "SURNAME_DESC" },
    sql`implementing_partner_id = ${partnerA}`,
    sql`surname desc, user_uuid desc`,
  ],
  ["sort=lastLogin", { sort: "LAST_LOGIN_ASC" }, sql`true`, sql`coalesce(last_login_at, 'epoch'), user_uuid`],
];

async function listed(person: Person, query: string) {
  const rest = await person.get(`/api/v1/user?${query}`);
  const file = await person.get(`/api/v1/user/csv?${query}`);
  return {
    rest: bodyOf<{ uuid: string }[]>(rest).map(({ uuid }) => uuid),
    file: (parse(file.text, { bom: true, columns: true }) as { UUID: string }[]).map(({ UUID }) => UUID),
  };
}

test("people are filtered and sorted the same by REST, by GraphQL and in the CSV file; a manager sees only people of their own partner", async () => {
  for (const [query, variables, where, order = sql`user_name, user_uuid`] of cases()) {
    const rows = await gateway.sql<{ uuid: string; partner: number }>`
      select user_uuid as uuid, implementing_partner_id as partner from app_user
      where kind = 'person' and ${where} order by ${order}`;
    const wanted = rows.map(({ uuid }) => uuid);
    expect([query, wanted.length > 0]).toEqual([query, true]);
    expect([query, await listed(admin, query)]).toEqual([query, { rest: wanted, file: wanted }]);
    const { data } = await admin.graphql(document, variables);
    expect([query, data.users.totalCount, data.users.nodes.map(({ uuid }: { uuid: string }) => uuid)]).toEqual([
      query,
      wanted.length,
      wanted.slice(0, 100),
    ]);
    const own = rows.filter(({ partner }) => partner === partnerA).map(({ uuid }) => uuid);
    expect([query, await listed(manager, query)]).toEqual([query, { rest: own, file: own }]);
  }
});

test("the CSV file has no formula, is recorded in the audit, and needs the right to manage people", async () => {
  const { text } = await manager.get("/api/v1/user/csv?search=viewer");
  const [one] = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  expect(one).toMatchObject({
    "User Name": "viewer",
    Surname: "'=HYPERLINK(1)",
    "Implementing Partner": "Partner A",
    Active: "Yes",
    "Last sign-in": "2026-02-02",
    Privileges: "viewAssessments editSelf",
  });
  const events = await gateway.db
    .selectFrom("auditEvent")
    .select("details")
    .where("action", "=", "user.export")
    .execute();
  expect(events.map(({ details }) => details)).toContainEqual({ search: "viewer", implementingPartnerId: partnerA });
  for (const login of ["plain", "uploader"])
    expect([login, (await (await gateway.as(login)).get("/api/v1/user/csv")).status]).toEqual([login, 403]);
  const other = await gateway.db
    .selectFrom("implementingPartner")
    .select("implementingPartnerId as id")
    .where("name", "=", "Partner B")
    .executeTakeFirstOrThrow();
  expect((await manager.get(`/api/v1/user/csv?implementingPartnerId=${other.id}`)).status).toBe(403);
  expect((await admin.get("/api/v1/user/csv?implementingPartnerId=99999")).status).toBe(404);
});

test.each([
  ["role=BOSS", "role"],
  ["lastLoginBefore=soon", "lastLoginBefore"],
  ["active=perhaps", "active"],
  ["sort=colour", "sort"],
])("?%s returns 422 with the wrong field", async (query, field) => {
  for (const path of ["/user", "/user/csv"]) {
    const answer = await admin.get(`/api/v1${path}?${query}`);
    expect([path, answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([path, 422, [field]]);
  }
});
