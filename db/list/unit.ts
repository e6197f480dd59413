import { type RawBuilder, type SqlBool, sql } from "kysely";

import { isOfScope, type ScopeInQuery } from "./scope.ts";

/** The kinds of units for which figures by place have rows. */
export type UnitLevel = "province" | "district";

/**
 * SQL parts for the provinces or districts of a scope, or those that contain it. `table` is the table, to be used with
 * the alias `unit`. `isWithin`: whether a unit belongs to the scope. `isCounted`: whether a row of a roll-up by place
 * counts for the unit in its column `id`.
 */
export function unitsOf(level: UnitLevel, scope: ScopeInQuery) {
  const { provinceId, districtId, implementingPartnerId } = scope;
  const conditions = [sql`true`];
  if (provinceId != null) conditions.push(sql`unit.province_id = ${provinceId}`);
  if (districtId != null)
    conditions.push(
      level === "district"
        ? sql`unit.district_id = ${districtId}`
        : sql`unit.province_id = (select province_id from district where district_id = ${districtId})`,
    );
  const isWithin = sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
  const isCounted: RawBuilder<SqlBool> =
    level === "province" || districtId != null
      ? isOfScope(scope)
      : sql<SqlBool>`(implementing_partner_id = ${implementingPartnerId ?? 0}
          and district_id = any(array(select unit.district_id from district as unit where ${isWithin})))`;
  return { id: sql.ref(`${level}Id`), table: sql.table(level), isWithin, isCounted };
}
