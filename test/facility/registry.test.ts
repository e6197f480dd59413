import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { loadLists } from "../../gateway/registry/load/load.ts";
import { expectCountsHold } from "../derived/countsHold.ts";
import { readDerived } from "../derived/rows.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/**
 * The registry: facilities are added, moved, closed, reopened and merged, with the effects on lists, counts and
 * histories.
 */

const api = (path: string) => `/api/v1${path}`;
const one = async <Row>(text: string) => (await gateway.sql<Row>`${sql.raw(text)}`)[0]!;
const metadata = async (uuid: string) => bodyOf(await admin.get(api(`/facilityMetadata/${uuid}`)));
const silentCounts = async (provinceId: number) =>
  bodyOf(await admin.get(api("/dash/silentSites/province"))).find(
    ({ hxId }: { hxId: number }) => hxId === provinceId,
  ) as { facilities: number; expected: number };
const listed = async (path: string) => bodyOf<{ uuid: string }[]>(await admin.get(api(path))).map(({ uuid }) => uuid);

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = (await one<{ today: string }>("select current_date as today")).today;
const samples: SampleFacility[] = [
  await sampleFacility(gateway.db, 0),
  await sampleFacility(gateway.db, 1),
  await sampleFacility(gateway.db, 2),
];

test("the rows of each table that belong to a facility are moved by a merge, or are known not to be", async () => {
  const moved = ["action", "assessment", "field_list_site", "rollout_facility", "site_account", "tdb", "update_report"];
  const more = ["worklist_note", "facility_identifier", "facility_merge"];
  // The survivor has its own; a bulk act cannot be taken back at a facility that is gone; the others are counted again.
  const own = [
    "facility_service_area",
    "bulk_act_record",
    "recount",
    "facility_state",
    "tdb_silence",
    "tdb_irregularity",
  ];
  const rollups = ["assessment_day_rollup", "assessment_rollup", "tdb_rollup"];
  const tables = await gateway.sql<{ name: string }>`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'facility'::regclass order by 1`;
  expect([...new Set(tables.map(({ name }) => name))]).toEqual([...moved, ...more, ...own, ...rollups].toSorted());
});

test("a facility is added, changed and moved, and the counts follow; errors name their field", async () => {
  type Place = { districtId: number; provinceId: number };
  const [district, other] =
    (await gateway.sql<Place>`select distinct on (province_id) district_id, province_id from district order by province_id limit 2`) as [
      Place,
      Place,
    ];
  const before = [await silentCounts(district.provinceId), await silentCounts(other.provinceId)].map(
    ({ facilities }) => facilities,
  );
  const added = await admin.call("POST", api("/facility"), {
    facilityName: "Registry Clinic",
    districtId: district.districtId,
    hmisCode: "90000001",
    latitude: -15.1,
    longitude: 28.1,
  });
  expect(added.status, added.text).toBe(200);
  const { facilityUuid } = bodyOf(added);
  expect(bodyOf(added)).toMatchObject({
    facilityName: "Registry Clinic",
    provinceId: district.provinceId,
    closedOn: null,
    identifiers: [{ system: "hmis", value: "90000001", from: null, until: null }],
  });
  expect((await silentCounts(district.provinceId)).facilities).toBe(before[0]! + 1);
  const etag = (await admin.get(api(`/facilityMetadata/${facilityUuid}`))).headers.get("etag")!;
  const moved = await admin.call(
    "PATCH",
    api(`/facility/${facilityUuid}`),
    { districtId: other.districtId, facilityName: "Registry Health Post" },
    { "if-match": etag },
  );
  expect(bodyOf(moved)).toMatchObject({
    facilityName: "Registry Health Post",
    districtId: other.districtId,
    provinceId: other.provinceId,
  });
  expect(
    (await admin.call("PATCH", api(`/facility/${facilityUuid}`), { facilityName: "Never" }, { "if-match": etag }))
      .status,
  ).toBe(412);
  expect([
    (await silentCounts(district.provinceId)).facilities,
    (await silentCounts(other.provinceId)).facilities,
  ]).toEqual([before[0], before[1]! + 1]);
  // What was answered can be sent back, also with a change.
  const whole = bodyOf(await admin.get(api(`/facilityMetadata/${facilityUuid}`)));
  const same = await admin.call("PATCH", api(`/facility/${facilityUuid}`), { ...whole, facilityName: "Echo Clinic" });
  expect([same.status, bodyOf(same)]).toEqual([200, { ...whole, facilityName: "Echo Clinic" }]);
  const settings = bodyOf(await admin.get(api(`/facility/settings/${facilityUuid}`)));
  const kept = await admin.call("PATCH", api(`/facility/settings/${facilityUuid}`), settings);
  expect([kept.status, bodyOf(kept)]).toEqual([200, settings]);
  for (const [body, path] of [
    [{ facilityUuid: "other" }, "facilityUuid"],
    [{ province: "Elsewhere" }, "province"],
    [{ closedOn: "2026-01-01" }, "closedOn"],
    [{ identifiers: [] }, "identifiers"],
    [{ facilityName: "" }, "facilityName"],
    [{ facilityName: "=1+1" }, "facilityName"],
    [{ districtId: 99999 }, "districtId"],
    [{ implementingPartnerId: 99999 }, "implementingPartnerId"],
    [{ latitude: null }, "latitude"],
    [
      {
        hmisCode: (
          await one<{ code: string }>("select hmis_code as code from facility where hmis_code <> '90000001' limit 1")
        ).code,
      },
      "hmisCode",
    ],
    [{ colour: "red" }, "colour"],
  ] as const) {
    const refused = await admin.call("PATCH", api(`/facility/${facilityUuid}`), body);
    expect([refused.status, errorsOf(refused)?.[0]?.path]).toEqual([422, path]);
  }
  expect(
    (await admin.call("POST", api("/facility"), { facilityUuid, facilityName: "Twice", districtId: 1 })).status,
  ).toBe(409);
  await expectCountsHold(gateway.db);
});

test("a closed facility is left out of lists and counts, but keeps its visits and its place in past periods; it can be reopened", async () => {
  const { facilityUuid } = samples[0]!;
  const { provinceId, functionalityStatusMode: mode } = await one<{
    provinceId: number;
    functionalityStatusMode: string;
  }>(`select province_id, functionality_status_mode from facility where facility_uuid = '${facilityUuid}'`);
  const last = await one<{ day: string; year: number }>(
    `select assessed_at::date as day, extract(year from assessed_at + interval '3 months')::integer as year from assessment where facility_uuid = '${facilityUuid}' order by assessed_at desc limit 1`,
  );
  const lists = [
    "/facility",
    `/facility/province/${provinceId}`,
    ...(["EFirst", "EFast", "ELast"].includes(mode) ? [`/facility/mode/${mode}`] : []),
  ];
  const before = await silentCounts(provinceId);
  const path = api(`/facility/${facilityUuid}/close`);
  const early = await admin.call("POST", path, { closedOn: "2001-01-01", reason: "Road washed away" });
  expect(errorsOf(early)).toEqual([{ path: "closedOn", message: `is before the last visit, on ${last.day}` }]);
  expect(errorsOf(await admin.call("POST", path, { closedOn: "2999-01-01", reason: "Later" }))[0]!.path).toBe(
    "closedOn",
  );
  for (const reason of [undefined, " ", "r".repeat(513)])
    expect([reason, errorsOf(await admin.call("POST", path, { closedOn: today, reason }))[0]!.path]).toEqual([
      reason,
      "reason",
    ]);
  const closed = await admin.call("POST", path, { closedOn: today, reason: "Road washed away" });
  expect(bodyOf(closed)).toMatchObject({ facilityUuid, closedOn: today, closeReason: "Road washed away" });
  for (const list of lists) expect(await listed(list)).not.toContain(facilityUuid);
  expect(await listed(`/facility/mode/${mode}?year=${last.year}`)).toContain(facilityUuid);
  expect((await silentCounts(provinceId)).facilities).toBe(before.facilities - 1);
  expect(bodyOf(await admin.get(api(`/assessment/list/facility/${facilityUuid}`))).length).toBeGreaterThan(0);
  const { data } = await admin.graphql(
    `{ facilities(filter: { closed: true }) { nodes { facilityUuid closedOn closeReason } } }`,
  );
  expect(data.facilities.nodes).toContainEqual({ facilityUuid, closedOn: today, closeReason: "Road washed away" });
  // Figures as at the day before still count it.
  const { yesterday } = await one<{ yesterday: string }>("select current_date - 1 as yesterday");
  const asAt = async (day: string) =>
    bodyOf(await admin.get(api(`/dash/silentSites/province?asOf=${day}`))).find(
      ({ hxId }: { hxId: number }) => hxId === provinceId,
    ).facilities;
  expect([await asAt(yesterday), await asAt(today)]).toEqual([before.facilities, before.facilities - 1]);
  await expectCountsHold(gateway.db);
  const opened = await admin.call("POST", api(`/facility/${facilityUuid}/reopen`));
  expect(bodyOf(opened)).toMatchObject({ closedOn: null, closeReason: null });
  expect(await silentCounts(provinceId)).toEqual(before);
  expect((await admin.call("POST", api(`/facility/${facilityUuid}/reopen`))).status).toBe(409);
  await expectCountsHold(gateway.db);
});

test("a merge joins both histories and redirects the old uuid and identifiers; it can be undone", async () => {
  const [, from, into] = samples as [SampleFacility, SampleFacility, SampleFacility];
  await admin.call("PUT", api(`/facility/identifiers/${from.facilityUuid}`), {
    identifiers: [
      { system: "hmis", value: "90000010" },
      { system: "dhis2", value: "aBcDeFgHiJk" },
    ],
  });
  await admin.call("PUT", api(`/facility/identifiers/${into.facilityUuid}`), {
    identifiers: [{ system: "hmis", value: "90000011" }],
  });
  await sendForm(
    gateway.url,
    "/api/v1/tdb",
    await gateway.as("uploader"),
    formOf([{ name: "from.tdbx", content: tdbxOf(from.facilityUuid, { totalPatients: 77 }) }]),
  );
  const visits = async (uuid: string) =>
    bodyOf<{ uuid: string }[]>(await admin.get(api(`/assessment/list/facility/${uuid}`)))
      .map(({ uuid: each }) => each)
      .toSorted();
  const tdbs = async (uuid: string) => bodyOf<{ uuid: string }[]>(await admin.get(api(`/tdb/facility/${uuid}`))).length;
  const state = async () => [
    await metadata(from.facilityUuid),
    await metadata(into.facilityUuid),
    await visits(from.facilityUuid),
    await visits(into.facilityUuid),
    await readDerived(gateway.db),
  ];
  const before = await state();
  const both = [...(await visits(from.facilityUuid)), ...(await visits(into.facilityUuid))].toSorted();
  const sent = (await tdbs(from.facilityUuid)) + (await tdbs(into.facilityUuid));

  const preview = bodyOf(await admin.get(api(`/facility/${from.facilityUuid}/merge/${into.facilityUuid}`)));
  expect(preview).toMatchObject({
    from: { facilityUuid: from.facilityUuid },
    into: { facilityUuid: into.facilityUuid },
    moves: { assessments: (await visits(from.facilityUuid)).length },
    hindrance: null,
  });
  expect(
    bodyOf(await admin.call("POST", api(`/facility/${from.facilityUuid}/merge`), { into: from.facilityUuid })).detail,
  ).toBe("A facility cannot be merged with itself.");
  const merged = await admin.call("POST", api(`/facility/${from.facilityUuid}/merge`), { into: into.facilityUuid });
  expect(merged.status, merged.text).toBe(200);
  expect(bodyOf(merged).identifiers).toEqual([
    { system: "hmis", value: "90000011", from: null, until: null },
    { system: "hmis", value: "90000010", from: null, until: today },
    { system: "dhis2", value: "aBcDeFgHiJk", from: null, until: null },
  ]);
  for (const uuid of [from.facilityUuid, into.facilityUuid]) {
    expect((await metadata(uuid)).facilityUuid).toBe(into.facilityUuid);
    expect(await visits(uuid)).toEqual(both);
    expect(await tdbs(uuid)).toBe(sent);
    const { data } = await admin.graphql(
      "query ($id: String!) { facility(facilityUuid: $id) { facilityUuid assessments { totalCount } } }",
      { id: uuid },
    );
    expect(data.facility).toEqual({ facilityUuid: into.facilityUuid, assessments: { totalCount: both.length } });
  }
  for (const [system, value] of [
    ["hmis", "90000010"],
    ["dhis2", "aBcDeFgHiJk"],
  ])
    expect(bodyOf(await admin.get(api(`/facility/by/${system}/${value}`))).facilityUuid).toBe(into.facilityUuid);
  expect(await listed("/facility")).not.toContain(from.facilityUuid);
  expect(
    bodyOf(await admin.call("POST", api(`/facility/${into.facilityUuid}/merge`), { into: from.facilityUuid })).detail,
  ).toMatch(/circle/);
  await expectCountsHold(gateway.db);

  // Data that are sent later under the old uuid belong to the facility that stays.
  const late = await admin.call("POST", api("/assessment"), visit({ ...into, facilityUuid: from.facilityUuid }));
  expect([late.status, bodyOf(late).facilityUuid]).toEqual([200, into.facilityUuid]);
  const receipts = await sendForm(
    gateway.url,
    "/api/v1/tdb",
    await gateway.as("uploader"),
    formOf([{ name: "late.tdbx", content: tdbxOf(from.facilityUuid, { totalPatients: 78 }) }]),
  );
  expect([receipts.status, bodyOf(receipts)[0].facilityUuid]).toEqual([200, into.facilityUuid]);

  const [merge] = bodyOf(await admin.get(api("/registry/merge")));
  expect(merge).toMatchObject({
    facilityUuid: from.facilityUuid,
    intoUuid: into.facilityUuid,
    mergedDate: today,
    undoable: true,
    userName: "admin",
  });
  // Of two concurrent requests to undo it, one finds no merge any more.
  const undone = await Promise.all([1, 2].map(() => admin.call("POST", api(`/facility/${from.facilityUuid}/unmerge`))));
  expect(undone.map(({ status }) => status).toSorted(), undone.map(({ text }) => text).join()).toEqual([200, 404]);
  await expectCountsHold(gateway.db);
  expect(await metadata(from.facilityUuid)).toEqual(before[0]);
  expect(await metadata(into.facilityUuid)).toEqual(before[1]);
  expect(await visits(from.facilityUuid)).toEqual(before[2]);
  // Data that were sent after the merge stay with the facility that received them.
  expect(await visits(into.facilityUuid)).toEqual([...(before[3] as string[]), bodyOf(late).assessmentUuid].toSorted());
  expect((await admin.call("POST", api(`/facility/${from.facilityUuid}/unmerge`))).status).toBe(404);
});

test("an undone merge leaves nothing behind at a facility that had never sent a TDB", async () => {
  const pair = await one<{ from: string; into: string }>(`
    select (select facility_uuid from tdb_rollup join facility using (facility_uuid) where period = 'quarter' and closed_on is null order by 1 desc limit 1) as from,
      (select facility_uuid from tdb_silence join assessment using (facility_uuid) where tdb_silence.tdb_uuid is null and closed_on is null order by 1 desc limit 1) as into`);
  const before = await readDerived(gateway.db);
  const merged = await admin.call("POST", api(`/facility/${pair.from}/merge`), { into: pair.into });
  expect(merged.status, merged.text).toBe(200);
  expect(await readDerived(gateway.db)).not.toEqual(before);
  expect((await admin.call("POST", api(`/facility/${pair.from}/unmerge`))).status).toBe(200);
  expect(await readDerived(gateway.db)).toEqual(before);
});

test("a merge cannot be undone while a third facility has the code that would be restored", async () => {
  const add = async (facilityName: string, hmisCode: string) =>
    bodyOf(await admin.call("POST", api("/facility"), { facilityName, districtId: 1, hmisCode }))
      .facilityUuid as string;
  const [from, into] = [await add("Parting Clinic", "90000040"), await add("Keeping Clinic", "90000041")];
  expect((await admin.call("POST", api(`/facility/${from}/merge`), { into })).status).toBe(200);
  await admin.call("PUT", api(`/facility/identifiers/${into}`), {
    identifiers: [{ system: "hmis", value: "90000041" }],
  });
  const third = await add("Third Clinic", "90000040");
  const undo = () => admin.call("POST", api(`/facility/${from}/unmerge`));
  const refused = await undo();
  expect([refused.status, bodyOf(refused).detail]).toEqual([
    409,
    `HMIS code '90000040', which Parting Clinic would get back, is that of Third Clinic (${third}) by now. Change that first.`,
  ]);
  expect((await metadata(from)).facilityUuid).toBe(into);
  await admin.call("PATCH", api(`/facility/${third}`), { hmisCode: "90000042" });
  expect((await undo()).status).toBe(200);
  expect((await metadata(from)).hmisCode).toBe("90000040");
});

test("a merge cannot be undone after thirty days", async () => {
  const [, from, into] = samples as [SampleFacility, SampleFacility, SampleFacility];
  await admin.call("POST", api(`/facility/${from.facilityUuid}/merge`), { into: into.facilityUuid });
  await gateway.sql`update facility_merge set merged_at = now() - interval '31 days'`;
  const refused = await admin.call("POST", api(`/facility/${from.facilityUuid}/unmerge`));
  expect([refused.status, bodyOf(refused).detail]).toEqual([
    409,
    expect.stringMatching(/^This merge could be undone until \d{4}-\d\d-\d\d\.$/),
  ]);
});

test("a facility that was visited after another one had closed can be merged into that one only when it is reopened", async () => {
  const add = async (facilityName: string) =>
    bodyOf(await admin.call("POST", api("/facility"), { facilityName, districtId: 1 })).facilityUuid as string;
  const [from, into] = [await add("Visited Clinic"), await add("Closed Clinic")];
  const { yesterday } = await one<{ yesterday: string }>("select current_date - 1 as yesterday");
  const seen = await admin.call(
    "POST",
    api("/assessment"),
    visit({ facilityUuid: from, serviceAreas: [], otherArea: 0 }),
  );
  expect(seen.status, seen.text).toBe(200);
  const close = (closedOn: string) =>
    admin.call("POST", api(`/facility/${into}/close`), { closedOn, reason: "Burnt down" });
  expect((await close(yesterday)).status).toBe(200);
  const words = `Closed Clinic is closed since ${yesterday}, before the last visit to Visited Clinic, on ${today}. Open it again first.`;
  expect(bodyOf(await admin.get(api(`/facility/${from}/merge/${into}`)))).toMatchObject({
    into: { closedOn: yesterday },
    hindrance: words,
  });
  const refused = await admin.call("POST", api(`/facility/${from}/merge`), { into });
  expect([refused.status, bodyOf(refused).detail]).toEqual([409, words]);
  const { data, errors } = await admin.graphql(
    `mutation { mergeFacilities(input: { facilityUuid: "${from}", into: "${into}" }) { facility { facilityUuid } errors { message } } }`,
  );
  expect(JSON.stringify([data, errors])).toContain(words);
  // A facility that closed on the day of the visit accepts it, like a visit of its own.
  expect((await close(today)).status).toBe(200);
  expect(bodyOf(await admin.get(api(`/facility/${from}/merge/${into}`)))).toMatchObject({
    into: { closedOn: today },
    hindrance: null,
  });
  expect((await admin.call("POST", api(`/facility/${into}/reopen`))).status).toBe(200);
  expect((await admin.call("POST", api(`/facility/${from}/merge`), { into })).status).toBe(200);
  await expectCountsHold(gateway.db);
});

test("merging, closing, reopening or changing by the uuid of a merged facility is refused with the names of both facilities", async () => {
  const add = async (facilityName: string) =>
    bodyOf(await admin.call("POST", api("/facility"), { facilityName, districtId: 1 })).facilityUuid as string;
  const [gone, stays, third] = [await add("Doubled Post"), await add("Remaining Post"), await add("Third Post")];
  expect((await admin.call("POST", api(`/facility/${gone}/merge`), { into: stays })).status).toBe(200);
  const before = [await metadata(stays), await metadata(third)];
  const words = `Doubled Post (${gone}) was merged into Remaining Post (${stays}) on ${today}. Name that facility, or undo that merge first.`;
  for (const [from, into] of [
    [gone, third],
    [third, gone],
  ] as const) {
    expect(bodyOf(await admin.get(api(`/facility/${from}/merge/${into}`)))).toMatchObject({ hindrance: words });
    const refused = await admin.call("POST", api(`/facility/${from}/merge`), { into });
    expect([refused.status, bodyOf(refused).detail]).toEqual([409, words]);
    const { data } = await admin.graphql(
      "mutation ($input: MergeFacilitiesInput!) { mergeFacilities(input: $input) { facility { facilityUuid } errors { message } } }",
      { input: { facilityUuid: from, into } },
    );
    expect(data.mergeFacilities).toEqual({ facility: null, errors: [{ message: words }] });
  }
  for (const [method, path, body] of [
    ["POST", "/close", { closedOn: today, reason: "Doubled" }],
    ["POST", "/reopen", undefined],
    ["PATCH", "", { facilityName: "Renamed" }],
  ] as const) {
    const refused = await admin.call(method, api(`/facility/${gone}${path}`), body);
    expect([path, refused.status, bodyOf(refused).detail]).toEqual([path, 409, words]);
  }
  const { data } = await admin.graphql(
    "mutation ($input: CloseFacilityInput!) { closeFacility(input: $input) { facility { facilityUuid } errors { message } } }",
    { input: { facilityUuid: gone, closedOn: today, reason: "Doubled" } },
  );
  expect(data.closeFacility).toEqual({ facility: null, errors: [{ message: words }] });
  expect([await metadata(stays), await metadata(third)]).toEqual(before);
  // After that merge is undone, the uuid means the named facility again.
  expect((await admin.call("POST", api(`/facility/${gone}/unmerge`))).status).toBe(200);
  expect(bodyOf(await admin.call("POST", api(`/facility/${gone}/merge`), { into: third })).facilityUuid).toBe(third);
  expect((await metadata(stays)).facilityName).toBe("Remaining Post");
});

test("a load leaves out a merged facility that the list has by uuid or by code, with a warning that names the one that stays", async () => {
  const add = async (facilityName: string, hmisCode: string) =>
    bodyOf<{ facilityUuid: string; facilityName: string; district: string; province: string }>(
      await admin.call("POST", api("/facility"), { facilityName, districtId: 1, hmisCode }),
    );
  const [gone, stays] = [await add("Twice Clinic", "90000020"), await add("Staying Clinic", "90000021")];
  expect(
    (await admin.call("POST", api(`/facility/${gone.facilityUuid}/merge`), { into: stays.facilityUuid })).status,
  ).toBe(200);
  const all = await listed("/facility");
  const file = join(gateway.dataDir, "list.csv");
  const place = `${stays.district},${stays.province}`;
  const lines = [
    "uuid,name,hmis_code,district,province",
    `${gone.facilityUuid},Twice Clinic,90000020,${place}`,
    `,Twice Clinic,90000020,${place}`,
    `,Staying Clinic,90000021,${place}`,
  ];
  for (const rows of [lines.slice(1, 2), lines.slice(2, 3), [lines[1], lines[3]]]) {
    await writeFile(file, [lines[0], ...rows].join("\n"));
    const { outcome, errors, warnings, counts } = await loadLists(gateway.db, {
      sources: [{ kind: "facilities", file }],
      dryRun: false,
      by: "tester",
    });
    expect([outcome, errors, warnings.map(({ reason }) => reason)]).toEqual([
      "loaded",
      [],
      [`was merged into 'Staying Clinic' (${stays.facilityUuid}): left out`],
    ]);
    expect(counts.facilities.added).toBe(0);
    expect(await listed("/facility")).toEqual(all);
  }
});

test("two facilities with site credentials are not merged, and each act is audited", async () => {
  const rows = await gateway.sql<{ uuid: string }>`
    select facility_uuid as uuid from facility where facility_uuid not in (select facility_uuid from site_account) order by 1 desc limit 2`;
  const [from, into] = rows.map(({ uuid }) => uuid) as [string, string];
  await admin.call("POST", api("/siteCredential"), { facilities: [from, into], expiryDate: today });
  const refused = await admin.call("POST", api(`/facility/${from}/merge`), { into });
  expect([refused.status, bodyOf(refused).detail]).toEqual([
    409,
    "Both have a site credential: revoke one of them first.",
  ]);
  const events = await gateway.sql<{ action: string }>`
    select distinct action from audit_event where action like 'facility.%' and outcome = 'done' order by 1`;
  expect(events.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      "facility.add",
      "facility.change",
      "facility.close",
      "facility.identifiers",
      "facility.merge",
      "facility.reopen",
      "facility.unmerge",
    ]),
  );
});
