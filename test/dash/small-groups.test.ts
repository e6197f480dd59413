import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bearerAt, bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/**
 * An attacker without rights queries every group of TDB figures and knows which facility sent when. No figure in the answers, and no
 * sum or difference of figures, may be about fewer than three facilities.
 */

let gateway: TestGateway;
let plain: Person;
let uploader: Person;
type Sent = { facilityUuid: string; provinceId: number; districtId: number; month: string };
let sent: Sent[];
/** A figure that only one facility has. */
const canary = 987_654_321;

beforeAll(async () => {
  gateway = await testGateway();
  [plain, uploader] = await Promise.all([gateway.as("plain"), gateway.as("uploader")]);
  // A facility that never sent a TDB before.
  const body = tdbxOf(
    (await sql<{ facilityUuid: string }>`select facility_uuid from facility where not exists (select from tdb where tdb.facility_uuid = facility.facility_uuid) limit 1`.execute(gateway.db)).rows[0]!.facilityUuid,
    { totalPatients: canary },
  );
  const { status } = await sendForm(gateway.url, "/api/v1/tdb", uploader, formOf([{ name: "canary.tdbx", content: body }]));
  if (status !== 200) throw new Error(`The TDB was not received: ${status}`);
  const { rows } = await sql<Sent>`
    select distinct facility_uuid, province_id, district_id, to_char(uploaded_at, 'YYYY-MM-01') as month from tdb join facility using (facility_uuid)`.execute(gateway.db);
  sent = rows;
});
afterAll(() => gateway.stop());

const lastDay = (month: string): string => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);
const counts = "tdbCount facilities deltaTdbs totalPatients fileSize suppressed";
// oxlint-disable-next-line typescript/no-explicit-any -- a row of any group or history: its figures are read by name
type Row = Record<string, any>;
const isShown = (row: Row): boolean => Object.entries(row).some(([name, value]) => ["tdbCount", "facilities", "components", "deltaTdbs", "totalPatients", "fileSize"].includes(name) && value !== null);

/** Records the facilities that a shown figure is about. */
const addShownSet = (months: Map<string, Set<string>[]>, month: string, where: (row: Sent) => boolean): void => {
  const facilities = new Set(sent.filter((row) => row.month === month && where(row)).map(({ facilityUuid }) => facilityUuid));
  months.set(month, [...(months.get(month) ?? []), facilities]);
};

/** The sizes of the parts of facilities that no shown figure can distinguish. An attacker can only learn about an entire part. */
function partsOf(sets: Set<string>[]): number[] {
  const parts = new Map<string, number>();
  for (const facility of new Set(sets.flatMap((set) => [...set]))) {
    const sign = sets.map((set) => Number(set.has(facility))).join("");
    parts.set(sign, (parts.get(sign) ?? 0) + 1);
  }
  return [...parts.values()];
}

test("all groups, filters and histories together reveal nothing about fewer than three facilities", async () => {
  const months = new Map<string, Set<string>[]>();
  const texts: string[] = [];
  const ask = async (query: string): Promise<{ groups: Row[] }> => {
    const answer = await plain.graphql<{ groups: Row[] }>(`{ ${query} }`);
    expect(answer.errors, query).toBeUndefined();
    texts.push(JSON.stringify(answer.data));
    return answer.data;
  };
  const places = "province { provinceId } district { districtId }";
  const wholeMonth = (row: Row) => `${row["periodStart"].slice(0, 7)}-01`;
  for (const by of ["MONTH", "PROVINCE, MONTH", "DISTRICT, MONTH", "YEAR, QUARTER, MONTH, DISTRICT"]) {
    for (const row of (await ask(`groups: tdbGroups(by: [${by}]) { ${places} periodStart ${counts} }`)).groups)
      if (isShown(row)) addShownSet(months, wholeMonth(row), (each) =>
        (row["district"] ? each.districtId === row["district"].districtId : !row["province"] || each.provinceId === row["province"].provinceId));
  }
  // Groups by other keys, with filters or with other days are all suppressed.
  const districts = [...new Set(sent.map(({ districtId }) => districtId))];
  const latest = sent.map(({ month }) => month).toSorted().at(-1)!;
  const others = [
    ...["", "PROVINCE", "DISTRICT", "YEAR", "QUARTER", "DISTRICT, QUARTER", "IMPLEMENTING_PARTNER, MONTH", "MODE, MONTH", "LIBRARY_VERSION, MONTH", "DISTRICT, IMPLEMENTING_PARTNER, MODE, LIBRARY_VERSION"].map((by) => `by: [${by}]`),
    ...["delta: true", "delta: false", "implementingPartnerId: 2", `start: "${latest.slice(0, 8)}02"`, `end: "${latest.slice(0, 8)}01"`].map((filter) => `by: [MONTH], ${filter}`),
    ...districts.slice(0, 10).map((districtId) => `by: [], districtId: ${districtId}`),
    `by: [DISTRICT], start: "2000-01-01", end: "2099-01-01"`,
  ];
  for (const args of others)
    for (const row of (await ask(`groups: tdbGroups(${args}) { ${counts} }`)).groups)
      expect([isShown(row), row["suppressed"]], args).toEqual([false, true]);

  for (const month of [...new Set(sent.map((row) => row.month))]) {
    for (const level of ["province", "district"]) {
      const { body, text } = await plain.get(`/api/v1/dash/tdbHistory/${level}/${month}/${lastDay(month)}`);
      texts.push(text);
      for (const row of body as Row[]) {
        expect(row["suppressed"] === true).toBe(!isShown(row));
        if (isShown(row)) addShownSet(months, month, (each) => (level === "district" ? each.districtId : each.provinceId) === row["hxId"]);
      }
    }
    const outOfMonth = bodyOf<Row[]>(await plain.get(`/api/v1/dash/tdbHistory/district/${month}/${month.slice(0, 8)}02`));
    expect(outOfMonth.filter((row) => isShown(row))).toEqual([]);
  }

  const shownSets = [...months.values()].flat();
  expect(shownSets.filter((set) => set.size > 0).length).toBeGreaterThan(20);
  for (const [month, sets] of months) expect(partsOf(sets).every((size) => size >= 3), `${month}: ${partsOf(sets).join()}`).toBe(true);
  expect(texts.join()).not.toContain(String(canary));
});

test("a person who may read TDBs sees every group, and no `suppressed` field", async () => {
  const month = sent.map((row) => row.month).toSorted().at(-1)!;
  const rows = bodyOf<Row[]>(await uploader.get(`/api/v1/dash/tdbHistory/district/${month}/${lastDay(month)}`));
  expect(rows.every((row) => isShown(row) && !("suppressed" in row))).toBe(true);
  expect(rows.some(({ components }) => components === 1)).toBe(true);
});

test("a person who may not read TDBs sees the country's computers of an entire year, but not those of a quarter or partner", async () => {
  const year = new Date().getUTCFullYear();
  const ask = async (person: Person, tail: string): Promise<Row[]> => bodyOf(await person.get(`/api/v1/dash/cpuCore${tail}`));
  const ofCountry = await ask(plain, `/${year}/-1/-1`);
  expect(ofCountry).toEqual(await ask(uploader, `/${year}/-1/-1`));
  expect(ofCountry.length).toBeGreaterThan(1);
  for (const tail of [`/${year}/4/-1`, `/${year}/-1/2`, `/ip/2/${year}/-1`]) {
    const rows = await ask(plain, tail);
    expect(rows, tail).toEqual((await ask(uploader, tail)).length > 0 ? [{ param: "Not shown", value: null, suppressed: true }] : []);
  }
});

test("only administrators and its sender can fetch the file of a TDB", async () => {
  const admin = await gateway.as("admin");
  const ofAdmin = formOf([{ name: "admin.tdbx", content: tdbxOf(sent[0]!.facilityUuid) }]);
  expect((await sendForm(gateway.url, "/api/v1/tdb", admin, ofAdmin)).status).toBe(200);
  const latestOf = async (userName: string): Promise<string> => {
    const { rows } = await sql<{ uuid: string }>`
      select tdb_uuid as uuid from tdb join app_user using (user_uuid) where user_name = ${userName} order by uploaded_at desc limit 1`.execute(gateway.db);
    return rows[0]!.uuid;
  };
  const [own, foreign] = [await latestOf("uploader"), await latestOf("admin")];
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { token } = bodyOf(await uploader.call("POST", "/api/v1/token", { name: "fetch", expiryDate, privileges: ["uploadTdbs"] }));
  const status = async (person: Person, uuid: string) => (await person.get(`/api/v1/tdb/file/${uuid}`)).status;
  const bearer = bearerAt(gateway.url, token);
  expect([await status(uploader, own), await status(bearer, own), await status(admin, own)]).toEqual([200, 200, 200]);
  await sql`update app_user set upload_tdbs = true where user_name = 'viewer'`.execute(gateway.db);
  expect(await status(await gateway.as("viewer"), own)).toBe(403);
  expect([await status(admin, foreign), await status(uploader, foreign), await status(bearer, foreign)]).toEqual([200, 403, 403]);
});
