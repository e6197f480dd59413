import { type RawBuilder, sql } from "kysely";

import type { RollupPeriod } from "./facilityFilter.ts";

/** What things are grouped by: the columns of each key, and the tables that they are read from. */

type Expression = RawBuilder<unknown>;

/** Keys that a facility has by itself; the columns of each. What is not stated is null. */
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
  connectivityType: { connectivityType: sql`(select name from connectivity_type as type where type.connectivity_type_id = facility.connectivity_type_id)` },
  mobileCoverage: { mobileCoverage: sql`facility.mobile_coverage` },
  serviceArea: { serviceArea: sql`area.name`, serviceAreaId: sql`area.service_area_id` },
} as const satisfies Record<string, Record<string, Expression>>;
type FacilityKey = keyof typeof ofFacility;

/** Keys that a visit or TDB has, or a facility by what counts of it. */
export type OwnKey = "mode" | "libraryVersion" | "period" | "user" | "weekday" | "smartCareFunctional";
export type Key = FacilityKey | OwnKey;

/** Keys that roll-ups by place know, and those that only a row of the history has. */
export const placeKeys: ReadonlySet<Key> = new Set<Key>(["province", "district", "implementingPartner", "period"]);
export const rowKeys = ["user", "weekday", "smartCareFunctional"] as const satisfies OwnKey[];

export type Grouping = {
  by: readonly Key[];
  /** what kind of period */
  kind?: RollupPeriod["kind"] | null;
  /** no more groups than this are read */
  limit: number;
};

/** What a group is told by; what it is not grouped by is missing. */
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
  mode?: string | null;
  libraryVersion?: string | null;
  smartCareFunctional?: boolean | null;
  userUuid?: string | null;
  userName?: string | null;
  weekday?: number | null;
  periodStart?: string;
};

/** A facility's places, partner and, if asked, its service areas: one row for each, or one without any. */
export const withPlaces = ({ by }: Pick<Grouping, "by">): RawBuilder<unknown> => sql`facility join district using (district_id)
  join province on province.province_id = facility.province_id
  left join implementing_partner on implementing_partner.implementing_partner_id = facility.implementing_partner_id
  ${
    by.includes("serviceArea")
      ? sql`left join lateral (
          select service_area.service_area_id, service_area.name from facility_service_area join service_area using (service_area_id)
          where facility_service_area.facility_uuid = facility.facility_uuid) as area on true`
      : sql``
  }`;

/** The name of a person. */
const userNameOf = (user: Expression): Expression => sql`(select app_user.user_name from app_user where app_user.user_uuid = ${user})`;

/** `select … group by … order by …` in its three parts: the key columns of a grouping, in the order asked. */
export function keysOf({ by }: Pick<Grouping, "by">, own: Partial<Record<OwnKey, Expression>>) {
  const columns: Record<string, Expression> = {};
  for (const key of by) {
    if (key in ofFacility) Object.assign(columns, ofFacility[key as FacilityKey]);
    else if (key === "period") columns.periodStart = own.period!;
    else if (key === "user") Object.assign(columns, { userName: userNameOf(own.user!), userUuid: own.user! });
    else columns[key] = own[key as OwnKey]!;
  }
  const names = Object.keys(columns);
  if (names.length === 0) return { select: sql``, group: sql``, order: sql`` };
  const numbers = sql.join(names.map((_, index) => sql.raw(String(index + 1))));
  return {
    select: sql`${sql.join(names.map((name) => sql`${columns[name]!} as ${sql.ref(name)}`))},`,
    group: sql`group by ${numbers}`,
    order: sql`order by ${numbers}`,
  };
}
