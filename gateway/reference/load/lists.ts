import type { Handle } from "../../../db/engine/connect.ts";
import * as db from "../../../db/facility/load.ts";
import { type Journal, type Listed, refuse, warn, whereIs } from "./journal.ts";
import { fold, nameKey } from "../../input/identity.rules.ts";

type NameKind = "provinces" | "partners" | "serviceAreas" | "connectivityTypes" | "connectivityProviders";

const tables = {
  provinces: "province",
  partners: "implementingPartner",
  serviceAreas: "serviceArea",
  connectivityTypes: "connectivityType",
  connectivityProviders: "connectivityProvider",
} as const satisfies Record<NameKind, db.ListTable>;

/** The entries of a list by `nameKey` of their name. */
export type Names = Map<string, db.ListEntry>;

const byName = (entries: db.ListEntry[]): Names => new Map(entries.map((entry) => [nameKey(entry.name), entry]));

/** The rows whose key occurs for the first time in this load. The others are reported as repetitions. */
export function distinct<L extends Listed<never>>(
  journal: Journal,
  rows: L[],
  { kind, field, keyOf }: { kind: Parameters<typeof warn>[1]; field: string; keyOf: (listed: L) => string },
): L[] {
  const first = new Map<string, L>();
  for (const listed of rows) {
    const key = keyOf(listed);
    const earlier = first.get(key);
    if (earlier) warn(journal, kind, listed, field, `is named in ${whereIs(earlier, listed)} already: taken once`);
    else first.set(key, listed);
  }
  return [...first.values()];
}

/** Loads a list of names: new ones are added, known ones get the spelling of the file. Returns all names. */
export async function loadNames(
  handle: Handle,
  journal: Journal,
  kind: NameKind,
  rows: Listed<NameKind>[],
): Promise<Names> {
  const table = tables[kind];
  const known = byName(await db.listEntries(handle, { table }));
  if (rows.length === 0) return known;
  const listed = distinct(journal, rows, { kind, field: "name", keyOf: ({ row }) => nameKey(row.name) }).map(
    ({ row }) => row.name,
  );
  const added = listed.filter((name) => !known.has(nameKey(name)));
  const respelt = listed.flatMap((name) => {
    const entry = known.get(nameKey(name));
    return entry && entry.name !== name ? [{ ...entry, name }] : [];
  });
  if (respelt.length > 0) await db.updateEntries(handle, { table, entries: respelt });
  const inserted = added.length > 0 ? await db.insertEntries(handle, { table, names: added }) : [];
  const counts = journal.counts[kind];
  counts.added += added.length;
  counts.changed += respelt.length;
  counts.unchanged += listed.length - added.length - respelt.length;
  return new Map([...known, ...byName(respelt), ...byName(inserted)]);
}

/** Loads partners: their names, and whether they are active if the file has that column. */
export async function loadPartners(handle: Handle, journal: Journal, rows: Listed<"partners">[]): Promise<Names> {
  const spelling = new Map(
    (await db.listEntries(handle, { table: "implementingPartner" })).map(({ id, name }) => [id, name]),
  );
  const names = await loadNames(handle, journal, "partners", rows);
  const states = new Map(
    (await db.listPartnerStates(handle)).map(({ implementingPartnerId, active }) => [implementingPartnerId, active]),
  );
  const wanted = new Map<number, { active: boolean; listed: Listed<"partners"> }>();
  for (const listed of rows) {
    const { active } = listed.row;
    if (active == null) continue;
    const { id } = names.get(nameKey(listed.row.name))!;
    const earlier = wanted.get(id);
    if (earlier && earlier.active !== active)
      refuse(journal, listed, "active", `contradicts ${whereIs(earlier.listed, listed)}, which names the same partner`);
    else wanted.set(id, { active, listed });
  }
  const changes = [...wanted].filter(([id, { active }]) => states.get(id) !== active);
  if (changes.length === 0) return names;
  await db.updatePartnerStates(handle, {
    partners: changes.map(([implementingPartnerId, { active }]) => ({ implementingPartnerId, active })),
  });
  const current = new Map([...names.values()].map(({ id, name }) => [id, name]));
  // New and respelt partners are counted already.
  const onlyStates = changes.filter(([id]) => spelling.get(id) === current.get(id)).length;
  journal.counts.partners.changed += onlyStates;
  journal.counts.partners.unchanged -= onlyStates;
  return names;
}

/** Loads pairs of library and database version. They are the same only if every character is. */
export async function loadVersions(handle: Handle, journal: Journal, rows: Listed<"versions">[]): Promise<void> {
  if (rows.length === 0) return;
  const keyOf = (version: { libraryVersion: string; databaseVersion: string }) =>
    `${version.libraryVersion}\n${version.databaseVersion}`;
  const known = new Set((await db.listVersions(handle)).map(keyOf));
  const listed = distinct(journal, rows, { kind: "versions", field: "libraryVersion", keyOf: ({ row }) => keyOf(row) });
  const versions = listed.map(({ row }) => row).filter((row) => !known.has(keyOf(row)));
  if (versions.length > 0) await db.insertVersions(handle, { versions });
  journal.counts.versions.added += versions.length;
  journal.counts.versions.unchanged += listed.length - versions.length;
}

/** The entries for the names in a field of a row. If a name is unknown, it is reported and the result is undefined. */
export function findNames(
  journal: Journal,
  listed: Listed<"facilities">,
  {
    field,
    what,
    names,
    option,
  }: { field: "implementingPartner" | "serviceAreas"; what: string; names: Names; option: string },
): number[] | null | undefined {
  const value = listed.row[field];
  if (value == null) return value;
  const wanted = typeof value === "string" ? [value] : value;
  const unknown = wanted.filter((name) => !names.has(nameKey(name)));
  for (const name of unknown)
    refuse(journal, listed, field, `there is no ${what} '${fold(name)}': load it with --${option}`);
  return unknown.length > 0 ? undefined : wanted.map((name) => names.get(nameKey(name))!.id);
}
