import { afterAll, beforeAll, expect, test } from "vitest";

import { groupedBy } from "../../gateway/reading/groupedBy.rules.ts";
import { bearerAt, bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/**
 * An attacker without rights asks for every group of TDB figures, by place, partner, period and any filter, and knows
 * which facility sent when. No figure in the answers, and nothing that can be computed by adding and subtracting
 * figures, may be about fewer than three facilities.
 */

let gateway: TestGateway;
let plain: Person;
let uploader: Person;
type Sent = {
  facilityUuid: string;
  provinceId: number;
  districtId: number;
  implementingPartnerId: number;
  totalPatients: number;
  fileSize: number;
};
/** A figure that only one facility has. */
const canary = 19_876_543;

beforeAll(async () => {
  gateway = await testGateway();
  [plain, uploader] = await Promise.all([gateway.as("plain"), gateway.as("uploader")]);
  // A facility that never sent a TDB before.
  const body = tdbxOf(
    (
      await gateway.sql<{ facilityUuid: string }>`
        select facility_uuid from facility where not exists (select from tdb where tdb.facility_uuid = facility.facility_uuid) limit 1`
    )[0]!.facilityUuid,
    { totalPatients: canary },
  );
  const { status } = await sendForm(
    gateway.url,
    "/api/v1/tdb",
    uploader,
    formOf([{ name: "canary.tdbx", content: body }]),
  );
  if (status !== 200) throw new Error(`The TDB was not received: ${status}`);
});
afterAll(() => gateway.stop());

const lastDay = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);
const counts = "tdbCount facilities deltaTdbs totalPatients fileSize suppressed rounded";
const figures = ["tdbCount", "facilities", "components", "deltaTdbs", "totalPatients", "fileSize", "value"];
type Unit = { provinceId?: number; districtId?: number; implementingPartnerId?: number } | null;
/** A row of any group, history or chart. */
type Row = {
  [name: string]: unknown;
  suppressed?: boolean;
  rounded?: boolean;
  hxId: number;
  periodStart: string;
  province?: Unit;
  district?: Unit;
  implementingPartner?: Unit;
};
const isShown = (row: Row): boolean => figures.some((name) => row[name] != null);

/** A number with its last digits rounded: all but the first one, and at least so many. */
function firstDigit(figure: number, fewest: number): number {
  const step = 10 ** Math.max(fewest, String(figure).length - 1);
  return Math.round(figure / step) * step;
}
/** What people without the right get of a row about these facilities. */
function roundedRow(truth: Row, of: readonly Sent[]): Row {
  const facilities = Number(truth["facilities"] ?? truth["components"]);
  const fives = (count: unknown) => Math.floor(Number(count) / 5) * 5;
  const tdbCount = facilities + fives(Number(truth["tdbCount"]) - facilities);
  const sum = (figure: (sent: Sent) => number) => of.reduce((added, sent) => added + figure(sent), 0);
  const asRounded = {
    tdbCount,
    deltaTdbs: Math.min(tdbCount, fives(truth["deltaTdbs"])),
    totalPatients: sum(({ totalPatients }) => firstDigit(totalPatients, 2)),
    fileSize: sum(({ fileSize }) => firstDigit(fileSize, 6)),
  };
  const told = Object.entries(asRounded).filter(([name]) => name in truth);
  return { ...truth, ...Object.fromEntries(told), rounded: true };
}
/** The same of a chart of computers. */
function roundedChart(truth: Row[]) {
  const rows = truth
    .map((row) => ({ ...row, value: Math.round(Number(row["value"]) / 5) * 5 }))
    .filter(({ value }) => value > 0);
  const of = rows.reduce((sum, { value }) => sum + value, 0);
  return rows.map((row) => ({ ...row, of, rounded: true }));
}

/**
 * The facilities that sent in each period. `Computers` of a fiscal year: those whose latest TDB of the year lists some.
 */
async function readSent(): Promise<Map<string, Sent[]>> {
  const rows = await gateway.sql<Sent & { period: string }>`
    select period || ' ' || period_start as period, facility_uuid, facility.province_id, facility.district_id, coalesce(facility.implementing_partner_id, 0) as implementing_partner_id,
      total_patients, file_size
    from tdb_rollup join facility using (facility_uuid)
    where period = 'month' or period = 'year' and exists (select from tdb_computer where tdb_computer.tdb_uuid = tdb_rollup.tdb_uuid)`;
  return groupedBy(rows, ({ period }) => period);
}

/**
 * The sizes of the parts of facilities that no shown figure can distinguish. Whatever is added up and subtracted is
 * about entire parts.
 */
function partsOf(sets: Set<string>[]): number[] {
  const parts = new Map<string, number>();
  for (const facility of new Set(sets.flatMap((set) => [...set]))) {
    const sign = sets.map((set) => Number(set.has(facility))).join("");
    parts.set(sign, (parts.get(sign) ?? 0) + 1);
  }
  return [...parts.values()];
}

/**
 * Asks as a person without rights for everything that has figures of TDBs. Returns the facilities behind each shown
 * figure, by period, and the texts of the answers.
 */
async function askEverything(
  sent: Map<string, Sent[]>,
): Promise<{ shown: Map<string, Set<string>[]>; texts: string[]; hidden: number }> {
  const shown = new Map<string, Set<string>[]>();
  const texts: string[] = [];
  let hidden = 0;
  /** Notes a row of a group of a period, given by place and partner. A shown row has the true figures, rounded. */
  const note = (period: string, row: Row, truth: Row | undefined, group: NonNullable<Unit>): void => {
    const of = (sent.get(period) ?? []).filter((each) =>
      Object.entries(group).every(([name, id]) => id == null || each[name as keyof Sent] === id),
    );
    expect(row.suppressed === true, JSON.stringify(row)).toBe(!isShown(row));
    if (!isShown(row)) hidden += 1;
    else {
      if (truth) expect(row).toEqual(roundedRow(truth, of));
      // Nobody sent in an empty group: it cannot tell facilities apart.
      if (of.length > 0)
        shown.set(period, [...(shown.get(period) ?? []), new Set(of.map(({ facilityUuid }) => facilityUuid))]);
    }
  };
  const ask = async (query: string): Promise<[Row[], Row[]]> => {
    const answers = await Promise.all(
      [plain, uploader].map((person) => person.graphql<{ rows: Row[] }>(`{ ${query} }`)),
    );
    for (const { errors } of answers) expect(errors, query).toBeUndefined();
    texts.push(JSON.stringify(answers[0]!.data));
    return [answers[0]!.data.rows, answers[1]!.data.rows];
  };
  const read = async (path: string): Promise<[Row[], Row[]]> => {
    const answers = await Promise.all([plain, uploader].map((person) => person.get(`/api/v1/dash/${path}`)));
    expect(
      answers.map(({ status }) => status),
      path,
    ).toEqual([200, 200]);
    texts.push(answers[0]!.text);
    return [bodyOf(answers[0]!), bodyOf(answers[1]!)];
  };
  const idsOf = (name: Exclude<keyof Sent, "facilityUuid">) =>
    [...new Set([...sent.values()].flat().map((row) => row[name]))].filter((id) => id > 0);
  const [provinces, districts, partners] = [idsOf("provinceId"), idsOf("districtId"), idsOf("implementingPartnerId")];
  const months = [...sent.keys()]
    .filter((period) => period.startsWith("month "))
    .map((period) => period.slice(6))
    .toSorted();

  const keys =
    "province { provinceId } district { districtId } implementingPartner { implementingPartnerId } periodStart";
  const groups = async (by: string[], filter: NonNullable<Unit>, month?: string): Promise<void> => {
    const days = month === undefined ? {} : { start: `"${month}"`, end: `"${lastDay(month)}"` };
    const args = Object.entries({ ...filter, ...days })
      .map(([name, value]) => `, ${name}: ${value}`)
      .join("");
    const [rows, truth] = await ask(
      `rows: tdbGroups(by: [${[...by, ...(month === undefined ? ["MONTH"] : [])].join()}]${args}) { ${keys} ${counts} }`,
    );
    for (const [index, row] of rows.entries()) {
      const partner = by.includes("IMPLEMENTING_PARTNER")
        ? { implementingPartnerId: row.implementingPartner?.implementingPartnerId ?? 0 }
        : {};
      note(`month ${month ?? row.periodStart}`, row, truth[index], {
        ...row.province,
        ...row.district,
        ...partner,
        ...filter,
      });
    }
  };
  for (const place of [[], ["PROVINCE"], ["DISTRICT"], ["PROVINCE", "DISTRICT"]])
    for (const partner of place.includes("DISTRICT") ? [[]] : [[], ["IMPLEMENTING_PARTNER"]])
      await groups([...place, ...partner], {});
  // Month by month: of all months there would be too many groups.
  for (const month of months) await groups(["DISTRICT", "IMPLEMENTING_PARTNER"], {}, month);
  for (const implementingPartnerId of partners)
    for (const place of [[], ["PROVINCE"], ["DISTRICT"]]) await groups(place, { implementingPartnerId });
  for (const provinceId of provinces)
    for (const by of [[], ["IMPLEMENTING_PARTNER"], ["DISTRICT"]]) await groups(by, { provinceId });
  for (const districtId of districts.slice(0, 15))
    for (const by of [[], ["IMPLEMENTING_PARTNER"]]) await groups(by, { districtId });
  for (const month of months.slice(-3))
    for (const by of [["PROVINCE"], ["DISTRICT"], ["IMPLEMENTING_PARTNER"]]) await groups(by, {}, month);

  for (const month of months.slice(-4)) {
    for (const level of ["province", "district"])
      for (const scope of [
        {},
        ...partners.map((implementingPartnerId) => ({ implementingPartnerId })),
        ...provinces.slice(0, 2).map((provinceId) => ({ provinceId, implementingPartnerId: partners[0]! })),
      ]) {
        const search = new URLSearchParams(Object.entries(scope).map(([name, id]) => [name, String(id)])).toString();
        const [rows, truth] = await read(`tdbHistory/${level}/${month}/${lastDay(month)}?${search}`);
        for (const [index, row] of rows.entries())
          note(`month ${month}`, row, truth[index], { ...scope, [`${level}Id`]: row.hxId });
      }
    for (const [parent, id] of [
      ["province", provinces[0]],
      ["district", districts[0]],
      ["implementingPartner", partners[0]],
    ] as const) {
      const field = `${parent}(${parent}Id: ${id}) { tdbHistory(level: DISTRICT, start: "${month}", end: "${lastDay(month)}") { hxId components tdbCount totalPatients suppressed rounded } }`;
      const [rows, truth] = await Promise.all(
        [plain, uploader].map(
          async (person) =>
            (await person.graphql<Record<string, { tdbHistory: Row[] }>>(`{ ${field} }`)).data[parent]!.tdbHistory,
        ),
      );
      for (const [index, row] of rows!.entries())
        note(`month ${month}`, row, truth![index], { [`${parent}Id`]: id, districtId: row.hxId });
    }
  }
  for (const start of [...sent.keys()]
    .filter((period) => period.startsWith("year "))
    .map((period) => period.slice(5))) {
    const year = Number(start.slice(0, 4)) + 1;
    const places: [string, NonNullable<Unit>][] = [
      ["", {}],
      ...provinces.map((provinceId) => [`/province/${provinceId}`, { provinceId }] as [string, object]),
      ...districts.map((districtId) => [`/district/${districtId}`, { districtId }] as [string, object]),
    ];
    for (const chart of ["cpuCore", "osX64"])
      for (const [path, place] of places)
        for (const partner of place.districtId === undefined ? [-1, ...partners] : [-1, partners[0]!]) {
          const [rows, truth] = await read(`${chart}${path}/${year}/-1/${partner}`);
          if (rows.some((row) => isShown(row))) expect(rows).toEqual(roundedChart(truth));
          for (const row of rows)
            note(`year ${start}`, row, undefined, {
              ...place,
              ...(partner === -1 ? {} : { implementingPartnerId: partner }),
            });
        }
  }
  return { shown, texts, hidden };
}

/** The periods in which shown figures can tell fewer than three facilities apart. */
function periodsOfFew({ shown, texts, hidden }: Awaited<ReturnType<typeof askEverything>>): string[] {
  expect([...shown.values()].flat().filter((set) => set.size > 0).length).toBeGreaterThan(100);
  expect(hidden).toBeGreaterThan(1_000);
  expect(texts.join()).not.toContain(String(canary));
  return [...shown].filter(([, sets]) => partsOf(sets).some((size) => size < 3)).map(([period]) => period);
}

test("all groups, filters, histories and charts together reveal nothing about fewer than three facilities", async () => {
  expect(periodsOfFew(await askEverything(await readSent()))).toEqual([]);
});

test("nor do they if partners support few or scattered facilities", async () => {
  // One partner supports two facilities, and the others one facility in two, four, eight … wherever it is.
  await gateway.sql`with ranked as (select facility_uuid, row_number() over (order by md5(facility_uuid)) as place from facility),
    partner as (select implementing_partner_id, row_number() over (order by implementing_partner_id) as rank from implementing_partner)
    update facility set implementing_partner_id = (
      select min(implementing_partner_id) from partner where rank = case when place <= 2 then 1 when place % 2 = 0 then 2 when place % 4 = 1 then 3 else 4 end)
    from ranked where ranked.facility_uuid = facility.facility_uuid`;
  expect(periodsOfFew(await askEverything(await readSent()))).toEqual([]);
});

test("groups by other keys, with other filters or of other days are all suppressed", async () => {
  const districts = [...new Set([...(await readSent()).values()].flat().map(({ districtId }) => districtId))];
  // The month before the latest one: on the first of a month, its first day is all of it so far.
  const month = (
    await gateway.sql<{ day: string }>`
      select (date_trunc('month', max(uploaded_at)) - interval '1 day')::date::text as day from tdb`
  )[0]!.day.slice(0, 8);
  const others = [
    ...[
      "",
      "PROVINCE",
      "DISTRICT",
      "YEAR",
      "QUARTER",
      "DISTRICT, QUARTER",
      "MODE, MONTH",
      "LIBRARY_VERSION, MONTH",
      "WEEKDAY, MONTH",
      "PROVINCE, IMPLEMENTING_PARTNER, MODE, LIBRARY_VERSION",
    ].map((by) => `by: [${by}]`),
    ...["delta: true", "delta: false", `start: "${month}02"`, `end: "${month}01"`].map(
      (filter) => `by: [MONTH], ${filter}`,
    ),
    ...districts.slice(0, 10).map((districtId) => `by: [], districtId: ${districtId}`),
    `by: [DISTRICT], start: "2000-01-01", end: "2099-01-01"`,
  ];
  for (const args of others) {
    const { data } = await plain.graphql<{ groups: Row[] }>(`{ groups: tdbGroups(${args}) { ${counts} } }`);
    for (const row of data.groups) expect([isShown(row), row.suppressed], args).toEqual([false, true]);
  }
  const outOfMonth = bodyOf<Row[]>(await plain.get(`/api/v1/dash/tdbHistory/district/${month}01/${month}02`));
  expect(outOfMonth.filter((row) => isShown(row))).toEqual([]);
});

test("a person who may read TDBs sees every group exactly, and no `suppressed` or `rounded` field", async () => {
  const month = `${(await gateway.sql<{ day: string }>`select max(uploaded_at)::date::text as day from tdb`)[0]!.day.slice(0, 8)}01`;
  const rows = bodyOf<Row[]>(await uploader.get(`/api/v1/dash/tdbHistory/district/${month}/${lastDay(month)}`));
  expect(rows.every((row) => isShown(row) && !("suppressed" in row || "rounded" in row))).toBe(true);
  expect(rows.some((row) => row["components"] === 1)).toBe(true);
});

test("a person who may not read TDBs sees computers of an entire year, but not those of a quarter", async () => {
  const year = new Date().getUTCFullYear();
  const ask = async (person: Person, tail: string): Promise<Row[]> =>
    bodyOf(await person.get(`/api/v1/dash/cpuCore${tail}`));
  const ofCountry = await ask(plain, `/${year}/-1/-1`);
  expect(ofCountry).toEqual(roundedChart(await ask(uploader, `/${year}/-1/-1`)));
  expect(ofCountry.length).toBeGreaterThan(1);
  for (const tail of [1, 2, 3, 4].map((quarter) => `/${year}/${quarter}/-1`)) {
    const rows = await ask(plain, tail);
    expect(rows, tail).toEqual(
      (await ask(uploader, tail)).length > 0 ? [{ param: "Not shown", value: null, of: null, suppressed: true }] : [],
    );
  }
});

test("only administrators and its sender can fetch the file of a TDB", async () => {
  const admin = await gateway.as("admin");
  const ofAdmin = formOf([
    {
      name: "admin.tdbx",
      content: tdbxOf(
        (await gateway.db.selectFrom("tdb").select("facilityUuid").executeTakeFirstOrThrow()).facilityUuid,
      ),
    },
  ]);
  expect((await sendForm(gateway.url, "/api/v1/tdb", admin, ofAdmin)).status).toBe(200);
  const latestOf = async (userName: string): Promise<string> => {
    const rows = await gateway.sql<{ uuid: string }>`
      select tdb_uuid as uuid from tdb join app_user using (user_uuid) where user_name = ${userName} order by uploaded_at desc limit 1`;
    return rows[0]!.uuid;
  };
  const [own, foreign] = [await latestOf("uploader"), await latestOf("admin")];
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { token } = bodyOf(
    await uploader.call("POST", "/api/v1/token", { name: "fetch", expiryDate, privileges: ["uploadTdbs"] }),
  );
  const status = async (person: Person, uuid: string) => (await person.get(`/api/v1/tdb/file/${uuid}`)).status;
  const bearer = bearerAt(gateway.url, token);
  expect([await status(uploader, own), await status(bearer, own), await status(admin, own)]).toEqual([200, 200, 200]);
  await gateway.sql`update app_user set upload_tdbs = true where user_name = 'viewer'`;
  expect(await status(await gateway.as("viewer"), own)).toBe(403);
  expect([await status(admin, foreign), await status(uploader, foreign), await status(bearer, foreign)]).toEqual([
    200, 403, 403,
  ]);
});
