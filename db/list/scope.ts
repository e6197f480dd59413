import { type RawBuilder, type SqlBool, sql } from "kysely";

import { parentKey, type Parents } from "./parents.ts";

/**
 * A part of the country: all of it, a province, a district, a partner's facilities of today, or several of these at
 * once.
 */
export type Scope = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };

/** A scope within a query: with `of`, that of the current parent. */
export type ScopeInQuery = { [Key in keyof Scope]: Scope[Key] | RawBuilder<never> };
/** The scope for a query; with `of`, its part below the current parent. */
export const scopeOf = (scope: Scope, of?: Parents | null): ScopeInQuery =>
  of ? { ...scope, [of.edge]: parentKey(of.edge) } : scope;

/** Whether a scope is the whole country, so that no condition on facilities is needed. */
export const isNation = ({ provinceId, districtId, implementingPartnerId }: ScopeInQuery): boolean =>
  provinceId == null && districtId == null && implementingPartnerId == null;

/** Whether the `facility` of the query is in the scope. */
export function inScope({ provinceId, districtId, implementingPartnerId }: ScopeInQuery): RawBuilder<SqlBool> {
  const conditions = [sql`true`];
  if (provinceId != null) conditions.push(sql`facility.province_id = ${provinceId}`);
  if (districtId != null) conditions.push(sql`facility.district_id = ${districtId}`);
  if (implementingPartnerId != null) conditions.push(sql`facility.implementing_partner_id = ${implementingPartnerId}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/**
 * Whether a row of a roll-up by place belongs to the scope. The sum of these rows is the scope's figure
 * (db/derived/places.ts).
 */
export const isOfScope = ({ implementingPartnerId, ...place }: ScopeInQuery): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isOfPlace(place)} and implementing_partner_id = ${implementingPartnerId ?? 0})`;

/** Whether a row of a roll-up by place belongs to the place, whatever its partner (0: all partners together). */
export const isOfPlace = ({
  provinceId,
  districtId,
}: Omit<ScopeInQuery, "implementingPartnerId">): RawBuilder<SqlBool> =>
  sql<SqlBool>`(district_id = ${districtId ?? 0}${provinceId == null ? sql`` : sql` and province_id = ${provinceId}`})`;
