import type { Handle } from "../../../db/engine/connect.ts";
import * as db from "../../../db/facilityIdentifier.ts";
import { findToday } from "../../../db/system.ts";
import { builtInSystems, hasForm } from "../../../db/identifierSystems.rules.ts";
import { type Journal, type Listed, warn, whereIs } from "./journal.ts";

/** The identifiers of other systems that a list of facilities carries, in columns of their own. */

const systems = builtInSystems.filter(({ columns }) => columns.length > 0);

/** What a row says of identifiers. */
function carriedBy({ row, header }: Listed<"facilities">): { system: string; value: string }[] {
  const isGuid = header.fields.get("facilityUuid")?.column.toLowerCase().replaceAll(/[\s_]/g, "") === "smartcareguid";
  const values = { ...(row as Record<string, unknown>), ...(isGuid ? { smartcare: row.facilityUuid } : {}) } as Record<string, unknown>;
  return systems.flatMap(({ system }) => (typeof values[system] === "string" ? [{ system, value: values[system] }] : []));
}

const keyOf = ({ system, value }: { system: string; value: string }) => `${system} ${value}`;
const systemOf = new Map(builtInSystems.map((one) => [one.system, one]));

/** The facilities that use each identifier of a unique system now. */
export async function holdersOf(handle: Handle): Promise<Map<string, string>> {
  const stored = await db.listAllIdentifiers(handle);
  return new Map(stored.filter(({ system, until }) => until === null && systemOf.get(system)?.isUnique).map((one) => [keyOf(one), one.facilityUuid]));
}

/** The facility that a row's identifiers name. */
export const holderFor = (listed: Listed<"facilities">, holders: Map<string, string>): string | undefined =>
  carriedBy(listed).map((one) => holders.get(keyOf(one))).find((uuid) => uuid !== undefined);

/**
 * Keeps the identifiers of the rows under their facilities. An identifier that belongs to one facility and that another one has is not taken,
 * with a warning that names both. A facility's earlier identifier of a unique system gets its last day.
 *
 * @returns the facilities whose identifiers changed
 */
export async function loadIdentifiers(
  handle: Handle,
  journal: Journal,
  given: readonly { listed: Listed<"facilities">; facilityUuid: string; facilityName: string }[],
): Promise<Set<string>> {
  const today = await findToday(handle);
  const stored = await db.listAllIdentifiers(handle);
  const kept = new Map(stored.map((one) => [`${one.facilityUuid} ${keyOf(one)}`, one]));
  const holders = new Map(stored.filter(({ until }) => until === null).map((one) => [keyOf(one), { facilityUuid: one.facilityUuid, place: "the registry", name: "" }]));
  const changes: db.StoredIdentifier[] = [];
  for (const { listed, facilityUuid, facilityName } of given) {
    for (const { system, value } of carriedBy(listed)) {
      const known = systemOf.get(system)!;
      const warning = (reason: string) => warn(journal, "facilities", listed, system, `${reason}: not taken for ${facilityName}`);
      if (!hasForm(value, known)) {
        warning(`'${value}' does not have the form of a ${known.name}`);
        continue;
      }
      const holder = known.isUnique ? holders.get(keyOf({ system, value })) : undefined;
      if (holder && holder.facilityUuid !== facilityUuid) {
        warning(`${known.name} '${value}' is that of ${holder.name || `facility ${holder.facilityUuid}`} in ${holder.place}`);
        continue;
      }
      holders.set(keyOf({ system, value }), { facilityUuid, name: facilityName, place: whereIs(listed, listed) });
      const present = kept.get(`${facilityUuid} ${keyOf({ system, value })}`);
      if (present && present.until === null) continue;
      changes.push({ facilityUuid, system, value, from: present?.from ?? null, until: null, isUnique: known.isUnique });
      if (!known.isUnique) continue;
      for (const former of stored)
        if (former.facilityUuid === facilityUuid && former.system === system && former.value !== value && former.until === null)
          changes.push({ ...former, until: today, isUnique: true });
    }
  }
  // What is no longer in use first, so that what takes its place is free.
  await db.upsertIdentifiers(handle, { identifiers: changes.filter(({ until }) => until !== null) });
  await db.upsertIdentifiers(handle, { identifiers: changes.filter(({ until }) => until === null) });
  // A SmartCare GUID comes with the uuid, and is no change of its own.
  return new Set(changes.filter(({ system }) => system !== "smartcare").map((one) => one.facilityUuid));
}
