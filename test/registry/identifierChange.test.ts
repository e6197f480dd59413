import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { loadLists } from "../../gateway/registry/load/load.ts";
import { say } from "../../gateway/registry/load/report.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Lists whose codes are placeholders, are written as spreadsheets write them, or would change the identifiers of stored
 * facilities.
 */

const api = (path: string) => `/api/v1${path}`;
const send = (...lines: string[]) =>
  admin.call("POST", api("/registry/import"), lines.join("\r\n"), { "content-type": "text/csv" });
const act = (uuid: string, what: string, body: object = {}) =>
  admin.call("POST", api(`/registry/import/${uuid}/${what}`), body);
type Row = {
  line: number;
  kind: string;
  decision: string;
  facilityUuid: string | null;
  facilityName: string;
  place: string;
  reason: string;
  warnings: { column: string; message: string }[];
  changes: { field: string; present: string | null; proposed: string | null }[];
};
const rowsOf = async (uuid: string, query = "") =>
  bodyOf<Row[]>(await admin.get(api(`/registry/import/${uuid}/rows${query}`)));
/** Sends a list, accepts all of it and applies it. */
async function take(...lines: string[]): Promise<{ uuid: string; rows: [Row] }> {
  const made = await send(...lines);
  expect(made.status, made.text).toBe(200);
  const { uuid } = bodyOf<{ uuid: string }>(made);
  await act(uuid, "decisions", { decision: "accepted", all: true });
  const applied = await act(uuid, "apply");
  expect(applied.status, applied.text).toBe(200);
  return { uuid, rows: (await rowsOf(uuid)) as [Row] };
}
type Site = { facilityUuid: string; facilityName: string; hmisCode: string | null };
const named = async (name: string) =>
  await gateway.sql<Site>`select facility_uuid, facility_name, hmis_code from facility where facility_name = ${name}`;
const load = async (lines: string[], asked: { dryRun?: boolean; mayChangeIdentifiers?: boolean } = {}) => {
  const file = join(folder, "list.csv");
  await writeFile(file, lines.join("\n"));
  const { outcome, errors, warnings, counts } = await loadLists(gateway.db, {
    sources: [{ kind: "facilities", file }],
    dryRun: false,
    by: "operator",
    ...asked,
  });
  const said = (findings: typeof errors) => findings.map((one) => say(one).replace(`${file}:`, ""));
  return {
    outcome,
    errors: said(errors),
    warnings: said(warnings),
    added: counts.facilities.added,
    changed: counts.facilities.changed,
  };
};

let one: { province: string; district: string };
let two: { province: string; district: string };

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const folder = await mkdtemp(join(tmpdir(), "identifier-change-"));
beforeAll(async () => {
  [one, two] = (await gateway.sql<typeof one>`
    select province.name as province, district.name as district from district join province using (province_id)
    where district.closed_on is null and province.closed_on is null order by district_id limit 2`) as [
    typeof one,
    typeof two,
  ];
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test("a placeholder as code takes over no other site, is stored nowhere, and the row says so", async () => {
  const header = "facilityName,province,district,hmisCode,dhis2Uid,smartcareGuid";
  for (const [index, placeholder] of ["#N/A", "NULL", "-", "none", "TBD", "0", "n.a."].entries()) {
    const {
      rows: [first],
    } = await take(
      header,
      `Holder ${index},${one.province},${one.district},${placeholder},${placeholder},${placeholder}`,
    );
    const {
      rows: [second],
    } = await take(
      header,
      `Newcomer ${index},${two.province},${two.district},${placeholder},${placeholder},${placeholder}`,
    );
    expect([first.kind, second.kind, second.facilityUuid !== first.facilityUuid]).toEqual(["new", "new", true]);
    expect(second.warnings).toEqual(
      ["hmisCode", "dhis2Uid", "smartcareGuid"].map((column) => ({
        column,
        message: `'${placeholder}' is a placeholder: it counts as empty`,
      })),
    );
    expect([await named(`Holder ${index}`), await named(`Newcomer ${index}`)]).toMatchObject([
      [{ hmisCode: null }],
      [{ hmisCode: null }],
    ]);
  }
  const rows = await gateway.sql<{ value: string }>`
    select value from facility_identifier where value in ('#N/A', 'NULL', '-', 'none', 'TBD', '0', 'n.a.')`;
  expect(rows).toEqual([]);
});

test("a stored placeholder is matched by no list, no call and no TDB", async () => {
  const {
    rows: [old],
  } = await take("facilityName,province,district,hmisCode", `Old Placeholder,${one.province},${one.district},88000001`);
  await gateway.sql`update facility set hmis_code = 'N/A' where facility_uuid = ${old.facilityUuid}`;
  const {
    rows: [row],
  } = await take("facilityName,province,district,hmisCode", `Not The Old One,${two.province},${two.district},N/A`);
  expect([row.kind, row.facilityUuid === old.facilityUuid]).toEqual(["new", false]);
  expect(
    (await load(["hmisCode,name,province,district", `N/A,Loaded Beside It,${two.province},${two.district}`])).added,
  ).toBe(1);
  expect((await admin.get(api(`/facility/by/hmis/${encodeURIComponent("N/A")}`))).status).toBe(404);
  const { data } = await admin.graphql(
    `{ facilityBy(system: "hmis", value: "N/A") { facilityUuid } tdbPreview(hmisCode: "N/A", createdAt: "2026-03-31T08:00:00Z", delta: false, totalPatients: 1, fileSize: 1) { warning facility { facilityUuid } } }`,
  );
  expect([data.facilityBy, data.tdbPreview.facility]).toEqual([null, null]);
  expect(data.tdbPreview.warning).toContain("unknown facility (HMIS code N/A)");
  // With a real code it is named again.
  const made = await send(
    "facilityName,province,district,hmisCode",
    `Old Placeholder,${one.province},${one.district},88000002`,
  );
  const { uuid } = bodyOf<{ uuid: string }>(made);
  expect(await rowsOf(uuid)).toMatchObject([
    { kind: "identifierChange", changes: [{ field: "hmisCode", present: "N/A", proposed: "88000002" }] },
  ]);
});

test("a code is read in the forms of spreadsheets and without invisible marks; a shortened one refuses the list", async () => {
  await take("facilityName,province,district,hmisCode", `Form Clinic,${one.province},${one.district},0877001`);
  for (const written of ["0877001.0", '"=""0877001"""', "'0877001", "08\u200B77001", "\u200E0877001\u00AD"]) {
    const { uuid } = bodyOf<{ uuid: string }>(
      await send("facilityName,province,district,hmisCode", `Form Clinic,${one.province},${one.district},${written}`),
    );
    expect(await rowsOf(uuid)).toMatchObject([{ kind: "same", reason: "HMIS code 0877001" }]);
    expect(
      await load(["name,province,district,hmisCode", `Form Clinic,${one.province},${one.district},${written}`]),
    ).toMatchObject({ outcome: "loaded", added: 0, changed: 0 });
  }
  const {
    rows: [other],
  } = await take("facilityName,province,district,hmisCode", `Other Form Clinic,${one.province},${one.district},877001`);
  expect(other.kind).toBe("new");
  const refused = await send(
    "facilityName,province,district,hmisCode",
    `Form Clinic,${one.province},${one.district},8.77001E+07`,
  );
  const words =
    "'8.77001E+07' was shortened by a spreadsheet, so the code is lost: make the column a text column, enter the code again and save the list";
  expect([refused.status, errorsOf(refused)]).toEqual([422, [{ path: "row 2, hmisCode", message: words }]]);
});

test("one form of a code for every call: adding, changing, identifiers, search, exact search, TDBs", async () => {
  const {
    rows: [place],
  } = await sql<{ districtId: number }>`
    select district_id from district where closed_on is null order by district_id limit 1`.execute(gateway.db);
  const added = await admin.call("POST", api("/facility"), {
    facilityName: "Form\u200B of  Codes",
    districtId: place!.districtId,
    hmisCode: "87\u200B7002.0",
  });
  expect(bodyOf(added)).toMatchObject({ facilityName: "Form of Codes", hmisCode: "877002" });
  const { facilityUuid } = bodyOf<{ facilityUuid: string }>(added);
  expect(
    bodyOf(
      await admin.call("PATCH", api(`/facility/${facilityUuid}`), { hmisCode: '="877003"', oldHmisCode: "'877002" }),
    ),
  ).toMatchObject({ hmisCode: "877003", oldHmisCode: "877002" });
  const { data } = await admin.graphql(
    `mutation { changeFacility(input: { facilityUuid: "${facilityUuid}", hmisCode: "8770\\u200b04" }) { facility { hmisCode } errors { path message } } }`,
  );
  expect(data.changeFacility).toEqual({ facility: { hmisCode: "877004" }, errors: [] });
  for (const [value, message] of [
    ["N/A", "is a placeholder, not a code: leave it empty"],
    ["8.77E+05", /^was shortened by a spreadsheet/],
    ["=B2", /^is a formula/],
  ] as const) {
    expect(errorsOf(await admin.call("PATCH", api(`/facility/${facilityUuid}`), { hmisCode: value }))).toEqual([
      { path: "hmisCode", message: expect.stringMatching(message) },
    ]);
    expect(
      errorsOf(
        await admin.call("PUT", api(`/facility/identifiers/${facilityUuid}`), {
          identifiers: [{ system: "elmis", value }],
        }),
      ),
    ).toEqual([{ path: "identifiers.0.value", message: expect.stringMatching(message) }]);
  }
  expect(
    errorsOf(await admin.call("POST", api("/facility"), { facilityName: "TBD", districtId: place!.districtId })),
  ).toEqual([{ path: "facilityName", message: "is a placeholder, not a name" }]);
  const saved = await admin.call("PUT", api(`/facility/identifiers/${facilityUuid}`), {
    identifiers: [
      { system: "hmis", value: "877004.0" },
      { system: "elmis", value: "EL\u200B-9" },
    ],
  });
  expect(
    bodyOf<{ identifiers: { value: string; until: string | null }[] }>(saved).identifiers.map(({ value }) => value),
  ).toEqual(["877004", "EL-9"]);
  for (const text of ["877004.0", "8770\u200B04", '="877004"', "'877004"]) {
    const found = bodyOf<{ uuid: string }[]>(await admin.get(api(`/facility/search/args/${encodeURIComponent(text)}`)));
    expect([text, found.map(({ uuid }) => uuid)]).toEqual([text, [facilityUuid]]);
    expect(bodyOf(await admin.get(api(`/facility/by/hmis/${encodeURIComponent(text)}`))).facilityUuid).toBe(
      facilityUuid,
    );
    const preview = await admin.graphql(
      `query ($code: String) { tdbPreview(hmisCode: $code, createdAt: "2026-03-31T08:00:00Z", delta: false, totalPatients: 1, fileSize: 1) { facility { facilityUuid } } }`,
      { code: text },
    );
    expect(preview.data.tdbPreview.facility).toEqual({ facilityUuid });
  }
});

test("rows that change or remove an identifier are a kind of their own, accepted by their lines only", async () => {
  const place = `${one.province},${one.district}`;
  await take(
    "facilityName,province,district,hmisCode,oldHmisCode,elmisCode",
    ...[1, 2, 3, 4].map((each) => `Kept ${each},${place},8660${each},OLD-${each},EL-${each}`),
    `Kept 5,${place},,,`,
  );
  const made = await send(
    "facilityName,province,district,hmisCode,oldHmisCode,elmisCode,facilityType",
    `Kept 1,${place},86691,,,Type A`,
    `Kept 2,${place},(erase),,,`,
    `Kept 3,${place},86603,OLD-33,EL-33,`,
    `Kept 4,${place},,,,Type D`,
    `Kept 5,${place},86605,OLD-5,EL-5,`,
  );
  const { uuid } = bodyOf<{ uuid: string }>(made);
  const rows = await rowsOf(uuid);
  expect(rows.map(({ kind }) => kind)).toEqual([
    "identifierChange",
    "identifierChange",
    "identifierChange",
    "changed",
    "changed",
  ]);
  expect(rows.slice(0, 3).map(({ changes }) => changes)).toEqual([
    [
      { field: "hmisCode", present: "86601", proposed: "86691" },
      { field: "facilityType", present: null, proposed: "Type A" },
    ],
    [{ field: "hmisCode", present: "86602", proposed: null }],
    [
      { field: "oldHmisCode", present: "OLD-3", proposed: "OLD-33" },
      { field: "elmis", present: "EL-3", proposed: "EL-33" },
    ],
  ]);
  const decisions = async () => (await rowsOf(uuid)).map(({ decision }) => decision);
  const waits = ["undecided", "undecided", "undecided", "accepted", "accepted"];
  await act(uuid, "decisions", { decision: "accepted", all: true });
  expect(await decisions()).toEqual(waits);
  const refused = await act(uuid, "decisions", { decision: "accepted", kind: "identifierChange" });
  expect(errorsOf(refused)).toEqual([
    { path: "kind", message: "rows that change an identifier are not accepted together: name their lines" },
  ]);
  const input = `{ uuid: "${uuid}", decision: ACCEPTED, kind: IDENTIFIER_CHANGE }`;
  const { data } = await admin.graphql(
    `mutation { decideRegistryImport(input: ${input}) { errors { path } } all: decideRegistryImport(input: { uuid: "${uuid}", decision: ACCEPTED, all: true }) { errors { path } } }`,
  );
  expect(data).toEqual({ decideRegistryImport: { errors: [{ path: "kind" }] }, all: { errors: [] } });
  await act(uuid, "decisions", { decision: "accepted", warned: true });
  expect(await decisions()).toEqual(waits);
  await act(uuid, "decisions", { decision: "rejected", kind: "identifierChange" });
  await act(uuid, "decisions", { decision: "accepted", lines: [3] });
  expect(await decisions()).toEqual(["rejected", "accepted", "rejected", "accepted", "accepted"]);
  expect((await act(uuid, "apply")).status).toBe(200);
  const codes = await Promise.all([1, 2, 3, 4, 5].map(async (each) => (await named(`Kept ${each}`))[0]!.hmisCode));
  expect(codes).toEqual(["86601", null, "86603", "86604", "86605"]);
});

test("a load lists the rows that would change an identifier, and changes them only when it is asked to", async () => {
  const place = `${two.province},${two.district}`;
  const header = "uuid,name,province,district,hmisCode,elmisCode";
  expect((await load([header, `site-a,Asked A,${place},86501,EL-A`, `,Asked B,${place},86502,`])).added).toBe(2);
  const lines = [header, `site-a,Asked A,${place},86511,EL-AA`, `,Asked B,${place},86512,`];
  const before = [await named("Asked A"), await named("Asked B")];
  const ask = "correct the row, or let this load change identifiers by --change-identifiers";
  const errors = [
    `2 hmisCode: '86511' replaces '86501', by which 'Asked A' is known until now: ${ask}`,
    `2 elmisCode: 'EL-AA' replaces 'EL-A', by which 'Asked A' is known until now: ${ask}`,
    `3 hmisCode: '86512' replaces '86502', by which 'Asked B' is known until now: ${ask}`,
  ];
  for (const dryRun of [true, false])
    expect(await load(lines, { dryRun })).toMatchObject({ outcome: "refused", errors });
  expect([await named("Asked A"), await named("Asked B")]).toEqual(before);
  const changed = await load(lines, { mayChangeIdentifiers: true });
  expect([changed.outcome, changed.changed, changed.warnings]).toEqual([
    "loaded",
    2,
    errors.map((words) => words.replace(`: ${ask}`, "")),
  ]);
  expect([await named("Asked A"), await named("Asked B")]).toMatchObject([
    [{ hmisCode: "86511" }],
    [{ hmisCode: "86512" }],
  ]);
  expect(await load(lines)).toMatchObject({ outcome: "loaded", errors: [], changed: 0 });
  // Empty cells and placeholders remove nothing.
  expect(await load([header, `site-a,Asked A,${place},,`, `,Asked B,${place},N/A,`])).toMatchObject({
    outcome: "loaded",
    changed: 0,
  });
});

test("a row that ends after its last filled cell, a line sep=; and a district without its province are read", async () => {
  await take("facilityName,province,district,hmisCode,latitude,longitude", `Short Row,${one.province},${one.district}`);
  await take("sep=;", "facilityName;province;district", `Separated Row;${one.province};${one.district}`);
  const rows = await gateway.sql<{ name: string }>`
    select name from district where closed_on is null and lower(name) in (select lower(name) from district group by 1 having count(*) = 1) order by district_id limit 1`;
  const unique = rows[0]!.name;
  const {
    rows: [placed],
  } = await take("facilityName,district", `Placed By District,${unique}`);
  expect(placed.place).toContain(`${unique}, `);
  expect(await load(["name,district", `Placed By Load,${unique}`])).toMatchObject({ outcome: "loaded", added: 1 });
  expect(await load(["name,district", "Placed Nowhere,Nosuchplace"])).toMatchObject({
    errors: ["2 province: is empty, and no district 'Nosuchplace' is known: a new district needs its province"],
  });
  const province = (
    await gateway.sql<{ provinceId: number }>`
      select province_id from province where name <> ${one.province} and closed_on is null limit 1`
  )[0]!;
  expect(
    (await admin.call("POST", api("/registry/place/district"), { name: one.district, provinceId: province.provinceId }))
      .status,
  ).toBe(200);
  const { uuid } = bodyOf<{ uuid: string }>(await send("facilityName,district", `Placed Twice,${one.district}`));
  expect(await rowsOf(uuid)).toMatchObject([
    { kind: "unknownPlace", reason: expect.stringContaining(`there is a district '${one.district}' in `) },
  ]);
  expect((await load(["name,district", `Placed Twice,${one.district}`])).errors).toEqual([
    expect.stringMatching(/: name the province$/),
  ]);
});

test("a load refuses the headings of another system in one sentence that says what to do", async () => {
  const { errors } = await load(["Site name,Region,Commune,Code", "A,B,C,1"]);
  expect(errors).toEqual([
    expect.stringMatching(
      /^1: no heading is known \(Site name, Region, Commune, Code\): rename the columns to facilityUuid, facilityName, province, district, hmisCode/,
    ),
  ]);
});
