import { beforeAll, expect, test } from "vitest";

import { bearerAt, bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Many site credentials are revoked in one call, by a list or by a filter; each is recorded in the audit. */

type Facility = {
  facilityUuid: string;
  hmisCode: string;
  districtId: number;
  provinceId: number;
  implementingPartnerId: number;
};
let facilities: Facility[];
const api = (path: string) => `/api/v1${path}`;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const expiryDate = (await gateway.sql<{ day: string }>`select (current_date + 30)::text as day`)[0]!.day;
beforeAll(async () => {
  const rows =
    await gateway.sql<Facility>`select facility_uuid, hmis_code, district_id, province_id, implementing_partner_id from facility
    where hmis_code is not null and implementing_partner_id is not null order by facility_uuid limit 60`;
  facilities = rows;
});

async function issue(some: readonly Facility[]): Promise<string[]> {
  const answer = await admin.call("POST", api("/siteCredential"), {
    facilities: some.map(({ facilityUuid }) => facilityUuid),
    expiryDate,
  });
  expect(answer.status, answer.text).toBe(200);
  return bodyOf<{ secret: string }[]>(answer).map(({ secret }) => secret);
}
const revoke = (body: object, person = admin) => person.call("POST", api("/siteCredential/revoke"), body);
const statusOf = async (secret: string) => (await bearerAt(gateway.url, secret).get(api("/site/me"))).status;
const audited = async () =>
  await gateway.sql<{
    facilityUuid: string;
    details: { revoked: number; together: number };
  }>`select facility_uuid, details from audit_event
    where action = 'site-credential.revoke' and outcome = 'done' order by audit_event_id`;
const mutation =
  "mutation ($input: RevokeSiteCredentialsInput!) { revokeSiteCredentials(input: $input) { revoked unchanged errors { path message } } }";

test("the credentials of a list are revoked together, with their renewals, each with its own audit event", async () => {
  const some = facilities.slice(0, 4);
  const secrets = await issue(some);
  const renewed = bodyOf(await bearerAt(gateway.url, secrets[0]!).call("POST", api("/site/me/renew"))).secret as string;
  const others = await issue(facilities.slice(4, 5));
  const before = await audited();
  const named = [some[0]!.hmisCode, some[1]!.facilityUuid, some[2]!.facilityUuid, facilities[50]!.hmisCode];
  const wrong = await revoke({ facilities: [...named, "nowhere"] });
  expect([wrong.status, errorsOf(wrong)]).toEqual([
    422,
    [{ path: "facilities.4", message: "there is no facility nowhere" }],
  ]);
  expect(await statusOf(secrets[0]!)).toBe(200);
  const crossed = await revoke({ facilities: named, expected: 3 });
  expect([crossed.status, bodyOf(crossed).detail]).toEqual([
    409,
    "This is about 4 sites now, not 3. Nothing was revoked: look at the list again.",
  ]);
  const answer = await revoke({ facilities: named, expected: 4 });
  expect([answer.status, answer.body]).toEqual([200, { revoked: 3, unchanged: 1 }]);
  expect(await Promise.all([...secrets, renewed, ...others].map(statusOf))).toEqual([401, 401, 401, 200, 401, 200]);
  const events = (await audited()).slice(before.length);
  expect(events.map(({ facilityUuid }) => facilityUuid).toSorted()).toEqual(
    some
      .slice(0, 3)
      .map(({ facilityUuid }) => facilityUuid)
      .toSorted(),
  );
  expect(events.map(({ details }) => details.together)).toEqual([3, 3, 3]);
  expect(events.find(({ facilityUuid }) => facilityUuid === some[0]!.facilityUuid)?.details.revoked).toBe(2);
  // Repeating the call changes nothing.
  expect((await revoke({ facilities: named })).body).toEqual({ revoked: 0, unchanged: 4 });
  expect(await audited()).toHaveLength(before.length + 3);
});

test.each(["districtId", "provinceId", "implementingPartnerId"] as const)(
  "revocation by %s ends exactly the matching credentials, by GraphQL and by REST",
  async (name) => {
    const secrets = await issue(facilities);
    const value = facilities[7]![name];
    const filter = { [name]: value };
    const { totalCount } = (
      await admin.graphql(`{ siteCredentials(${name}: ${value}, state: working) { totalCount } }`)
    ).data.siteCredentials;
    const hit = facilities.filter((facility) => facility[name] === value).length;
    expect([hit > 0, hit < facilities.length]).toEqual([true, true]);
    const crossed = await admin.graphql(mutation, { input: { ...filter, state: "working", expected: totalCount + 1 } });
    expect(crossed.data.revokeSiteCredentials).toMatchObject({
      revoked: null,
      errors: [{ path: "", message: expect.stringMatching(/Nothing was revoked/) }],
    });
    const done = await admin.graphql(mutation, { input: { ...filter, state: "working", expected: totalCount } });
    expect(done.data.revokeSiteCredentials).toEqual({ revoked: totalCount, unchanged: 0, errors: [] });
    const matching = facilities.map((facility) => (facility[name] === value ? 401 : 200));
    expect(await Promise.all(secrets.map(statusOf))).toEqual(matching);
    expect((await revoke({ ...filter, state: "working" })).body).toEqual({ revoked: 0, unchanged: 0 });

    const others = await issue(facilities);
    const refused = await revoke({ ...filter, state: "working", expected: hit + 1 });
    expect([refused.status, bodyOf(refused).detail]).toEqual([409, expect.stringMatching(/Nothing was revoked/)]);
    expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set([200]));
    const revoked = await revoke({ ...filter, state: "working", expected: hit });
    expect([revoked.status, revoked.body]).toEqual([200, { revoked: hit, unchanged: 0 }]);
    expect(await Promise.all(others.map(statusOf))).toEqual(matching);
  },
);

test("a revocation without filter or with both list and filter is refused", async () => {
  for (const body of [
    {},
    { facilities: [] },
    { expected: 3 },
    { search: "" },
    { facilities: [facilities[0]!.facilityUuid], districtId: 1 },
  ]) {
    const answer = await revoke(body);
    expect([body, answer.status, errorsOf(answer)[0]?.path]).toEqual([body, 422, "facilities"]);
  }
  expect((await revoke({ districtId: 999_999 })).status).toBe(404);
});

test("5,000 credentials, as many as one call may name, are revoked in one call", async () => {
  await gateway.sql`insert into facility (facility_uuid, facility_name, district_id, province_id, version)
    select 'many-' || n, 'Many ' || n, ${facilities[0]!.districtId}, ${facilities[0]!.provinceId}, 1 from generate_series(1, 5000) as n`;
  await issue(Array.from({ length: 5000 }, (_, index) => ({ facilityUuid: `many-${index + 1}` }) as Facility));
  expect((await revoke({ search: "many", expected: 5000 })).body).toEqual({ revoked: 5000, unchanged: 0 });
});
