import { v7 } from "uuid";
import { beforeAll, expect, test } from "vitest";

import { missingRightsMessage } from "../../gateway/access/access.rules.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { bearerAt, bodyOf, errorsOf, type Person, stranger } from "../support/gateway.ts";
import { agreeAction, changedBy, mutate } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** What the acts of people leave in the ledger, and to whom it is told. The rows themselves: ledger-states.test.ts. */

type Entry = {
  day: string;
  facilityUuid: string;
  kind: string;
  event: string;
  from: string | null;
  to: string;
  direction: string;
  who: string | null;
  comment: string | null;
  source: string;
  assessmentUuid: string | null;
};

const burnt = "The server burnt: <smoke> & water";
let [admin, assessor, viewer, plain]: Person[] = [];
let site: SampleFacility;
const path = (more = "") => `/api/v1/ledger?facilityUuid=${site.facilityUuid}&range=LAST_1_DAYS${more}`;
const read = async (person: Person, more = "") => {
  const answer = await person.get(path(more));
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return bodyOf<Entry[]>(answer);
};

const gateway = await gatewayOfFile();
beforeAll(async () => {
  [admin, assessor, viewer, plain] = await Promise.all(
    ["admin", "assessor", "viewer", "plain"].map((login) => gateway.as(login)),
  );
  site = await sampleFacility(gateway.db);
  const ok = async (answer: ReturnType<Person["call"]>) => {
    const { status, text } = await answer;
    if (status !== 200) throw new Error(text);
  };
  const { facilityUuid } = site;
  await ok(assessor!.call("POST", "/api/v1/assessment", visit(site, { libraryVersion: "4.3.1" })));
  const broken = { smartCareFunctional: false, closingComments: burnt, libraryVersion: "4.3.1" };
  await ok(assessor!.call("POST", "/api/v1/assessment", visit(site, broken)));
  const rows = await gateway.sql<{ id: number }>`
    select implementing_partner_id as id from implementing_partner where closed_on is null
      and implementing_partner_id is distinct from (select implementing_partner_id from facility where facility_uuid = ${facilityUuid}) limit 1`;
  await ok(admin!.call("PATCH", `/api/v1/facility/settings/${facilityUuid}`, { implementingPartnerId: rows[0]!.id }));
  for (const present of [true, false])
    await ok(
      assessor!.call("PUT", "/api/v1/facilityConnectivity", {
        facilityUuid,
        ...{ present, type: null, details: null, mobileCoverage: false, mobileProvider: null },
      }),
    );
  await ok(admin!.call("PATCH", `/api/v1/facility/${facilityUuid}`, { facilityName: "Renamed Clinic" }));
  const { today } = bodyOf<{ today: string }>(await admin!.get("/api/v1/system"));
  await ok(admin!.call("POST", `/api/v1/facility/${facilityUuid}/close`, { closedOn: today, reason: "Flooded" }));
  await ok(admin!.call("POST", `/api/v1/facility/${facilityUuid}/reopen`));
  const { actionUuid } = await changedBy(agreeAction(assessor!, { facilityUuid, text: "Replace the server" }));
  const close = `mutation ($input: CloseActionInput!) { done: closeAction(input: $input) { changed: action { id } errors { path message } } }`;
  await changedBy(mutate(assessor!, close, { input: { actionUuid, version: 1, state: "DONE", reason: "It came" } }));
  const note = `mutation ($input: NoteWorklistEntryInput!) { done: noteWorklistEntry(input: $input) { changed: entry { kind } errors { path message } } }`;
  await changedBy(mutate(assessor!, note, { input: { facilityUuid, kind: "STOPPED", comment: "At the workshop" } }));
  const wrong = visit(site, { assessmentUuid: v7(), libraryVersion: "4.0.0" });
  await ok(assessor!.call("POST", "/api/v1/assessment", wrong));
  const aside = `mutation ($input: SetAssessmentAsideInput!) { done: setAssessmentAside(input: $input) { changed: assessment { id } errors { path message } } }`;
  await changedBy(
    mutate(admin!, aside, { input: { assessmentUuid: wrong.assessmentUuid, reason: "Visited another site" } }),
  );
});

const words = ({ event, from, to, direction, who, comment }: Entry) => [event, from, to, direction, who, comment];

test("each act is told once, from what to what, with its direction, by whom and why", async () => {
  const rows = await read(admin!);
  const told = rows.map(words);
  expect(told).toContainEqual(["works", "yes", "no", "worse", "assessor", burnt]);
  expect(told).toContainEqual(["internet", "yes", "no", "worse", "assessor", null]);
  expect(told).toContainEqual(["renamed", expect.any(String), "Renamed Clinic", "neither", "admin", null]);
  expect(told).toContainEqual(["closed", "open", "closed", "neither", "admin", "Flooded"]);
  expect(told).toContainEqual(["reopened", "closed", "open", "neither", "admin", null]);
  expect(told).toContainEqual(["agreed", null, "agreed", "neither", "assessor", "Replace the server"]);
  expect(told).toContainEqual(["done", "agreed", "done", "better", "assessor", "Replace the server: It came"]);
  expect(told).toContainEqual(["stopped", null, "noted", "neither", "assessor", "At the workshop"]);
  expect(told).toContainEqual(["setAside", "counted", "set aside", "neither", "admin", "Visited another site"]);
  expect(rows.filter(({ kind }) => kind === "partner")).toMatchObject([{ event: "partner", who: "admin" }]);
  // A visit that was set aside changes nothing.
  expect(rows.filter(({ to }) => to === "4.0.0")).toEqual([]);
});

test("who, comments and visits are for those who may see assessments, who changed a facility for administrators", async () => {
  const open = await read(plain!);
  expect([...new Set(open.map(({ kind }) => kind))].toSorted()).toEqual(
    [...new Set((await read(admin!)).map(({ kind }) => kind))]
      .filter((kind) => !["action", "note", "setAside"].includes(kind))
      .toSorted(),
  );
  expect(open.flatMap(({ who, comment, assessmentUuid }) => [who, comment, assessmentUuid])).toEqual(
    open.flatMap(() => [null, null, null]),
  );
  const seen = await read(viewer!);
  expect(seen.find(({ event, to }) => event === "works" && to === "no")).toMatchObject({
    ...{ who: "assessor", comment: burnt, assessmentUuid: expect.any(String) },
  });
  expect(seen.find(({ event }) => event === "renamed")!.who).toBeNull();
  for (const kind of ["action", "note", "setAside"]) {
    const refused = await plain!.get(path(`&kinds=works,${kind}`));
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(missingRightsMessage)]);
  }
});

test("GraphQL, CSV and NDJSON have the same rows; GraphQL lists them by facility too", async () => {
  const rows = await read(admin!);
  const names = Object.keys(rows[0]!);
  const query = `query ($sort: LedgerOrder, $facilityUuid: String) { ledger(range: "LAST_1_DAYS", sort: $sort, facilityUuid: $facilityUuid) {
    totalCount nodes { id day facilityUuid facility { facilityName district { name } province { name } implementingPartner { implementingPartner } } kind event from to direction who comment source assessmentUuid } }
    ledgerCounts(range: "LAST_1_DAYS", facilityUuid: $facilityUuid) { kind direction count } }`;
  type Answer = {
    ledger: { totalCount: number; nodes: (Record<string, unknown> & { facilityUuid: string })[] };
    ledgerCounts: { count: number }[];
  };
  const { data } = await admin!.graphql<Answer>(query, { facilityUuid: site.facilityUuid });
  const lower = (word: unknown) =>
    String(word)
      .toLowerCase()
      .replaceAll(/_\w/g, (end) => end[1]!.toUpperCase());
  type Place = {
    facilityName: string;
    district: { name: string };
    province: { name: string };
    implementingPartner: { implementingPartner: string } | null;
  };
  const shown = data.ledger.nodes.map(({ facility, ...node }) => {
    const { facilityName, district, province, implementingPartner } = facility as Place;
    const named = { facilityName, district: district.name, province: province.name };
    const partner = implementingPartner?.implementingPartner ?? null;
    const enums = { kind: lower(node["kind"]), direction: lower(node["direction"]), source: lower(node["source"]) };
    return { ...node, ...enums, ...named, implementingPartner: partner };
  });
  expect(shown).toEqual(rows);
  expect(data.ledger.totalCount).toBe(rows.length);
  expect(data.ledgerCounts.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
  const csv = (await admin!.get(path().replace("/ledger?", "/ledger/csv?"))).text.trim().split("\r\n");
  expect([csv[0], csv.length]).toEqual([names.join(","), rows.length + 1]);
  const lines = (await admin!.get(path().replace("/ledger?", "/ledger/ndjson?"))).text.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
  const { data: all } = await admin!.graphql<Answer>(query, { sort: "SITE" });
  const sites = all.ledger.nodes.map(({ facilityUuid }) => facilityUuid);
  const begins = sites.filter((uuid, index) => uuid !== sites[index - 1]);
  expect([begins[0], begins.length]).toEqual([site.facilityUuid, new Set(sites).size]);
});

test("what cannot be asked is refused by name", async () => {
  for (const [query, field] of [
    ["?kinds=weather", "kinds.0"],
    ["?direction=up", "direction"],
    ["?range=LAST_0_DAYS", "range"],
    ["?range=THIS_YEAR&start=2026-01-01", "range"],
    ["?start=2026-02-01&end=2026-01-01", "end"],
    ["?zone=1", "zone"],
  ]) {
    const refused = await plain!.get(`/api/v1/ledger${query}`);
    expect([query, refused.status, errorsOf(refused)[0]!.path]).toEqual([query, 422, field]);
  }
  expect((await plain!.get("/api/v1/ledger?provinceId=999999")).status).toBe(404);
  expect((await plain!.get("/api/v1/ledger?facilityUuid=nowhere")).status).toBe(404);
  expect(bodyOf(await plain!.get("/api/v1/ledger?start=2100-01-01"))).toEqual([]);
});

test("a feed is read at its address without signing in, with its owner's rights of the moment, and ends with its token or its owner's account", async () => {
  const create = `mutation ($input: CreateLedgerFeedInput!) { done: createLedgerFeed(input: $input) { changed: accessToken { uuid name } address errors { path message } } }`;
  const make = async (person: Person, input: object) =>
    (
      await person.graphql<{ done: { changed: { uuid: string }; address: string; errors: { path: string }[] } }>(
        create,
        {
          input: { name: "My <sites> & others", ...input },
        },
      )
    ).data.done;
  const { address, changed, errors } = await make(viewer!, {});
  expect(errors).toEqual([]);
  const at = new URL(address).pathname;
  const feed = await stranger(gateway.url).get(at);
  expect([feed.status, feed.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
  expect(feed.text).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
  expect(feed.text).toContain("My &lt;sites&gt; &amp; others");
  expect(feed.text).toContain("Works: yes → no");
  expect(feed.text).toContain("The server burnt: &lt;smoke&gt; &amp; water");
  expect(feed.text).toMatch(/<author>\s*<name>[^<]+<\/name>\s*<\/author>/);
  expect(feed.text).not.toMatch(/\+260|ruth@example/);
  // Nothing has changed.
  const again = await stranger(gateway.url).get(at, { "if-none-match": feed.headers.get("etag")! });
  expect(again.status).toBe(304);

  // Who may not see assessments reads no comments; the kinds that need the right are refused.
  const open = await make(plain!, { direction: "WORSE" });
  const shown = await stranger(gateway.url).get(new URL(open.address).pathname);
  expect([shown.text.includes("Works: yes → no"), shown.text.includes("The server burnt")]).toEqual([true, false]);
  expect((await make(plain!, { kinds: ["NOTE"] })).errors).toMatchObject([{ message: missingRightsMessage }]);
  expect((await make(plain!, { name: "", provinceId: 1 })).errors).toMatchObject([{ path: "name" }]);

  // The secret is no access token, and an access token is no secret of a feed.
  const secret = at.split("/").at(-1)!;
  expect((await bearerAt(gateway.url, secret).get("/api/v1/facility?limit=1")).status).toBe(401);
  const token = bodyOf<{ token: string }>(
    await viewer!.call("POST", "/api/v1/token", { name: "t", expiryDate: "2027-01-31", privileges: [] }),
  ).token;
  expect((await stranger(gateway.url).get(`/api/v1/ledger/atom/${token}`)).status).toBe(401);

  await viewer!.call("DELETE", `/api/v1/token/${changed.uuid}`);
  expect((await stranger(gateway.url).get(at)).status).toBe(401);
  const { userUuid } = await gateway.db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "plain")
    .executeTakeFirstOrThrow();
  expect((await admin!.call("POST", `/api/v1/user/${userUuid}/deactivate`)).status).toBe(200);
  expect((await stranger(gateway.url).get(new URL(open.address).pathname)).status).toBe(401);
});

test("an import and a merge are told at their facilities, an import until it is reverted", async () => {
  const rows = await gateway.sql<{
    facilityUuid: string;
    facilityName: string;
    code: string;
    place: string;
    to: string;
  }>`
    select facility_uuid, facility_name, hmis_code as code, province.name || ',' || district.name as place, district.name || ', ' || province.name as "to"
    from facility join district using (district_id) join province on province.province_id = facility.province_id
    where hmis_code is not null and facility.closed_on is null and district.closed_on is null and facility_uuid <> ${site.facilityUuid}
    order by facility_uuid limit 2`;
  const [one, other] = rows as [(typeof rows)[number], (typeof rows)[number]];
  const ledgerOf = async (facilityUuid: string, person = admin!) =>
    bodyOf<Entry[]>(await person.get(`/api/v1/ledger?facilityUuid=${facilityUuid}&kinds=registry&range=LAST_1_DAYS`));
  const act = async (uuid: string, what: string, body: object = {}) => {
    const answer = await admin!.call("POST", `/api/v1/registry/import/${uuid}/${what}`, body);
    expect(answer.status, answer.text).toBe(200);
  };
  const csv = `hmisCode,name,province,district\n${one.code},Imported Name,${one.place}\n,Ledger Clinic,${one.place}\n`;
  const sent = await admin!.call("POST", "/api/v1/registry/import", csv, { "content-type": "text/csv" });
  const { uuid } = bodyOf<{ uuid: string }>(sent);
  await act(uuid, "decisions", { decision: "accepted", all: true });
  await act(uuid, "apply");
  const listed = bodyOf<{ facilityName: string; facilityUuid: string }[]>(
    await admin!.get(`/api/v1/registry/import/${uuid}/rows`),
  );
  const added = listed.find(({ facilityName }) => facilityName === "Ledger Clinic")!.facilityUuid;
  expect((await ledgerOf(added)).map((row) => [...words(row), row.source])).toEqual([
    ["added", "not listed", "listed", "new", "admin", null, "import"],
  ]);
  expect((await ledgerOf(one.facilityUuid)).map((row) => [...words(row), row.source])).toEqual([
    ["renamed", one.facilityName, "Imported Name", "neither", "admin", null, "import"],
  ]);
  expect((await ledgerOf(one.facilityUuid, viewer!)).map(({ who }) => who)).toEqual([null]);
  await act(uuid, "revert");
  expect(await ledgerOf(one.facilityUuid)).toEqual([]);

  const merged = await admin!.call("POST", `/api/v1/facility/${other.facilityUuid}/merge`, { into: one.facilityUuid });
  expect(merged.status, merged.text).toBe(200);
  const [told] = await ledgerOf(one.facilityUuid);
  expect([...words(told!), told!.source]).toEqual([
    ...["merged", other.facilityName, "merged", "neither", "admin", null, "facility"],
  ]);
});
