import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { loadLists } from "../../gateway/registry/load/load.ts";
import { expectCountsHold } from "../derived/countsHold.ts";
import { type Answer, bodyOf, errorsOf, type Nodes } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Imports of lists of facilities: reviewed, decided on, applied in one transaction and reverted. */

const api = (path: string) => `/api/v1${path}`;
const post = (body: BodyInit, headers: Record<string, string>) =>
  fetch(gateway.url + api("/registry/import"), {
    method: "POST",
    body,
    headers: { cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; "), ...headers },
  });
async function send(csv: string | Uint8Array<ArrayBuffer>, type = "text/csv"): Promise<Answer> {
  const response = await post(csv, { "content-type": type });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}
const act = (uuid: string, what: string, body: object = {}) =>
  admin.call("POST", api(`/registry/import/${uuid}/${what}`), body);
type Row = {
  line: number;
  kind: string;
  decision: string;
  score: number | null;
  reason: string | null;
  facilityUuid: string | null;
  facilityName: string;
  warnings: { column: string }[];
  changes: { field: string; present: string | null; proposed: string | null }[];
};
const rowsOf = async (uuid: string, query = "") =>
  bodyOf<Row[]>(await admin.get(api(`/registry/import/${uuid}/rows${query}`)));
const counted = (answer: Pick<Answer, "body">) =>
  Object.fromEntries(
    bodyOf<{ kinds: { kind: string; rows: number }[] }>(answer)
      .kinds.filter(({ rows }) => rows > 0)
      .map(({ kind, rows }) => [kind, rows]),
  );
type Stored = {
  facilityUuid: string;
  facilityName: string;
  hmisCode: string;
  district: string;
  province: string;
  districtId: number;
  facilityType: string;
};

/** Facilities and their identifiers, without the columns that every change updates. */
const registry = async () =>
  await gateway.sql<{ text: string }>`
    select (to_jsonb(facility) - 'version' - 'updated_at')::text as text from facility union all select to_jsonb(i)::text from facility_identifier i order by text`;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const stored: Stored[] = await gateway.sql<Stored>`
    select facility_uuid, facility_name, hmis_code, d.name as district, p.name as province, f.district_id, facility_type
    from facility f join district d using (district_id) join province p on p.province_id = d.province_id
    where hmis_code is not null and f.closed_on is null and d.closed_on is null
      and not exists (select from facility other where other.facility_uuid <> f.facility_uuid and other.district_id = f.district_id and other.name_key = f.name_key)
    order by facility_uuid limit 8`;

test("a list is reviewed, accepted, applied, reverted to the previous state, and applied again", async () => {
  const [one, two, three] = stored as [Stored, Stored, Stored];
  const before = await registry();
  const csv = [
    "hmisCode;name;province;district;facilityType;latitude;longitude;dhis2Uid",
    `${one.hmisCode};${one.facilityName};${one.province};${one.district};Imported Type;;;`,
    `${two.hmisCode};${two.facilityName};${two.province};${two.district};;;;`,
    `;Import Clinic;${three.province};${three.district};Health Post;-15,41;28,28;aBcDeFgHiJk`,
    `;Château;${three.province};${three.district};(erase);51.5;0.1;`,
    `;=SUM(A1);${three.province};${three.district};;;;`,
    `;Nowhere Clinic;${three.province};${three.district}x;;;;`,
  ];
  const made = await send(Buffer.from(csv.join("\r\n"), "latin1"));
  expect(made.status, made.text).toBe(200);
  const { uuid } = bodyOf(made);
  expect(bodyOf(made)).toMatchObject({ status: "ready", rows: 6 });
  expect(counted(made)).toEqual({ new: 3, changed: 1, same: 1, unknownPlace: 1 });
  expect(await registry()).toEqual(before);

  const [changed] = (await rowsOf(uuid, "?kind=changed")) as [Row];
  expect(changed).toMatchObject({
    line: 2,
    facilityUuid: one.facilityUuid,
    score: 1,
    decision: "undecided",
    changes: [{ field: "facilityType", present: one.facilityType, proposed: "Imported Type" }],
  });
  expect(changed.reason).toBe(`HMIS code ${one.hmisCode}`);
  const added = await rowsOf(uuid, "?kind=new");
  expect(added.map(({ facilityName, warnings }) => [facilityName, warnings.map(({ column }) => column)])).toEqual([
    ["Import Clinic", []],
    ["Château", ["latitude"]],
    ["=SUM(A1)", ["name"]],
  ]);
  expect(added[0]!.changes).toContainEqual({ field: "latitude", present: null, proposed: "-15.41" });
  expect((await rowsOf(uuid, "?warned=true")).map(({ line }) => line)).toEqual([5, 6]);
  expect((await rowsOf(uuid, "?warned=false")).map(({ line }) => line)).toEqual([2, 3, 4, 7]);
  const listed = await admin.graphql(
    `{ registryImportRows(uuid: "${uuid}", warned: true, kind: NEW, first: 10) { totalCount nodes { line warnings { column } } } }`,
  );
  expect(listed.data.registryImportRows).toEqual({
    totalCount: 2,
    nodes: [
      { line: 5, warnings: [{ column: "latitude" }] },
      { line: 6, warnings: [{ column: "name" }] },
    ],
  });
  const [lost] = (await rowsOf(uuid, "?kind=unknownPlace")) as [Row];
  expect(lost).toMatchObject({ acceptable: false });
  expect(lost.reason).toContain(
    `'${three.district}x' is not known in ${three.province}: is '${three.district}' meant?`,
  );
  expect(
    errorsOf(await act(uuid, "decisions", { decision: "accepted", lines: [lost.line, 99] })).map(({ path }) => path),
  ).toEqual([`row ${lost.line}`, "row 99"]);
  expect((await act(uuid, "apply")).status).toBe(409);

  await act(uuid, "decisions", { decision: "accepted", all: true });
  expect(errorsOf(await act(uuid, "decisions", { decision: "rejected", warned: true, kind: "new" }))).toEqual([
    { path: "all", message: "say which rows: one of lines, kind, warned and all" },
  ]);
  expect(bodyOf(await act(uuid, "decisions", { decision: "rejected", warned: true })).kinds[0]).toMatchObject({
    kind: "new",
    accepted: 1,
    rejected: 2,
  });
  await act(uuid, "decisions", { decision: "accepted", lines: [5] });
  const applied = await act(uuid, "apply");
  expect(applied.status, applied.text).toBe(200);
  expect(bodyOf(applied)).toMatchObject({ status: "applied", appliedBy: "admin" });
  expect(bodyOf(await admin.get(api("/facility/by/dhis2/aBcDeFgHiJk")))).toMatchObject({
    facilityName: "Import Clinic",
    latitude: -15.41,
    facilityUuid: added[0]!.facilityUuid,
  });
  expect(bodyOf(await admin.get(api(`/facilityMetadata/${one.facilityUuid}`))).facilityType).toBe("Imported Type");
  expect((await act(uuid, "apply")).status).toBe(409);
  expect((await act(uuid, "decisions", { decision: "rejected", all: true })).status).toBe(409);
  await expectCountsHold(gateway.db);
  const after = await registry();

  const again = await send(Buffer.from(csv.slice(0, 4).join("\n"), "latin1"));
  expect(counted(again)).toEqual({ same: 3 });

  expect(bodyOf(await act(uuid, "revert"))).toMatchObject({ status: "reverted" });
  expect(await registry()).toEqual(before);
  await expectCountsHold(gateway.db);
  expect((await act(uuid, "apply")).status).toBe(200);
  const dated = (rows: { text: string }[]) =>
    rows.map(({ text }) => text.replace(/"created_at": "[^"]*"/, "")).toSorted();
  expect(dated(await registry())).toEqual(dated(after));
  expect((await act(uuid, "revert")).status).toBe(200);
  const { data } = await admin.graphql(
    `{ registryImport(uuid: "${uuid}") { import { status } kinds { kind rows accepted } } auditEvents(about: "${uuid}", first: 20) { nodes { action } } }`,
  );
  expect(data.registryImport.import.status).toBe("REVERTED");
});

test("an import is neither applied nor reverted if a facility was changed meanwhile; the error names the row", async () => {
  const [, , , four, five] = stored as Stored[] as [Stored, Stored, Stored, Stored, Stored];
  const { uuid } = bodyOf(await send(`hmisCode,facilityType\n${four.hmisCode},A\n${five.hmisCode},B\n`));
  await act(uuid, "decisions", { decision: "accepted", kind: "changed" });
  await admin.call("PATCH", api(`/facility/${five.facilityUuid}`), { facilityType: "Meanwhile" });
  const before = await registry();
  const refused = await act(uuid, "apply");
  expect([refused.status, errorsOf(refused)]).toEqual([
    409,
    [{ path: "row 3", message: `'${five.facilityName}' was changed since the review` }],
  ]);
  expect(await registry()).toEqual(before);
  const second = bodyOf(await send(`hmisCode,facilityType,name\n${four.hmisCode},A,\n,New Type,Later Clinic\n`));
  await act(second.uuid, "decisions", { decision: "accepted", all: true });
  expect((await act(second.uuid, "apply")).status).toBe(200);
  await admin.call("PATCH", api(`/facility/${four.facilityUuid}`), { facilityType: "Newer" });
  const kept = await act(second.uuid, "revert");
  expect([kept.status, errorsOf(kept)]).toEqual([
    409,
    [{ path: "row 2", message: `'${four.facilityName}' was changed since` }],
  ]);
});

test("duplicates, conflicts and merge candidates are kinds of their own; an empty cell keeps the value, (erase) erases it", async () => {
  const [, , , , , six, seven, eight] = stored as Stored[] as [
    Stored,
    Stored,
    Stored,
    Stored,
    Stored,
    Stored,
    Stored,
    Stored,
  ];
  const twin = bodyOf(
    await admin.call("POST", api("/facility"), { facilityName: eight.facilityName, districtId: eight.districtId }),
  );
  await admin.call("PUT", api(`/facility/identifiers/${seven.facilityUuid}`), {
    identifiers: [
      { system: "hmis", value: seven.hmisCode },
      { system: "elmis", value: "EL-7" },
    ],
  });
  const made = await send(
    [
      "hmisCode,name,province,district,elmisCode,facilityType",
      `${six.hmisCode},,,,,(erase)`,
      `${six.hmisCode},,,,,Twice`,
      `${stored[0]!.hmisCode},,,,EL-7,`,
      `,${eight.facilityName},${eight.province},${eight.district},,`,
    ].join("\n"),
  );
  expect(counted(made)).toEqual({ changed: 1, duplicate: 1, conflict: 1, mergeCandidate: 1 });
  const { uuid } = bodyOf(made);
  const [erased, twice, strayed, alike] = (await rowsOf(uuid)) as [Row, Row, Row, Row];
  expect(erased.changes).toEqual([{ field: "facilityType", present: six.facilityType, proposed: null }]);
  expect(twice).toMatchObject({ acceptable: false, reason: `HMIS code '${six.hmisCode}' is already in row 2` });
  expect(strayed.reason).toContain(seven.facilityName);
  expect(`${alike.reason} ${alike.facilityUuid}`).toContain(twin.facilityUuid);
  await act(uuid, "decisions", { decision: "accepted", lines: [2] });
  expect((await act(uuid, "apply")).status).toBe(200);
  expect(bodyOf(await admin.get(api(`/facilityMetadata/${six.facilityUuid}`)))).toMatchObject({
    facilityType: null,
    facilityName: six.facilityName,
  });
});

test("a load from the command line is listed as an import and can be reverted; a load that changes nothing makes no import", async () => {
  const folder = await mkdtemp(join(tmpdir(), "load-import-"));
  const file = join(folder, "ministry.csv");
  const [, two, three] = stored as [Stored, Stored, Stored];
  const lines = [
    "uuid,hmisCode,name,province,district,facilityType,dhis2Uid,note",
    `,${two.hmisCode},${two.facilityName},${two.province},${two.district},Loaded Type,,x`,
    `loaded-guid,,Loaded Clinic,${three.province},${three.district},,lOaDeDuId02,x`,
  ];
  const load = async (rows: string[], dryRun = false) => {
    await writeFile(file, rows.join("\n"));
    return loadLists(gateway.db, { sources: [{ kind: "facilities", file }], dryRun, by: "operator" });
  };
  const counts = ({
    counts: {
      facilities: { added, changed, unchanged },
    },
  }: Awaited<ReturnType<typeof load>>) => ({ added, changed, unchanged });
  const newest = async () => bodyOf<{ uuid: string }[]>(await admin.get(api("/registry/import?limit=1")))[0]!;
  try {
    const before = await registry();
    expect(counted(await send(lines.join("\n")))).toEqual({ new: 1, changed: 1 });
    const sent = await newest();
    expect(counts(await load(lines, true))).toEqual({ added: 1, changed: 1, unchanged: 0 });
    expect([await registry(), (await newest()).uuid]).toEqual([before, sent.uuid]);
    const first = await load(lines);
    expect(counts(first)).toEqual({ added: 1, changed: 1, unchanged: 0 });
    const uuid = first.imports[0]!.importUuid;
    expect(await newest()).toMatchObject({
      uuid,
      fileName: "ministry.csv",
      status: "applied",
      rows: 2,
      ignored: ["note"],
      userName: "operator",
      appliedBy: "operator",
    });
    const rows = await rowsOf(uuid);
    expect(
      rows.map(({ line, kind, decision, score, facilityUuid }) => [line, kind, decision, score, facilityUuid]),
    ).toEqual([
      [2, "changed", "accepted", 1, two.facilityUuid],
      [3, "new", "accepted", null, "loaded-guid"],
    ]);
    expect(rows[0]!.changes).toEqual([{ field: "facilityType", present: two.facilityType, proposed: "Loaded Type" }]);
    expect(bodyOf(await admin.get(api("/facility/by/dhis2/lOaDeDuId02"))).facilityUuid).toBe("loaded-guid");
    const after = await registry();
    const second = await load(lines);
    expect([counts(second), second.imports, await registry()]).toEqual([
      { added: 0, changed: 0, unchanged: 2 },
      [],
      after,
    ]);
    const { data } = await admin.graphql<{ auditEvents: Nodes<{ subjectId: string; details: string }> }>(
      `{ auditEvents(action: "registry.import.apply", first: 1) { nodes { subjectId details } } }`,
    );
    expect(data.auditEvents.nodes.map(({ subjectId, details }) => [subjectId, JSON.parse(details)])).toEqual([
      [uuid, { by: "operator", added: 1, changed: 1 }],
    ]);
    const reverted = await act(uuid, "revert");
    expect([reverted.status, await registry()], reverted.text).toEqual([200, before]);
    await expectCountsHold(gateway.db);
    expect((await act(uuid, "apply")).status).toBe(200);
    expect(await newest()).toMatchObject({ uuid, appliedBy: "admin" });
    expect((await act(uuid, "revert")).status).toBe(200);

    // A conflict, on which a person would decide in the review, is an error of a load.
    const refused = await load([
      lines[0]!,
      `,${two.hmisCode},${two.facilityName},${two.province},${two.district},,,`,
      `${two.facilityUuid},${three.hmisCode},Both,${three.province},${three.district},,,`,
    ]);
    expect([refused.outcome, refused.errors.map(({ line, column }) => `${line} ${column}`), refused.imports]).toEqual([
      "refused",
      ["3 hmisCode"],
      [],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an import gives a facility the uuid of the list unless something is recorded about it; a revert restores the old uuid", async () => {
  const [, , three] = stored as [Stored, Stored, Stored];
  const place = `${three.province},${three.district}`;
  const first = bodyOf(
    await send(`hmisCode,name,province,district\n91000001,Uuid Clinic,${place}\n91000002,Visited Clinic,${place}\n`),
  );
  await act(first.uuid, "decisions", { decision: "accepted", all: true });
  expect((await act(first.uuid, "apply")).status).toBe(200);
  const [own, visited] = (await rowsOf(first.uuid)).map(({ facilityUuid }) => facilityUuid);
  await admin.call("PATCH", api(`/facility/${visited}`), { facilityType: "Visited" });
  const before = await registry();
  const later = bodyOf(await send("smartcareGuid,hmisCode\nguid-own,91000001\nguid-visited,91000002\n"));
  expect((await rowsOf(later.uuid)).map(({ changes }) => changes)).toEqual([
    [
      { field: "uuid", present: own, proposed: "guid-own" },
      { field: "smartcare", present: null, proposed: "guid-own" },
    ],
    [{ field: "smartcare", present: null, proposed: "guid-visited" }],
  ]);
  await act(later.uuid, "decisions", { decision: "accepted", all: true });
  expect((await act(later.uuid, "apply")).status).toBe(200);
  expect((await rowsOf(later.uuid)).map(({ facilityUuid }) => facilityUuid)).toEqual(["guid-own", visited]);
  expect(bodyOf(await admin.get(api("/facilityMetadata/guid-own"))).facilityName).toBe("Uuid Clinic");
  await expectCountsHold(gateway.db);
  expect((await act(later.uuid, "revert")).status).toBe(200);
  expect([await registry(), (await admin.get(api("/facilityMetadata/guid-own"))).status]).toEqual([before, 404]);
  expect((await act(later.uuid, "apply")).status).toBe(200);
});

test("a list can exchange the codes of two facilities, but not if only one of the two rows is accepted", async () => {
  const [one, two] = stored as [Stored, Stored];
  const { uuid } = bodyOf(
    await send(`uuid,hmisCode\n${one.facilityUuid},${two.hmisCode}\n${two.facilityUuid},${one.hmisCode}\n`),
  );
  await act(uuid, "decisions", { decision: "accepted", lines: [2] });
  const refused = await act(uuid, "apply");
  expect([refused.status, errorsOf(refused)]).toEqual([
    409,
    [{ path: "row 2", message: `'${two.hmisCode}' is that of '${two.facilityName}' (${two.facilityUuid}) by now` }],
  ]);
  const before = await registry();
  await act(uuid, "decisions", { decision: "accepted", lines: [2, 3] });
  expect((await act(uuid, "apply")).status).toBe(200);
  expect(bodyOf(await admin.get(api(`/facility/by/hmis/${two.hmisCode}`))).facilityUuid).toBe(one.facilityUuid);
  expect((await act(uuid, "revert")).status).toBe(200);
  expect(await registry()).toEqual(before);
});

/** Gives a facility an identifier of eLMIS, instead of those that it has. */
const identify = async ({ facilityUuid, hmisCode }: Stored, elmis: string) =>
  expect(
    (
      await admin.call("PUT", api(`/facility/identifiers/${facilityUuid}`), {
        identifiers: [
          { system: "hmis", value: hmisCode },
          { system: "elmis", value: elmis },
        ],
      })
    ).status,
  ).toBe(200);

test("a list cannot exchange the identifiers of two facilities in another system: both rows are conflicts and cannot be accepted", async () => {
  const [one, two] = stored as [Stored, Stored];
  await identify(one, "EL-1");
  await identify(two, "EL-2");
  const { uuid } = bodyOf(await send(`uuid,elmisCode\n${one.facilityUuid},EL-2\n${two.facilityUuid},EL-1\n`));
  const isThatOf = ({ facilityName, facilityUuid }: Stored) => `is that of '${facilityName}' (${facilityUuid})`;
  expect((await rowsOf(uuid)).map(({ kind, reason }) => [kind, reason])).toEqual([
    ["conflict", `uuid ${isThatOf(one)}; eLMIS id EL-2 ${isThatOf(two)}, which row 3 describes`],
    ["conflict", `uuid ${isThatOf(two)}; eLMIS id EL-1 ${isThatOf(one)}, which row 2 describes`],
  ]);
  expect(
    errorsOf(await act(uuid, "decisions", { decision: "accepted", lines: [2, 3] })).map(({ path }) => path),
  ).toEqual(["row 2", "row 3"]);
});

test("a long list is applied and reverted as a whole, also if its first and last rows exchange codes and the first replaces an identifier", async () => {
  const [one, two, three] = stored as [Stored, Stored, Stored];
  await identify(one, "EL-BEFORE");
  const row = (uuid: string, code: string, elmis = "") => `${uuid},${code},,,,${elmis}`;
  const added = Array.from(
    { length: 1200 },
    (_, index) => `long-${index},L${index},Long ${index},${three.province},${three.district},LONG-${index}`,
  );
  const made = bodyOf(
    await send(
      [
        "uuid,hmisCode,name,province,district,elmisCode",
        row(one.facilityUuid, two.hmisCode, "EL-LONG"),
        ...added,
        row(two.facilityUuid, one.hmisCode),
      ].join("\n"),
    ),
  );
  const before = await registry();
  await act(made.uuid, "decisions", { decision: "accepted", all: true });
  await act(made.uuid, "decisions", { decision: "accepted", lines: [2, 1203] });
  for (const _ of ["at first", "and again"]) {
    const applied = await act(made.uuid, "apply");
    expect(applied.status, applied.text).toBe(200);
    const found = await Promise.all(
      [
        [two.hmisCode, "hmis"],
        [one.hmisCode, "hmis"],
        ["EL-LONG", "elmis"],
        ["LONG-0", "elmis"],
        ["LONG-1199", "elmis"],
      ].map(async ([value, system]) => bodyOf(await admin.get(api(`/facility/by/${system}/${value}`))).facilityUuid),
    );
    expect(found).toEqual([one.facilityUuid, two.facilityUuid, one.facilityUuid, "long-0", "long-1199"]);
    const { identifiers } = bodyOf<{ identifiers: { value: string; until: string | null }[] }>(
      await admin.get(api(`/facilityMetadata/${one.facilityUuid}`)),
    );
    expect(Object.fromEntries(identifiers.map(({ value, until }) => [value, until]))).toMatchObject({
      "EL-BEFORE": expect.any(String),
      "EL-LONG": null,
    });
    const reverted = await act(made.uuid, "revert");
    expect([reverted.status, await registry()], reverted.text).toEqual([200, before]);
  }
  await expectCountsHold(gateway.db);
});

test.each([
  ["an unclosed quote", 'name,province,district\nA,B,C\n"D,E,F\n', "row 3, name"],
  ["a repeated column", "name,facilityName\nA,B\n", "row 1, facilityName"],
  ["a list without a column that identifies a facility", "ownership\nA\n", "row 1, facilityName"],
  ["a latitude without a longitude", "name,latitude,longitude\nA,-15,\n", "row 2, longitude"],
  ["an erased name", "hmisCode,name\n1,(erase)\n", "row 2, name"],
  ["a list without rows", "name\n", "row 1"],
  ["an empty file", "", "row 1"],
])("%s is refused, and the error names the row", async (_name, csv, path) => {
  const refused = await send(csv);
  expect([refused.status, errorsOf(refused)[0]?.path]).toEqual([422, path]);
});

test("only a list as CSV or in a form is accepted", async () => {
  expect((await send("{}", "application/json")).status).toBe(415);
  const form = new FormData();
  form.append("file", new Blob(["name,province,district\nForm Clinic,Nowhere,Nowhere\n"]), "sites.csv");
  const sent = await post(form, {});
  expect([sent.status, ((await sent.json()) as { fileName: string }).fileName]).toEqual([200, "sites.csv"]);
  const count = async () => bodyOf<unknown[]>(await admin.get(api("/registry/import"))).length;
  const kept = await count();
  form.append("note", "a second part");
  const refused = await post(form, {});
  expect([refused.status, ((await refused.json()) as { errors: unknown }).errors]).toEqual([
    422,
    [{ path: "note", message: "is not a known key" }],
  ]);
  const cut =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,province,district\nCut Clinic,Nowhere,Nowhere\n\r\n--x\r\nContent-Dispo';
  expect((await post(cut, { "content-type": "multipart/form-data; boundary=x" })).status).toBe(400);
  expect(await count()).toBe(kept);
});

test("a revert moves a facility back to its district, also if that is in another province by now, and is refused if the district was removed", async () => {
  const [home, away] = stored as [Stored, Stored];
  const rows = await gateway.sql<{ id: number; provinceId: number; other: number }>`
    select district_id as id, province_id, (select min(province_id) from province where province.province_id <> district.province_id) as other
    from district where district_id = ${home.districtId}`;
  const [origin] = rows;
  const district = bodyOf(
    await admin.call("POST", api("/registry/place/district"), {
      name: "Import District",
      provinceId: origin!.provinceId,
    }),
  );
  const { facilityUuid } = bodyOf(
    await admin.call("POST", api("/facility"), {
      facilityName: "Moved Clinic",
      districtId: district.id,
      hmisCode: "90000077",
    }),
  );
  const made = await send(`hmisCode;name;province;district\n90000077;Moved Clinic;${away.province};${away.district}`);
  const { uuid } = bodyOf(made);
  await act(uuid, "decisions", { decision: "accepted", all: true });
  const applied = await act(uuid, "apply");
  expect([applied.status, bodyOf(await admin.get(api(`/facilityMetadata/${facilityUuid}`))).district]).toEqual([
    200,
    away.district,
  ]);
  expect(
    (await admin.call("PATCH", api(`/registry/place/district/${district.id}`), { provinceId: origin!.other })).status,
  ).toBe(200);
  const reverted = await act(uuid, "revert");
  expect(reverted.status, reverted.text).toBe(200);
  expect(bodyOf(await admin.get(api(`/facilityMetadata/${facilityUuid}`)))).toMatchObject({
    districtId: district.id,
    provinceId: origin!.other,
  });
  expect((await act(uuid, "apply")).status).toBe(200);
  expect((await admin.call("DELETE", api(`/registry/place/district/${district.id}`))).status).toBe(200);
  const refused = await act(uuid, "revert");
  expect([refused.status, bodyOf(refused).detail]).toEqual([
    409,
    "Nothing was reverted. Something newer touched rows of this import: row 2: its district was removed since.",
  ]);
  await expectCountsHold(gateway.db);
});
