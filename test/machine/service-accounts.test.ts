import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { visit } from "../support/assessment-data.ts";
import { bearerAt, bodyOf, errorsOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { formOf, sendFormBy, tdbxOf } from "../support/tdbx.ts";

/** Service accounts over HTTP: created, limited, watched and ended by an administrator, and used with their tokens. */

const api = (path: string) => `/api/v1${path}`;

type Facility = { facilityUuid: string; districtId: number; provinceId: number; implementingPartnerId: number | null };
let inside: Facility;
let outside: Facility;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = bodyOf(await admin.get(api("/system"))).today;
beforeAll(async () => {
  const rows = await gateway.sql<Facility>`
    select facility_uuid, district_id, province_id, implementing_partner_id from facility
    where exists (select from tdb where tdb.facility_uuid = facility.facility_uuid)
    and exists (select from assessment where assessment.facility_uuid = facility.facility_uuid) order by facility_uuid`;
  inside = rows[0]!;
  outside = rows.find(
    (row) => row.provinceId !== inside.provinceId && row.implementingPartnerId !== inside.implementingPartnerId,
  )!;
});

async function make(name: string, more: object = {}): Promise<string> {
  const answer = await admin.call("POST", api("/serviceAccount"), {
    name,
    owner: "manager",
    privileges: ["uploadTdbs", "viewAssessments"],
    ...more,
  });
  expect(answer.status, answer.text).toBe(200);
  return bodyOf(answer).uuid;
}
async function tokenOf(uuid: string): Promise<{ caller: Person; tokenUuid: string; secret: string }> {
  const answer = await admin.call("POST", api(`/serviceAccount/${uuid}/token`), { name: "Nightly", expiryDate: today });
  expect(answer.status, answer.text).toBe(200);
  const { token: secret, uuid: tokenUuid } = bodyOf(answer);
  return { caller: bearerAt(gateway.url, secret), tokenUuid, secret };
}
const row = async (uuid: string) =>
  bodyOf(await admin.get(api("/serviceAccount"))).find((each: { uuid: string }) => each.uuid === uuid);

test("privileges of accounts and tokens are names, role codes or an object of booleans", async () => {
  for (const [n, privileges] of [
    ["viewAssessments", "uploadTdbs"],
    ["UPLOAD_TDBS", "VIEW_ASSESSMENTS"],
    { uploadTdbs: true, viewAssessments: true, editAssessments: false },
  ].entries()) {
    const uuid = await make(`form-${n}`, { privileges });
    expect((await row(uuid)).privileges).toEqual(["viewAssessments", "uploadTdbs"]);
    const ask = (path: string, named: unknown) =>
      admin.call("POST", api(path), { name: `form ${n}`, expiryDate: today, privileges: named });
    const own = await ask("/token", privileges);
    expect([own.status, bodyOf(own).privileges]).toEqual([200, ["viewAssessments", "uploadTdbs"]]);
    // A token has the privileges of its account: whoever names others is told which.
    const made = await ask(`/serviceAccount/${uuid}/token`, privileges);
    expect([made.status, bodyOf(made).privileges]).toEqual([200, ["viewAssessments", "uploadTdbs"]]);
    const revoked = await admin.call("DELETE", api(`/serviceAccount/${uuid}/token/${bodyOf(made).uuid}`));
    expect([revoked.status, bodyOf(revoked).privileges]).toEqual([200, ["viewAssessments", "uploadTdbs"]]);
    const other = await ask(`/serviceAccount/${uuid}/token`, ["EDIT_ASSESSMENTS"]);
    expect([other.status, errorsOf(other)]).toEqual([
      422,
      [{ path: "privileges", message: expect.stringContaining("viewAssessments, uploadTdbs") }],
    ]);
    const unknown = await ask(`/serviceAccount/${uuid}/token`, ["manageUsers"]);
    expect([unknown.status, errorsOf(unknown)]).toEqual([
      422,
      [
        {
          path: "privileges",
          message: expect.stringContaining("viewAssessments, editAssessments, uploadTdbs, accessDownloads"),
        },
      ],
    ]);
  }
});

test("a service account has tokens, an owner and privileges, but no password, and is not listed among people", async () => {
  const uuid = await make("nightly-sync");
  const { caller, secret } = await tokenOf(uuid);
  expect((await caller.get(api("/tdb/facility/" + inside.facilityUuid))).status).toBe(200);
  expect((await caller.get(api("/user"))).status).toBe(403);
  expect((await caller.get(api("/download"))).status).toBe(403);
  expect(bodyOf(await caller.get(api("/privilege")))).toMatchObject({
    uploadTdbs: true,
    viewAssessments: true,
    administrator: false,
    editAssessments: false,
  });
  // Nobody can sign in with it, and it cannot be read, changed or found as a person.
  for (const login of ["nightly-sync", uuid])
    expect((await admin.call("POST", api("/auth"), { login, password: "demo-password" })).status).toBe(401);
  expect((await admin.get(api(`/user/${uuid}`))).status).toBe(404);
  expect((await admin.call("PATCH", api("/user"), { uuid, privileges: { administrator: true } })).status).toBe(404);
  expect((await admin.call("POST", api(`/user/${uuid}/resetPassword`))).status).toBe(404);
  expect((await admin.get(api("/user"))).text).not.toContain("nightly-sync");
  expect((await admin.graphql('{ users(search: "nightly") { totalCount } }')).data.users.totalCount).toBe(0);
  expect(bodyOf(await caller.get(api("/user/me")))).toMatchObject({ userName: "nightly-sync", primaryEmail: "" });
  // Only a hash of the secret is stored, and its use is recorded.
  const stored = JSON.stringify(await gateway.sql`select * from access_token`);
  expect(stored).not.toContain(secret);
  const tokens = bodyOf(await admin.get(api(`/serviceAccount/${uuid}/token`)));
  expect(tokens).toMatchObject([
    { name: "Nightly", lastUsedDate: today, lastUsedAddress: "127.0.0.1", revoked: false },
  ]);
  // Privileges, names and owners that a service account may not have.
  for (const privilege of ["administrator", "manageUsers", "editSelf"])
    expect(
      (
        await admin.call("POST", api("/serviceAccount"), {
          name: "too-much",
          owner: "manager",
          privileges: [privilege],
        })
      ).status,
    ).toBe(422);
  expect(
    errorsOf(
      await admin.call("POST", api("/serviceAccount"), { name: "nightly-sync", owner: "manager", privileges: [] }),
    ),
  ).toMatchObject([{ path: "name" }]);
  for (const name of ["ab", "n".repeat(33), "by@name"])
    expect([
      name,
      errorsOf(await admin.call("POST", api("/serviceAccount"), { name, owner: "manager", privileges: [] })),
    ]).toMatchObject([name, [{ path: "name" }]]);
  expect(
    errorsOf(
      await admin.call("POST", api("/serviceAccount"), { name: "ownerless", owner: "nightly-sync", privileges: [] }),
    ),
  ).toMatchObject([{ path: "owner" }]);
});

test("what a service account's GET answered can be sent back by PATCH; what cannot be changed is refused", async () => {
  const input = { name: "echo-bot", owner: "assessor", privileges: ["viewAssessments"], districtId: inside.districtId };
  const made = bodyOf(await admin.call("POST", api("/serviceAccount"), input)) as { uuid: string; ownerUuid: string };
  const path = api(`/serviceAccount/${made.uuid}`);
  const answered = bodyOf(await admin.get(path));
  expect(bodyOf(await admin.call("PATCH", path, answered))).toEqual(answered);
  const changed = { uuid: made.ownerUuid, active: false, district: "Elsewhere", createdDate: "2020-01-01" };
  const refused = await admin.call("PATCH", path, changed);
  expect([
    refused.status,
    (bodyOf(refused) as { errors: { path: string }[] }).errors.map((fault) => fault.path),
  ]).toEqual([422, ["uuid", "district", "active", "createdDate"]]);
  await admin.call("POST", api(`/user/${made.ownerUuid}/deactivate`));
  const whileAway = bodyOf(await admin.get(path));
  expect(bodyOf(await admin.call("PATCH", path, whileAway))).toEqual({ ...(answered as object), ownerActive: false });
  await admin.call("POST", api(`/user/${made.ownerUuid}/reactivate`));
  await admin.call("DELETE", path);
});

test("a service account is changed, limited and ended by REST and GraphQL, and the audit records each change", async () => {
  const { data } = await admin.graphql(
    `mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { uuid name owner { userName } privileges district { name } } errors { path message } } }`,
    {
      input: { name: "analyst-bot", owner: "assessor", privileges: ["viewAssessments"], districtId: inside.districtId },
    },
  );
  const { uuid } = data.createServiceAccount.serviceAccount;
  expect(data.createServiceAccount).toMatchObject({
    serviceAccount: { owner: { userName: "assessor" }, privileges: ["viewAssessments"] },
    errors: [],
  });
  const { caller, tokenUuid } = await tokenOf(uuid);
  expect((await caller.get(api(`/tdb/facility/${inside.facilityUuid}`))).status).toBe(403);
  const changed = await admin.call("PATCH", api(`/serviceAccount/${uuid}`), { privileges: ["uploadTdbs"] });
  expect(bodyOf(changed)).toMatchObject({
    privileges: ["uploadTdbs"],
    districtId: inside.districtId,
    owner: "assessor",
  });
  expect((await caller.get(api(`/tdb/facility/${inside.facilityUuid}`))).status).toBe(200);
  const freed = await admin.graphql(
    `mutation ($input: UpdateServiceAccountInput!) { updateServiceAccount(input: $input) { serviceAccount { district { name } } errors { path } } }`,
    { input: { uuid, districtId: null } },
  );
  expect(freed.data.updateServiceAccount).toEqual({ serviceAccount: { district: null }, errors: [] });
  const revoke = `mutation ($input: RevokeServiceAccountTokenInput!) { revokeServiceAccountToken(input: $input) { accessToken { revoked } errors { path } } }`;
  expect((await admin.graphql(revoke, { input: { uuid, tokenUuid } })).data.revokeServiceAccountToken).toEqual({
    accessToken: { revoked: true },
    errors: [],
  });
  expect((await caller.get(api("/province"))).status).toBe(401);
  const other = await tokenOf(uuid);
  expect((await admin.call("DELETE", api(`/serviceAccount/${uuid}`))).status).toBe(200);
  expect((await other.caller.get(api("/province"))).status).toBe(401);
  expect(
    (await admin.call("POST", api(`/serviceAccount/${uuid}/token`), { name: "Late", expiryDate: today })).status,
  ).toBe(409);
  expect(await row(uuid)).toMatchObject({ active: false });
  const rows = await gateway.sql<{ action: string }>`
    select action from audit_event where subject_type = 'ServiceAccount' and subject_id = ${uuid} order by audit_event_id`;
  expect(rows.map(({ action }) => action)).toEqual([
    ...[
      "service-account.create",
      "service-token.create",
      "service-account.update",
      "service-account.update",
      "service-token.revoke",
    ],
    ...["service-token.create", "service-account.end"],
  ]);
});

test("the tokens of a service account do not work while its owner is deactivated, and work again with another owner", async () => {
  const uuid = await make("owned", { owner: "newcomer" });
  const { caller } = await tokenOf(uuid);
  const rows = await gateway.sql<{ userUuid: string }>`select user_uuid from app_user where user_name = 'newcomer'`;
  expect((await caller.get(api("/province"))).status).toBe(200);
  expect((await admin.call("POST", api(`/user/${rows[0]!.userUuid}/deactivate`))).status).toBe(200);
  const refused = await caller.get(api("/province"));
  expect([refused.status, bodyOf(refused).detail]).toEqual([
    401,
    "The access token is that of a service account whose owner is deactivated.",
  ]);
  expect(await row(uuid)).toMatchObject({ ownerActive: false, active: true });
  await admin.call("PATCH", api(`/serviceAccount/${uuid}`), { owner: "assessor" });
  expect((await caller.get(api("/province"))).status).toBe(200);
});

test.each(["provinceId", "districtId", "implementingPartnerId"] as const)(
  "an account limited by %s reads and sends only data of its part of the country",
  async (name) => {
    const uuid = await make(`by-${name}`.slice(0, 32), {
      privileges: ["viewAssessments", "editAssessments", "uploadTdbs"],
      [name]: inside[name],
    });
    const { caller, secret } = await tokenOf(uuid);
    const status = async (path: string) => (await caller.get(api(path))).status;
    const idsOf = async (kind: "tdb" | "assessment", facilityUuid: string) =>
      (
        await gateway.sql<{ id: string }>`
          select ${sql.ref(`${kind}_uuid`)} as id from ${sql.table(kind)} where facility_uuid = ${facilityUuid} limit 1`
      )[0]!.id;

    expect([
      await status(`/tdb/facility/${inside.facilityUuid}`),
      await status(`/tdb/facility/${outside.facilityUuid}`),
    ]).toEqual([200, 403]);
    expect([
      await status(`/assessment/facility/${inside.facilityUuid}`),
      await status(`/assessment/facility/${outside.facilityUuid}`),
    ]).toEqual([200, 403]);
    const [own, other] = [
      await idsOf("assessment", inside.facilityUuid),
      await idsOf("assessment", outside.facilityUuid),
    ];
    expect([await status(`/assessment/${own}`), await status(`/assessment/${other}`)]).toEqual([200, 403]);
    expect([
      await status(`/assessment/csv/assessment/${own}`),
      await status(`/assessment/csv/assessment/${other}`),
    ]).toEqual([200, 403]);
    // A visit elsewhere is not shown to who sends another one under its uuid.
    const taken = await caller.call(
      "POST",
      api("/assessment"),
      visit({ ...inside, serviceAreas: [], otherArea: 0 }, { assessmentUuid: other }),
    );
    expect([taken.status, bodyOf<{ present?: object }>(taken).present]).toEqual([409, undefined]);
    // Open facts are the whole country's; irregularities are not.
    const irregularOf = async (facilityUuid: string) =>
      bodyOf<{ irregular: boolean | null }>(await caller.get(api(`/tdb/silent/facility/${facilityUuid}`))).irregular;
    expect([await irregularOf(inside.facilityUuid), await irregularOf(outside.facilityUuid)]).toEqual([
      expect.any(Boolean),
      null,
    ]);
    const facilities = (
      await gateway.sql<{ facilityUuid: string }>`
        select facility_uuid from facility where ${sql.ref(`facility.${name}`)} = ${inside[name]}`
    ).map((each) => each.facilityUuid);
    const { data, errors } = await caller.graphql(`{
    tdbs(first: 100) { totalCount nodes { facilityUuid } }
    assessments(first: 100) { totalCount nodes { facilityUuid } }
    silentSites(show: IRREGULAR, first: 100) { nodes { facility { facilityUuid } } }
  }`);
    expect(errors).toBeUndefined();
    const nodesRead = [
      ...data.tdbs.nodes,
      ...data.assessments.nodes,
      ...data.silentSites.nodes.map((each: { facility: unknown }) => each.facility),
    ];
    expect(
      nodesRead.filter(({ facilityUuid }: { facilityUuid: string }) => !facilities.includes(facilityUuid)),
    ).toEqual([]);
    const counts = await sql<{ tdbs: number; assessments: number }>`select
    (select count(*) from tdb where facility_uuid = any(${facilities})) as tdbs,
    (select count(*) from assessment where facility_uuid = any(${facilities})) as assessments`.execute(gateway.db);
    expect([data.tdbs.totalCount, data.assessments.totalCount]).toEqual([
      counts.rows[0]!.tdbs,
      counts.rows[0]!.assessments,
    ]);
    expect(counts.rows[0]!.tdbs).toBeGreaterThan(0);
    // Queries about the whole country or another part of it are refused, not shortened.
    const wide = `{ province(provinceId: ${outside.provinceId}) { tdbs(first: 100) { nodes { facilityUuid } } assessments(first: 100) { nodes { facilityUuid } }
    tdbHistoryFacilities(start: "2000-01-01", end: "${today}") { facilityId } } }`;
    const wideAnswer = await caller.graphql(wide);
    if (name === "provinceId")
      expect(wideAnswer.errors?.map(({ extensions }) => extensions.code)).toEqual([
        "FORBIDDEN",
        "FORBIDDEN",
        "FORBIDDEN",
      ]);
    expect(JSON.stringify(wideAnswer)).not.toContain(outside.facilityUuid);
    expect(await status(`/tdb/count/${today}/${today}`)).toBe(403);
    expect(await status("/changes?kinds=tdb")).toBe(403);
    expect((await caller.get(api("/changes"))).text).not.toContain(await idsOf("tdb", outside.facilityUuid));
    const nodes = await Promise.all(
      [own, other].map(
        async (id) =>
          (
            await caller.graphql("query ($id: ID!) { node(id: $id) { id } }", {
              id: Buffer.from(`Assessment:${id}`).toString("base64"),
            })
          ).data?.node,
      ),
    );
    expect(nodes[1]).toBeNull();
    expect(nodes[0]).not.toBeNull();
    // Small groups are suppressed, as for people who may not read all rows.
    expect(
      (await caller.graphql("{ tdbGroups(by: [DISTRICT]) { suppressed } }")).data.tdbGroups.some(
        ({ suppressed }: { suppressed: boolean }) => suppressed,
      ),
    ).toBe(true);
    const settings = (facilityUuid: string) => caller.call("PATCH", api(`/facility/settings/${facilityUuid}`), {});
    expect((await settings(outside.facilityUuid)).status).toBe(403);
    expect(bodyOf(await caller.get(api(`/privilege/facility/${outside.facilityUuid}`)))).toMatchObject({
      uploadTdbs: false,
      editAssessments: false,
    });

    const send = async (facilityUuid: string) =>
      sendFormBy(
        gateway.url,
        secret,
        formOf([{ name: "sync.tdbx", content: tdbxOf(facilityUuid, { createdAt: new Date().toISOString() }) }]),
      );
    const [sent, refused] = [await send(inside.facilityUuid), await send(outside.facilityUuid)];
    expect([sent.status, refused.status]).toEqual([200, 422]);
    expect(bodyOf(refused).detail).toMatch(/outside of the part of the country/);
  },
);
