import { type RawBuilder, type SqlBool, sql } from "kysely";

/** A part of the country: all of it, a province, a district, a partner's facilities of today, or several of these at once. */
export type Scope = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };

/** Whether the `facility` of the query lies in the scope. */
export function inScope({ provinceId, districtId, implementingPartnerId }: Scope): RawBuilder<SqlBool> {
  const conditions = [sql`true`];
  if (provinceId != null) conditions.push(sql`facility.province_id = ${provinceId}`);
  if (districtId != null) conditions.push(sql`facility.district_id = ${districtId}`);
  if (implementingPartnerId != null) conditions.push(sql`facility.implementing_partner_id = ${implementingPartnerId}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
