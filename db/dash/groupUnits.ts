import { type RawBuilder, sql } from "kysely";

import { isOpenOn } from "../derived/asOf.ts";
import type { Handle } from "../engine/connect.ts";
import type { Scope } from "../list/scope.ts";
import { type Grouping, type GroupKeys, keysOf, ownKeys, withPlaces } from "./groupKeys.ts";

/** The units that a list of groups is about, whether anything was counted in them or not. */

export type UnitScope = Scope & {
  provinceIds?: readonly number[] | null;
  districtIds?: readonly number[] | null;
  implementingPartnerIds?: readonly number[] | null;
  facilityUuid?: string | null;
};

/** The keys whose units the tables of places and partners list. */
export type UnitKey = "province" | "district" | "implementingPartner";

/** Whether the units of these tables belong to the scope. */
const isUnit = (
  { province, district, partner }: Partial<Record<"province" | "district" | "partner", string>>,
  scope: UnitScope,
): RawBuilder<unknown> => {
  const all = [
    [province, "province_id", scope.provinceId, scope.provinceIds],
    [district, "district_id", scope.districtId, scope.districtIds],
    [partner, "implementing_partner_id", scope.implementingPartnerId, scope.implementingPartnerIds],
  ] as const;
  const conditions = all.flatMap(([table, column, id, ids]) => {
    if (table === undefined) return [];
    const own = sql.ref(`${table}.${column}`);
    return [...(id == null ? [] : [sql`${own} = ${id}`]), ...(ids ? [sql`${own} = any(${[...ids]}::integer[])`] : [])];
  });
  return sql.join([sql`true`, ...conditions], sql` and `);
};

const isFacility = ({ facilityUuid, ...scope }: UnitScope) => sql`
  ${facilityUuid == null ? sql`true` : sql`facility.facility_uuid = ${facilityUuid}`}
  and ${isUnit({ province: "facility", district: "facility", partner: "facility" }, scope)}`;

function partners(scope: UnitScope) {
  const isNation = (scope.provinceId ?? scope.provinceIds ?? scope.districtId ?? scope.districtIds) == null;
  return sql`(
      select implementing_partner_id, name, active, closed_on is null as is_open from implementing_partner
      union all select null, null, null, true) as implementing_partner
    where ${isUnit({ partner: "implementing_partner" }, scope)} and (
      ${isNation ? sql`is_open` : sql`implementing_partner_id is null`}
      or implementing_partner_id = ${scope.implementingPartnerId ?? null}::integer
      or exists (select from facility where facility.implementing_partner_id = implementing_partner.implementing_partner_id
        and facility.closed_on is null and ${isUnit({ province: "facility", district: "facility" }, scope)}))`;
}

function places({ by, scope }: { by: readonly UnitKey[]; scope: UnitScope }) {
  const { districtId, districtIds, implementingPartnerId } = scope;
  const isByPartner = by.includes("implementingPartner");
  const isByDistrict = by.includes("district") || (districtId ?? districtIds) != null;
  const place = sql.ref(isByDistrict ? "district_id" : "province_id");
  return sql`province
    ${isByDistrict ? sql`join district on district.province_id = province.province_id and district.closed_on is null` : sql``}
    ${
      isByPartner
        ? sql`left join facility on facility.${place} = ${sql.ref(isByDistrict ? "district" : "province")}.${place} and facility.closed_on is null
          left join implementing_partner on implementing_partner.implementing_partner_id =
            coalesce(${implementingPartnerId ?? null}::integer, facility.implementing_partner_id)`
        : sql``
    }
    where province.closed_on is null and ${isUnit(
      {
        province: "province",
        ...(isByDistrict ? { district: "district" } : {}),
        ...(isByPartner ? { partner: "implementing_partner" } : {}),
      },
      scope,
    )}`;
}

/**
 * Every open province, district or partner of the scope, by those of them that are among the keys, and the facilities
 * without a partner. A partner belongs to the places where it supports facilities.
 */
export async function listUnits(
  handle: Handle,
  { by, scope }: { by: readonly UnitKey[]; scope: UnitScope },
): Promise<GroupKeys[]> {
  const from =
    scope.facilityUuid != null
      ? sql`${withPlaces({ by: [] })} where ${isFacility(scope)}`
      : by.includes("province") || by.includes("district")
        ? places({ by, scope })
        : partners(scope);
  const { list, order } = keysOf({ by }, {});
  const { rows } = await sql<GroupKeys>`select distinct ${list} from ${from} ${order}`.execute(handle);
  return rows;
}

/**
 * How many facilities are there in the scope, or were as at a day, by those of the keys that facilities have without a
 * visit or TDB.
 */
export async function countSites(
  handle: Handle,
  { by, distance, scope, asOf }: Pick<Grouping, "by" | "distance"> & { scope: UnitScope; asOf?: string | null },
): Promise<(GroupKeys & { facilities: number })[]> {
  const grouping = { by: by.filter((key) => !ownKeys.has(key)), distance };
  const keys = keysOf(grouping, {});
  const isOpen = asOf == null ? sql`facility.closed_on is null` : isOpenOn(asOf);
  const { rows } = await sql<GroupKeys & { facilities: number }>`
    select ${keys.select} count(*) as facilities from ${withPlaces(grouping)}
    where ${isOpen} and ${isFacility(scope)} ${keys.group}`.execute(handle);
  return rows;
}
