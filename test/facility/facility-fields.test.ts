import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  columnOf,
  editableNames,
  facilityFields,
  type FacilityField,
  fieldFilters,
  type FieldName,
  fieldNames,
} from "../../db/facility/facilityFields.rules.ts";
import { loadLists } from "../../gateway/registry/load/load.ts";
import { help } from "../../gateway/registry/load/report.ts";
import { type Site, siteAt } from "../../gateway/site/siteList.rules.ts";
import { sampleFacility, type SampleFacility } from "../support/assessment-data.ts";
import { bodyOf, errorsOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { cursorNow, settled } from "../support/settled.ts";

/**
 * Checks each field of the catalogue everywhere the catalogue says it is used. A forgotten step fails the test of that
 * field and use.
 */

let gateway: TestGateway;
let assessor: Person;
let folder: string;
let sample: SampleFacility & { facilityName: string; district: string; province: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "facility-fields-"));
  gateway = await testGateway();
  assessor = await gateway.as("assessor");
  const found = await sampleFacility(gateway.db);
  sample = { ...found, ...bodyOf(await assessor.get(`/api/v1/facilityMetadata/${found.facilityUuid}`)) };
  await assessor.get("/api/v1/changes?limit=1");
});
afterAll(async () => {
  await gateway?.stop();
  await rm(folder, { recursive: true });
});

type Value = string | number;
/** Two values of a field, and one that its rule refuses. */
const valuesOf = (name: FieldName, field: FacilityField): { one: Value; other: Value; wrong: unknown } => {
  if (field.type === "choice") return { one: field.values[0], other: field.values.at(-1)!, wrong: "Elsewhere" };
  if (field.type === "text")
    return {
      one: `one ${name}`.slice(0, field.most),
      other: `other ${name}`.slice(0, field.most),
      wrong: "x".repeat(field.most + 1),
    };
  if (field.type === "count")
    return { one: Math.min(4711, field.most - 1), other: Math.min(12_000, field.most), wrong: -1 };
  return name === "latitude"
    ? { one: -15.41234, other: -14.5, wrong: -91 }
    : { one: 28.31234, other: 27.5, wrong: 181 };
};
const metadata = async () =>
  bodyOf<Record<FieldName, Value | null>>(await assessor.get(`/api/v1/facilityMetadata/${sample.facilityUuid}`));

/** Loads these values of the sample facility from a list with these columns. Returns the columns of its errors. */
async function tryLoad(values: Record<string, unknown>): Promise<string[]> {
  const { facilityUuid, facilityName, province, district } = sample;
  const row = { facilityUuid, facilityName, province, district, ...values };
  const file = join(folder, "facilities.csv");
  await writeFile(
    file,
    [Object.keys(row), Object.values(row)].map((cells) => `${cells.map((cell) => `"${cell}"`).join(",")}\r\n`).join(""),
  );
  const { errors } = await loadLists(gateway.db, {
    sources: [{ kind: "facilities", file }],
    mayChangeIdentifiers: true,
    dryRun: false,
    by: "tester",
  });
  return errors.map((error) => error.column ?? "");
}
/** One column. Coordinates are always given together. */
const column = (name: FieldName, called: string, value: unknown) => {
  const other = name === "latitude" ? "longitude" : name === "longitude" ? "latitude" : undefined;
  return { [called]: value, ...(other ? { [other]: valuesOf(other, facilityFields[other]).one } : {}) };
};
const load = async (name: FieldName, value: Value, called: string = name) =>
  expect(await tryLoad(column(name, called, value))).toEqual([]);
const each = (names: readonly FieldName[], which: "one" | "other") =>
  Object.fromEntries(names.map((name) => [name, valuesOf(name, facilityFields[name])[which]]));

/** The fields' values in the feed since a cursor, by kind of record. The kind in capitals comes from GraphQL. */
async function valuesSince(cursor: string, names: readonly FieldName[]) {
  await settled(gateway.db);
  const { changes } = bodyOf<{ changes: { kind: string; record: Record<string, Value> }[] }>(
    await assessor.get(`/api/v1/changes?since=${cursor}`),
  );
  const { data } = await assessor.graphql(
    `query ($since: String) { changes(since: $since) { changes { kind node { ... on Facility { ${names.join(" ")} } } } } }`,
    { since: cursor },
  );
  const byGraph = data.changes.changes as { kind: string; node: Record<string, Value> }[];
  const of = (record: Record<string, Value>) => Object.fromEntries(names.map((name) => [name, record[name]]));
  return Object.fromEntries([
    ...changes.map(({ kind, record }) => [kind, of(record)] as const),
    ...byGraph.filter(({ kind }) => kind === "FACILITY").map(({ node }) => ["FACILITY", of(node)] as const),
  ]);
}

test.each(fieldNames)(
  "%s is loaded from a list under each of its names; the error of a refused value names the column",
  async (name) => {
    const field = facilityFields[name];
    const { one, other, wrong } = valuesOf(name, field);
    for (const [index, called] of [name, ...(field.alsoCalled ?? [])].entries()) {
      const value = index % 2 ? other : one;
      await load(name, value, called);
      expect((await metadata())[name]).toBe(value);
    }
    expect(help).toMatch(new RegExp(`\\b${name}\\b`));
    expect(await tryLoad(column(name, name, String(wrong)))).toEqual([name]);
  },
);

test("each field is reported by the feed of changes", async () => {
  expect(await tryLoad(each(fieldNames, "one"))).toEqual([]);
  const cursor = await cursorNow(gateway.db, assessor);
  expect(await tryLoad(each(fieldNames, "other"))).toEqual([]);
  const others = each(fieldNames, "other");
  expect(await valuesSince(cursor, fieldNames)).toMatchObject({ facility: others, FACILITY: others });
});

test("each field is read through REST and GraphQL, in exports as CSV and NDJSON, and in the compact site list", async () => {
  const ones = each(fieldNames, "one");
  expect(await tryLoad(ones)).toEqual([]);
  expect(await metadata()).toMatchObject(ones);
  const isSample = (row: Record<string, unknown>) => row["facilityUuid"] === sample.facilityUuid;
  const { data } = await assessor.graphql(
    `query ($id: String!) { facility(facilityUuid: $id) { ${fieldNames.join(" ")} } }`,
    { id: sample.facilityUuid },
  );
  expect(data.facility).toEqual(ones);
  const rows = parse((await assessor.get("/api/v1/facility/csv")).text, { bom: true, columns: true }) as Record<
    string,
    string
  >[];
  expect(rows.find(isSample)).toMatchObject(
    Object.fromEntries(Object.entries(ones).map(([name, value]) => [name, String(value)])),
  );
  const lines = (await assessor.get("/api/v1/facility/ndjson")).text.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>).find(isSample)).toMatchObject(ones);
  const list = bodyOf(await assessor.get("/api/v1/site"));
  expect(siteAt(list, list.facilityUuid.indexOf(sample.facilityUuid)) as Site).toMatchObject(ones);
  const isKind = (name: FieldName) => facilityFields[name].site === "kind";
  const { siteList } = (
    await assessor.graphql(
      `{ siteList { facilityUuid kind kinds { ${fieldNames.filter(isKind).join(" ")} } ${fieldNames.filter((name) => !isKind(name)).join(" ")} } }`,
    )
  ).data;
  const at = siteList.facilityUuid.indexOf(sample.facilityUuid);
  for (const name of fieldNames)
    expect([name, isKind(name) ? siteList.kinds[siteList.kind[at]][name] : siteList[name][at]]).toEqual([
      name,
      ones[name],
    ]);
});

test("each editable field is reported by the feed with the facility and with its settings", async () => {
  const path = `/api/v1/facility/settings/${sample.facilityUuid}`;
  await assessor.call("PATCH", path, each(editableNames, "one"));
  const cursor = await cursorNow(gateway.db, assessor);
  const others = each(editableNames, "other");
  await assessor.call("PATCH", path, others);
  expect(await valuesSince(cursor, editableNames)).toEqual({
    facility: others,
    facilitySettings: others,
    FACILITY: others,
  });
});

describe.each(editableNames)("editable field %s", (name) => {
  const { one, other, wrong } = valuesOf(name, facilityFields[name]);
  const path = () => `/api/v1/facility/settings/${sample.facilityUuid}`;
  const mutation = `mutation ($input: UpdateFacilitySettingsInput!) {
    updateFacilitySettings(input: $input) { facility { ${name} } errors { path } } }`;
  const update = async (value: unknown, person = assessor) =>
    (await person.graphql(mutation, { input: { facilityUuid: sample.facilityUuid, [name]: value } })).data
      .updateFacilitySettings;

  test("is changed through REST and GraphQL; fields that are not sent keep their values, and the audit has the old and new ones", async () => {
    await assessor.call("PATCH", path(), { [name]: other });
    const old = bodyOf(await assessor.get(path()));
    const answer = await assessor.call("PATCH", path(), { [name]: one });
    expect([answer.status, answer.body]).toEqual([200, { ...old, [name]: one }]);
    expect([await assessor.get(path()), await metadata()]).toMatchObject([{ body: answer.body }, { [name]: one }]);
    const { details } = await gateway.db
      .selectFrom("auditEvent")
      .select("details")
      .orderBy("auditEventId", "desc")
      .executeTakeFirstOrThrow();
    expect(details).toEqual({ old, new: answer.body });
    expect(await update(other)).toEqual({ facility: { [name]: other }, errors: [] });
    expect((await assessor.get(path())).body).toEqual(old);
    await assessor.call("PATCH", path(), { serviceAreas: old.serviceAreas });
    expect((await assessor.get(path())).body).toEqual(old);
    expect(await update(null)).toEqual({ facility: { [name]: null }, errors: [] });
  });

  test("is not changed by a value that breaks its rule", async () => {
    const before = (await assessor.get(path())).body;
    const answer = await assessor.call("PATCH", path(), { [name]: wrong });
    expect([answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([422, [name]]);
    expect(await update(wrong)).toEqual({ facility: null, errors: [{ path: name }] });
    expect((await assessor.get(path())).body).toEqual(before);
  });
});

test.each(fieldFilters)("$argument filters the facilities by $name", async ({ argument, name, compare }) => {
  const { one, other } = valuesOf(name, facilityFields[name]);
  const [low, high] = [one, other].toSorted((a, b) => Number(a) - Number(b));
  const found = async (value: Value) => {
    const query = `query ($value: ${typeof value === "number" ? "Int" : "String"}) { facilities(filter: { ${argument}: $value }, first: 100) { totalCount nodes { ${name} facilityUuid } } }`;
    const { facilities } = (await assessor.graphql(query, { value })).data as {
      facilities: { nodes: Record<string, Value>[] };
    };
    return facilities.nodes;
  };
  const isFound = async (value: Value) =>
    (await found(value)).some(({ facilityUuid }) => facilityUuid === sample.facilityUuid);
  const holding = compare === "most" ? low! : high!;
  await load(name, holding);
  await gateway.db
    .updateTable("facility")
    .set({ [name]: null })
    .where("facilityUuid", "<>", sample.facilityUuid)
    .execute();
  expect([await isFound(holding), await isFound(holding === low ? high! : low!)]).toEqual([true, compare !== "same"]);
  await load(name, holding === low ? high! : low!);
  expect(await isFound(holding)).toBe(false);
  for (const row of await found(holding)) expect(row[name]).not.toBeNull();
});

test.each(fieldNames.filter((name) => facilityFields[name].sort))(
  "facilities are sorted by %s; in ascending order those without a value come first",
  async (name) => {
    const { one, other } = valuesOf(name, facilityFields[name]);
    const [low, high] = [one, other].toSorted((a, b) => (a < b ? -1 : 1));
    const rows = await gateway.db
      .selectFrom("facility")
      .select("facilityUuid")
      .orderBy("facilityUuid")
      .limit(3)
      .execute();
    const values = [high!, null, low!];
    await gateway.db
      .updateTable("facility")
      .set({ [name]: null })
      .execute();
    for (const [index, { facilityUuid }] of rows.entries())
      await gateway.db
        .updateTable("facility")
        .set({ [name]: values[index]! })
        .where("facilityUuid", "=", facilityUuid)
        .execute();
    const sortName = columnOf(name).toUpperCase();
    const read = async (part: string) => {
      const answer = await assessor.graphql(
        `{ facilities(${part}) { nodes { ${name} } pageInfo { endCursor hasNextPage } } }`,
      );
      expect(answer.errors).toBeUndefined();
      return answer.data.facilities as { nodes: Record<string, Value | null>[]; pageInfo: { endCursor: string } };
    };
    const first = await read(`sort: ${sortName}_DESC, first: 1`);
    const second = await read(`sort: ${sortName}_DESC, first: 2, after: "${first.pageInfo.endCursor}"`);
    expect([...first.nodes, ...second.nodes].map((node) => node[name])).toEqual([high, low, null]);
    expect((await read(`sort: ${sortName}_ASC, last: 2`)).nodes.map((node) => node[name])).toEqual([low, high]);
  },
);
