import { parse as parseCsv } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";

import { openWorkbook } from "../../gateway/registry/reading/workbook.ts";
import { workbookType } from "../../gateway/rest/workbook/sheet.rules.ts";
import { bearerAt, bodyOf, errorsOf, type Person, testGateway } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf, formOf, sendFormBy, tdbxOf, tusOf } from "../support/tdbx.ts";

/**
 * Site credentials over HTTP: issued for many facilities at once, used to send the TDBs of their facility, renewed,
 * watched and revoked.
 */

const api = (path: string) => `/api/v1${path}`;
type Facility = { facilityUuid: string; facilityName: string; hmisCode: string | null };
let facilities: Facility[];

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const dayFromNow = async (days: number) =>
  (await gateway.sql<{ day: string }>`select (current_date + ${days}::int)::text as day`)[0]!.day;
const lastDay = await dayFromNow(100);
beforeAll(async () => {
  const rows =
    await gateway.sql<Facility>`select facility_uuid, facility_name, hmis_code from facility where hmis_code is not null order by facility_uuid limit 12`;
  facilities = rows;
});

type Issued = { facilityUuid: string; facilityName: string; hmisCode: string; secret: string; expiryDate: string };
async function issue(named: string[], expiryDate = lastDay): Promise<Issued[]> {
  const answer = await admin.call("POST", api("/siteCredential"), { facilities: named, expiryDate });
  expect(answer.status, answer.text).toBe(200);
  return bodyOf(answer);
}
const issueFor = async (facility: Facility, expiryDate?: string) =>
  (await issue([facility.facilityUuid], expiryDate))[0]!;
const by = (secret: string) => bearerAt(gateway.url, secret);
const fileOf = (facility: Facility, rest = {}, size?: number) => ({
  name: "site.tdbx",
  content: tdbxOf(facility.facilityUuid, rest, size),
});
const send = (secret: string, file: { name: string; content: Buffer }) =>
  sendFormBy(gateway.url, secret, formOf([file]));
const listed = async (facilityUuid: string) =>
  bodyOf(await admin.get(api("/siteCredential"))).find((each: Facility) => each.facilityUuid === facilityUuid);
/** Makes a function that sends a file as a resumable upload with a credential. */
function tusBy(secret: string) {
  const { call: anyCall } = tusOf(gateway.url, { cookies: new Map() } as Person);
  const call: typeof anyCall = (method, path, headers, body) =>
    anyCall(method, path, { authorization: `Bearer ${secret}`, ...headers }, body);
  return async (file: { name: string; content: Buffer }) => {
    const metadata = `filename ${Buffer.from(file.name).toString("base64")}`;
    const begun = await call("POST", api("/tdb/resumable"), {
      "upload-length": String(file.content.length),
      "upload-metadata": metadata,
    });
    expect(begun.status, begun.text).toBe(201);
    const path = begun.headers.get("location")!;
    const patched = await call(
      "PATCH",
      path,
      { "upload-offset": "0", "content-type": "application/offset+octet-stream" },
      file.content,
    );
    if (patched.status === 422)
      return {
        status: 422,
        body: { accepted: false, error: { message: (JSON.parse(patched.text) as { detail: string }).detail } },
      };
    expect(patched.status).toBe(204);
    const { status, text } = await call("POST", `${path}/finish`, {});
    return { status, body: JSON.parse(text) as { accepted: boolean; error: { message: string } | null } };
  };
}

test("credentials are issued for a list of facilities at once, as a CSV file, all or none", async () => {
  const [one, two] = facilities as [Facility, Facility];
  const wrong = await admin.call("POST", api("/siteCredential"), {
    facilities: [one.hmisCode, "nowhere", one.facilityUuid],
    expiryDate: lastDay,
  });
  expect([wrong.status, errorsOf(wrong)]).toEqual([
    422,
    [
      { path: "facilities.1", message: "there is no facility nowhere" },
      { path: "facilities.2", message: `${one.facilityUuid} is named twice` },
    ],
  ]);
  for (const [count, message] of [
    [0, "name at least one facility"],
    [5001, "name at most 5000 facilities at a time"],
  ] as const) {
    const refused = await admin.call("POST", api("/siteCredential"), {
      facilities: Array.from({ length: count }, (_, at) => `none-${at}`),
      expiryDate: lastDay,
    });
    expect([refused.status, errorsOf(refused)]).toEqual([422, [{ path: "facilities", message }]]);
  }
  expect(await listed(one.facilityUuid)).toBeUndefined();
  const answer = await admin.call(
    "POST",
    api("/siteCredential"),
    { facilities: [one.hmisCode, two.facilityUuid], expiryDate: lastDay },
    { accept: "text/csv" },
  );
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
    200,
    "text/csv; charset=utf-8",
    "no-store",
  ]);
  const rows = parseCsv(answer.text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows).toMatchObject([
    { facility: one.facilityName, hmisCode: one.hmisCode, facilityUuid: one.facilityUuid, expiryDate: lastDay },
    { facility: two.facilityName, hmisCode: two.hmisCode, facilityUuid: two.facilityUuid, expiryDate: lastDay },
  ]);
  const [secret, other] = rows.map((row) => row["secret"]!) as [string, string];
  expect(secret).not.toBe(other);
  expect(JSON.stringify(await gateway.sql`select token_hash, name from access_token`)).not.toContain(secret);
  const workbook = await fetch(`${gateway.url}${api("/siteCredential")}`, {
    method: "POST",
    headers: { cookie: cookiesOf(admin), "content-type": "application/json", accept: workbookType },
    body: JSON.stringify({ facilities: [facilities[2]!.facilityUuid], expiryDate: lastDay }),
  });
  const book = await openWorkbook(Buffer.from(await workbook.arrayBuffer()));
  const [head, line] = await book.firstRows(book.sheets[0]!, 2);
  expect(head!.cells).toEqual(Object.keys(rows[0]!));
  expect(line!.cells).toMatchObject({ 0: facilities[2]!.facilityName, 4: lastDay });
  expect(await listed(one.facilityUuid)).toMatchObject({
    state: "unused",
    expiryDate: lastDay,
    daysLeft: 100,
    lastUsedDate: null,
    renewed: false,
  });
  // Only for an administrator who is signed in, not with a token.
  for (const login of ["manager", "uploader", "plain"])
    expect(
      (
        await (
          await gateway.as(login)
        ).call("POST", api("/siteCredential"), { facilities: [one.facilityUuid], expiryDate: lastDay })
      ).status,
    ).toBe(403);
  const { body } = await admin.call("POST", api("/token"), {
    name: "All",
    privileges: ["administrator"],
    expiryDate: lastDay,
  });
  expect(
    (
      await by((body as { token: string }).token).call("POST", api("/siteCredential"), {
        facilities: [one.facilityUuid],
        expiryDate: lastDay,
      })
    ).status,
  ).toBe(403);
  expect((await admin.get(api("/user"))).text).not.toContain("site@");
});

test("a site can read who it is, what was received from it and what is due", async () => {
  const [, , facility, neighbour] = facilities as [Facility, Facility, Facility, Facility];
  const { secret } = await issueFor(facility);
  const site = by(secret);
  const me = await site.get(api("/site/me"));
  expect([me.status, bodyOf(me)]).toMatchObject([
    200,
    {
      facilityUuid: facility.facilityUuid,
      hmisCode: facility.hmisCode,
      expiryDate: lastDay,
      daysLeft: 100,
      limits: { uploadsAtOnce: 16 },
    },
  ]);
  expect(bodyOf(await site.get(api("/site/me/receipts")))).toEqual([]);
  const file = fileOf(facility, { createdAt: new Date().toISOString() });
  const sent = await send(secret, file);
  expect([sent.status, bodyOf(sent)[0]]).toMatchObject([200, { accepted: true, facilityUuid: facility.facilityUuid }]);
  expect((await tusBy(secret)(fileOf(facility))).body).toMatchObject({ accepted: true });
  const receipts = bodyOf(await site.get(api("/site/me/receipts")));
  expect(receipts).toMatchObject([
    { fileName: "site.tdbx", accepted: true },
    { reference: bodyOf(sent)[0].reference, sha256: bodyOf(sent)[0].sha256 },
  ]);
  const first = await site.get(api("/site/me/receipts?limit=1"));
  expect(bodyOf(first)).toHaveLength(1);
  expect(first.headers.get("link")).toMatch(/rel="next"/);
  const today = await dayFromNow(0);
  expect(bodyOf(await site.get(api("/site/me/needs")))).toEqual({
    tdb: {
      lastCreationDate: today,
      lastUploadDate: today,
      daysSince: 0,
      rhythmDays: 30,
      expected: true,
      overdue: false,
    },
  });
  // A file of another facility is refused by every upload API, whether the file is known or not.
  const foreign = fileOf(neighbour);
  const reason = `It is of another facility: this credential sends the TDBs of ${facility.facilityName} only.`;
  const refused = await send(secret, foreign);
  expect([refused.status, errorsOf(refused)]).toEqual([422, [{ path: "files.0", message: reason }]]);
  expect((await tusBy(secret)(foreign)).body).toMatchObject({ accepted: false, error: { message: reason } });
  const theirs = (await issueFor(neighbour)).secret;
  expect((await send(theirs, foreign)).status).toBe(200);
  const known = await send(secret, foreign);
  expect([known.status, errorsOf(known)[0]!.message]).toEqual([422, reason]);
  expect(known.text).not.toContain(neighbour.facilityUuid);
  expect(bodyOf(await site.get(api("/site/me/receipts")))).toHaveLength(2);
  expect(await listed(facility.facilityUuid)).toMatchObject({
    state: "working",
    lastUsedDate: today,
    lastUsedAddress: "127.0.0.1",
  });
  // The list of TDBs names the site as the sender.
  const rows = bodyOf(await (await gateway.as("uploader")).get(api(`/tdb/facility/${facility.facilityUuid}`)));
  expect(rows[0]).toMatchObject({ userFirstName: "Site", userSurname: facility.facilityName });
});

test("a site credential gives no access to other REST paths or to GraphQL", async () => {
  const { secret } = await issueFor(facilities[4]!);
  const site = by(secret);
  for (const path of [
    "/province",
    "/user/me",
    "/tdb/facility/" + facilities[4]!.facilityUuid,
    "/site",
    "/privilege",
    "/token",
    "/openapi.json",
    "/auth",
    "/system",
  ])
    expect([path, (await site.get(api(path))).status]).toEqual([path, 403]);
  expect((await site.get(api("/auth/logout"))).status).toBe(403);
  for (const query of [
    "{ viewer { user { userName } } }",
    "{ __typename }",
    `{ node(id: "${Buffer.from(`Facility:${facilities[4]!.facilityUuid}`).toString("base64")}") { id } }`,
    "{ system { appName } }",
  ]) {
    const answer = await site.call("POST", "/graphql", { query });
    expect([query, answer.status, bodyOf(answer).data]).toEqual([query, 403, undefined]);
  }
  expect((await site.get("/graphql", { accept: "text/html" })).status).toBe(403);
  expect((await admin.get(api("/site/me"))).status).toBe(403);
});

test("a renewal issues a new credential; the old one works until a new one is used, even if answers were lost", async () => {
  const facility = facilities[5]!;
  const { secret: first } = await issueFor(facility);
  const renew = async (secret: string) =>
    bodyOf<{ secret: string; expiryDate: string; daysLeft: number }>(
      await by(secret).call("POST", api("/site/me/renew")),
    );
  const works = async (secret: string) => (await by(secret).get(api("/site/me"))).status;
  const lost = await renew(first);
  const second = await renew(first);
  expect([await works(first), second.expiryDate, second.daysLeft]).toEqual([200, lastDay, 100]);
  expect(await listed(facility.facilityUuid)).toMatchObject({ state: "working", renewed: true });
  expect((await send(first, fileOf(facility))).status).toBe(200);
  expect(await works(second.secret)).toBe(200);
  expect([await works(first), await works(lost.secret)]).toEqual([401, 401]);
  expect(await listed(facility.facilityUuid)).toMatchObject({ state: "working", renewed: false });
  // If answers to many renewals cross, any of the last five may be the one that arrived.
  const answers: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) answers.push((await renew(second.secret)).secret);
  expect(await works(answers[0]!)).toBe(401);
  expect(await works(second.secret)).toBe(200);
  expect(await works(answers[1]!)).toBe(200);
  expect([await works(second.secret), await works(answers[5]!)]).toEqual([401, 401]);
  // First uses and renewals at the same time leave one credential that works.
  const present = answers[1]!;
  const [fresh] = await Promise.all([renew(present), works(present)]);
  const met = await Promise.all([
    renew(present).catch(() => null),
    ...Array.from({ length: 5 }, () => works(fresh.secret)),
  ]);
  expect(met.slice(1).every((status) => status === 200)).toBe(true);
  const rows = await gateway.sql<{ n: number }>`
    select count(*) as n from access_token join site_account using (user_uuid)
    where facility_uuid = ${facility.facilityUuid} and revoked_at is null and last_used_at is not null`;
  expect(rows[0]!.n).toBe(1);
  // Revoking it revokes all its renewals, and REST accepts what GraphQL revoked.
  const { uuid } = await listed(facility.facilityUuid);
  await renew(fresh.secret);
  const revoke =
    "mutation ($input: RevokeSiteCredentialInput!) { revokeSiteCredential(input: $input) { siteCredential { state renewed facility { facilityUuid } } errors { path } } }";
  expect((await admin.graphql(revoke, { input: { uuid } })).data.revokeSiteCredential).toEqual({
    siteCredential: { state: "revoked", renewed: false, facility: { facilityUuid: facility.facilityUuid } },
    errors: [],
  });
  expect(await works(fresh.secret)).toBe(401);
  expect((await admin.call("DELETE", api(`/siteCredential/${uuid}`))).status).toBe(200);
  // A new one can be issued afterwards.
  expect(await works((await issueFor(facility)).secret)).toBe(200);
});

test("an expired credential is always reported as expired, never as too many wrong ones, and other sites at its address keep working", async () => {
  const facility = facilities[6]!;
  const { secret } = await issueFor(facility);
  await gateway.sql`update access_token set expires_at = now() - interval '1 day' where user_uuid = (select user_uuid from site_account where facility_uuid = ${facility.facilityUuid})`;
  for (let turn = 0; turn < 25; turn += 1) {
    const answer = await by(secret).get(api("/site/me"));
    expect([answer.status, bodyOf(answer).detail]).toEqual([401, "The access token is expired."]);
  }
  expect((await by(secret).call("POST", api("/site/me/renew"))).status).toBe(401);
  expect(await listed(facility.facilityUuid)).toMatchObject({ state: "expired", daysLeft: 0 });
  expect((await by((await issueFor(facilities[7]!)).secret).get(api("/site/me"))).status).toBe(200);
  const soon = await issueFor(facility, await dayFromNow(10));
  expect((await by(soon.secret).get(api("/site/me"))).status).toBe(200);
  const { data } = await admin.graphql(
    "{ siteCredentials(state: expiring, first: 10) { totalCount nodes { daysLeft facility { facilityUuid } } } }",
  );
  expect(data.siteCredentials.nodes).toEqual([{ daysLeft: 10, facility: { facilityUuid: facility.facilityUuid } }]);
});

test("twelve concurrent uploads by one credential, and uploads of sixty sites at one address, are all received", async () => {
  const [one] = await issue([facilities[8]!.facilityUuid]);
  const twelve = await Promise.all(
    Array.from({ length: 12 }, () => send(one!.secret, fileOf(facilities[8]!, {}, 200_000))),
  );
  expect(twelve.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  const many =
    await gateway.sql<Facility>`select facility_uuid, facility_name, hmis_code from facility order by facility_uuid desc limit 60`;
  const secrets = await issue(many.map(({ facilityUuid }) => facilityUuid));
  const answers = await Promise.all(many.map((facility, index) => send(secrets[index]!.secret, fileOf(facility))));
  expect(answers.filter(({ status }) => status !== 200).map(({ status, text }) => [status, text])).toEqual([]);
});

test("the audit distinguishes a person, a person's token, a service account and a site", async () => {
  const facility = facilities[9]!;
  const { secret } = await issueFor(facility);
  await send(secret, fileOf(facility));
  const uploader = await gateway.as("uploader");
  const token = bodyOf(
    await uploader.call("POST", api("/token"), { name: "Own", privileges: ["uploadTdbs"], expiryDate: lastDay }),
  ).token as string;
  await send(token, fileOf(facility));
  const { uuid } = bodyOf(
    await admin.call("POST", api("/serviceAccount"), {
      name: "sender-bot",
      owner: "uploader",
      privileges: ["uploadTdbs"],
    }),
  );
  await send(
    bodyOf(await admin.call("POST", api(`/serviceAccount/${uuid}/token`), { name: "Bot", expiryDate: lastDay }))
      .token as string,
    fileOf(facility),
  );
  const actor = (rows: { actor: string; action: string; facilityUuid: string }[], action: string) =>
    rows.filter((row) => row.action === action && row.facilityUuid === facility.facilityUuid).map((row) => row.actor);
  const rest = bodyOf(await admin.get(api(`/audit?about=${facility.hmisCode}`)));
  expect(actor(rest, "tdb.upload")).toEqual(["service", "token", "site"]);
  expect(actor(rest, "site-credential.issue")).toEqual(["person"]);
  const { data } = await admin.graphql(
    `{ auditEvents(about: "${facility.hmisCode}", first: 50) { nodes { action actor facilityUuid userName tokenName user { userName } } } }`,
  );
  expect(actor(data.auditEvents.nodes, "tdb.upload")).toEqual(["service", "token", "site"]);
  expect(data.auditEvents.nodes.filter((row: { action: string }) => row.action === "tdb.upload")).toMatchObject([
    { userName: "sender-bot", tokenName: "Bot", user: null },
    { userName: "uploader", tokenName: "Own", user: { userName: "uploader" } },
    { userName: `site@${facility.facilityUuid}`, tokenName: "Site credential", user: null },
  ]);
  const csv = parseCsv((await admin.get(api(`/audit/csv?about=${facility.hmisCode}`))).text, {
    bom: true,
    columns: true,
  }) as { action: string; actor: string; facilityUuid: string }[];
  expect(actor(csv, "tdb.upload")).toEqual(["service", "token", "site"]);
});

test("uploads beyond the number that a gateway accepts at once wait for their turn, and all are received", async () => {
  const [one] = await issue([facilities[10]!.facilityUuid]);
  const many =
    await gateway.sql<Facility>`select facility_uuid, facility_name, hmis_code from facility order by facility_uuid desc limit 40 offset 60`;
  const narrow = await testGateway("empty", {
    db: gateway.db,
    uploads: { perMachine: 16, idleSeconds: 60, mostMinutes: 30, perUser: 8, atOnce: 3, queueSeconds: patience / 1000 },
  });
  const secrets = [
    ...(await issue(many.map(({ facilityUuid }) => facilityUuid))).map(({ secret }) => secret),
    one!.secret,
  ];
  const files = [...many, facilities[10]!].map((facility) => fileOf(facility));
  const answers = await Promise.all(
    secrets.map((secret, index) => sendFormBy(narrow.url, secret, formOf([files[index]!]))),
  );
  expect(answers.filter(({ status }) => status !== 200).map(({ status, text }) => [status, text])).toEqual([]);
  await narrow.stop();
});
