import { expect, test } from "vitest";

import { mostImportRows } from "../../gateway/registry/registryImport.rules.ts";
import { type Answer, bodyOf, errorsOf, type Nodes } from "../support/gateway.ts";
import { changedBy, mutate, refusedWith } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The registry is compared with lists of other organisations. The expected findings are computed here from the list and
 * the tables.
 */

const api = (path: string) => `/api/v1${path}`;
async function send(body: BodyInit, query: string, type: string | null = "text/csv"): Promise<Answer> {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(gateway.url + api(`/registry/reconciliations${query}`), {
    method: "POST",
    body,
    headers: { cookie, ...(type === null ? {} : { "content-type": type }) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}
const compare = (rows: readonly (readonly (string | number | null)[])[], source: string) =>
  send(
    rows.map((cells) => cells.map((cell) => (cell === null ? "" : `"${String(cell)}"`)).join(",")).join("\r\n"),
    `?source=${source}`,
  );
type Finding = {
  number: number;
  facilityUuid: string | null;
  facilityName: string;
  place: string;
  reason: string | null;
  differences: { field: string; ours: string | null; theirs: string | null }[];
};
type FindingsPage = {
  registryReconciliationFindings: Nodes<Finding> & { pageInfo: { hasNextPage: boolean; endCursor: string } };
};
const findingsQuery = `query ($uuid: String!, $kind: ReconciliationFindingKind, $trend: ReconciliationTrend, $state: ReconciliationState, $field: String, $after: String) {
  registryReconciliationFindings(uuid: $uuid, kind: $kind, trend: $trend, state: $state, field: $field, first: 100, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { number kind trend state note facilityUuid theirId facilityName place reason differences { field ours theirs } decidedBy }
  }
}`;
async function findings(uuid: string, filter: object = {}, after: string | null = null): Promise<Finding[]> {
  const { nodes, pageInfo } = (await admin.graphql<FindingsPage>(findingsQuery, { uuid, ...filter, after })).data
    .registryReconciliationFindings;
  return pageInfo.hasNextPage ? [...nodes, ...(await findings(uuid, filter, pageInfo.endCursor))] : nodes;
}
type KindCount = { kind: string; found: number; still: number; gone: number };
const kindsOf = (answer: Answer) => bodyOf<{ kinds: KindCount[] }>(answer).kinds;
const counts = (answer: Answer) => Object.fromEntries(kindsOf(answer).map(({ kind, found }) => [kind, found]));
const decide = (uuid: string, input: object) =>
  mutate<{ reconciliation: { open: number } }>(
    admin,
    `mutation ($input: DecideReconciliationFindingsInput!) {
      done: decideReconciliationFindings(input: $input) { changed: result { reconciliation { open } } errors { path message } }
    }`,
    { input: { uuid, ...input } },
  );
type Made = { import: { uuid: string; status: string; rows: number; fileName: string } };
const makeImport = (uuid: string, input: object) =>
  mutate<Made>(
    admin,
    `mutation ($input: ImportReconciliationFindingsInput!) {
      done: importReconciliationFindings(input: $input) { changed: review { import { uuid status rows fileName } } errors { path message } }
    }`,
    { input: { uuid, ...input } },
  );

type Stored = {
  facilityUuid: string;
  facilityName: string;
  hmisCode: string | null;
  district: string;
  province: string;
  facilityType: string | null;
  latitude: number | null;
  longitude: number | null;
};
const listed = async () =>
  await gateway.sql<Stored>`
    select facility_uuid, facility_name, hmis_code, d.name as district, p.name as province, facility_type, latitude, longitude
    from facility f join district d using (district_id) join province p on p.province_id = d.province_id where f.closed_on is null order by facility_uuid`;
const columns = ["hmisCode", "name", "province", "district", "facilityType", "latitude", "longitude"];
const cellsOf = ({ hmisCode, facilityName, province, district, facilityType, latitude, longitude }: Stored) => [
  hmisCode,
  facilityName,
  province,
  district,
  facilityType,
  latitude,
  longitude,
];
const registry = async () =>
  (
    await gateway.sql<{ text: string }>`
      select md5(string_agg(f::text, ',' order by facility_uuid)) as text from facility f`
  )[0]!.text;
/**
 * The facilities with an HMIS code. A list without uuids cannot distinguish others that have the same name and
 * district.
 */
const withCode = (rows: Stored[]) => rows.filter((one) => one.hmisCode !== null);

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");

test("a list is compared field by field, its findings are decided on, and it is compared with the previous list of its source", async () => {
  const before = await registry();
  const all = await listed();
  const known = withCode(all);
  const [moved, renamed, dropped, near] = known.filter(
    ({ latitude, facilityType }) => latitude !== null && facilityType !== null,
  ) as [Stored, Stored, Stored, Stored];
  const rows = known
    .filter(({ facilityUuid }) => facilityUuid !== dropped.facilityUuid)
    .map((one) => {
      if (one === moved) return cellsOf({ ...one, latitude: one.latitude! + 0.02 });
      if (one === renamed) return cellsOf({ ...one, facilityName: `${one.facilityName} (new)`, facilityType: null });
      return cellsOf(one === near ? { ...one, latitude: one.latitude! + 0.0002 } : one);
    });
  const added = ["90000001", "Unheard Clinic", moved.province, moved.district, "Clinic", null, null];
  const first = await compare([columns, ...rows, added], "The%20ministry");
  expect(first.status, first.text).toBe(200);
  const { uuid } = bodyOf(first);
  const only = all.length - known.length + 1;
  expect(counts(first)).toEqual({ onlyHere: only, onlyThere: 1, differs: 2, unclear: 0 });
  expect(bodyOf(first)).toMatchObject({
    source: "The ministry",
    form: "list",
    rows: rows.length + 1,
    here: all.length,
    equal: known.length - 3,
    previousUuid: null,
    isNewest: true,
  });
  expect(await registry()).toBe(before);

  const differing = await findings(uuid, { kind: "DIFFERS" });
  expect(
    differing.map(({ facilityUuid, differences }) => [facilityUuid, differences.map(({ field }) => field)]).toSorted(),
  ).toEqual(
    [
      [moved.facilityUuid, ["position"]],
      [renamed.facilityUuid, ["facilityName", "facilityType"]],
    ].toSorted(),
  );
  const changed = differing.find(({ facilityUuid }) => facilityUuid === renamed.facilityUuid)!;
  expect(changed.differences).toEqual([
    { field: "facilityName", ours: renamed.facilityName, theirs: `${renamed.facilityName} (new)` },
    { field: "facilityType", ours: renamed.facilityType, theirs: null },
  ]);
  expect(bodyOf(first).fields).toEqual([
    { field: "facilityName", found: 1 },
    { field: "facilityType", found: 1 },
    { field: "position", found: 1 },
  ]);
  expect(await findings(uuid, { field: "position" })).toHaveLength(1);
  const [unheard] = await findings(uuid, { kind: "ONLY_THERE" });
  expect(unheard).toMatchObject({
    facilityName: "Unheard Clinic",
    theirId: "90000001",
    facilityUuid: null,
    trend: "NEW",
    state: "OPEN",
  });
  const missed = (await findings(uuid, { kind: "ONLY_HERE" })).find(
    ({ facilityUuid }) => facilityUuid === dropped.facilityUuid,
  )!;
  expect(missed.place).toBe(`${dropped.district}, ${dropped.province}`);

  const { open } = bodyOf<{ open: number }>(first);
  expect(
    await changedBy(decide(uuid, { state: "IGNORED", note: "Their spelling", numbers: [changed.number] })),
  ).toEqual({ reconciliation: { open: open - 1 } });
  expect(await changedBy(decide(uuid, { state: "DONE", numbers: [missed.number] }))).toEqual({
    reconciliation: { open: open - 2 },
  });
  expect((await decide(uuid, { state: "DONE", numbers: [99_999] })).errors).toEqual([
    { path: "finding 99999", message: "is not among the findings" },
  ]);
  expect((await decide(uuid, { state: "DONE" })).errors.map(({ path }) => path)).toEqual(["all"]);

  // The next list: the added facility is gone, the position has changed again, the rest is unchanged.
  const again = await compare(
    [
      columns,
      ...rows.map((cells) =>
        cells[0] === moved.hmisCode ? cellsOf({ ...moved, latitude: moved.latitude! + 0.04 }) : cells,
      ),
    ],
    "the%20MINISTRY",
  );
  expect(bodyOf(again)).toMatchObject({ source: "The ministry", previousUuid: uuid });
  const next = bodyOf(again).uuid as string;
  const countsOf = (kind: string) => kindsOf(again).find((one) => one.kind === kind);
  expect(countsOf("onlyThere")).toMatchObject({ found: 0, gone: 1 });
  expect(countsOf("differs")).toMatchObject({ found: 2, open: 1, ignored: 1, changed: 1, still: 1, new: 0 });
  expect(countsOf("onlyHere")).toMatchObject({ found: only, open: only, done: 0, still: only });
  expect((await findings(next, { trend: "GONE" })).map(({ facilityName }) => facilityName)).toEqual(["Unheard Clinic"]);
  expect(await findings(next, { state: "IGNORED" })).toMatchObject([
    { facilityUuid: renamed.facilityUuid, note: "Their spelling", decidedBy: "admin" },
  ]);
  expect(await decide(uuid, { state: "OPEN", all: true })).toEqual(
    refusedWith(/^There is a newer comparison with .*: decide there\.$/),
  );
  expect(bodyOf(await admin.get(api(`/registry/reconciliations/${uuid}`))).isNewest).toBe(false);

  const csv = (await admin.get(api(`/registry/reconciliations/${next}/csv?kind=differs`))).text.split("\r\n");
  expect(csv).toHaveLength(1 + 3 + 1);
  expect(csv.find((line) => line.includes("facilityName"))).toContain(
    `${renamed.facilityName},${renamed.facilityName} (new)`,
  );
  const { data } = await admin.graphql<{
    registryReconciliationFindings: object;
    auditEvents: Nodes<{ action: string }>;
  }>(`{ registryReconciliation(uuid: "${next}") { reconciliation { source open } kinds { kind found } }
    registryReconciliationFindings(uuid: "${next}", trend: GONE) { totalCount nodes { facilityName } }
    auditEvents(first: 100) { nodes { action } } }`);
  expect(data.registryReconciliationFindings).toEqual({ totalCount: 1, nodes: [{ facilityName: "Unheard Clinic" }] });
  const actions = data.auditEvents.nodes
    .map(({ action }) => action)
    .filter((action) => action.startsWith("registry."))
    .toSorted();
  expect(actions).toEqual([
    "registry.reconcile",
    "registry.reconcile",
    "registry.reconcile.decide",
    "registry.reconcile.decide",
    "registry.reconcile.export",
  ]);
});

test("an import made of open findings takes the values of the other list, and the next comparison no longer finds them", async () => {
  const [one] = withCode(await listed()) as [Stored];
  const first = await compare(
    [
      ["hmisCode", "name", "province", "district", "facilityType"],
      [one.hmisCode, one.facilityName, one.province, one.district, "Taken over"],
      ["90000002", "Taken Clinic", one.province, one.district, null],
    ],
    "Import",
  );
  const { uuid } = bodyOf(first);
  const { import: made } = await changedBy(makeImport(uuid, { all: true }));
  expect(made).toMatchObject({ status: "READY", rows: 2, fileName: "Differences from Import" });
  const imported = made.uuid;
  await admin.call("POST", api(`/registry/import/${imported}/decisions`), { decision: "accepted", all: true });
  expect((await admin.call("POST", api(`/registry/import/${imported}/apply`), {})).status).toBe(200);
  expect(bodyOf(await admin.get(api(`/facilityMetadata/${one.facilityUuid}`))).facilityType).toBe("Taken over");
  const [again, later] = [
    await compare(
      [
        ["hmisCode", "name", "province", "district", "facilityType"],
        [one.hmisCode, one.facilityName, one.province, one.district, "Taken over"],
        ["90000002", "Taken Clinic", one.province, one.district, null],
      ],
      "Import",
    ),
    await makeImport(uuid, { kind: "ONLY_HERE" }),
  ];
  expect([counts(again)["differs"], counts(again)["onlyThere"], bodyOf(again).equal]).toEqual([0, 0, 2]);
  expect(later).toEqual(refusedWith(/^There is a newer comparison with Import: decide there\.$/));
});

test("organisation units as JSON and as CSV give the same findings: levels, places, closed units, repeated ids", async () => {
  const [one, two, three] = withCode(await listed()) as [Stored, Stored, Stored];
  const uids = ["aaaaaaaaaa1", "aaaaaaaaaa2", "aaaaaaaaaa3"];
  for (const [index, { facilityUuid, hmisCode }] of [one, two, three].entries())
    await admin.call("PUT", api(`/facility/identifiers/${facilityUuid}`), {
      identifiers: [
        { system: "hmis", value: hmisCode },
        { system: "dhis2", value: uids[index] },
      ],
    });
  const place = (id: string, name: string, path: string) => ({
    id,
    name,
    level: path.split("/").length - 1,
    path,
    geometry: null,
  });
  const site = (
    id: string,
    { facilityName, hmisCode, latitude, longitude }: Partial<Stored>,
    path: string,
    more: object = {},
  ) => ({
    id,
    name: facilityName,
    code: hmisCode,
    level: 4,
    path: `${path}/${id}`,
    ...(latitude == null ? {} : { geometry: { type: "Point", coordinates: [longitude, latitude] } }),
    ...more,
  });
  const [province, district] = ["/ccccccccccc/ppppppppppp", "/ccccccccccc/ppppppppppp/ddddddddddd"];
  const units = [
    place("ccccccccccc", "Country", "/ccccccccccc"),
    place("ppppppppppp", `${one.province} Province`, province),
    place("ddddddddddd", `zz ${one.district} District`, district),
    place("eeeeeeeeeee", "Emptyland", `${province}/eeeeeeeeeee`),
    site(uids[0]!, one, district),
    site(uids[1]!, { ...two, facilityName: "Other name" }, district, { closedDate: "2020-02-01T00:00:00.000" }),
    site(uids[2]!, three, `${province}/eeeeeeeeeee`),
    site(uids[2]!, { facilityName: "Doubled" }, district),
    site("aaaaaaaaaa9", { facilityName: "Closed there" }, district, { closedDate: "2020-01-01" }),
    site("aaaaaaaaaa8", { facilityName: "Only there" }, district),
  ];
  const made = await send(
    JSON.stringify({ pager: { page: 1, pageCount: 1 }, organisationUnits: units }),
    "?source=DHIS2&fileName=units.json",
    "application/json",
  );
  expect(made.status, made.text).toBe(200);
  const here = (await listed()).length;
  const isHome = (other: Stored) => other.district === one.district && other.province === one.province;
  expect(counts(made)).toEqual({ onlyHere: here - 3, onlyThere: 1, differs: 2, unclear: 1 });
  expect(bodyOf(made)).toMatchObject({ form: "organisationUnits", rows: 6, equal: 1, fileName: "units.json" });
  expect(bodyOf(made).notes).toEqual([
    "6 units of level 4 are compared as facilities, 4 of other levels are not.",
    "1 that are closed there and not in the registry are left out.",
  ]);
  const differing = await findings(bodyOf(made).uuid, { kind: "DIFFERS" });
  expect(Object.fromEntries(differing.map(({ facilityUuid, differences }) => [facilityUuid, differences]))).toEqual({
    [two.facilityUuid]: [
      { field: "facilityName", ours: two.facilityName, theirs: "Other name" },
      ...(isHome(two)
        ? []
        : [{ field: "district", ours: `${two.district}, ${two.province}`, theirs: `${one.district}, ${one.province}` }]
      ).map((each) => ({ ...each, theirs: `zz ${one.district} District, ${one.province} Province` })),
      { field: "closed", ours: null, theirs: "2020-02-01" },
    ],
    [three.facilityUuid]: [
      {
        field: "district",
        ours: `${three.district}, ${three.province}`,
        theirs: `Emptyland, ${one.province} Province`,
      },
    ],
  });
  expect((await findings(bodyOf(made).uuid, { kind: "UNCLEAR" }))[0]!.reason).toContain(
    "DHIS2 UID 'aaaaaaaaaa3' is already in row 7",
  );

  const keys = ["id", "code", "name", "level", "path", "geometry", "closedDate"] as const;
  const csv = [
    keys.join(";"),
    ...units.map((unit) =>
      keys
        .map((key) => {
          const value = (unit as Record<string, unknown>)[key];
          return `"${(value == null ? "" : typeof value === "string" ? value : JSON.stringify(value)).replaceAll('"', '""')}"`;
        })
        .join(";"),
    ),
  ].join("\r\n");
  const form = new FormData();
  form.append("source", "DHIS2");
  form.append("file", new Blob([csv]), "units.csv");
  const sent = await send(form, "", null);
  expect(sent.status, sent.text).toBe(200);
  expect(kindsOf(sent).map(({ found, still, gone }) => [still === found, gone])).toEqual([
    [true, 0],
    [true, 0],
    [true, 0],
    [true, 0],
  ]);
  const ofDistricts = await send(
    JSON.stringify({ organisationUnits: units }),
    "?source=Districts&level=3",
    "application/json",
  );
  expect([counts(ofDistricts)["onlyThere"], bodyOf(ofDistricts).rows]).toEqual([2, 2]);
});

test("the registry's own organisation units differ from it only in UIDs that the registry does not have", async () => {
  const { text } = await admin.get(api("/dhis2/organisationUnits?paging=false"));
  const made = await send(text, "?source=Itself", "application/json");
  expect(made.status, made.text).toBe(200);
  const rows = await gateway.sql<{ count: number }>`
    select count(*)::integer as count from facility f where closed_on is null and not exists (select from facility_identifier i where i.facility_uuid = f.facility_uuid and system = 'dhis2' and valid_until is null)`;
  const unclear = await findings(bodyOf(made).uuid, { kind: "UNCLEAR" });
  expect(counts(made)["onlyHere"]).toBe(0);
  expect(counts(made)["onlyThere"]).toBe(0);
  for (const { differences } of await findings(bodyOf(made).uuid, { kind: "DIFFERS" }))
    expect(differences.map(({ field }) => field)).toEqual(["dhis2"]);
  expect(counts(made)["differs"]! + unclear.length).toBeGreaterThanOrEqual(rows[0]!.count);
});

const unit = { id: "aaaaaaaaaaa", name: "A" };
const unclosed = 'a quote (") opened in the row that begins here is never closed: nothing from here on was read';
test.each<[string, string, string, string, string | RegExp]>([
  ["broken JSON", '{"organisationUnits": [', "application/json", "file", /^is no JSON that can be read: /],
  [
    "JSON of something else",
    '{"sites":[],"total":0}',
    "application/json",
    "file",
    "the JSON is no list of organisation units: it lacks organisationUnits (it has sites, total)",
  ],
  [
    "an array",
    "[1,2]",
    "application/json",
    "file",
    "the JSON is no list of organisation units: it lacks organisationUnits",
  ],
  [
    "a unit that is not an object",
    '{"organisationUnits":[1]}',
    "application/json",
    "file",
    "organisationUnits has something at place 1 that is no unit",
  ],
  [
    "one page of many",
    JSON.stringify({ pager: { page: 1, pageCount: 67 }, organisationUnits: [unit] }),
    "application/json",
    "file",
    "this is page 1 of 67: ask DHIS2 for all units, with paging=false",
  ],
  ["no units", '{"organisationUnits":[]}', "application/json", "row 1", "the list has no organisation units"],
  [
    "units without a name",
    JSON.stringify({ organisationUnits: [unit, { id: "bbbbbbbbbbb" }] }),
    "application/json",
    "row 2, name",
    "is empty",
  ],
  [
    "a position beyond the poles",
    JSON.stringify({ organisationUnits: [{ ...unit, geometry: { type: "Point", coordinates: [28, -95] } }] }),
    "application/json",
    "row 1, geometry",
    "-95 is outside of -90 to 90",
  ],
  [
    "too many units",
    JSON.stringify({ organisationUnits: Array.from({ length: mostImportRows + 1 }, () => unit) }),
    "application/json",
    "file",
    `the list has ${mostImportRows + 1} units: at most ${mostImportRows} can be compared at a time`,
  ],
  ["an unclosed quote", 'name,province,district\nA,B,C\n"D,E,F\n', "text/csv", "row 3, name", `'D,E,F': ${unclosed}`],
  ["an unclosed quote among units", 'id,name\naaaaaaaaaaa,B\n"D,E\n', "text/csv", "row 3, id", `'D,E': ${unclosed}`],
  ["an empty list", "", "text/csv", "row 1", "the list is empty: the first line must name the columns"],
  [
    "a list without a column that identifies a facility",
    "ownership\nA\n",
    "text/csv",
    "row 1, facilityName",
    "no heading is one by which a facility is found: name a column facilityName, hmisCode, facilityUuid or the system of another identifier",
  ],
])(
  "%s is refused with an error that names the place in the list and the reason, and nothing is stored",
  async (_name, body, type, path, message) => {
    const before = bodyOf(await admin.get(api("/registry/reconciliations"))).length;
    const refused = await send(body, "?source=Wrong", type);
    expect([refused.status, errorsOf(refused)], refused.text).toEqual([
      422,
      [{ path, message: typeof message === "string" ? message : expect.stringMatching(message) }],
    ]);
    expect(bodyOf(await admin.get(api("/registry/reconciliations"))).length).toBe(before);
  },
);

test("5,000 rows with errors of many kinds are refused with a bounded list of errors", async () => {
  const lines = Array.from(
    { length: 5000 },
    (_, index) => `C${index},x${index},200,${"n".repeat(index % 5 === 0 ? 300 : 5)},-1`,
  );
  const refused = await send(
    ["hmisCode,latitude,longitude,name,catchmentPopulation", ...lines].join("\n"),
    "?source=Wrong",
  );
  expect(refused.status).toBe(422);
  expect(errorsOf(refused).length).toBeLessThanOrEqual(300);
  expect(errorsOf(refused)).toContainEqual({
    path: "row 2, latitude",
    message: "'x0' is not a number (digits, with a point for decimals)",
  });
});

test("a comparison needs a source, and a list as CSV or JSON", async () => {
  expect(errorsOf(await send("name\nA\n", ""))[0]!.path).toBe("source");
  expect((await send("x", "?source=A", "text/plain")).status).toBe(415);
});
