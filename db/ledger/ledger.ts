import { type RawBuilder, sql, type SqlBool } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { dayOf } from "../list/day.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import {
  type Direction,
  type LedgerKind,
  type LedgerOrder,
  type LedgerSource,
  ranks,
  unknownWords,
} from "./ledger.rules.ts";
import { type LedgerRights, type LedgerScope, rowsOf } from "./parts.ts";

/** The ledger: every change of facilities' states in a scope and a period, from the tables that have the facts. */

export type { LedgerRights } from "./parts.ts";
export type LedgerFilter = LedgerScope & {
  /** of these kinds only; all if it is null */ kinds: readonly LedgerKind[] | null;
  direction: Direction | null;
  rights: LedgerRights;
};

export type LedgerRow = {
  id: string;
  /** for the order and the cursor */ at: string;
  siteAt: string;
  facilityUuid: string;
  facilityName: string;
  districtId: number;
  district: string;
  provinceId: number;
  province: string;
  implementingPartnerId: number | null;
  implementingPartner: string | null;
  day: string;
  kind: LedgerKind;
  /** what happened, within its kind */ event: string;
  from: string | null;
  to: string;
  direction: Direction;
  who: string | null;
  comment: string | null;
  source: LedgerSource;
  assessmentUuid: string | null;
};

/**
 * A version as a text that sorts like `compareVersions` compares: a word sorts before the end of a version and before
 * zero, which sort before a number. The marks sort before letters and digits.
 */
const versionKey = (version: string) => sql`(
  select regexp_replace(coalesce(string_agg(
    case when part[1] ~ '^[a-z]' then '!' || part[1] when ltrim(part[1], '0') = '' then '"' else '#' || lpad(ltrim(part[1], '0'), 40, '0') end,
    '' order by place), ''), '"+$', '') || '"'
  from regexp_matches(regexp_replace(lower(${sql.ref(version)}), '^[^0-9]+', ''), '[0-9]+|[a-z]+', 'g') with ordinality as parts (part, place)) collate "C"`;

const isUnknown = (word: string) => sql`${sql.ref(word)} = any(${[...unknownWords]}::text[])`;
const rankOf = (word: string) => sql`(${JSON.stringify(ranks)}::jsonb -> entry.kind ->> ${sql.ref(word)})::integer`;
/** Which of two values is the better one, as `directionOf` (gateway/ledger/direction.rules.ts) decides. */
const better = (more: RawBuilder<unknown>, less: RawBuilder<unknown>) =>
  sql`when ${more} > ${less} then 'better' when ${more} < ${less} then 'worse'`;
const direction = sql<Direction>`case
  when ${isUnknown("entry.to")} or entry.from is null then 'neither' when ${isUnknown("entry.from")} then 'new'
  when entry.kind = 'version' then case
    when entry.from !~ '[0-9]' or entry.to !~ '[0-9]' then 'neither'
    ${better(versionKey("entry.to"), versionKey("entry.from"))} else 'neither' end
  ${better(rankOf("entry.to"), rankOf("entry.from"))} else 'neither' end`;

/** The rows that match. Their direction is computed where it is needed: a version's is the dearest part of a row. */
const matching = (handle: Handle, { kinds, rights, direction: wanted, ...scope }: LedgerFilter) =>
  handle
    .selectFrom(sql<never>`(${rowsOf(scope, { kinds, rights })})`.as("entry"))
    .where(wanted === null ? sql<SqlBool>`true` : sql<SqlBool>`${direction} = ${wanted}`);

const instant = (moment: RawBuilder<unknown>) =>
  sql<string>`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const siteAt = sql`entry.site_at`;

const newest = [
  { key: "at", column: "entry.at", type: "timestamptz" },
  { key: "id", column: "entry.id", type: "text" },
] satisfies Order["columns"];
const orders: Record<LedgerOrder, Order> = {
  newest: { columns: newest, descending: true, isComputed: true },
  site: {
    columns: [
      { key: "siteAt", column: "entry.siteAt", type: "timestamptz" },
      { key: "facilityUuid", column: "entry.facilityUuid", type: "text" },
      ...newest,
    ],
    descending: true,
    isComputed: true,
    name: "site",
  },
};

/**
 * A page of the ledger, the newest change first: of all facilities, or facility by facility, where the one with the
 * newest change comes first.
 */
export function listLedger(
  handle: Handle,
  { page, sort, ...filter }: LedgerFilter & { page: PageInput; sort: LedgerOrder },
): Promise<Page<LedgerRow>> {
  const query = handle
    .selectFrom(
      matching(handle, filter)
        .select([
          sql<never>`entry.*`.as("entry"),
          (sort === "site" ? sql`max(entry.at) over (partition by entry.facility_uuid)` : sql`entry.at`).as("siteAt"),
        ])
        .as("entry"),
    )
    .innerJoin("facility", (join) => join.on("facility.facilityUuid", "=", sql<string>`entry.facility_uuid`))
    .innerJoin("district", "district.districtId", "facility.districtId")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner as partner", "partner.implementingPartnerId", "facility.implementingPartnerId")
    .leftJoin("appUser", (join) => join.on("appUser.userUuid", "=", sql<string>`entry.user_uuid`))
    .select([
      sql<string>`entry.id`.as("id"),
      instant(sql`entry.at`).as("at"),
      instant(siteAt).as("siteAt"),
      "facility.facilityUuid",
      "facility.facilityName",
      "facility.districtId",
      "district.name as district",
      "facility.provinceId",
      "province.name as province",
      "facility.implementingPartnerId",
      "partner.name as implementingPartner",
      dayOf("entry.at").as("day"),
      sql<LedgerKind>`entry.kind`.as("kind"),
      sql<string>`entry.event`.as("event"),
      sql<string | null>`entry.from`.as("from"),
      sql<string>`entry.to`.as("to"),
      direction.as("direction"),
      "appUser.userName as who",
      sql<string | null>`entry.comment`.as("comment"),
      sql<LedgerSource>`entry.source`.as("source"),
      sql<string | null>`entry.assessment_uuid`.as("assessmentUuid"),
    ]);
  return readPage(query, orders[sort], page);
}

export type LedgerCount = { kind: LedgerKind; direction: Direction; count: number };

/**
 * How many changes of each kind and direction there are, by kind and direction. Changes from and to the same words have
 * one direction, so they are counted first.
 */
export const listLedgerCounts = (handle: Handle, filter: LedgerFilter): Promise<LedgerCount[]> =>
  handle
    .selectFrom(
      matching(handle, filter)
        .select([
          sql<LedgerKind>`entry.kind`.as("kind"),
          sql<string | null>`entry.from`.as("from"),
          sql<string>`entry.to`.as("to"),
          sql<number>`count(*)`.as("count"),
        ])
        .groupBy([sql`entry.kind`, sql`entry.from`, sql`entry.to`])
        .as("entry"),
    )
    .select(["entry.kind", direction.as("direction"), sql<number>`sum(entry.count)::integer`.as("count")])
    .groupBy(sql`1, 2`)
    .orderBy(sql`1`)
    .orderBy(sql`2`)
    .execute();
