import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { dayOf } from "../list/day.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import type { Channel } from "../download/release.rules.ts";

/** Rollouts: which sites should be updated to which version. */

const rollouts = (handle: Handle) =>
  handle
    .selectFrom("rollout")
    .select([
      "rollout.rolloutUuid as uuid",
      "rollout.version",
      sql<Channel>`rollout.channel`.as("channel"),
      "rollout.provinceIds",
      "rollout.districtIds",
      "rollout.implementingPartnerIds",
      "rollout.byList",
      sql<number>`(select count(*) from rollout_facility where rollout_facility.rollout_uuid = rollout.rollout_uuid)`.as(
        "listed",
      ),
      "rollout.percentage",
      sql<string>`rollout.start_day`.as("startDay"),
      sql<boolean>`rollout.paused_at is not null`.as("paused"),
      sql<string | null>`rollout.resumed_at::date`.as("resumedDate"),
      sql<string | null>`rollout.ended_at::date`.as("endedDate"),
      dayOf("rollout.createdAt").as("createdDate"),
      sql<boolean>`rollout.start_day <= current_date`.as("started"),
      instant("rollout.createdAt").as("createdAt"),
    ]);
export type RolloutRow = Awaited<ReturnType<ReturnType<typeof rollouts>["executeTakeFirstOrThrow"]>>;

/**
 * Whether the `rollout` of a query covers its `facility`: by its present place and partner, and by the rollout's share
 * of sites. A hash of the facility's uuid decides whether it is in the share. So a facility is treated alike in all
 * rollouts, and a larger share contains all sites of a smaller one.
 */
export const covers: RawBuilder<SqlBool> = sql<SqlBool>`(
  ((rollout.province_ids = '{}' and rollout.district_ids = '{}') or facility.province_id = any(rollout.province_ids) or facility.district_id = any(rollout.district_ids))
  and (rollout.implementing_partner_ids = '{}' or facility.implementing_partner_id = any(rollout.implementing_partner_ids))
  and (rollout.percentage = 100 or ('x' || left(md5(facility.facility_uuid), 8))::bit(32)::bigint % 100 < rollout.percentage)
  and (not rollout.by_list or exists (
    select from rollout_facility where rollout_facility.rollout_uuid = rollout.rollout_uuid and rollout_facility.facility_uuid = facility.facility_uuid)))`;

const newestFirst: Order = {
  columns: [
    { key: "createdAt", column: "rollout.createdAt", type: "timestamptz" },
    { key: "uuid", column: "rollout.rolloutUuid", type: "uuid" },
  ],
  descending: true,
};

/** All rollouts, the newest first. */
export const listRollouts = (handle: Handle, { page }: { page: PageInput }): Promise<Page<RolloutRow>> =>
  readPage(rollouts(handle), newestFirst, page);

/** Rollouts that have begun and have not ended, paused ones too. */
export const listRunningRollouts = (handle: Handle): Promise<RolloutRow[]> =>
  rollouts(handle)
    .where("rollout.endedAt", "is", null)
    .where("rollout.startDay", "<=", sql<string>`current_date`)
    .orderBy("rollout.rolloutUuid")
    .execute();

export const findRollout = (handle: Handle, { uuid }: { uuid: string }): Promise<RolloutRow | undefined> =>
  rollouts(handle).where("rollout.rolloutUuid", "=", uuid).executeTakeFirst();

/** Several rollouts at once, in no order; unknown ones are left out. */
export const listRolloutsByUuid = (handle: Handle, { uuids }: { uuids: readonly string[] }): Promise<RolloutRow[]> =>
  rollouts(handle).where("rollout.rolloutUuid", "=", anyOf(uuids, "uuid")).execute();

/** Finds a rollout and locks it until the transaction ends. */
export async function lockRollout(handle: Handle, { uuid }: { uuid: string }): Promise<RolloutRow | undefined> {
  await sql`select from rollout where rollout_uuid = ${uuid} for update`.execute(handle);
  return findRollout(handle, { uuid });
}

type RolloutToSave = {
  version: string;
  channel: Channel;
  provinceIds: readonly number[];
  districtIds: readonly number[];
  implementingPartnerIds: readonly number[];
  byList: boolean;
  percentage: number;
  startDay: string;
};

export async function insertRollout(
  handle: Handle,
  {
    uuid,
    userUuid,
    facilityUuids,
    ...rollout
  }: RolloutToSave & { uuid: string; userUuid: string; facilityUuids: readonly string[] },
): Promise<void> {
  const { provinceIds, districtIds, implementingPartnerIds, ...rest } = rollout;
  const scope = {
    provinceIds: [...provinceIds],
    districtIds: [...districtIds],
    implementingPartnerIds: [...implementingPartnerIds],
  };
  await handle
    .insertInto("rollout")
    .values({ rolloutUuid: uuid, userUuid, ...rest, ...scope })
    .execute();
  await sql`insert into rollout_facility (rollout_uuid, facility_uuid) select ${uuid}::uuid, unnest(${facilityUuids}::text[])`.execute(
    handle,
  );
}

/** Which of these texts are not uuids of facilities. */
export async function listUnknownFacilities(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from unnest(${facilityUuids}::text[]) as uuid where not exists (select from facility where facility.facility_uuid = uuid)`.execute(
    handle,
  );
  return rows.map(({ uuid }) => uuid);
}

/** The changes of state of a rollout that has not ended. */
const changes = {
  pause: sql`paused_at = now()`,
  resume: sql`paused_at = null, resumed_at = now()`,
  end: sql`paused_at = null, ended_at = now()`,
} as const;
type RolloutChange = keyof typeof changes;

/** Changes the state of a rollout, or (without `change`) its share of the sites in percent. */
export async function updateRollout(
  handle: Handle,
  { uuid, change, percentage }: { uuid: string; change?: RolloutChange; percentage?: number },
): Promise<void> {
  const set = change ? changes[change] : sql`percentage = ${percentage}`;
  await sql`update rollout set ${set} where rollout_uuid = ${uuid}`.execute(handle);
}
