import { type Insertable, type NotNull, sql } from "kysely";

import { tdbAsOf } from "../derived/asOf.ts";
import type { Handle } from "../engine/connect.ts";
import { facilityMatches } from "../facility/facilityFilter.ts";
import { anyOf } from "../list/keys.ts";
import { type LongTable, listLongTable } from "../list/csv.ts";
import { dayOf, type Days, onDays, onListedDays, timeOf } from "../list/day.ts";
import { instant, type Order, type Page, type PageInput, readPage, type Sort, sortOf } from "../list/page.ts";
import { scopedWithin } from "../list/parents.ts";
import type { Tdb } from "../schema.ts";
import { inScope, isNation, type Scope, scopeOf } from "../list/scope.ts";
import { isCounted } from "../list/counted.ts";
import { setAsideOf } from "../assessment/setAside.ts";

/** Columns that are never null, although they come from left joins (see `facilities` in facility.ts). */
type Named = Record<
  "facility" | "districtId" | "district" | "provinceId" | "province" | "userFirstName" | "userSurname",
  NotNull
>;

/** A TDB with the names of its facility, present places and partner, and sender. */
const tdbs = (handle: Handle) =>
  handle
    .selectFrom("tdb")
    .leftJoin("facility", "facility.facilityUuid", "tdb.facilityUuid")
    .leftJoin("district", "district.districtId", "facility.districtId")
    .leftJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("appUser", "appUser.userUuid", "tdb.userUuid")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .select([
      "tdb.tdbUuid as uuid",
      "tdb.facilityUuid",
      "facility.facilityName as facility",
      "facility.districtId",
      "district.name as district",
      "facility.provinceId",
      "province.name as province",
      "facility.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "implementingPartner.active as implementingPartnerActive",
      dayOf("tdb.uploadedAt").as("uploadDate"),
      timeOf("tdb.uploadedAt").as("uploadTime"),
      "tdb.delta as deltaTdb",
      dayOf("tdb.tdbCreatedAt").as("tdbCreationDate"),
      "tdb.totalPatients",
      "tdb.fileSize",
      "tdb.userUuid",
      "appUser.firstName as userFirstName",
      "appUser.surname as userSurname",
      "tdb.reference",
      "tdb.fileName",
      "tdb.sha256",
      "tdb.libraryVersion",
      sql<string | null>`${dayOf("tdb.contentRemovedAt")}`.as("contentRemoved"),
      sql<string | null>`${dayOf("tdb.receiptRemovedAt")}`.as("receiptRemoved"),
      instant("tdb.uploadedAt").as("receivedAt"),
      instant("tdb.tdbCreatedAt").as("createdAt"),
      setAsideOf("tdb").as("setAside"),
      "tdb.held",
    ])
    .$narrowType<Named>();

export type TdbRow = Awaited<ReturnType<ReturnType<typeof tdbs>["executeTakeFirstOrThrow"]>>;

const receipt = [
  { key: "receivedAt", column: "tdb.uploadedAt", type: "timestamptz" },
  { key: "uuid", column: "tdb.tdbUuid", type: "uuid" },
] satisfies Order["columns"];
const creation = [
  { key: "createdAt", column: "tdb.tdbCreatedAt", type: "timestamptz" },
  { key: "uuid", column: "tdb.tdbUuid", type: "uuid" },
] satisfies Order["columns"];
const size = [
  { key: "fileSize", column: "tdb.fileSize", type: "bigint" },
  { key: "uuid", column: "tdb.tdbUuid", type: "uuid" },
] satisfies Order["columns"];
const facility = [
  { key: "facility", column: "facility.facilityName", type: "text" },
  { key: "facilityUuid", column: "facility.facilityUuid", type: "text" },
  ...receipt,
] satisfies Order["columns"];

const orders = { uploaded: receipt, created: creation, size, facility } satisfies Record<string, Order["columns"]>;
export type TdbSort = Sort<keyof typeof orders>;

export function findTdb(handle: Handle, { uuid }: { uuid: string }): Promise<TdbRow | undefined> {
  return tdbs(handle).where("tdb.tdbUuid", "=", uuid).executeTakeFirst();
}

/** Several TDBs at once, in no order; unknown ones are left out. */
export function listTdbsByUuid(handle: Handle, { uuids }: { uuids: readonly string[] }): Promise<TdbRow[]> {
  return tdbs(handle).where("tdb.tdbUuid", "=", anyOf(uuids, "uuid")).execute();
}

/** The latest TDB of each facility by creation: of those received up to and including a day, or of all. */
export function listLatestTdbs(
  handle: Handle,
  { facilityUuids, asOf }: { facilityUuids: readonly string[]; asOf: string | null },
): Promise<TdbRow[]> {
  const latest =
    asOf == null
      ? sql`select tdb_uuid from tdb_silence where facility_uuid = ${anyOf(facilityUuids, "text")}`
      : sql`select latest.tdb_uuid from unnest(${facilityUuids}::text[]) as facility (facility_uuid) cross join lateral ${tdbAsOf(asOf)} as latest`;
  return tdbs(handle)
    .where(sql<boolean>`tdb.tdb_uuid in (${latest})`)
    .execute();
}

/** The TDBs of this file size (bytes) that a person has sent since an instant, the latest first. */
export function listTdbsSent(
  handle: Handle,
  { userUuid, fileSize, since }: { userUuid: string; fileSize: number; since: Date },
): Promise<TdbRow[]> {
  return tdbs(handle)
    .where("tdb.userUuid", "=", userUuid)
    .where("tdb.fileSize", "=", fileSize)
    .where("tdb.uploadedAt", ">=", since)
    .orderBy("tdb.uploadedAt", "desc")
    .execute();
}

/** The TDB whose file has this content. */
export function findTdbByHash(handle: Handle, { sha256 }: { sha256: string }): Promise<TdbRow | undefined> {
  return tdbs(handle).where("tdb.sha256", "=", sha256).executeTakeFirst();
}

/** The latest TDB of a facility with the same manifest values and file size: probably the same export. */
export function findTdbLike(
  handle: Handle,
  like: { facilityUuid: string; tdbCreatedAt: string; delta: boolean; totalPatients: number; fileSize: number },
): Promise<TdbRow | undefined> {
  let query = tdbs(handle).orderBy("tdb.uploadedAt", "desc").limit(sql.lit(1));
  for (const [column, value] of Object.entries(like))
    query = query.where(`tdb.${column as keyof typeof like}`, "=", value);
  return query.executeTakeFirst();
}

/** The storage key of a TDB's file. */
export async function findTdbKey(handle: Handle, { uuid }: { uuid: string }): Promise<string | undefined> {
  const row = await handle.selectFrom("tdb").select("storageKey").where("tdbUuid", "=", uuid).executeTakeFirst();
  return row?.storageKey;
}

/** The facilities that a manifest names by uuid or by HMIS code. */
export function listFacilitiesNamed(
  handle: Handle,
  { uuid, hmisCode }: { uuid?: string | undefined; hmisCode?: string | undefined },
): Promise<{ facilityUuid: string; facilityName: string; hmisCode: string | null }[]> {
  return handle
    .selectFrom("facility")
    .select(["facilityUuid", "facilityName", "hmisCode"])
    .where((is) => is.or([is("facilityUuid", "=", uuid ?? ""), is("hmisCode", "=", hmisCode ?? "")]))
    .execute();
}

/**
 * Inserts a received TDB with the computers that it lists. Returns the day of receipt in the ministry's zone; undefined
 * if a TDB with the same content exists.
 */
export async function insertTdb(
  handle: Handle,
  { computers, ...tdb }: Insertable<Tdb> & { computers: { cpuCores: number; os64Bit: boolean; computers: number }[] },
): Promise<{ day: string; receivedAt: string } | undefined> {
  const row = await handle
    .insertInto("tdb")
    .values(tdb)
    .onConflict((conflict) => conflict.column("sha256").doNothing())
    .returning([dayOf("uploadedAt").as("day"), instant("uploadedAt").as("receivedAt")])
    .executeTakeFirst();
  if (row && computers.length > 0)
    await handle
      .insertInto("tdbComputer")
      .values(computers.map((group) => ({ tdbUuid: tdb.tdbUuid, ...group })))
      .execute();
  return row;
}

type TdbList = Scope &
  Days & {
    facilityUuid?: string | null;
    userUuid?: string | null;
    delta?: boolean | null;
    /** days of creation */
    createdStart?: string | null;
    createdEnd?: string | null;
    /** bytes */
    minSize?: number | null;
    maxSize?: number | null;
    libraryVersion?: string | null;
    /** part of the sender's first name and surname */
    sender?: string | null;
    /** true: only those that were set aside; false: only the others */
    setAside?: boolean | null;
    /** true: only those that are held; false: only the others */
    held?: boolean | null;
    /** only those whose receipt the retention rules have not removed */
    withReceipt?: boolean | null;
    /** true: of facilities whose next TDB is overdue; false: of those that are expected to send and are in time */
    overdue?: boolean | null;
    /** present modes of the facility; "none": never assessed */
    modes?: readonly string[] | null;
  };

/** Whether the filter asks for the present state of the TDB's facility. */
const isOfState = ({ overdue, modes }: TdbList): boolean => overdue != null || modes != null;

function matching<Query extends ReturnType<typeof tdbs>>(query: Query, filter: TdbList): Query {
  const {
    facilityUuid,
    userUuid,
    delta,
    createdStart,
    createdEnd,
    minSize,
    maxSize,
    libraryVersion,
    sender,
    setAside,
    held,
    withReceipt,
    overdue,
    modes,
  } = filter;
  let narrowed = query
    .where(inScope(filter))
    .where(onListedDays("tdb.uploadedAt", filter))
    .where(onListedDays("tdb.tdbCreatedAt", { start: createdStart, end: createdEnd })) as Query;
  if (facilityUuid != null) narrowed = narrowed.where("tdb.facilityUuid", "=", facilityUuid) as Query;
  if (userUuid != null) narrowed = narrowed.where("tdb.userUuid", "=", userUuid) as Query;
  if (delta != null) narrowed = narrowed.where("tdb.delta", "=", delta) as Query;
  if (minSize != null) narrowed = narrowed.where("tdb.fileSize", ">=", minSize) as Query;
  if (maxSize != null) narrowed = narrowed.where("tdb.fileSize", "<=", maxSize) as Query;
  if (libraryVersion != null) narrowed = narrowed.where("tdb.libraryVersion", "=", libraryVersion) as Query;
  if (sender != null)
    narrowed = narrowed.where(sql<boolean>`tdb.user_uuid = any(array(
      select user_uuid from app_user where position(lower(${sender}) in lower(first_name || ' ' || surname)) > 0))`) as Query;
  if (setAside != null) narrowed = narrowed.where("tdb.setAsideAt", setAside ? "is not" : "is", null) as Query;
  if (held != null) narrowed = narrowed.where("tdb.held", held ? "is not" : "is", null) as Query;
  if (withReceipt === true) narrowed = narrowed.where("tdb.receiptRemovedAt", "is", null) as Query;
  if (isOfState(filter))
    narrowed = narrowed.where(facilityMatches({ match: { silent: overdue, modes }, withClosed: true })) as Query;
  return narrowed;
}

/**
 * TDBs of a facility, a scope or a sender, received or made on these days. By default the latest received comes first.
 */
export function listTdbs(
  handle: Handle,
  { sort, page, ...filter }: TdbList & { sort?: TdbSort | null; page: PageInput },
): Promise<Page<TdbRow>> {
  const { by, descending } = sortOf(sort ?? "-uploaded");
  const isCounted = isNation(filter) && !isOfState(filter) && !page.of;
  // Counting needs none of the row's columns and joins.
  const counted = isCounted ? matching(handle.selectFrom("tdb") as never, filter) : undefined;
  return readPage(
    matching(tdbs(handle), filter),
    { columns: orders[by], descending },
    page,
    counted,
    by === "facility" ? undefined : counted,
  );
}

/** The same as lines of CSV. */
export function listTdbLines(handle: Handle, { sort, ...filter }: TdbList & { sort?: TdbSort | null }): LongTable {
  const { by, descending } = sortOf(sort ?? "-uploaded");
  const user = sql<string>`app_user.first_name || ' ' || app_user.surname`.as("user");
  return listLongTable(
    handle,
    matching(tdbs(handle), filter).select([user, "tdb.setAsideReason"]),
    { columns: orders[by], descending },
    ({ text, plain, yesNo, megabytes }) => ({
      "Uploaded Date": plain("uploadDate"),
      "Uploaded Time": plain("uploadTime"),
      Facility: text("facility"),
      District: text("district"),
      Province: text("province"),
      "Delta TDB": yesNo("deltaTdb"),
      Created: plain("tdbCreationDate"),
      Clients: plain("totalPatients"),
      "Size (MB)": megabytes("fileSize"),
      User: text("user"),
      IP: text("implementingPartner"),
      "Facility UUID": text("facilityUuid"),
      UUID: plain("uuid"),
      "SHA-256": plain("sha256"),
      "Set aside": text("setAsideReason"),
      Held: text("held"),
    }),
  );
}

/**
 * How many TDBs were received on these days, without those that were set aside or are held. Indexes find both; only
 * the rows of the few that are left out are read.
 */
export async function countTdbs(handle: Handle, days: Required<Days>): Promise<number> {
  const received = onDays("tdb.uploadedAt", days);
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from tdb where ${received}) - (select count(*) from tdb where ${received} and not ${isCounted("tdb")}) as count`.execute(
    handle,
  );
  return rows[0]!.count;
}

export type TdbHistoryFacility = {
  facilityId: string;
  districtName: string;
  facilityName: string;
  dateUploaded: string;
  totalPatients: number;
};

/** The latest TDB received on these days from each facility of the scope, by district and facility name. */
export function listTdbHistoryFacilities(
  handle: Handle,
  { days, scope, page }: { days: Required<Days>; scope: Scope; page: PageInput },
): Promise<Page<TdbHistoryFacility>> {
  const latest = handle
    .selectFrom("tdb")
    .innerJoin("facility", "facility.facilityUuid", "tdb.facilityUuid")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .where(onDays("tdb.uploadedAt", days))
    .where(isCounted("tdb"))
    .where(inScope(scopeOf(scope, page.of)))
    .distinctOn("tdb.facilityUuid")
    .orderBy("tdb.facilityUuid")
    .orderBy("tdb.tdbCreatedAt", "desc")
    .orderBy("tdb.uploadedAt", "desc")
    .orderBy("tdb.tdbUuid", "desc")
    .select([
      "tdb.facilityUuid as facilityId",
      "district.name as districtName",
      "facility.facilityName",
      dayOf("tdb.uploadedAt").as("dateUploaded"),
      "tdb.totalPatients",
    ]);
  const order: Order = {
    columns: [
      { key: "districtName", column: "latest.districtName", type: "text" },
      { key: "facilityName", column: "latest.facilityName", type: "text" },
      { key: "facilityId", column: "latest.facilityId", type: "text" },
    ],
    edges: scopedWithin,
  };
  return readPage(handle.selectFrom(latest.as("latest")).selectAll(), order, page);
}
