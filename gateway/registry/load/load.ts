import { insertAuditEvent } from "../../../db/audit/audit.ts";
import type { Database, Handle } from "../../../db/engine/connect.ts";
import type { IdentifierSystem } from "../../../db/facility/identifierSystems.rules.ts";
import * as db from "../../../db/facility/load.ts";
import type { AuditAction } from "../../audit/events.rules.ts";
import { systemsOf } from "../../facility/identifier.ts";
import { loadBoundaries } from "../../reference/load/boundaries.ts";
import { readCsv } from "../../reference/load/csv.ts";
import { type Journal, type Listed, newJournal } from "../../reference/load/journal.ts";
import { loadNames, loadPartners, loadVersions } from "../../reference/load/lists.ts";
import { fold } from "../../input/identity.rules.ts";
import { type FacilityRow, type Kind, kinds, readHeader, readRow } from "../../reference/load/load.rules.ts";
import { addDistricts, addProvinces, loadDistricts, readPlaces, settleProvinces } from "../../reference/load/places.ts";
import { importForm, readImportRow } from "../importRow.rules.ts";
import { type ListedFacility, type LoadedImport, loadFacilities } from "./facilities.ts";

export type Source = { kind: Kind; file: string };
export type Load = Journal & {
  outcome: "loaded" | "tried" | "refused";
  seconds: number;
  /** the imports that the files of facilities became */ imports: LoadedImport[];
};

type Rows = { [K in Exclude<Kind, "facilities">]: Listed<K>[] } & { facilities: ListedFacility[] };

/** Reads a file and keeps its valid rows. Every other row is reported. */
async function readSource(
  journal: Journal,
  rows: Rows,
  { kind, file }: Source,
  systems: readonly IdentifierSystem[],
): Promise<void> {
  const counts = journal.counts[kind];
  counts.files += 1;
  const content = await readCsv(file);
  journal.errors.push(...content.errors);
  if (content.header.length === 0) return;
  const form = importForm(systems, true);
  const header = readHeader(kind === "facilities" ? form : kind, content.header);
  journal.errors.push(...header.errors.map((error) => ({ file, line: 1, ...error })));
  if (header.ignored.length > 0) journal.notes.push(`${file}: columns not used: ${header.ignored.join(", ")}`);
  if (header.errors.length > 0) return;
  for (const { line, cells } of content.rows) {
    if (cells.every((cell) => fold(cell) === "")) {
      counts.warnings += 1;
      journal.warnings.push({ file, line, reason: "the row is empty: passed over" });
      continue;
    }
    counts.rows += 1;
    if (kind === "facilities") {
      const { row: imported, errors } = readImportRow(form, header, { line, cells }, systems);
      journal.errors.push(...errors.map(({ column, message: reason }) => ({ file, line, column, reason })));
      if (imported) rows.facilities.push({ file, line, header, imported, row: imported.cells as FacilityRow });
      continue;
    }
    const { row, errors } = readRow(kind, header, cells);
    journal.errors.push(...errors.map((error) => ({ file, line, ...error })));
    if (row) (rows[kind] as Listed<Kind>[]).push({ file, line, header, row });
  }
}

type Manner = {
  boundaries: readonly string[];
  addPlaces: boolean;
  mayChangeIdentifiers: boolean;
  by: string;
  systems: readonly IdentifierSystem[];
};

/** Writes the rows to the database, in the order in which the lists depend on each other. */
async function write(
  handle: Handle,
  journal: Journal,
  rows: Rows,
  { boundaries, addPlaces, mayChangeIdentifiers, by, systems }: Manner,
): Promise<LoadedImport[]> {
  await db.lockForLoad(handle);
  const hadProvinces = (await db.listEntries(handle, { table: "province" })).length > 0;
  const provinces = await loadNames(handle, journal, "provinces", rows.provinces);
  const places = await readPlaces(handle, provinces, { hadProvinces, mayAddMore: addPlaces });
  const hasList = { provinces: journal.counts.provinces.files > 0, districts: journal.counts.districts.files > 0 };
  await addProvinces(handle, journal, places, { kind: "districts", rows: rows.districts, closed: hasList.provinces });
  await loadDistricts(handle, journal, places, rows.districts);
  const partners = await loadPartners(handle, journal, rows.partners);
  const areas = await loadNames(handle, journal, "serviceAreas", rows.serviceAreas);
  await loadVersions(handle, journal, rows.versions);
  await loadNames(handle, journal, "connectivityTypes", rows.connectivityTypes);
  await loadNames(handle, journal, "connectivityProviders", rows.connectivityProviders);
  const closed = hasList.provinces || hasList.districts;
  const facilities = settleProvinces(journal, places, rows.facilities);
  await addProvinces(handle, journal, places, { kind: "facilities", rows: facilities, closed });
  await addDistricts(handle, journal, places, { rows: facilities, closed: hasList.districts });
  const imports = await loadFacilities(handle, journal, facilities, {
    places,
    partners,
    areas,
    systems,
    by,
    mayChangeIdentifiers,
  });
  await loadBoundaries(handle, journal, boundaries);
  return imports;
}

/** Thrown to roll a transaction back. */
class NothingKept extends Error {
  override name = "NothingKept";
}

/**
 * Loads lists from CSV files: all of them, or nothing if any row of any file is wrong. Loading the same files again
 * changes nothing. A file of facilities is an import of which all rows are accepted. `dryRun` does everything and then
 * rolls it back. It checks no rights: it is for the command, whose caller has access to the database. `by` names that
 * person in the audit log and the import.
 */
export async function loadLists(
  database: Database,
  {
    sources,
    boundaries = [],
    addPlaces = false,
    mayChangeIdentifiers = false,
    dryRun,
    by,
  }: {
    sources: Source[];
    /** GeoJSON files of outlines */
    boundaries?: readonly string[];
    /** whether files of facilities may add provinces and districts although there are some already */
    addPlaces?: boolean;
    /** whether rows may change or remove the identifiers of stored facilities */
    mayChangeIdentifiers?: boolean;
    dryRun: boolean;
    by: string;
  },
): Promise<Load> {
  const begun = performance.now();
  const journal = newJournal();
  const rows: Rows = {
    ...{ provinces: [], districts: [], partners: [], serviceAreas: [], versions: [] },
    ...{ connectivityTypes: [], connectivityProviders: [], facilities: [] },
  };
  const systems = await systemsOf(database);
  for (const kind of kinds) {
    for (const source of sources) if (source.kind === kind) await readSource(journal, rows, source, systems);
  }
  let imports: LoadedImport[] = [];
  try {
    await database.transaction().execute(async (trx) => {
      imports = await write(trx, journal, rows, { boundaries, addPlaces, mayChangeIdentifiers, by, systems });
      if (journal.errors.length > 0 || dryRun) throw new NothingKept();
      const counts = Object.fromEntries(
        Object.entries(journal.counts).filter(([, { files, added }]) => files > 0 || added > 0),
      );
      const details = JSON.stringify({ by, files: sources, counts, ...(boundaries.length > 0 ? { boundaries } : {}) });
      await insertAuditEvent(trx, { action: "reference.load" satisfies AuditAction, outcome: "done", details });
    });
  } catch (error) {
    if (!(error instanceof NothingKept)) throw error;
  }
  const order = [...sources.map(({ file }) => file), ...boundaries];
  for (const findings of [journal.errors, journal.warnings])
    findings.sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line);
  const outcome = journal.errors.length > 0 ? "refused" : dryRun ? "tried" : "loaded";
  return {
    ...journal,
    outcome,
    imports: outcome === "loaded" ? imports : [],
    seconds: (performance.now() - begun) / 1000,
  };
}
