import { basename } from "node:path";

import { v7 as newUuid } from "uuid";

import { insertAuditEvents } from "../../../db/audit/audit.ts";
import type { Handle } from "../../../db/engine/connect.ts";
import type { IdentifierSystem } from "../../../db/facility/identifierSystems.rules.ts";
import { listMergesForLoad } from "../../../db/registry/registry.ts";
import { insertImport, insertImportRows, updateDecisions } from "../../../db/registry/registryImport.ts";
import type { AuditAction } from "../../audit/events.rules.ts";
import { cutTo, madeStorable } from "../../input/text.rules.ts";
import { type Journal, type Listed, refuse, warn, whereIs } from "../../reference/load/journal.ts";
import { findNames, type Names } from "../../reference/load/lists.ts";
import { groupedBy } from "../../reading/groupedBy.rules.ts";
import { findDistrict, type Places } from "../../reference/load/places.ts";
import { applyAccepted } from "../applyImport.ts";
import type { ImportRow } from "../importRow.rules.ts";
import { changesSomething, inParts, type ReviewedRow, reviewInParts } from "../reviewImport.ts";

/** A row of a file of facilities, as an import reads it. */
export type ListedFacility = Listed<"facilities"> & { imported: ImportRow };
/** The import that a file became. */
export type LoadedImport = { file: string; importUuid: string };

type Lists = { places: Places; partners: Names; areas: Names };

/**
 * Whether the place, partner and service areas of a row are known. Unknown partners and areas are reported here;
 * unknown places have been reported before.
 */
function isSettled(journal: Journal, listed: ListedFacility, { places, partners, areas }: Lists): boolean {
  const partner = findNames(journal, listed, {
    field: "implementingPartner",
    what: "implementing partner",
    names: partners,
    option: "partners",
  });
  const known = findNames(journal, listed, {
    field: "serviceAreas",
    what: "service area",
    names: areas,
    option: "service-areas",
  });
  const { implementingPartner, serviceAreas } = listed.row;
  return (
    findDistrict(places, listed.row) !== undefined && !(implementingPartner && !partner) && !(serviceAreas && !known)
  );
}

/** Refuses the rows with a code or uuid that an earlier row of the files has, and returns them. */
function refuseRepeats(journal: Journal, rows: readonly ListedFacility[]): Set<ListedFacility> {
  const repeats = new Set<ListedFacility>();
  for (const field of ["facilityUuid", "smartcare", "hmisCode"] as const) {
    const first = new Map<string, ListedFacility>();
    for (const listed of rows) {
      const value = listed.row[field];
      if (!value) continue;
      const earlier = first.get(value);
      if (earlier) {
        refuse(journal, listed, field, `'${value}' is already in ${whereIs(earlier, listed)}`);
        repeats.add(listed);
      } else first.set(value, listed);
    }
  }
  return repeats;
}

/**
 * Leaves out, with a warning, the rows of facilities that were merged into others, so that an older list does not bring
 * them back. They are found by their uuid, or by a code that no other facility has.
 */
async function withoutMerged(
  handle: Handle,
  journal: Journal,
  rows: readonly ListedFacility[],
): Promise<ListedFacility[]> {
  const merges = await listMergesForLoad(handle);
  const byUuid = new Map(merges.map((merge) => [merge.facilityUuid, merge]));
  const byCode = new Map(
    merges
      .filter(({ hmisCode, isCodeFree }) => hmisCode !== null && isCodeFree)
      .map((merge) => [merge.hmisCode!, merge]),
  );
  return rows.filter((listed) => {
    const { facilityUuid, smartcare, hmisCode } = listed.row;
    const own = byUuid.get(facilityUuid ?? smartcare ?? "");
    const merge = own ?? byCode.get(hmisCode ?? "");
    if (merge)
      warn(
        journal,
        "facilities",
        listed,
        own ? "facilityUuid" : "hmisCode",
        `was merged into '${merge.intoName}' (${merge.intoUuid}): left out`,
      );
    return !merge;
  });
}

const fieldOf = (system: string | undefined): string =>
  system === "uuid" ? "facilityUuid" : system === "hmis" ? "hmisCode" : (system ?? "facilityName");

/**
 * Reports what the review found. A row on which a person would have to decide is an error, because nobody decides
 * during a load.
 */
function reportReview(journal: Journal, listed: ListedFacility, row: ReviewedRow, mayChangeIdentifiers: boolean): void {
  if (!row.acceptable) return refuse(journal, listed, fieldOf(row.doubtful), row.reason);
  const counts = journal.counts.facilities;
  const note = (column: string | undefined, reason: string) => {
    counts.warnings += 1;
    journal.warnings.push({
      file: listed.file,
      line: listed.line,
      ...(column === undefined ? {} : { column }),
      reason,
    });
  };
  for (const { column, message } of row.warnings) note(column === "row" ? undefined : column, message);
  if (row.kind === "mergeCandidate") note(undefined, row.reason);
  if (row.kind === "duplicate" && row.doubtful === undefined)
    warn(journal, "facilities", listed, "facilityName", `${row.reason}: loaded as another facility`);
  for (const { field, present, proposed } of row.replaced) {
    const does = proposed === null ? "(erase) removes" : `'${proposed}' replaces`;
    const words = `${does} '${present}', by which '${row.facilityName}' is known until now`;
    const ask = "correct the row, or let this load change identifiers by --change-identifiers";
    if (mayChangeIdentifiers) warn(journal, "facilities", listed, fieldOf(field), words);
    else refuse(journal, listed, fieldOf(field), `${words}: ${ask}`);
  }
}

/** Counts the facilities that are added, changed and unchanged, and those that take the uuid of the file. */
function count(journal: Journal, rows: readonly { listed: ListedFacility; row: ReviewedRow }[]): void {
  const counts = journal.counts.facilities;
  const stored = rows.filter(({ row }) => row.reviewedVersion !== null);
  counts.added = rows.length - stored.length;
  counts.changed = stored.filter(({ row }) => changesSomething(row)).length;
  counts.unchanged = stored.length - counts.changed;
  const taken = stored.filter(({ row }) => row.written.facilityUuid !== undefined).length;
  const kept =
    stored.filter(
      ({ listed: { row: given }, row }) =>
        (given.facilityUuid ?? given.smartcare ?? row.facilityUuid) !== row.facilityUuid,
    ).length - taken;
  if (taken > 0)
    journal.notes.push(`uuids taken from the file: ${taken} (nothing was recorded about these facilities yet)`);
  if (kept > 0)
    journal.notes.push(
      `uuids not taken from the file: ${kept} (records point at these facilities by the uuid that they have)`,
    );
}

/**
 * Loads the facilities of all files: each file is reviewed like an import, all its rows are accepted, and it is
 * applied. A file that changes nothing leaves no import. After an error nothing more is written, and the caller rolls
 * the transaction back.
 */
export async function loadFacilities(
  handle: Handle,
  journal: Journal,
  listed: readonly ListedFacility[],
  {
    systems,
    by,
    mayChangeIdentifiers,
    ...lists
  }: Lists & { systems: readonly IdentifierSystem[]; by: string; mayChangeIdentifiers: boolean },
): Promise<LoadedImport[]> {
  if (listed.length === 0) return [];
  const repeats = refuseRepeats(journal, listed);
  const given = await withoutMerged(
    handle,
    journal,
    listed.filter((one) => isSettled(journal, one, lists) && !repeats.has(one)),
  );
  const reviewed: ReviewedRow[] = [];
  for await (const part of reviewInParts(
    handle,
    given.map(({ imported }) => imported),
    systems,
    { isUnattended: true },
  ))
    reviewed.push(...part);
  const rows = reviewed.map((row, index) => ({ listed: given[index]!, row }));
  for (const one of rows) reportReview(journal, one.listed, one.row, mayChangeIdentifiers);
  if (journal.errors.length > 0) return [];
  count(journal, rows);
  const imports: LoadedImport[] = [];
  for (const [file, ofFile] of groupedBy(rows, (one) => one.listed.file)) {
    if (!ofFile.some(({ row }) => changesSomething(row))) continue;
    const importUuid = newUuid();
    const fileName = cutTo(256, madeStorable(basename(file)));
    await insertImport(handle, {
      importUuid,
      fileName,
      ignored: ofFile[0]!.listed.header.ignored,
      userUuid: null,
      operator: by,
      rows: ofFile.length,
    });
    await insertImportRows(handle, { importUuid, parts: inParts(ofFile.map(({ row }) => row)) });
    await updateDecisions(handle, { importUuid, decision: "accepted", withIdentifierChanges: mayChangeIdentifiers });
    const done = await applyAccepted(handle, importUuid, null);
    const event = (action: AuditAction, details: object) => ({
      action,
      outcome: "done",
      subjectType: "RegistryImport",
      subjectId: importUuid,
      details: JSON.stringify({ by, ...details }),
    });
    await insertAuditEvents(handle, [
      event("registry.import", { fileName, rows: ofFile.length }),
      event("registry.import.apply", done),
    ]);
    imports.push({ file, importUuid });
  }
  return imports;
}
