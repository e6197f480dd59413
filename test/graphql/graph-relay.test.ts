import { isEnumType } from "graphql";
import { auditServer } from "graphql-http";
import { beforeAll, describe, expect, test } from "vitest";

import { schema } from "../../gateway/schema.ts";
import type { GraphqlAnswer, Nodes } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Relay's specification of connections and nodes, and GraphQL over HTTP. */

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");

test("follows the specification of GraphQL over HTTP for a signed-in caller", async () => {
  const viewer = await gateway.as("viewer");
  const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const results = await auditServer({
    url: `${gateway.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } }),
  });
  expect(results.length).toBeGreaterThanOrEqual(61);
  expect(
    results
      .filter(({ status }) => status !== "ok")
      .map((result) => [result.id, result.name, "reason" in result && result.reason]),
  ).toEqual([]);
});

describe("connections as Relay specifies them", () => {
  type Row = { cursor: string; uuid: string };
  let allRows: Row[];
  type List = {
    edges: { cursor: string; node: { facilityUuid: string } }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
  };
  const page = (list: List) => ({ uuids: list.edges.map(({ node }) => node.facilityUuid), ...list.pageInfo });
  const fields = `edges { cursor node { facilityUuid } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

  beforeAll(async () => {
    const { provinceId } = await gateway.db
      .selectFrom("district")
      .select("provinceId")
      .where("districtId", "=", 1)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 6 }, (_, index) => ({
      facilityUuid: `more ${index}`,
      facilityName: "Same Name",
      districtId: 1,
      provinceId,
    }));
    await gateway.db.insertInto("facility").values(more).execute();
    const { data } = await admin.graphql<{ facilities: List }>(
      `{ facilities(districtId: 1, first: 100) { ${fields} } }`,
    );
    allRows = data.facilities.edges.map(({ cursor, node }) => ({ cursor, uuid: node.facilityUuid }));
  });

  /**
   * EdgesToReturn and HasNextPage/HasPreviousPage of the specification, for a server that also knows what lies beyond a
   * cursor.
   */
  function expected({
    first,
    last,
    after,
    before,
  }: {
    first?: number;
    last?: number;
    after?: string;
    before?: string;
  }) {
    let edges = [...allRows];
    const afterAt = edges.findIndex(({ cursor }) => cursor === after);
    if (after !== undefined) edges = edges.slice(afterAt + 1);
    const beforeAt = edges.findIndex(({ cursor }) => cursor === before);
    const hasAfterBefore = before !== undefined && beforeAt >= 0;
    if (hasAfterBefore) edges = edges.slice(0, beforeAt);
    const applied = edges;
    if (first !== undefined) edges = edges.slice(0, first);
    if (last !== undefined) edges = edges.slice(Math.max(0, edges.length - last));
    const cutByFirst = first === undefined ? applied : applied.slice(0, first);
    return {
      uuids: edges.map(({ uuid }) => uuid),
      hasNextPage: (first !== undefined && applied.length > first) || before !== undefined,
      hasPreviousPage: (last !== undefined && cutByFirst.length > last) || after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    };
  }

  test("return the specified edges for every combination of first, last, after and before", async () => {
    const sizes = [undefined, 0, 1, 3, 100];
    const places = [undefined, 0, 2, allRows.length - 2, allRows.length - 1];
    const queries: { name: string; args: Parameters<typeof expected>[0] }[] = [];
    for (const first of sizes)
      for (const last of sizes)
        for (const after of places)
          for (const before of places) {
            if (first === undefined && last === undefined) continue;
            if (after !== undefined && before !== undefined && before <= after) continue;
            const args = {
              ...(first === undefined ? {} : { first }),
              ...(last === undefined ? {} : { last }),
              ...(after === undefined ? {} : { after: allRows[after]!.cursor }),
              ...(before === undefined ? {} : { before: allRows[before]!.cursor }),
            };
            queries.push({ name: `a${queries.length}`, args });
          }
    expect(allRows.length).toBeGreaterThan(8);
    expect(queries.length).toBeGreaterThan(300);
    for (let at = 0; at < queries.length; at += 10) {
      const some = queries.slice(at, at + 10);
      const text = some.map(
        ({ name, args }) =>
          `${name}: facilities(districtId: 1, ${JSON.stringify(args)
            .slice(1, -1)
            .replaceAll(/"(\w+)":/g, "$1: ")}) { ${fields} }`,
      );
      const { data, errors } = await admin.graphql(`{ ${text.join("\n")} }`);
      expect(errors).toBeUndefined();
      for (const { name, args } of some) expect({ args, ...page(data[name]) }).toEqual({ args, ...expected(args) });
    }
  });

  test("pages by offset report whether there are rows before and after", async () => {
    const n = allRows.length;
    const { data } = await admin.graphql(`{
      first: facilities(districtId: 1, first: 2, offset: 0) { ${fields} } middle: facilities(districtId: 1, first: 2, offset: 3) { ${fields} }
      end: facilities(districtId: 1, first: 2, offset: ${n - 1}) { ${fields} } beyond: facilities(districtId: 1, first: 2, offset: ${n}) { ${fields} }
      nothing: facilities(districtId: 1, mode: EFirst, year: 2001, first: 2, offset: 5) { ${fields} } }`);
    const around = (list: List) => [page(list).uuids.length, list.pageInfo.hasPreviousPage, list.pageInfo.hasNextPage];
    expect(around(data.first)).toEqual([2, false, true]);
    expect(around(data.middle)).toEqual([2, true, true]);
    expect(around(data.end)).toEqual([1, true, false]);
    expect(around(data.beyond)).toEqual([0, true, false]);
    expect(around(data.nothing)).toEqual([0, false, false]);
  });

  test("a cursor of another list or order is refused, and the error names the argument", async () => {
    const cursor = allRows[3]!.cursor;
    const lists = [
      `facilities(first: 2, sort: NAME_DESC, after: "${cursor}")`,
      `facilities(first: 2, sort: HMIS_CODE_ASC, after: "${cursor}")`,
      `facilities(first: 2, search: "clinic", after: "${cursor}")`,
      `districts(first: 2, after: "${cursor}")`,
      `users(first: 2, before: "${cursor}", last: 1)`,
      `provinces(first: 1, after: "WyJBIiwxXQ")`,
    ];
    for (const list of lists) {
      const { errors } = await admin.graphql(`{ ${list} { totalCount } }`);
      expect(errors?.[0].extensions, list).toMatchObject({
        code: "INVALID",
        errors: [{ path: list.includes("before:") ? "before" : "after" }],
      });
      expect(errors![0].message).toContain("sorted the same");
    }
  });
});

describe("sort orders", () => {
  type Ids = Nodes<{ id: string }>;
  const lists: Record<string, string> = {
    FacilitySort: "facilities(provinceId: 1, ",
    AssessmentSort: "assessments(provinceId: 1, ",
    UserSort: "users(",
    DownloadSort: "downloads(",
  };
  test.each(Object.entries(lists))(
    "%s: pages by cursor return each row once, and descending is the reverse of ascending",
    async (name, list) => {
      const type = schema.getType(name);
      const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
      expect(values.length).toBeGreaterThan(4);
      const read = async (sort: string) => {
        const ids: string[] = [];
        for (let after: string | null = null, more = true; more;) {
          const answer: GraphqlAnswer<{
            list: Ids & { pageInfo: { hasNextPage: boolean; endCursor: string | null } };
          }> = await admin.graphql(
            `query ($after: String) { list: ${list}sort: ${sort}, first: 17, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
            { after },
          );
          expect(answer.errors).toBeUndefined();
          ids.push(...answer.data.list.nodes.map(({ id }) => id));
          ({ hasNextPage: more, endCursor: after } = answer.data.list.pageInfo);
        }
        return ids;
      };
      const plain = (await read(values[0]!)).toSorted();
      expect(plain.length).toBeGreaterThan(name === "FacilitySort" ? 20 : 3);
      for (const value of values.filter((each) => each.endsWith("_ASC"))) {
        const rising = await read(value);
        expect(new Set(rising).size).toBe(rising.length);
        expect(rising.toSorted()).toEqual(plain);
        expect(await read(value.replace("_ASC", "_DESC")), value).toEqual(rising.toReversed());
        const { data } = await admin.graphql<Record<"up" | "down", Ids>>(
          `{ up: ${list}sort: ${value}, first: 3, offset: 2) { nodes { id } } down: ${list}sort: ${value}, last: 3, offset: 2) { nodes { id } } }`,
        );
        const idsOf = ({ nodes }: Ids) => nodes.map(({ id }) => id);
        expect([idsOf(data.up), idsOf(data.down)], value).toEqual([rising.slice(2, 5), rising.slice(0, -2).slice(-3)]);
      }
    },
  );

  test.each(["tdbs", "assessments"])(
    "%s: a page by offset is that part of the list and has its total count, in every order",
    async (list) => {
      const type = schema.getType(list === "tdbs" ? "TdbSort" : "AssessmentSort");
      const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
      expect(values.length).toBeGreaterThan(4);
      for (const value of values) {
        const { data } = await admin.graphql(`{ whole: ${list}(sort: ${value}, first: 60) { totalCount nodes { id } }
        part: ${list}(sort: ${value}, first: 20, offset: 40) { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage } }
        before: ${list}(sort: ${value}, last: 5, offset: 3) { nodes { id } } end: ${list}(sort: ${value}, last: 8) { nodes { id } } }`);
        expect(data.part, value).toEqual({
          totalCount: data.whole.totalCount,
          nodes: data.whole.nodes.slice(40),
          pageInfo: { hasNextPage: true, hasPreviousPage: true },
        });
        expect(data.before.nodes, value).toEqual(data.end.nodes.slice(0, 5));
      }
    },
  );

  /** All pages of a list, one after the other. */
  const allPages = async (list: string, descending: boolean) => {
    const ids: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const answer: GraphqlAnswer<{ list: Ids & { pageInfo: { hasNextPage: boolean; endCursor: string | null } } }> =
        await admin.graphql(
          `query ($after: String) { list: ${list}first: 40, after: $after, descending: ${descending}) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
          { after },
        );
      expect(answer.errors).toBeUndefined();
      ids.push(...answer.data.list.nodes.map(({ id }) => id));
      ({ hasNextPage: more, endCursor: after } = answer.data.list.pageInfo);
    }
    return ids;
  };

  test("places and partners can be listed in descending order, also by several pages; audit events from the oldest", async () => {
    const all = [
      ["provinces(", "province"],
      ["districts(", "district"],
      ["implementingPartners(active: null, ", "implementingPartner"],
    ] as const;
    for (const [list, table] of all) {
      const { count } = await gateway.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow();
      const rising = await allPages(list, false);
      expect([rising.length, new Set(rising).size], list).toEqual([Number(count), Number(count)]);
      expect(rising.length, list).toBeGreaterThan(1);
      expect(await allPages(list, true), list).toEqual(rising.toReversed());
      const { data } = await admin.graphql<{ end: Ids }>(
        `{ end: ${list}last: 100, descending: true) { nodes { id } } }`,
      );
      expect(
        data.end.nodes.map(({ id }) => id),
        list,
      ).toEqual(rising.slice(0, 100).toReversed());
    }
    const { data } = await admin.graphql(
      `{ up: auditEvents(oldestFirst: true, first: 1) { nodes { occurredAt } } down: auditEvents(last: 1) { nodes { occurredAt } } }`,
    );
    expect(data.up).toEqual(data.down);
  });
});

describe("nodes", () => {
  test("are returned by global id in the requested order; unknown, hidden and forbidden ones are null", async () => {
    type Province = { id: string; name: string };
    type Data = { provinces: Nodes<Province>; users: Nodes<{ id: string; userName: string }> };
    const { data } = await admin.graphql<Data>(
      `{ provinces(first: 2) { nodes { id name } } users(first: 100) { nodes { id userName } } }`,
    );
    const [one, two] = data.provinces.nodes as [Province, Province];
    const unknown = Buffer.from("Province:99999").toString("base64");
    const person = data.users.nodes.find(({ userName }) => userName === "admin")!;
    const plain = await gateway.as("plain");
    const answer = await plain.graphql(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Province { name } ... on User { userName } } }`,
      {
        ids: [two.id, unknown, person.id, one.id],
      },
    );
    expect(answer.data.nodes).toEqual([two, null, null, one]);
    const facility = (await plain.graphql("{ facilities(first: 1) { nodes { id } } }")).data.facilities.nodes[0];
    const unstorable = ["\0", "\ud800"].flatMap((sign) =>
      ["Facility", "User", "Assessment"].map((type) => `${type}:${sign}`),
    );
    const mixed = await admin.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {
      ids: [...unstorable.map((id) => Buffer.from(id).toString("base64")), facility.id],
    });
    expect([mixed.data?.nodes, mixed.errors]).toEqual([[...unstorable.map(() => null), facility], undefined]);
    const many = await plain.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {
      ids: Array.from({ length: 101 }, () => one.id),
    });
    expect(many.errors![0].message).toContain("at most 100");
    for (const text of [
      "???",
      Buffer.from("Nothing:1").toString("base64"),
      Buffer.from("Query:1").toString("base64"),
    ]) {
      const broken = await plain.graphql(`query ($id: ID!) { node(id: $id) { id } }`, { id: text });
      expect(broken.errors?.map(({ extensions }) => extensions.code)).toEqual(["BAD_ID"]);
      const rest = await plain.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, { ids: [text, one.id] });
      expect([rest.data?.nodes, rest.errors]).toEqual([[null, { id: one.id }], undefined]);
    }
    const visits = await admin.graphql<{ assessments: Nodes<{ id: string }> }>(
      `{ assessments(first: 2) { nodes { id } } }`,
    );
    const closed = visits.data.assessments.nodes.map(({ id }) => id);
    const some = await plain.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {
      ids: [closed[0], one.id, closed[1]],
    });
    expect(some.data.nodes).toEqual([null, { id: one.id }, null]);
    expect(some.errors!.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [["nodes", 0], "FORBIDDEN"],
      [["nodes", 2], "FORBIDDEN"],
    ]);
  });

  test("fields that lead to assessments, TDBs and downloads need the same right as their lists", async () => {
    const plain = await gateway.as("plain");
    const ids = await admin.graphql(
      `{ assessments(first: 1) { nodes { id } } tdbs(first: 1) { nodes { id } } downloads(first: 1) { nodes { id } } }`,
    );
    const { data, errors } = await plain.graphql(
      `query ($a: ID!, $t: ID!, $d: ID!) { a: node(id: $a) { id } t: node(id: $t) { id } d: node(id: $d) { id }
        facilities(first: 3) { nodes { assessments(first: 1) { totalCount } tdbs(first: 1) { totalCount } latestAssessment { userName } } }
        filtered: facilities(filter: { latestAssessment: { staffTrainedFrom: 1 } }) { totalCount } }`,
      { a: ids.data.assessments.nodes[0].id, t: ids.data.tdbs.nodes[0].id, d: ids.data.downloads.nodes[0].id },
    );
    expect(data).toBeNull();
    expect(new Set(errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(["FORBIDDEN"]));
    const open = await plain.graphql(
      `{ facilities(first: 2) { nodes { assessments(first: 1) { totalCount } tdbs(first: 1) { totalCount } latestAssessment { userName } } } }`,
    );
    expect(open.data.facilities.nodes).toEqual(
      Array.from({ length: 2 }, () => ({ assessments: null, tdbs: null, latestAssessment: null })),
    );
    expect(open.errors).toHaveLength(6);
  });
});
