import { type Insertable, sql } from "kysely";

import { batchesOf } from "../engine/batch.ts";
import type { Handle } from "../engine/connect.ts";
import { type LongTable, listLongTable } from "../list/csv.ts";
import { instant, type Order, type Page, type PageInput, readPage, type Sort, sortOf } from "../list/page.ts";
import type { AuditEvent } from "../schema.ts";

/** Inserts events in the given order. */
export async function insertAuditEvents(handle: Handle, events: Insertable<AuditEvent>[]): Promise<void> {
  for (const batch of batchesOf(events)) await handle.insertInto("auditEvent").values(batch).execute();
}

export const insertAuditEvent = (handle: Handle, event: Insertable<AuditEvent>): Promise<void> =>
  insertAuditEvents(handle, [event]);

const events = (handle: Handle) =>
  handle
    .selectFrom("auditEvent")
    .leftJoin("appUser", "appUser.userUuid", "auditEvent.userUuid")
    .leftJoin("accessToken", "accessToken.tokenUuid", "auditEvent.tokenUuid")
    .leftJoin("facility", "facility.facilityUuid", "auditEvent.facilityUuid")
    .leftJoin("appUser as subject", (join) =>
      join.on(
        "subject.userUuid",
        "=",
        sql<string>`case when audit_event.subject_type in ('User', 'ServiceAccount') and audit_event.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          then audit_event.subject_id::uuid end`,
      ),
    )
    .select([
      "auditEvent.auditEventId",
      instant("auditEvent.occurredAt").as("occurredAt"),
      sql<string>`to_char(audit_event.occurred_at, 'YYYY-MM-DD')`.as("date"),
      sql<string>`to_char(audit_event.occurred_at, 'HH24:MI')`.as("time"),
      "auditEvent.action",
      sql<"done" | "denied" | "failed">`audit_event.outcome`.as("outcome"),
      "auditEvent.userUuid",
      "appUser.userName",
      "auditEvent.tokenUuid",
      "accessToken.name as tokenName",
      sql<"person" | "token" | "service" | "site" | null>`case when app_user.kind <> 'person' then app_user.kind
        when audit_event.token_uuid is not null then 'token' when audit_event.user_uuid is not null then 'person' end`.as(
        "actor",
      ),
      "auditEvent.address",
      "auditEvent.login",
      "auditEvent.facilityUuid",
      "facility.facilityName",
      "auditEvent.subjectType",
      "auditEvent.subjectId",
      "subject.userName as subjectUserName",
      sql<string | null>`audit_event.details::text`.as("details"),
    ]);

export type AuditRow = Awaited<ReturnType<ReturnType<typeof events>["executeTakeFirstOrThrow"]>> & {
  /** what the list is sorted by, if not by the time of the event */
  sortText?: string;
};

type AuditFilter = {
  /** of the person with this user name or primary e-mail address, or tried with this login */
  who?: string | null;
  userUuid?: string | null;
  action?: string | null;
  outcome?: "done" | "denied" | "failed" | null;
  /** first and last day */
  start?: string | null;
  end?: string | null;
  /**
   * about the facility with this uuid or code, the person with this uuid or user name, the import with this uuid or
   * file, or the comparison with this uuid or source
   */
  about?: string | null;
};

/**
 * The uuids of the people with this user name or primary e-mail address. Looking them up first lets the search of
 * events use its index.
 */
async function listNamed(handle: Handle, { login }: { login: string }): Promise<string[]> {
  const rows = await handle
    .selectFrom("appUser")
    .select("userUuid")
    .where((eb) =>
      eb.or([
        eb(sql`lower(user_name)`, "=", sql`lower(${login})`),
        eb(sql`lower(primary_email)`, "=", sql`lower(${login})`),
      ]),
    )
    .execute();
  return rows.map(({ userUuid }) => userUuid);
}

async function listFacilitiesNamed(handle: Handle, { code }: { code: string }): Promise<string[]> {
  const rows = await handle
    .selectFrom("facility")
    .select("facilityUuid")
    .where((eb) => eb.or([eb("facilityUuid", "=", code), eb("hmisCode", "=", code)]))
    .execute();
  return rows.map(({ facilityUuid }) => facilityUuid);
}

/** The uuids of imports and comparisons with this uuid, or of a file or source with this name. */
async function listListsNamed(handle: Handle, { name }: { name: string }): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select import_uuid::text as uuid from registry_import where import_uuid::text = lower(${name}) or lower(file_name) = lower(${name})
    union all select reconciliation_uuid::text from reconciliation where reconciliation_uuid::text = lower(${name}) or lower(source) = lower(${name})`.execute(
    handle,
  );
  return rows.map(({ uuid }) => uuid);
}

async function filtered(handle: Handle, { who, userUuid, action, outcome, start, end, about }: AuditFilter) {
  const persons = who ? await listNamed(handle, { login: who }) : [];
  const subjects = about ? await listNamed(handle, { login: about }) : [];
  const facilities = about ? await listFacilitiesNamed(handle, { code: about }) : [];
  const fileLists = about ? await listListsNamed(handle, { name: about }) : [];
  let query = events(handle);
  if (userUuid) query = query.where("auditEvent.userUuid", "=", userUuid);
  if (who)
    query = query.where((eb) =>
      eb.or([
        eb("auditEvent.userUuid", "=", sql<string>`any(${persons}::uuid[])`),
        eb(sql`lower(audit_event.login)`, "=", sql`lower(${who})`),
      ]),
    );
  if (about)
    query = query.where((eb) =>
      eb.or([
        eb("auditEvent.facilityUuid", "=", sql<string>`any(${facilities}::text[])`),
        eb.and([
          eb("auditEvent.subjectType", "in", ["User", "ServiceAccount", "SiteCredential"]),
          eb("auditEvent.subjectId", "=", sql<string>`any(${[about.toLowerCase(), ...subjects]}::text[])`),
        ]),
        eb.and([
          eb("auditEvent.subjectType", "in", ["RegistryImport", "Reconciliation"]),
          eb("auditEvent.subjectId", "=", sql<string>`any(${fileLists}::text[])`),
        ]),
      ]),
    );
  if (action) query = query.where("auditEvent.action", "=", action);
  if (outcome) query = query.where("auditEvent.outcome", "=", outcome);
  if (start) query = query.where("auditEvent.occurredAt", ">=", sql<Date>`${start}::date::timestamptz`);
  if (end) query = query.where("auditEvent.occurredAt", "<", sql<Date>`(${end}::date + 1)::timestamptz`);
  return query;
}

const moment = [
  { key: "occurredAt", column: "auditEvent.occurredAt", type: "timestamptz" },
  { key: "auditEventId", column: "auditEvent.auditEventId", type: "bigint" },
] satisfies Order["columns"];

/** The description of each action, by the action's name. */
type Words = Readonly<Record<string, string>>;
const wordsOf = (words: Words) =>
  sql<string>`coalesce(${JSON.stringify(words)}::jsonb ->> audit_event.action, audit_event.action)`;

/** The texts, as the list shows them, by which it can be sorted besides the time. Never null. */
const texts = {
  who: () => sql<string>`coalesce(app_user.user_name, audit_event.login, '')`,
  what: wordsOf,
  outcome: () => sql<string>`audit_event.outcome`,
  about: () =>
    sql<string>`coalesce(facility.facility_name, audit_event.facility_uuid, subject.user_name, concat_ws(' ', audit_event.subject_type, audit_event.subject_id))`,
  address: () => sql<string>`coalesce(audit_event.address, '')`,
};
type AuditSort = Sort<"when" | keyof typeof texts>;
const indexed: ReadonlySet<string> = new Set(["outcome", "address"]);
type Sorted = { sort?: AuditSort | null | undefined; words: Words };

async function ordered(handle: Handle, { sort, words, ...filter }: AuditFilter & Sorted) {
  const { by, descending } = sortOf(sort ?? "-when");
  const found = await filtered(handle, filter);
  if (by === "when") return { query: found, order: { columns: moment, descending } satisfies Order };
  const text = texts[by](words);
  // Only the cursor needs the column. The cast gives all orders one type.
  const query = found.select(text.as("sortText")) as typeof found;
  return {
    query,
    order: {
      columns: [{ key: "sortText", column: text, type: "text" }, ...moment],
      name: by,
      isByKeys: !indexed.has(by),
      descending,
    } satisfies Order,
  };
}

/** Events, by default the newest first. `words` describes each action. */
export async function listAuditEvents(
  handle: Handle,
  { page, ...list }: AuditFilter & Sorted & { page: PageInput },
): Promise<Page<AuditRow>> {
  const { query, order } = await ordered(handle, list);
  return readPage(query, order, page);
}

/** The same as lines of CSV. */
export async function listAuditLines(handle: Handle, list: AuditFilter & Sorted): Promise<LongTable> {
  const { query, order } = await ordered(handle, list);
  return listLongTable(handle, query.select(wordsOf(list.words).as("what")), order, ({ text, plain }) => ({
    date: plain("date"),
    time: plain("time"),
    action: text("action"),
    outcome: text("outcome"),
    userName: text("userName"),
    userUuid: plain("userUuid"),
    tokenName: text("tokenName"),
    tokenUuid: plain("tokenUuid"),
    address: text("address"),
    login: text("login"),
    facilityUuid: text("facilityUuid"),
    facilityName: text("facilityName"),
    subjectType: text("subjectType"),
    subjectId: text("subjectId"),
    subjectUserName: text("subjectUserName"),
    details: text("details"),
    actor: plain("actor"),
    what: text("what"),
  }));
}

/** On how many days a person signed in: 0 to 3, which stands for more. Their first hundred sign-ins are looked at. */
export async function countSignInDays(handle: Handle, { userUuid }: { userUuid: string }): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select least(count(distinct day), 3)::integer as days from (
      select occurred_at::date as day from audit_event
      where user_uuid = ${userUuid} and action = 'session.sign-in' and outcome = 'done'
      order by occurred_at limit 100) as sign_in`.execute(handle);
  return rows[0]!.days;
}

/** The addresses from which a person signed in, as far as the person's last 1,000 entries tell. */
export async function listSignInAddresses(handle: Handle, { userUuid }: { userUuid: string }): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from (
      select action, outcome, address from audit_event where user_uuid = ${userUuid} order by occurred_at desc limit 1000) as own
    where action = 'session.sign-in' and outcome = 'done' and address is not null`.execute(handle);
  return rows.map(({ address }) => address);
}

/** Every action in the audit log, by name. */
export async function listAuditActions(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive found as (
      (select action from audit_event order by action limit 1)
      union all
      select (select action from audit_event where action > found.action order by action limit 1) from found where found.action is not null
    ) select action from found where action is not null`.execute(handle);
  return rows.map(({ action }) => action);
}

/** When each of these people was last moved from a partner to another one; nothing for those who never were. */
export async function listDepartures(
  handle: Handle,
  { userUuids, implementingPartnerId }: { userUuids: readonly string[]; implementingPartnerId: number },
): Promise<{ userUuid: string; leftAt: string }[]> {
  const { rows } = await sql<{ userUuid: string; leftAt: string }>`
    select user_uuid, ${instant("at")} as left_at from (
      select subject_id as user_uuid, max(occurred_at) as at from audit_event
      where subject_type = 'User' and subject_id = any(${[...userUuids]}::text[]) and outcome = 'done'
        and action in ('user.update', 'user.privileges') and (details->'old'->>'implementingPartnerId')::integer = ${implementingPartnerId}
      group by subject_id) as departure`.execute(handle);
  return rows;
}
