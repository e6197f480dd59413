import { isEnumType, isInputObjectType, isInterfaceType, isIntrospectionType, isObjectType } from "graphql";
import { auditServer } from "graphql-http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { schema } from "../../gateway/schema.ts";
import { type GraphqlAnswer, type Nodes, type Person, testGateway, type TestGateway } from "../support/gateway.ts";

/** The graph as a machine reads it: every word described, Relay's specifications, GraphQL over HTTP. */

let gateway: TestGateway;
let admin: Person;

beforeAll(async () => {
  gateway = await testGateway();
  admin = await gateway.as("admin");
});
afterAll(() => gateway.stop());

test("every type, field, argument and value says what it means", () => {
  const silent: string[] = [];
  const check = (name: string, { description }: { description?: string | null | undefined }) => {
    if (!description?.trim()) silent.push(name);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const argument of "args" in field ? field.args : []) check(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  expect(silent).toEqual([]);
});

test("every edge of the model is there, and the way back", () => {
  const edges: Record<string, string[]> = {
    Province: ["districts", "facilities", "assessments", "tdbs"],
    District: ["province", "facilities", "assessments", "tdbs"],
    Facility: ["province", "district", "implementingPartner", "serviceAreas", "assessments", "latestAssessment", "tdbs"],
    ImplementingPartner: ["facilities", "users", "tdbs", "assessments"],
    User: ["implementingPartner", "assessments", "tdbs"],
    Assessment: ["facility", "serviceAreaAssessments", "revisions"],
    Tdb: ["facility", "district", "province", "implementingPartner", "user"],
    ServiceArea: ["facilities"],
    Download: ["user"],
    AuditEvent: ["user"],
  };
  for (const [name, fields] of Object.entries(edges)) {
    const type = schema.getType(name);
    expect(isObjectType(type) && Object.keys(type.getFields()), name).toEqual(expect.arrayContaining(fields));
  }
});

test("the specification of GraphQL over HTTP is kept, for a signed-in analyst", async () => {
  const viewer = await gateway.as("viewer");
  const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const results = await auditServer({
    url: `${gateway.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } }),
  });
  expect(results.length).toBeGreaterThanOrEqual(61);
  expect(results.filter(({ status }) => status !== "ok").map((result) => [result.id, result.name, "reason" in result && result.reason])).toEqual([]);
});

describe("connections by Relay's algorithm", () => {
  type Row = { cursor: string; uuid: string };
  let whole: Row[];
  type List = { edges: { cursor: string; node: { facilityUuid: string } }[]; pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean } };
  const page = (list: List) => ({ uuids: list.edges.map(({ node }) => node.facilityUuid), ...list.pageInfo });
  const fields = `edges { cursor node { facilityUuid } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

  beforeAll(async () => {
    const { provinceId } = await gateway.db.selectFrom("district").select("provinceId").where("districtId", "=", 1).executeTakeFirstOrThrow();
    const more = Array.from({ length: 6 }, (_, index) => ({ facilityUuid: `more ${index}`, facilityName: "Same Name", districtId: 1, provinceId }));
    await gateway.db.insertInto("facility").values(more).execute();
    const { data } = await admin.graphql<{ facilities: List }>(`{ facilities(districtId: 1, first: 100) { ${fields} } }`);
    whole = data.facilities.edges.map(({ cursor, node }) => ({ cursor, uuid: node.facilityUuid }));
  });

  /** EdgesToReturn and HasNextPage/HasPreviousPage as the specification writes them, efficient determination included. */
  function expected({ first, last, after, before }: { first?: number; last?: number; after?: string; before?: string }) {
    let edges = [...whole];
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

  test("first, last, after and before in every combination", async () => {
    const sizes = [undefined, 0, 1, 3, 100];
    const places = [undefined, 0, 2, whole.length - 2, whole.length - 1];
    const asks: { name: string; asked: Parameters<typeof expected>[0] }[] = [];
    for (const first of sizes)
      for (const last of sizes)
        for (const after of places)
          for (const before of places) {
            if (first === undefined && last === undefined) continue;
            if (after !== undefined && before !== undefined && before <= after) continue;
            const asked = {
              ...(first === undefined ? {} : { first }),
              ...(last === undefined ? {} : { last }),
              ...(after === undefined ? {} : { after: whole[after]!.cursor }),
              ...(before === undefined ? {} : { before: whole[before]!.cursor }),
            };
            asks.push({ name: `a${asks.length}`, asked });
          }
    expect(whole.length).toBeGreaterThan(8);
    expect(asks.length).toBeGreaterThan(300);
    for (let at = 0; at < asks.length; at += 10) {
      const some = asks.slice(at, at + 10);
      const text = some.map(({ name, asked }) => `${name}: facilities(districtId: 1, ${JSON.stringify(asked).slice(1, -1).replaceAll(/"(\w+)":/g, "$1: ")}) { ${fields} }`);
      const { data, errors } = await admin.graphql(`{ ${text.join("\n")} }`);
      expect(errors).toBeUndefined();
      for (const { name, asked } of some) expect({ asked, ...page(data[name]) }).toEqual({ asked, ...expected(asked) });
    }
  });

  test("numbered pages say truly what lies around them", async () => {
    const n = whole.length;
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

  test("a cursor of another list or order is refused, by name", async () => {
    const cursor = whole[3]!.cursor;
    const asks = [
      `facilities(first: 2, sort: NAME_DESC, after: "${cursor}")`,
      `facilities(first: 2, sort: HMIS_CODE_ASC, after: "${cursor}")`,
      `facilities(first: 2, search: "clinic", after: "${cursor}")`,
      `districts(first: 2, after: "${cursor}")`,
      `users(first: 2, before: "${cursor}", last: 1)`,
      `provinces(first: 1, after: "WyJBIiwxXQ")`,
    ];
    for (const ask of asks) {
      const { errors } = await admin.graphql(`{ ${ask} { totalCount } }`);
      expect(errors?.[0].extensions, ask).toMatchObject({ code: "INVALID", errors: [{ path: "cursor" }] });
      expect(errors![0].message).toContain("sorted the same");
    }
  });
});

describe("every order of every list", () => {
  type Ids = Nodes<{ id: string }>;
  const lists: Record<string, string> = {
    FacilitySort: "facilities(provinceId: 1, ",
    UserSort: "users(",
    DownloadSort: "downloads(",
  };
  test.each(Object.entries(lists))("%s: pages by cursor give each row once, and the other way round is the reverse", async (name, list) => {
    const type = schema.getType(name);
    const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    expect(values.length).toBeGreaterThan(4);
    const read = async (sort: string) => {
      const ids: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const answer: GraphqlAnswer<{ list: Ids & { pageInfo: { hasNextPage: boolean; endCursor: string | null } } }> = await admin.graphql(
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
      const { data } = await admin.graphql<Record<"up" | "down", Ids>>(`{ up: ${list}sort: ${value}, first: 3, offset: 2) { nodes { id } } down: ${list}sort: ${value}, last: 3, offset: 2) { nodes { id } } }`);
      const idsOf = ({ nodes }: Ids) => nodes.map(({ id }) => id);
      expect([idsOf(data.up), idsOf(data.down)], value).toEqual([rising.slice(2, 5), rising.slice(0, -2).slice(-3)]);
    }
  });

  test.each(["tdbs", "assessments"])("%s: a numbered page, counted, is its part of the list, in every order", async (list) => {
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
  });

  test("places and partners from Z to A, events from the first", async () => {
    for (const list of ["provinces", "districts", "implementingPartners"]) {
      const { data } = await admin.graphql(`{ up: ${list}(first: 100) { nodes { id } totalCount } down: ${list}(last: 100, descending: true) { nodes { id } } }`);
      expect(data.down.nodes.length, list).toBeGreaterThan(1);
      expect(data.up.nodes.slice(0, 5), list).toEqual(data.up.totalCount > 100 ? data.up.nodes.slice(0, 5) : data.down.nodes.toReversed().slice(0, 5));
    }
    const { data } = await admin.graphql(`{ up: auditEvents(oldestFirst: true, first: 1) { nodes { occurredAt } } down: auditEvents(last: 1) { nodes { occurredAt } } }`);
    expect(data.up).toEqual(data.down);
  });
});

describe("nodes", () => {
  test("come back by their global ids in their order; unknown, hidden and malformed ones are null or refused", async () => {
    type Province = { id: string; name: string };
    type Data = { provinces: Nodes<Province>; users: Nodes<{ id: string; userName: string }> };
    const { data } = await admin.graphql<Data>(`{ provinces(first: 2) { nodes { id name } } users(first: 100) { nodes { id userName } } }`);
    const [one, two] = data.provinces.nodes as [Province, Province];
    const unknown = Buffer.from("Province:99999").toString("base64");
    const person = data.users.nodes.find(({ userName }) => userName === "admin")!;
    const plain = await gateway.as("plain");
    const answer = await plain.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Province { name } ... on User { userName } } }`, {
      ids: [two.id, unknown, person.id, one.id],
    });
    expect(answer.data.nodes).toEqual([two, null, null, one]);
    const facility = (await plain.graphql("{ facilities(first: 1) { nodes { id } } }")).data.facilities.nodes[0];
    const unheld = ["\0", "\ud800"].flatMap((sign) => ["Facility", "User", "Assessment"].map((type) => `${type}:${sign}`));
    const beside = await admin.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {
      ids: [...unheld.map((id) => Buffer.from(id).toString("base64")), facility.id],
    });
    expect([beside.data?.nodes, beside.errors]).toEqual([[...unheld.map(() => null), facility], undefined]);
    const many = await plain.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, { ids: Array.from({ length: 101 }, () => one.id) });
    expect(many.errors![0].message).toContain("at most 100");
    const broken = await plain.graphql(`{ node(id: "???") { id } }`);
    expect(broken.errors).toHaveLength(1);
  });

  test("what lies behind an edge needs the right that its list needs", async () => {
    const plain = await gateway.as("plain");
    const ids = await admin.graphql(`{ assessments(first: 1) { nodes { id } } tdbs(first: 1) { nodes { id } } downloads(first: 1) { nodes { id } } }`);
    const { data, errors } = await plain.graphql(
      `query ($a: ID!, $t: ID!, $d: ID!) { a: node(id: $a) { id } t: node(id: $t) { id } d: node(id: $d) { id }
        facilities(first: 3) { nodes { assessments(first: 1) { totalCount } tdbs(first: 1) { totalCount } latestAssessment { userName } } }
        filtered: facilities(filter: { latestAssessment: { backupPower: true } }) { totalCount } }`,
      { a: ids.data.assessments.nodes[0].id, t: ids.data.tdbs.nodes[0].id, d: ids.data.downloads.nodes[0].id },
    );
    expect(data).toBeNull();
    expect(new Set(errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(["FORBIDDEN"]));
    const open = await plain.graphql(`{ facilities(first: 2) { nodes { assessments(first: 1) { totalCount } tdbs(first: 1) { totalCount } latestAssessment { userName } } } }`);
    expect(open.data.facilities.nodes).toEqual(Array.from({ length: 2 }, () => ({ assessments: null, tdbs: null, latestAssessment: null })));
    expect(open.errors).toHaveLength(6);
  });
});
