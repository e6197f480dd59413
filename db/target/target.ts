import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import type { Scope } from "../list/scope.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import type { TargetMeasure } from "./target.rules.ts";

/** Targets: the share of the assessed facilities that should be reached, by measure, fiscal year and unit. */

const unitName = sql<string>`coalesce(
  (select name from province where province.province_id = target.province_id),
  (select name from district where district.district_id = target.district_id),
  (select name from implementing_partner where implementing_partner.implementing_partner_id = target.implementing_partner_id),
  'National')`;

const targets = (handle: Handle) =>
  handle
    .selectFrom("target")
    .select([
      "target.targetUuid as uuid",
      sql<TargetMeasure>`target.measure`.as("measure"),
      "target.year",
      "target.share as percent",
      "target.provinceId",
      "target.districtId",
      "target.implementingPartnerId",
      unitName.as("unit"),
    ]);
export type TargetRow = Awaited<ReturnType<ReturnType<typeof targets>["executeTakeFirstOrThrow"]>>;

const newestFirst: Order = {
  columns: [
    { key: "year", column: "target.year", type: "integer" },
    { key: "measure", column: "target.measure", type: "text" },
    { key: "uuid", column: "target.targetUuid", type: "uuid" },
  ],
  descending: true,
};

/** All targets, or those of a year; the newest year first. */
export function listTargets(
  handle: Handle,
  { year, page }: { year?: number | null; page: PageInput },
): Promise<Page<TargetRow>> {
  const query = targets(handle);
  return readPage(year == null ? query : query.where("target.year", "=", year), newestFirst, page);
}

/**
 * The targets of the fiscal years `from` to `to` that apply to a scope: its own, its province's, and those of the
 * country.
 */
export function listTargetsOver(
  handle: Handle,
  { from, to, provinceId, districtId, implementingPartnerId }: Scope & { from: number; to: number },
): Promise<TargetRow[]> {
  return targets(handle)
    .where("target.year", ">=", from)
    .where("target.year", "<=", to)
    .where((eb) =>
      eb.or([
        eb.and([
          eb("target.provinceId", "is", null),
          eb("target.districtId", "is", null),
          eb("target.implementingPartnerId", "is", null),
        ]),
        ...(provinceId == null ? [] : [eb("target.provinceId", "=", provinceId)]),
        ...(districtId == null
          ? []
          : [
              eb("target.districtId", "=", districtId),
              eb(
                "target.provinceId",
                "=",
                eb.selectFrom("district").select("district.provinceId").where("district.districtId", "=", districtId),
              ),
            ]),
        ...(implementingPartnerId == null ? [] : [eb("target.implementingPartnerId", "=", implementingPartnerId)]),
      ]),
    )
    .execute();
}

/** The targets of a measure in a fiscal year, of all units. */
export function listTargetsOfMeasure(
  handle: Handle,
  { measure, year }: { measure: TargetMeasure; year: number },
): Promise<TargetRow[]> {
  return targets(handle).where("target.year", "=", year).where("target.measure", "=", measure).execute();
}

export function findTarget(handle: Handle, { uuid }: { uuid: string }): Promise<TargetRow | undefined> {
  return targets(handle).where("target.targetUuid", "=", uuid).executeTakeFirst();
}

/** Several targets at once, in no order; unknown ones are left out. */
export function listTargetsByUuid(handle: Handle, { uuids }: { uuids: readonly string[] }): Promise<TargetRow[]> {
  return targets(handle).where("target.targetUuid", "=", anyOf(uuids, "uuid")).execute();
}

type NewTarget = { uuid: string; measure: TargetMeasure; year: number; percent: number } & Scope;

/** Sets the target of a measure, year and unit. It replaces an existing one. */
export async function upsertTarget(
  handle: Handle,
  { uuid, measure, year, percent, ...unit }: NewTarget,
): Promise<TargetRow> {
  const { provinceId = null, districtId = null, implementingPartnerId = null } = unit;
  const { targetUuid } = await handle
    .insertInto("target")
    .values({ targetUuid: uuid, measure, year, share: percent, provinceId, districtId, implementingPartnerId })
    .onConflict((oc) =>
      oc
        .columns(["year", "measure", "provinceId", "districtId", "implementingPartnerId"])
        .doUpdateSet({ share: percent }),
    )
    .returning("targetUuid")
    .executeTakeFirstOrThrow();
  return (await findTarget(handle, { uuid: targetUuid }))!;
}

export async function deleteTarget(handle: Handle, { uuid }: { uuid: string }): Promise<void> {
  await handle.deleteFrom("target").where("targetUuid", "=", uuid).execute();
}
