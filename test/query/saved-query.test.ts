import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { bodyOf, errorsOf, type Nodes, type Person } from "../support/gateway.ts";
import { changedBy, deleteQuery, mutate, notThere, refusedWith, saveQuery } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Saved queries: who sees and changes them, what their addresses return, and the command that finds broken ones. */

const gateway = await gatewayOfFile();
const [viewer, plain, admin] = await Promise.all([gateway.as("viewer"), gateway.as("plain"), gateway.as("admin")]);

const assessments = {
  name: "Latest visits",
  description: "What was found lately",
  query: "query Visits($n: Int = 3) { assessments(first: $n) { nodes { assessmentUuid facility { facilityName } } } }",
  variables: { n: 5 },
};
const provinces = { name: "Provinces", query: "{ provinces { nodes { provinceId name } } }", shared: true };

const save = (person: Person, input: Parameters<typeof saveQuery>[1]) => changedBy(saveQuery(person, input));
const changed = "changed: savedQuery { name shared own editable ownerUserName description } errors { path message }";
const update = (person: Person, input: object) =>
  mutate(person, `mutation ($input: UpdateSavedQueryInput!) { done: updateSavedQuery(input: $input) { ${changed} } }`, {
    input,
  });
const read = async (person: Person, uuid: string) =>
  (
    await person.graphql<{ savedQuery: object | null }>(
      "query ($uuid: String!) { savedQuery(uuid: $uuid) { query own editable } }",
      { uuid },
    )
  ).data.savedQuery;
const names = async (person: Person, filter = "") =>
  (
    await person.graphql<{ savedQueries: Nodes<{ name: string }> }>(`{ savedQueries${filter} { nodes { name } } }`)
  ).data.savedQueries.nodes.map(({ name }) => name);
const onlyOwner = refusedWith(
  "Only its owner or an administrator may change or remove a saved query. Save a copy of your own.",
);

describe("a saved query", () => {
  test("is answered at its address as JSON and CSV, each with an ETag, with the rights of the caller", async () => {
    const { path, uuid } = await save(viewer, { ...assessments, shared: true });
    expect(path).toBe(`/api/v1/query/${uuid}`);
    const answer = await viewer.get(path);
    expect(answer.status, answer.text).toBe(200);
    expect(bodyOf(answer).data.assessments.nodes).toHaveLength(5);
    const csv = await viewer.get(`${path}.csv`);
    expect([csv.status, csv.headers.get("content-type"), csv.headers.get("content-disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      'attachment; filename="Latest-visits.csv"',
    ]);
    expect(csv.text.split("\r\n").slice(0, 1)).toEqual(["assessmentUuid,facility.facilityName"]);
    expect(csv.text.trim().split("\r\n")).toHaveLength(6);
    for (const { headers, address } of [
      { ...answer, address: path },
      { ...csv, address: `${path}.csv` },
    ])
      expect((await viewer.get(address, { "if-none-match": headers.get("etag")! })).status).toBe(304);
    const { totalCount } = (await viewer.graphql("{ assessments { totalCount } }")).data.assessments;
    const all = await viewer.get(`${path}.csv?pages=all`);
    expect(all.text.trim().split("\r\n")).toHaveLength(totalCount + 1);
    expect(
      (await gateway.db.selectFrom("auditEvent").select("action").where("action", "=", "graphql.export").execute())
        .length,
    ).toBeGreaterThan(0);

    for (const address of [path, `${path}.csv`, `${path}.csv?pages=all`])
      expect((await plain.get(address)).status).toBe(403);
    expect((await fetch(`${gateway.url}${path}`)).status).toBe(401);
    expect(await deleteQuery(admin, uuid)).toEqual({ changed: { name: "Latest visits" }, errors: [] });
    expect((await viewer.get(path)).status).toBe(404);
  });

  test("is visible to its owner only until it is shared; only the owner and administrators change and remove it", async () => {
    const { path, uuid } = await save(viewer, { ...provinces, shared: false });
    expect([await names(viewer), await names(plain)]).toEqual([["Provinces"], []]);
    for (const address of [path, `${path}.csv`]) expect((await plain.get(address)).status).toBe(404);
    expect([await read(plain, uuid), await update(plain, { uuid, name: "Mine" })]).toEqual([
      null,
      refusedWith(notThere, "uuid"),
    ]);

    const shared = await update(viewer, { uuid, shared: true, description: "By name" });
    expect(shared.changed).toEqual({
      name: "Provinces",
      shared: true,
      own: true,
      editable: true,
      ownerUserName: "viewer",
      description: "By name",
    });
    expect([await names(plain), await names(plain, "(mine: true)")]).toEqual([["Provinces"], []]);
    expect(await read(plain, uuid)).toEqual({ query: provinces.query, own: false, editable: false });
    expect((await plain.get(path)).status).toBe(200);
    expect([await update(plain, { uuid, name: "Mine" }), await deleteQuery(plain, uuid)]).toEqual([
      onlyOwner,
      onlyOwner,
    ]);
    expect((await update(admin, { uuid, name: "The provinces" })).changed).toMatchObject({
      name: "The provinces",
      own: false,
      editable: true,
    });

    const { id } = (await plain.graphql("query ($uuid: String!) { savedQuery(uuid: $uuid) { id } }", { uuid })).data
      .savedQuery;
    expect(
      (await plain.graphql("query ($id: ID!) { node(id: $id) { ... on SavedQuery { name path variables } } }", { id }))
        .data.node,
    ).toEqual({ name: "The provinces", path, variables: null });
    expect(await deleteQuery(viewer, uuid)).toEqual({ changed: { name: "The provinces" }, errors: [] });
    const actions = await gateway.db
      .selectFrom("auditEvent")
      .select(["action", "outcome"])
      .where("subjectId", "=", uuid)
      .orderBy("auditEventId")
      .execute();
    expect(actions.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "query.create done",
      "query.update done",
      "query.update denied",
      "query.delete denied",
      "query.update done",
      "query.delete done",
    ]);
  });

  test("is pinned to one's own Home, at most six, and leaves it when it is no longer shared", async () => {
    const pin = (person: Person, id: string, pinned = true) =>
      mutate<{ pinned: boolean }>(
        person,
        `mutation ($input: PinSavedQueryInput!) { done: pinSavedQuery(input: $input) { changed: savedQuery { pinned } errors { path message } } }`,
        { input: { id, pinned } },
      );
    const saved = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((number) => save(viewer, { ...provinces, name: `Pin ${number}` })),
    );
    const uuids = saved.map(({ uuid }) => uuid);
    for (const uuid of uuids.slice(0, 6)) expect((await pin(plain, uuid)).changed).toEqual({ pinned: true });
    expect(await pin(plain, uuids[0]!)).toEqual({ changed: { pinned: true }, errors: [] });
    expect((await pin(plain, uuids[6]!)).errors).toEqual([
      { path: "pinned", message: "You keep 6 questions on Home. Remove one first." },
    ]);
    expect([await names(viewer, "(pinned: true)"), await names(plain, "(pinned: false)")]).toEqual([[], ["Pin 7"]]);
    await update(viewer, { uuid: uuids[0], shared: false });
    expect((await pin(plain, uuids[6]!)).changed).toEqual({ pinned: true });
    await pin(plain, uuids[1]!, false);
    expect(await names(plain, "(pinned: true)")).toEqual(["Pin 3", "Pin 4", "Pin 5", "Pin 6", "Pin 7"]);
    for (const person of [plain, admin])
      expect(await pin(person, uuids[0]!)).toMatchObject({
        errors: [{ path: "id", message: expect.stringMatching(notThere) }],
      });
    for (const uuid of uuids) await deleteQuery(viewer, uuid);
    expect(await names(plain, "(pinned: true)")).toEqual([]);
  });

  test("is saved with its variables as JSON text, and listed by name, page by page", async () => {
    const mutation =
      "mutation ($input: CreateSavedQueryInput!) { createSavedQuery(input: $input) { savedQuery { uuid variables } errors { path message } } }";
    const input = { ...assessments, name: "By GraphQL", variables: '{"n":2}' };
    const { savedQuery } = (await viewer.graphql(mutation, { input })).data.createSavedQuery;
    expect(savedQuery.variables).toBe('{"n":2}');
    expect(
      (await viewer.graphql(mutation, { input: { ...input, variables: "{" } })).data.createSavedQuery.errors,
    ).toEqual([{ path: "variables", message: "is not JSON" }]);
    const { uuid, path } = await save(plain, { ...provinces, name: "A shared one" });
    const { rows } = await sql<{ day: string }>`select (now() at time zone 'Africa/Lusaka')::date::text as day`.execute(
      gateway.db,
    );
    const fields =
      "uuid path name description query variables operationName shared ownerUserName own editable createdDate changedDate";
    const { nodes } = (await viewer.graphql(`{ savedQueries { nodes { ${fields} } } }`)).data.savedQueries;
    const dates = { createdDate: rows[0]!.day, changedDate: rows[0]!.day };
    const kept = {
      uuid,
      path,
      ...provinces,
      name: "A shared one",
      description: null,
      variables: null,
      operationName: null,
    };
    expect(nodes).toEqual([
      { ...kept, ownerUserName: "plain", own: false, editable: false, ...dates },
      expect.objectContaining({ ...input, ownerUserName: "viewer", own: true, editable: true, shared: false }),
    ]);
    const { pageInfo } = (await viewer.graphql("{ savedQueries(first: 1) { pageInfo { endCursor } } }")).data
      .savedQueries;
    expect(await names(viewer, `(first: 1, after: "${pageInfo.endCursor}")`)).toEqual(["By GraphQL"]);
  });

  test.each<[string, object, string, RegExp]>([
    [
      "an unknown field",
      { query: "{ provinces { nodes { colour } } }" },
      "query",
      /Cannot query field "colour".*line 1/,
    ],
    ["text that is not GraphQL", { query: "select 1" }, "query", /Syntax Error/],
    ["a mutation", { query: "mutation { signOut { errors { path } } }" }, "query", /not a mutation/],
    [
      "too many nodes",
      { query: "{ provinces { nodes { facilities { nodes { assessments { nodes { id } } } } } } }" },
      "query",
      /the limit is 20,000/,
    ],
    [
      "a wrong variable",
      { query: "query ($n: Int) { provinces(first: $n) { totalCount } }", variables: { n: "two" } },
      "variables",
      /invalid value "two"/,
    ],
    [
      "a variable that the query does not declare",
      { query: "{ provinces { totalCount } }", variables: { n: String.raw`C:\udata\u0000` } },
      "variables.n",
      /not a variable of the query/,
    ],
    [
      "a missing variable",
      { query: "query ($n: Int!) { provinces(first: $n) { totalCount } }" },
      "variables",
      /was not provided/,
    ],
    [
      "no operation name",
      { query: "query A { __typename } query B { __typename }" },
      "query",
      /say with operationName/,
    ],
    ["no name", { name: " " }, "name", /is required/],
    ["a long name", { name: "n".repeat(129) }, "name", /at most 128/],
    ["a long query", { query: `{ __typename } ${"#".repeat(20_000)}` }, "query", /at most 20,000/],
    [
      "long variables",
      { query: "query ($text: String) { __typename }", variables: { text: "n".repeat(20_000) } },
      "variables",
      /at most 20,000/,
    ],
    ["variables that are no object", { variables: [1] }, "variables", /must be an object/],
  ])("is refused with %s", async (_, change, path, message) => {
    const { changed: nothing, errors } = await saveQuery(viewer, {
      name: "Refused",
      query: "{ __typename }",
      ...change,
    });
    expect([nothing, errors[0]]).toEqual([null, { path, message: expect.stringMatching(message) as unknown }]);
  });

  test("reports the variable of a wrong value, and the argument that uses it", async () => {
    const query = `query ($area: String, $town: String, $fiscal: Int!) {
      provinces(first: 1) { nodes { ...Sites } }
      list: facilities(filter: { province: $area }) { nodes { facilityName } }
      chart: deploymentMode(year: $fiscal) { quarter } }
      fragment Sites on Province { counted: facilities(filter: { district: $town }) { totalCount } }`;
    const { path, uuid } = await save(viewer, {
      name: "With parameters",
      query,
      variables: { fiscal: 2026 },
      shared: false,
    });
    const cases = [
      ["area=Nowhere", "area", "There is no province of this name (filter.province of list)"],
      ["town=Nowhere", "town", "There is no district of this name (filter.district of provinces.nodes.counted)"],
      ["fiscal=99999", "fiscal", expect.stringContaining("(year of chart)")],
    ] as const;
    for (const [given, name, message] of cases) {
      const refused = await viewer.get(`${path}?${given}`);
      expect([given, refused.status, errorsOf(refused)]).toEqual([given, 422, [{ path: name, message }]]);
    }
    expect((await viewer.get(path)).status).toBe(200);
    await deleteQuery(viewer, uuid);
  });

  test("has a name that is unique per owner", async () => {
    await save(viewer, { ...provinces, name: "Twice", shared: false });
    expect((await saveQuery(viewer, { ...provinces, name: "twice" })).errors[0]!.path).toBe("name");
    await save(plain, { ...provinces, name: "Twice", shared: false });
  });

  test("is one of at most two hundred per person, also with concurrent requests", async () => {
    const uploader = await gateway.as("uploader");
    await sql`insert into saved_query (query_uuid, owner_uuid, name, query)
      select gen_random_uuid(), user_uuid, 'Kept ' || n, '{ __typename }' from app_user, generate_series(1, 195) as n where user_name = 'uploader'`.execute(
      gateway.db,
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => saveQuery(uploader, { ...provinces, name: `Late ${n}`, shared: false })),
    );
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(5);
    expect(answers.find(({ errors }) => errors.length > 0)!.errors[0]).toEqual({
      path: "name",
      message: "You keep 200 queries. Remove one before you save another.",
    });
  });
});

describe("npm run queries", () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [fileURLToPath(new URL("../../gateway/start.mjs", import.meta.url)), "queries", ...args],
        { env: { ...process.env, DATABASE_URL: gateway.database.url } },
        (_, output, errors) => resolve({ code: child.exitCode ?? -1, output: output + errors }),
      );
    });

  test("lists the queries that the schema would break, and exits with 1 if there are any", async () => {
    const before = await run();
    expect([before.code, before.output], before.output).toEqual([
      0,
      expect.stringMatching(/0 of \d+ saved queries would break/),
    ]);
    const { uuid } = await save(viewer, { ...assessments, name: "Will break" });
    // As it was saved under an earlier schema that had this field.
    await gateway.db
      .updateTable("savedQuery")
      .set({ query: "{ provinces { nodes { colour } } }", variables: null })
      .where("queryUuid", "=", uuid)
      .execute();
    const after = await run();
    expect(after.code).toBe(1);
    expect(after.output).toContain(`Will break (${uuid}, of viewer)`);
    expect(after.output).toMatch(/query: Cannot query field "colour" on type "Province"\. \(line 1\)/);
    expect(after.output).toMatch(/1 of \d+ saved queries would break/);
  });

  test("exits with 2 and shows its usage if it is called wrongly", async () => {
    expect(await run("everything")).toEqual({ code: 2, output: expect.stringContaining("npm run queries") });
  });
});
