import { v7 as newUuid } from "uuid";

import { transact } from "../../db/engine/transaction.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import * as db from "../../db/registry/registryImport.ts";
import * as reading from "../../db/registry/registryReading.ts";
import { updateStatistics } from "../../db/registry/registryImportApply.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { listSystems } from "../facility/identifier.ts";
import { shownFileName } from "../input/fileName.rules.ts";
import { nameKey } from "../input/identity.rules.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { readLists } from "./importPlaces.ts";
import { readList, type ReadRows, refuseFaulty, wholeOf } from "./readImport.ts";
import type { ListChoice, Reading } from "./reading/reading.rules.ts";
import { type DecisionInput, type ImportKind, importKinds, mayDecide, mayReadAgain } from "./registryImport.rules.ts";
import { reviewInParts } from "./reviewImport.ts";

/**
 * Acts on imports of facility lists, shared by REST and GraphQL. A list is always reviewed first. Its accepted rows are
 * applied in one transaction (applyImport.ts).
 */

export type { KindCount, ReviewRow } from "../../db/registry/registryImport.ts";
/** An import with the number of its rows of each kind. */
export type Import = db.ImportRow & { kinds: db.KindCount[] };

const noRows = (kind: ImportKind): db.KindCount => ({
  kind,
  rows: 0,
  undecided: 0,
  accepted: 0,
  rejected: 0,
  warned: 0,
  acceptable: 0,
});

/** @throws Problem NOT_FOUND */
export async function readImportOf(handle: Context["db"], importUuid: string): Promise<Import> {
  const found = isUuid(importUuid) ? await db.findImport(handle, { importUuid }) : undefined;
  if (!found) throw notFound("import", "uuid");
  const counts = await db.listKindCounts(handle, { importUuid });
  return { ...found, kinds: importKinds.map((kind) => counts.find((one) => one.kind === kind) ?? noRows(kind)) };
}

/** An import with its counts. @throws Problem FORBIDDEN, NOT_FOUND */
export function readRegistryImport(context: Context, importUuid: string): Promise<Import> {
  requireRight(context, "editRegistry");
  return readImportOf(context.db, importUuid);
}

/** Imports, the newest first. @throws Problem FORBIDDEN */
export async function listRegistryImports(
  context: Context,
  { page }: { page: PageInput },
): Promise<Page<db.ImportRow>> {
  requireRight(context, "editRegistry");
  return db.listImports(context.db, { page });
}

/** Checks the right before a byte of a list is read. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export const checkMayImport = (context: Context): void => void requireRight(context, "editRegistry");

type SentList = { fileName: string; content: AsyncIterable<Buffer>; choice?: ListChoice };
/** A list that was read and is not stored yet. */
export type ReadList = { fileName: string; bytes: Buffer; choice: ListChoice };

/**
 * Receives a list without storing it, because the rest of its form may still be refused.
 *
 * @throws Problem FORBIDDEN, TOO_LARGE
 */
export async function receiveList(context: Context, { fileName, content, choice = {} }: SentList): Promise<ReadList> {
  requireRight(context, "editRegistry");
  return { fileName, bytes: await wholeOf(content), choice };
}

/** The headings of a list, as the key of what is remembered about its source. */
const headingsOf = ({ columns }: Reading): string => JSON.stringify(columns.map(({ heading }) => nameKey(heading)));

/** What was chosen, without what was left out. */
const given = (choice: ListChoice): ListChoice =>
  Object.fromEntries(Object.entries(choice).filter(([, value]) => value != null));

type Read = Omit<ReadRows, "columns"> & { choice: ListChoice; systems: Awaited<ReturnType<typeof listSystems>> };

/**
 * Reads a list as it was chosen. If nothing was chosen about its columns, what was chosen for the last list with the
 * same headings counts.
 */
async function readChosen(context: Context, bytes: Buffer, asked: ListChoice): Promise<Read> {
  const systems = await listSystems(context);
  const known = await readLists(context.db);
  const choice = given(asked);
  const read = await readList(bytes, systems, choice, known);
  const remembered =
    choice.columns || choice.source
      ? undefined
      : await reading.findSource(context.db, { headings: headingsOf(read.reading) });
  if (!remembered) return { ...read, choice, systems };
  const merged = { ...(remembered.choice as ListChoice), ...choice, source: remembered.name };
  return { ...(await readList(bytes, systems, merged, known)), choice: merged, systems };
}

/** Remembers the choices for lists of the same source, if they have a name. */
async function rememberSource(transaction: Context["db"], { choice, reading: found }: Read): Promise<void> {
  const { source: name, sheet: _sheet, ...kept } = choice;
  if (name) await reading.upsertSource(transaction, { name, headings: headingsOf(found), choice: kept });
}

/**
 * Stores a list: as an import to be reviewed, or (`isReadOnly`) read only, with its faults and what can be chosen. No
 * facility is changed.
 *
 * @throws Problem FORBIDDEN, INVALID
 */
export async function keepImport(
  context: Context,
  { fileName, bytes, choice }: ReadList,
  isReadOnly = false,
): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  const read = await readChosen(context, bytes, choice);
  if (!isReadOnly) refuseFaulty(read.faults);
  const importUuid = newUuid();
  const shownName = shownFileName(fileName.trim() || "list.csv");
  const { ignored, rows } = read;
  await transact(context.db, async (transaction) => {
    await db.insertImport(transaction, { importUuid, fileName: shownName, ignored, userUuid, rows: rows.length });
    await storeReading(transaction, importUuid, read);
    await reading.insertPieces(transaction, { importUuid, bytes });
    if (!isReadOnly) await storeReview(transaction, importUuid, read);
    await recordAudit(
      context,
      {
        action: "registry.import",
        outcome: "done",
        subject: { type: "RegistryImport", id: importUuid },
        details: { fileName: shownName, rows: read.reading.rows },
      },
      transaction,
    );
  });
  return readImportOf(context.db, importUuid);
}

async function storeReading(transaction: Context["db"], importUuid: string, read: Read): Promise<void> {
  await reading.updateReading(transaction, {
    importUuid,
    reading: read.reading,
    choice: read.choice,
    rows: read.reading.rows,
    ignored: read.ignored,
  });
  await rememberSource(transaction, read);
}

async function storeReview(transaction: Context["db"], importUuid: string, { rows, systems }: Read): Promise<void> {
  await db.insertImportRows(transaction, { importUuid, parts: reviewInParts(transaction, rows, systems) });
  await reading.updateReviewed(transaction, { importUuid });
  await updateStatistics(transaction);
}

/** Receives a list and stores it as an import to be reviewed. @throws Problem FORBIDDEN, INVALID, TOO_LARGE */
export const prepareImport = async (context: Context, sent: SentList): Promise<Import> =>
  keepImport(context, await receiveList(context, sent));

/** Locks an import that nothing was applied of. @throws Problem NOT_FOUND, CONFLICT */
async function holdUnapplied(transaction: Context["db"], importUuid: string, act: string): Promise<void> {
  const held = isUuid(importUuid) ? await db.lockImport(transaction, { importUuid }) : undefined;
  if (!held) throw notFound("import", "uuid");
  if (!mayReadAgain(held))
    throw new Problem("CONFLICT", `This import was applied: it stays as a record, and cannot be ${act}.`);
}

const subjectOf = (id: string) => ({ type: "RegistryImport", id });

/**
 * Reads the stored file of an import, as it was chosen before or (`asked`) in another way. It takes seconds for a long
 * list, so it is done before the transaction; a stored file never changes.
 */
async function readStored(context: Context, importUuid: string, asked?: ListChoice): Promise<Read> {
  const { choice: before } = await readReading(context, importUuid);
  const bytes = await reading.findContent(context.db, { importUuid });
  if (!bytes) throw new Problem("CONFLICT", "The file of this import is not stored: send the list again.");
  const choice = asked ? given(asked) : (before ?? {});
  const systems = await listSystems(context);
  return { ...(await readList(bytes, systems, choice, await readLists(context.db))), choice, systems };
}

/** Reads the file of an import in another way. Its review, if there is one, is deleted. @throws Problem */
export async function readImportAgain(context: Context, importUuid: string, asked: ListChoice): Promise<Import> {
  requireRight(context, "editRegistry");
  const read = await readStored(context, importUuid, asked);
  return transact(context.db, async (transaction) => {
    await holdUnapplied(transaction, importUuid, "read again");
    await storeReading(transaction, importUuid, read);
    await recordAudit(
      context,
      { action: "registry.import.read", outcome: "done", subject: subjectOf(importUuid), details: read.choice },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  });
}

/** Reviews an import that was read. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT, INVALID if its rows have errors */
export async function reviewReadImport(context: Context, importUuid: string): Promise<Import> {
  requireRight(context, "editRegistry");
  const read = await readStored(context, importUuid);
  refuseFaulty(read.faults);
  return transact(context.db, async (transaction) => {
    await holdUnapplied(transaction, importUuid, "reviewed again");
    await storeReading(transaction, importUuid, read);
    await storeReview(transaction, importUuid, read);
    await recordAudit(
      context,
      {
        action: "registry.import.review",
        outcome: "done",
        subject: subjectOf(importUuid),
        details: { rows: read.reading.rows },
      },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  });
}

/** Deletes an import that nothing was applied of. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export async function discardImport(context: Context, importUuid: string): Promise<void> {
  requireRight(context, "editRegistry");
  await transact(context.db, async (transaction) => {
    await holdUnapplied(transaction, importUuid, "discarded");
    const found = await readImportOf(transaction, importUuid);
    await reading.deleteImport(transaction, { importUuid });
    await recordAudit(
      context,
      {
        action: "registry.import.discard",
        outcome: "done",
        subject: subjectOf(importUuid),
        details: { fileName: found.fileName, rows: found.rows },
      },
      transaction,
    );
  });
}

/** How an import was read, and what was chosen about it; nulls if its rows did not come from a file. */
export async function readReading(
  context: Context,
  importUuid: string,
): Promise<{ reading: Reading | null; choice: ListChoice | null }> {
  requireRight(context, "editRegistry");
  const found = isUuid(importUuid) ? await reading.findReading(context.db, { importUuid }) : undefined;
  if (!found) throw notFound("import", "uuid");
  return found as { reading: Reading | null; choice: ListChoice | null };
}

/** Rows of an import in their order in the file. @throws Problem FORBIDDEN, NOT_FOUND */
export async function listRegistryImportRows(
  context: Context,
  importUuid: string,
  filter: db.RowFilter & { page: PageInput },
): Promise<Page<db.ReviewRow>> {
  requireRight(context, "editRegistry");
  if (!isUuid(importUuid) || !(await db.findImport(context.db, { importUuid }))) throw notFound("import", "uuid");
  return db.listImportRows(context.db, { importUuid, ...filter });
}

/**
 * Accepts or rejects rows, or undoes that. Rows that cannot be accepted are not.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT
 */
export function decideRegistryImport(
  context: Context,
  importUuid: string,
  { decision, lines, kind, warned }: DecisionInput,
): Promise<Import> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const held = isUuid(importUuid) ? await db.lockImport(transaction, { importUuid }) : undefined;
    if (!held) throw notFound("import", "uuid");
    if (!mayDecide(held))
      throw new Problem(
        "CONFLICT",
        held.status === "read"
          ? "This list was read, and not reviewed yet: review it first."
          : "This import was applied: revert it before other decisions.",
      );
    if (lines != null) {
      const faults = (await db.listLineFaults(transaction, { importUuid, lines })).filter(
        ({ reason }) => reason === null || decision === "accepted",
      );
      if (faults.length > 0)
        throw invalid(
          faults.map(({ line, reason }) => ({
            path: `row ${line}`,
            message: reason === null ? "is not in the list" : `cannot be accepted: ${reason}`,
          })),
        );
    }
    const count = await db.updateDecisions(transaction, { importUuid, decision, lines, kind, warned });
    await recordAudit(
      context,
      {
        action: "registry.import.decide",
        outcome: "done",
        subject: { type: "RegistryImport", id: importUuid },
        details: { decision, lines, kind, warned, rows: count },
      },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  });
}
