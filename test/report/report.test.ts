import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";

import { refreshAssessmentRollups } from "../../db/derived/latest.ts";
import { connect } from "../../db/engine/connect.ts";
import { diceFrom, insertVisit, userUuid } from "../dash/dash-data.ts";
import { bodyOf, type Nodes, type Person } from "../support/gateway.ts";
import { changedBy, mutate, refusedWith } from "../support/mutations.ts";
import { patience } from "../support/patience.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Quarterly reports: who saves and signs them, that a signed one never changes, and what became known since then. */

type Counts = Record<"facilities" | "assessed" | "functional" | "power" | "expected" | "silent", number>;
type Figures = { day: string; level: string; quarters: Counts[]; units: (Counts & { name: string })[] };
type Report = {
  number: number;
  place: string;
  partner: string | null;
  state: string;
  comment: string;
  signedBy: string | null;
  signedDate: string | null;
  mayWrite: boolean;
  figures: Figures | null;
  sinceThen: Nodes<{ event: string; source: string; facilityUuid: string; day: string; knownDay: string }>;
};
type Scope = { provinceId?: number; districtId?: number; implementingPartnerId?: number };

const counts = "facilities assessed functional notRecordedFunctional power notRecordedPower expected silent";
const figures = `asAt day level target quarters { periodStart ${counts} } units { hxId facilityUuid name ${counts} }`;
const fields = `number place partner state comment signedBy signedDate mayWrite figures { ${figures} }
  sinceThen(first: 100) { nodes { event source facilityUuid day knownDay } }`;

const gateway = await gatewayOfFile("demo", {}, [/"status":503/]);
const [admin, manager, plain, viewer] = await Promise.all(
  ["admin", "manager", "plain", "viewer"].map((login) => gateway.as(login)),
);
const today = bodyOf<{ today: string }>(await admin!.get("/api/v1/system")).today;
/** The last quarter that is over, and the running one. */
const [year, month] = today.split("-").map(Number) as [number, number];
const running = month >= 10 ? { year: year + 1, quarter: 1 } : { year, quarter: Math.ceil(month / 3) + 1 };
const over =
  running.quarter === 1 ? { year: running.year - 1, quarter: 4 } : { ...running, quarter: running.quarter - 1 };
const [lastDay] = (
  await gateway.sql<{ day: string }>`select (date_trunc('quarter', ${today}::date)::date - 1)::text as day`
).map(({ day }) => day) as [string];
const dice = diceFrom(41);
let site: { facilityUuid: string; districtId: number; provinceId: number };
let ownPartner: number;
let otherPartner: number;

beforeAll(async () => {
  const one = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(gateway.db)).rows[0]!;
  ownPartner = (
    await one(sql<{ id: number }>`select implementing_partner_id as id from app_user where user_name = 'manager'`)
  ).id;
  otherPartner = (
    await one(
      sql<{
        id: number;
      }>`select implementing_partner_id as id from implementing_partner where implementing_partner_id <> ${ownPartner} limit 1`,
    )
  ).id;
  // A site that works, whose last visit was long ago.
  site = await one(sql<typeof site>`
    select facility.facility_uuid, facility.district_id, facility.province_id from facility join facility_state using (facility_uuid)
    where "until" is null and smart_care_functional and assessed_at < ${lastDay}::date - 10 and facility.implementing_partner_id = ${ownPartner}
      and closed_on is null order by facility.facility_uuid limit 1`);
  await gateway.sql`update app_user set user_uuid = ${userUuid} where user_name = 'newcomer'`;
});

const save = (person: Person, input: object) =>
  mutate<Report>(
    person,
    `mutation ($input: SaveReportInput!) { done: saveReport(input: $input) { changed: report { ${fields} } errors { path message } } }`,
    { input: { comment: "", ...over, ...input } },
  );
const write = (name: "editReport" | "signReport") => (person: Person, number: number, comment: string) =>
  mutate<Report>(
    person,
    `mutation ($input: ReportCommentInput!) { done: ${name}(input: $input) { changed: report { ${fields} } errors { path message } } }`,
    { input: { number, comment } },
  );
const [edit, sign] = [write("editReport"), write("signReport")];
const discard = (person: Person, number: number) =>
  mutate<Report>(
    person,
    `mutation ($number: Int!) { done: discardReport(number: $number) { changed: report { number } errors { path message } } }`,
    { number },
  );
const read = async (person: Person, number: number) =>
  (await person.graphql<{ report: Report | null }>(`{ report(number: ${number}) { ${fields} } }`)).data.report;
const counted = async (asked: Scope & { year: number; quarter: number }) => {
  const args = Object.entries(asked)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
  return plain!.graphql<{ reportFigures: Figures }>(`{ reportFigures(${args}) { ${figures} } }`);
};
/** A visit that found that the system does not work, on a day of the quarter. */
const visitIn = (local: string) =>
  gateway.db.transaction().execute(async (handle) => {
    const { facilityUuid, assessmentUuid, day } = await insertVisit(handle, dice, {
      facilityUuid: site.facilityUuid,
      local,
    });
    await sql`update assessment set smart_care_functional = false where assessment_uuid = ${assessmentUuid}`.execute(
      handle,
    );
    await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
    return assessmentUuid;
  });

test("the figures are those of the quarter's last day, for a country, a place and a partner; of the running quarter today's", async () => {
  type Situation = { quarters: Counts[]; units: (Counts & { name: string; quarters: Counts[] })[] };
  const names = ["assessed", "functional", "power", "expected", "silent"] as const;
  const of = (row: Counts) => names.map((name) => row[name]);
  for (const scope of [
    {},
    { provinceId: site.provinceId },
    { districtId: site.districtId },
    { implementingPartnerId: ownPartner },
  ]) {
    const situation = bodyOf<Situation>(
      await admin!.get(
        `/api/v1/situation?${new URLSearchParams(Object.entries(scope).map(([name, id]) => [name, String(id)])).toString()}`,
      ),
    );
    const then = (await counted({ ...scope, ...over })).data.reportFigures;
    const now = (await counted({ ...scope, ...running })).data.reportFigures;
    expect([then.day, now.day]).toEqual([lastDay, today]);
    // The situation is compared with a slow recount of every visit (test/situation/situation.test.ts).
    expect(then.quarters.slice(1).map(of)).toEqual(situation.quarters.slice(0, -1).map(of));
    expect(now.quarters.map(of)).toEqual(situation.quarters.map(of));
    if (then.level === "FACILITY")
      expect([...then.units, ...now.units].map(({ expected, silent }) => expected + silent)).toEqual(
        [...then.units, ...now.units].map(() => 0),
      );
    else
      expect(now.units.map(({ name, ...row }) => [name, ...of(row)])).toEqual(
        situation.units.map(({ name, ...row }) => [name, ...of(row)]),
      );
    // The units add up to the whole; whether a facility was overdue at an earlier day is a closed fact.
    for (const name of names.slice(0, then.level === "FACILITY" ? 3 : names.length))
      expect(
        then.units.reduce((sum, unit) => sum + unit[name], 0),
        name,
      ).toBe(then.quarters.at(-1)![name]);
    expect(then.units.reduce((sum, unit) => sum + unit.facilities, 0)).toBe(then.quarters.at(-1)!.facilities);
  }
  const ahead = await counted({ year: running.year, quarter: 4 });
  if (running.quarter < 4)
    expect(ahead.errors![0].message).toMatch(/^quarter: has not begun: it begins on \d{4}-07-01$/);
  expect((await counted({ ...over, districtId: 999_999 })).errors![0].message).toBe("There is no such district.");
});

test("administrators save and sign any report, who manages a partner's people those of that partner; everybody reads", async () => {
  const forbidden = refusedWith(/^You dont have the rights/);
  for (const person of [plain!, viewer!]) expect(await save(person, {})).toEqual(forbidden);
  for (const scope of [{}, { districtId: site.districtId }, { implementingPartnerId: otherPartner }])
    expect(await save(manager!, scope)).toEqual(forbidden);
  const own = await changedBy(save(manager!, { implementingPartnerId: ownPartner, comment: " As agreed. " }));
  expect([own.comment, own.state, own.mayWrite]).toEqual(["As agreed.", "DRAFT", true]);
  expect(own.partner).not.toBeNull();
  const others = await changedBy(save(admin!, { implementingPartnerId: otherPartner }));
  expect(others.number).toBeGreaterThan(own.number);
  for (const act of [
    () => edit(manager!, others.number, ""),
    () => sign(manager!, others.number, ""),
    () => discard(manager!, others.number),
  ])
    expect(await act()).toEqual(forbidden);
  expect((await read(manager!, others.number))!.mayWrite).toBe(false);
  const seen = await read(plain!, own.number);
  expect(seen).toMatchObject({ number: own.number, mayWrite: false, figures: { day: lastDay } });
  expect((await discard(admin!, others.number)).errors).toEqual([]);
  expect(await read(admin!, others.number)).toBeNull();
  const { data } = await plain!.graphql<{ reports: Nodes<{ number: number }> }>(
    `{ reports(implementingPartnerId: ${ownPartner}) { nodes { number } } }`,
  );
  expect(data.reports.nodes).toEqual([{ number: own.number }]);
  // A token signs nothing, not even an administrator's.
  const { token } = bodyOf<{ token: string }>(
    await admin!.call("POST", "/api/v1/token", {
      name: "Of the report",
      privileges: ["administrator"],
      expiryDate: today,
    }),
  );
  const byToken = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      query: `mutation { signReport(input: { number: ${own.number}, comment: "" }) { errors { message } } }`,
    }),
  });
  expect(await byToken.text()).toContain("An access token cannot do this");
});

test.each([
  [{ comment: "One. Two. Three." }, "comment", "may have at most 2 sentences"],
  [{ comment: "x".repeat(501) }, "comment", "may have at most 500 characters"],
  [{ quarter: 5 }, "quarter", "must be 1 to 4"],
  [{ year: 1999 }, "year", "must be 2000 or later"],
  [{ districtId: 999_999 }, "districtId", "There is no such district."],
])("%o is refused", async (input, path, message) => {
  expect(await save(admin!, input)).toEqual({ changed: null, errors: [{ path, message }] });
});

test("a draft follows the figures; a signed report never changes, and lists what became known since then", async () => {
  const scope = { districtId: site.districtId };
  const { number, ...draft } = await changedBy(save(admin!, { ...scope, comment: "First." }));
  await changedBy(edit(admin!, number, "Second."));
  const first = await visitIn(`${lastDay} 10:00`);
  const before = draft.figures!.quarters.at(-1)!;
  const later = (await read(admin!, number))!;
  expect(later.figures!.quarters.at(-1)!.functional).toBe(before.functional - 1);

  const signed = await changedBy(sign(admin!, number, "Signed as read."));
  const { firstName, surname } = bodyOf<{ firstName: string; surname: string }>(await admin!.get("/api/v1/user/me"));
  expect(signed).toMatchObject({ state: "SIGNED", comment: "Signed as read.", signedDate: today });
  expect(signed.signedBy).toContain(`${firstName} ${surname}, `);
  expect(signed.figures!.quarters).toEqual(later.figures!.quarters);
  expect(signed.sinceThen.nodes).toEqual([]);

  // Received later, set aside and restored; one of the day after the quarter does not count.
  const second = await visitIn(`${lastDay} 11:00`);
  await visitIn(`${today} 00:10`);
  const decide = (act: "set" | "restore") =>
    mutate(
      admin!,
      `mutation ($input: SetAssessmentAsideInput!) { done: ${act === "set" ? "setAssessmentAside" : "restoreAssessment"}(input: $input) { changed: assessment { id } errors { path message } } }`,
      { input: { assessmentUuid: first, reason: "Of another site" } },
    );
  await changedBy(decide("set"));
  await changedBy(decide("restore"));
  await gateway.sql`delete from smartcare_version`;
  await gateway.sql`update district set name = 'Renamed' where district_id = ${site.districtId}`;
  const again = (await read(admin!, number))!;
  expect({ ...again, sinceThen: signed.sinceThen }).toEqual(signed);
  const told = { facilityUuid: site.facilityUuid, source: "VISIT", day: lastDay, knownDay: today };
  expect(again.sinceThen.nodes.toReversed()).toEqual([
    { ...told, event: "RECEIVED" },
    { ...told, event: "SET_ASIDE" },
    { ...told, event: "RESTORED" },
  ]);
  // What was set aside is for who may see assessments.
  expect((await read(plain!, number))!.sinceThen.nodes.map(({ event }) => event)).toEqual(["RECEIVED"]);
  expect((await read(viewer!, number))!.sinceThen.nodes).toHaveLength(3);
  expect(second).not.toBe(first);

  const isSigned = refusedWith(
    new RegExp(`^Report ${number} was signed by ${firstName} ${surname}, .* on ${today}\\.`),
  );
  expect(await edit(admin!, number, "Other.")).toEqual(isSigned);
  expect(await sign(admin!, number, "Other.")).toEqual(isSigned);
  expect(await discard(admin!, number)).toEqual(isSigned);
  const rows = await gateway.sql<{ action: string }>`
    select action from audit_event where subject_type = 'Report' and subject_id = ${String(number)} order by audit_event_id`;
  expect(rows.map(({ action }) => action)).toEqual(["report.save", "report.edit", "report.sign"]);
});

test("questions stand in a report if everybody may ask them, and their answers are those of the signature", async () => {
  const keep = async (person: Person, name: string, query: string) =>
    (
      await changedBy(
        mutate<{ uuid: string }>(
          person,
          `mutation ($input: CreateSavedQueryInput!) { done: createSavedQuery(input: $input) { changed: savedQuery { uuid } errors { path message } } }`,
          { input: { name, query } },
        ),
      )
    ).uuid;
  const works = "{ facilityGroups(by: [PROVINCE]) { province { name } facilities smartCareFunctional { yes no } } }";
  const open = await keep(admin!, "Works", works);
  const closed = [
    '{ assessmentGroups(by: [USER], start: "LAST_12_MONTHS", end: "LAST_12_MONTHS") { userName assessments } }',
    '{ tdbGroups(by: [PROVINCE], start: "LAST_12_MONTHS", end: "LAST_12_MONTHS") { tdbCount } }',
    '{ facilityGroups(by: [PROVINCE], filter: { change: { from: "2026-01-01", clientsFell: true } }) { facilities } }',
    '{ assessmentGroups(by: [PROVINCE], start: "LAST_12_MONTHS", end: "LAST_12_MONTHS", search: "network") { assessments } }',
    "{ viewer { user { userName } } }",
  ];
  const [own] = await admin!.graphql<{ facilityGroups: unknown }>(works).then(({ data }) => [data]);
  type Asked = Report & { questions: { uuid: string; name: string; query: string; answer: string | null }[] };
  const change = (name: string, number: number, questions?: string[]) =>
    mutate<Asked>(
      admin!,
      `mutation ($input: ReportCommentInput!) { done: ${name}(input: $input) { changed: report { ${fields} questions { uuid name query answer } } errors { path message } } }`,
      { input: { number, comment: "", ...(questions ? { questions } : {}) } },
    );
  const { number } = await changedBy(save(admin!, { provinceId: site.provinceId }));
  for (const [at, query] of closed.entries()) {
    const uuid = await keep(admin!, `Closed ${at}`, query);
    expect([query, await change("editReport", number, [open, uuid])]).toEqual([
      query,
      refusedWith(new RegExp(`^“Closed ${at}” cannot stand in a report, which everybody reads: `), "questions"),
    ]);
  }
  const strange = await keep(manager!, "Of somebody else", works);
  expect(
    (
      await mutate<Asked>(
        admin!,
        "mutation ($input: ReportCommentInput!) { done: editReport(input: $input) { changed: report { number } errors { path message } } }",
        { input: { number, comment: "", questions: [open, open] } },
      )
    ).errors,
  ).toEqual([{ path: "questions", message: "names a question twice" }]);
  expect((await change("editReport", number, [strange])).errors).toEqual([]);
  const draft = await changedBy(change("editReport", number, [open]));
  expect(draft.questions).toEqual([{ uuid: open, name: "Works", query: works, answer: null }]);
  await gateway.sql`delete from saved_query where query_uuid = ${open}`;
  const signed = await changedBy(change("signReport", number));
  expect(signed.questions.map(({ answer }) => JSON.parse(answer!) as unknown)).toEqual([own]);

  await gateway.sql`update facility set closed_on = ${today} where facility_uuid in (
    select facility_uuid from facility where closed_on is null and functionality_status_mode is null limit 3)`;
  expect((await admin!.graphql(works)).data).not.toEqual(own);
  const { data } = await plain!.graphql<{ report: Asked }>(
    `{ report(number: ${number}) { questions { uuid name query answer } } }`,
  );
  expect(data.report.questions).toEqual(signed.questions);
});

test("of two people who sign at once, one signs and the other is told who did", async () => {
  const { number } = await changedBy(save(admin!, { implementingPartnerId: ownPartner }));
  const done = await Promise.all([sign(admin!, number, "By the one."), sign(manager!, number, "By the other.")]);
  expect(done.map(({ errors }) => errors.length).toSorted((a, b) => a - b)).toEqual([0, 1]);
  expect(done.flatMap(({ errors }) => errors)[0]!.message).toMatch(
    /was signed by .+ A signed report does not change\.$/,
  );
  // The report stays as it was signed when its signer is deactivated.
  const { signedBy } = (await read(plain!, number))!;
  await gateway.sql`update app_user set active = false, first_name = 'Other' where user_name = 'manager'`;
  expect((await read(plain!, number))!.signedBy).toBe(signedBy);
});

test("a quarter that is not over can be saved and not signed; a report of a removed place opens with its names", async () => {
  const draft = await changedBy(save(admin!, running));
  expect(draft).toMatchObject({ state: "DRAFT", figures: { day: today } });
  const refused = await sign(admin!, draft.number, "");
  expect(refused.errors[0]).toMatchObject({
    path: "quarter",
    message: expect.stringMatching(
      /^is not over: the report can be signed after \d{4}-\d\d-\d\d, its last day$/,
    ) as string,
  });

  const rows = await gateway.sql<{ id: number }>`
    insert into district (name, province_id) values ('Shortlived', ${site.provinceId}) returning district_id as id`;
  const scope = { districtId: rows[0]!.id };
  const [kept, lost] = [await changedBy(save(admin!, scope)), await changedBy(save(admin!, scope))];
  const signed = await changedBy(sign(admin!, kept.number, "Of an empty district."));
  await gateway.sql`delete from district where district_id = ${scope.districtId}`;
  expect(await read(plain!, kept.number)).toMatchObject({ place: "Shortlived District", figures: signed.figures });
  expect(await read(plain!, lost.number)).toMatchObject({ place: "Shortlived District", figures: null });
  expect((await sign(admin!, lost.number, "")).errors[0]!.message).toBe("There is no such district.");
  expect((await discard(admin!, lost.number)).errors).toEqual([]);
});

test("a signing whose connection is lost before it ends leaves the draft as it was", async () => {
  const { number } = await changedBy(save(admin!, { provinceId: site.provinceId, comment: "Kept." }));
  const blocker = connect(gateway.database.connection, "Africa/Lusaka", () => {}, 1);
  await blocker.transaction().execute(async (transaction) => {
    // The signature is written before the audit.
    await sql`lock table audit_event in exclusive mode`.execute(transaction);
    const signing = admin!.graphql(
      `mutation { signReport(input: { number: ${number}, comment: "Lost." }) { errors { message } } }`,
    );
    await vi.waitFor(
      async () => {
        const rows = await gateway.sql<{ ended: boolean }>`
          select pg_terminate_backend(pid) as ended from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`;
        expect(rows).not.toEqual([]);
      },
      { timeout: patience, interval: 50 },
    );
    expect((await signing).errors).toBeDefined();
  });
  await blocker.destroy();
  expect(await read(admin!, number)).toMatchObject({ state: "DRAFT", comment: "Kept." });
  expect((await sign(admin!, number, "Now.")).errors).toEqual([]);
});
