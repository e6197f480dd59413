import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";

import { wordsOf } from "../../gateway/audit/events.rules.ts";
import { bodyOf, errorsOf, type GraphqlAnswer, type Nodes } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Filters and sort orders of the audit: the same events in the same order by REST, by GraphQL and in the file, compared
 * with a sort in the test.
 */

type Known = { id: string; who: string; what: string; outcome: string; about: string; address: string; action: string };

let known: Known[];
const days = "start=2025-03-01&end=2025-03-31";

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  // Subjects: a user, a facility, an identifier system, none. Actors: a person, a login, none. One action is of a later
  // version. Three events share a minute.
  await gateway.sql`
    insert into audit_event (occurred_at, action, outcome, user_uuid, login, address, facility_uuid, subject_type, subject_id)
    select timestamptz '2025-03-02T10:00:00+02' + n / 3 * interval '1 minute',
      (array['session.sign-in', 'user.update', 'facility.settings', 'later.version', 'access.right'])[1 + n % 5], (array['done', 'denied', 'failed'])[1 + n % 3],
      case when n % 4 < 3 then (select user_uuid from app_user where user_name = (array['viewer', 'manager', 'assessor'])[1 + n % 4]) end,
      case when n % 8 = 3 then 'Guessed' end, case when n % 7 > 0 then '10.0.0.' || n % 7 end,
      case when n % 5 = 2 then (select facility_uuid from facility order by facility_uuid offset n % 6 limit 1) end,
      case n % 5 when 1 then 'User' when 4 then 'IdentifierSystem' end,
      case n % 5 when 1 then (select user_uuid::text from app_user where user_name = (array['plain', 'uploader'])[1 + n % 2]) when 4 then 'system-' || n % 3 end
    from generate_series(0, 239) as n`;
  const rows = await gateway.sql<Known>`
    select audit_event_id::text as id, action, outcome, coalesce(u.user_name, login, '') as who, coalesce(address, '') as address,
      coalesce(f.facility_name, s.user_name, subject_type || ' ' || subject_id, '') as about
    from audit_event left join app_user u using (user_uuid) left join facility f using (facility_uuid) left join app_user s on subject_type = 'User' and s.user_uuid::text = subject_id
    where occurred_at between '2025-03-01' and '2025-04-01' order by occurred_at, audit_event_id`;
  known = rows.map((row) => ({ ...row, what: wordsOf(row.action) }));
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** The ids of the events in the order of a key, equal ones by time. `rows` are in the order of time. */
function inOrder(sort: string, rows: readonly Known[] = known): string[] {
  const key = sort.replace("-", "") as keyof Known | "when";
  const rising = key === "when" ? rows : rows.toSorted((one, other) => compare(one[key], other[key]));
  return (sort.startsWith("-") ? rising.toReversed() : rising).map(({ id }) => id);
}

const document = `query ($start: Date, $end: Date, $outcome: AuditOutcome, $sort: AuditSort, $oldestFirst: Boolean, $after: String) {
  auditEvents(start: $start, end: $end, outcome: $outcome, sort: $sort, oldestFirst: $oldestFirst, first: 100, after: $after) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`;

type Page = Nodes<{ id: string }> & { totalCount: number; pageInfo: { hasNextPage: boolean; endCursor: string } };
async function byGraphql(variables: object): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: GraphqlAnswer<{ auditEvents: Page }> = await admin.graphql(document, {
      start: "2025-03-01",
      end: "2025-03-31",
      ...variables,
      after,
    });
    expect(answer.errors).toBeUndefined();
    const { nodes, pageInfo, totalCount } = answer.data.auditEvents;
    ids.push(...nodes.map(({ id }) => id));
    if (!pageInfo.hasNextPage) return { ids, total: totalCount };
    after = pageInfo.endCursor;
  }
}

async function byRest(query: string): Promise<string[]> {
  const ids: string[] = [];
  let path: string | undefined = `/api/v1/audit?${query}&limit=77`;
  while (path) {
    const answer = await admin.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    ids.push(...bodyOf<{ id: number }[]>(answer).map(({ id }) => String(id)));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  return ids;
}

type Line = Record<string, string>;
const byFile = async (query: string): Promise<Line[]> =>
  parse((await admin.get(`/api/v1/audit/csv?${query}`)).text, { bom: true, columns: true }) as Line[];

const keys = ["when", "who", "what", "outcome", "about", "address"];
test.each(keys.flatMap((key) => [key, `-${key}`]))(
  "sort=%s gives the same order by REST, by GraphQL page by page, and in the file",
  async (sort) => {
    const wanted = inOrder(sort);
    expect(wanted).toHaveLength(240);
    expect(await byRest(`${days}&sort=${sort}`)).toEqual(wanted);
    const name = `${sort.replace("-", "").toUpperCase()}_${sort.startsWith("-") ? "DESC" : "ASC"}`;
    expect(await byGraphql({ sort: name })).toEqual({ ids: wanted, total: 240 });
    const failed = known.filter(({ outcome }) => outcome === "failed");
    expect(await byGraphql({ sort: name, outcome: "failed" })).toEqual({
      ids: inOrder(sort, failed),
      total: failed.length,
    });
    const byId = new Map(known.map((row) => [row.id, row]));
    const lines = (await byFile(`${days}&sort=${sort}`)).map(({ what, outcome, address }) =>
      [what, outcome, address].join(),
    );
    expect(lines).toEqual(
      wanted.map((id) => byId.get(id)!).map(({ what, outcome, address }) => [what, outcome, address].join()),
    );
  },
);

test("by default the newest come first; oldestFirst reverses that unless a sort order is given", async () => {
  expect(await byRest(days)).toEqual(inOrder("-when"));
  expect((await byGraphql({})).ids).toEqual(inOrder("-when"));
  expect((await byGraphql({ oldestFirst: true })).ids).toEqual(inOrder("when"));
  expect((await byGraphql({ oldestFirst: true, sort: "WHO_DESC" })).ids).toEqual(inOrder("-who"));
});

test("a row of a sorted list has the same keys as one of an unsorted list", async () => {
  const [usual, sorted] = await Promise.all(
    ["", "&sort=who"].map(async (sort) => bodyOf<object[]>(await admin.get(`/api/v1/audit?${days}&limit=1${sort}`))),
  );
  expect(Object.keys(sorted![0]!)).toEqual(Object.keys(usual![0]!));
});

test("an event of a later version is found by its action, an empty filter is ignored, and a wrong value is refused by name", async () => {
  expect(await byRest(`${days}&action=later.version`)).toHaveLength(48);
  expect(await byRest(`${days}&who=&about=`)).toHaveLength(240);
  for (const [query, path] of [
    ["outcome=maybe", "outcome"],
    ["start=soon", "start"],
    ["start=2026-02-02&end=2026-02-01", "end"],
    ["sort=colour", "sort"],
    ["sort=--who", "sort"],
    [`who=${"x".repeat(129)}`, "who"],
  ])
    for (const list of ["/audit", "/audit/csv"]) {
      const answer = await admin.get(`/api/v1${list}?${query}`);
      expect([list, query, answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([
        list,
        query,
        422,
        [path],
      ]);
    }
  const cursor = /cursor=([^&>]+)/.exec(
    (await admin.get(`/api/v1/audit?${days}&limit=2&sort=who`)).headers.get("link")!,
  )![1];
  expect((await admin.get(`/api/v1/audit?${days}&limit=2&sort=what&cursor=${cursor}`)).status).toBe(422);
});

test("the events of an import are found by its uuid and by its file name", async () => {
  const form = new FormData();
  form.append("file", new Blob(["name\nNobody's Clinic\n"]), "Ministry list.csv");
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { uuid } = (await (
    await fetch(`${gateway.url}/api/v1/registry/import`, { method: "POST", body: form, headers: { cookie } })
  ).json()) as { uuid: string };
  expect(
    (await admin.call("POST", `/api/v1/registry/import/${uuid}/decisions`, { decision: "rejected", all: true })).status,
  ).toBe(200);
  for (const about of [uuid, uuid.toUpperCase(), "Ministry list.csv", "ministry LIST.csv"]) {
    const found = bodyOf<{ action: string; subjectId: string }[]>(
      await admin.get(`/api/v1/audit?about=${encodeURIComponent(about)}`),
    );
    expect(found.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ["registry.import.decide", uuid],
      ["registry.import", uuid],
    ]);
  }
});

test("an export of a sorted list is recorded with its filter", async () => {
  await byFile("who=viewer&sort=-what");
  const events = await gateway.db
    .selectFrom("auditEvent")
    .select("details")
    .where("action", "=", "audit.export")
    .execute();
  expect(events.map(({ details }) => details)).toContainEqual({ filter: { who: "viewer" } });
});
