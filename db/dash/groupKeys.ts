import { type RawBuilder, sql } from "kysely";

import type { RollupPeriod } from "../facility/facilityFilter.ts";
import { bandOfFacility, type Bands } from "../list/distance.ts";

/** Keys by which rows can be grouped: the SQL columns of each key, and the tables that they are read from. */

type Expression = RawBuilder<unknown>;

/** Keys of a facility, with the columns of each. A value that is not stated is null. */
const ofFacility = {
  province: { province: sql`province.name`, provinceId: sql`province.province_id` },
  district: {
    district: sql`district.name`,
    districtId: sql`district.district_id`,
    province: sql`province.name`,
    provinceId: sql`province.province_id`,
  },
  implementingPartner: {
    implementingPartner: sql`implementing_partner.name`,
    implementingPartnerId: sql`implementing_partner.implementing_partner_id`,
    implementingPartnerActive: sql`implementing_partner.active`,
  },
  facilityOwner: { facilityOwner: sql`facility.facility_owner` },
  facilityType: { facilityType: sql`facility.facility_type` },
  healthCenterType: { healthCenterType: sql`facility.health_center_type` },
  laboratoryLevel: { laboratoryLevel: sql`facility.laboratory_level` },
  operationStatus: { operationStatus: sql`facility.operation_status` },
  connectivityPresent: { connectivityPresent: sql`facility.connectivity_present` },
  connectivityType: {
    connectivityType: sql`(select name from connectivity_type as type where type.connectivity_type_id = facility.connectivity_type_id)`,
  },
  mobileCoverage: { mobileCoverage: sql`facility.mobile_coverage` },
  serviceArea: { serviceArea: sql`area.name`, serviceAreaId: sql`area.service_area_id` },
} as const satisfies Record<string, Record<string, Expression>>;
type FacilityKey = keyof typeof ofFacility;

/** Keys of a visit or TDB; of a facility they come from its assessment that counts. */
export type OwnKey = "mode" | "libraryVersion" | "period" | "user" | "weekday" | "smartCareFunctional";
export type Key = FacilityKey | "distance" | OwnKey;
export const ownKeys: ReadonlySet<Key> = new Set<OwnKey>([
  ...(["mode", "libraryVersion", "period", "user", "weekday", "smartCareFunctional"] as const),
]);

/** Keys that the roll-ups by place have (`placeKeys`), and keys that only the rows of the history have (`rowKeys`). */
export const placeKeys: ReadonlySet<Key> = new Set<Key>(["province", "district", "implementingPartner", "period"]);
export const rowKeys = ["user", "weekday", "smartCareFunctional"] as const satisfies OwnKey[];

export type Grouping = {
  by: readonly Key[];
  /** what kind of period */
  kind?: RollupPeriod["kind"] | null;
  /** what bands of the distance from where */
  distance?: Bands | null | undefined;
  /** no more groups than this are read */
  limit: number;
};

/** The values that identify a group. Keys that were not grouped by are missing. */
export type GroupKeys = {
  provinceId?: number;
  province?: string;
  districtId?: number;
  district?: string;
  implementingPartnerId?: number | null;
  implementingPartner?: string | null;
  implementingPartnerActive?: boolean | null;
  facilityOwner?: string | null;
  facilityType?: string | null;
  healthCenterType?: string | null;
  laboratoryLevel?: string | null;
  operationStatus?: string | null;
  connectivityPresent?: boolean | null;
  connectivityType?: string | null;
  mobileCoverage?: boolean | null;
  serviceAreaId?: number | null;
  serviceArea?: string | null;
  distanceFrom?: number | null;
  distanceTo?: number | null;
  mode?: string | null;
  libraryVersion?: string | null;
  smartCareFunctional?: boolean | null;
  userUuid?: string | null;
  userName?: string | null;
  weekday?: number | null;
  periodStart?: string;
};

/**
 * A facility with its places and partner. If grouped by service area: one row for each of its areas, or one row without
 * an area.
 */
export const withPlaces = ({
  by,
}: Pick<Grouping, "by">): RawBuilder<unknown> => sql`facility join district using (district_id)
  join province on province.province_id = facility.province_id
  left join implementing_partner on implementing_partner.implementing_partner_id = facility.implementing_partner_id
  ${
    by.includes("serviceArea")
      ? sql`left join lateral (
          select service_area.service_area_id, service_area.name from facility_service_area join service_area using (service_area_id)
          where facility_service_area.facility_uuid = facility.facility_uuid) as area on true`
      : sql``
  }`;

/** The user name of a person. */
const userNameOf = (user: Expression): Expression =>
  sql`(select app_user.user_name from app_user where app_user.user_uuid = ${user})`;

/**
 * The parts of `select … group by … order by …` for the key columns of a grouping, in the order in which the keys were
 * asked for.
 */
export function keysOf({ by, distance }: Pick<Grouping, "by" | "distance">, own: Partial<Record<OwnKey, Expression>>) {
  const columns: Record<string, Expression> = {};
  for (const key of by) {
    if (key in ofFacility) Object.assign(columns, ofFacility[key as FacilityKey]);
    else if (key === "distance") Object.assign(columns, bandOfFacility(distance!));
    else if (key === "period") columns.periodStart = own.period!;
    else if (key === "user") Object.assign(columns, { userName: userNameOf(own.user!), userUuid: own.user! });
    else columns[key] = own[key as OwnKey]!;
  }
  const names = Object.keys(columns);
  if (names.length === 0) return { list: sql``, select: sql``, group: sql``, order: sql`` };
  const numbers = sql.join(names.map((_, index) => sql.raw(String(index + 1))));
  const list = sql.join(names.map((name) => sql`${columns[name]!} as ${sql.ref(name)}`));
  return {
    list,
    select: sql`${list},`,
    group: sql`group by ${numbers}`,
    order: sql`order by ${numbers}`,
  };
}
