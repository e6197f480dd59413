import { v7 as newUuid } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { everyRow, type Page, type PageInput } from "../../db/list/page.ts";
import * as db from "../../db/registry/reconciliation.ts";
import { insertImport, insertImportRows } from "../../db/registry/registryImport.ts";
import { findToday } from "../../db/system/system.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { systemsOf } from "../facility/identifier.ts";
import { shownFileName } from "../input/fileName.rules.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { compareTheirs, followFindings } from "./compareTheirs.ts";
import { readTheirs, type TheirRow } from "./readTheirs.ts";
import {
  type FindingChoice,
  type FindingDecision,
  type FindingKind,
  findingKinds,
  type SourceInput,
} from "./reconciliation.rules.ts";
import { type Import, readImportOf } from "./registryImport.ts";
import { reviewInParts } from "./reviewImport.ts";

/**
 * Comparisons of the registry with other lists, shared by REST, GraphQL and the command. The registry itself is never
 * changed here.
 */

export type { FindingCount, FindingRow, ReconciliationRow } from "../../db/registry/reconciliation.ts";
/** A comparison with the number of its findings of each kind, and in each field. */
export type Reconciliation = db.ReconciliationRow & {
  kinds: db.FindingCount[];
  fields: { field: string; found: number }[];
};

const noFindings = (kind: FindingKind): db.FindingCount => ({
  kind,
  found: 0,
  open: 0,
  done: 0,
  ignored: 0,
  new: 0,
  changed: 0,
  still: 0,
  gone: 0,
});

/** @throws Problem NOT_FOUND */
export async function readReconciliationOf(handle: Handle, reconciliationUuid: string): Promise<Reconciliation> {
  const found = isUuid(reconciliationUuid) ? await db.findReconciliation(handle, { reconciliationUuid }) : undefined;
  if (!found) throw notFound("reconciliation", "uuid");
  const counts = await db.listFindingCounts(handle, { reconciliationUuid });
  const fields = await db.listFieldCounts(handle, { reconciliationUuid });
  return {
    ...found,
    kinds: findingKinds.map((kind) => counts.find((one) => one.kind === kind) ?? noFindings(kind)),
    fields,
  };
}

/** A comparison with its counts. @throws Problem FORBIDDEN, NOT_FOUND */
export function readReconciliation(context: Context, reconciliationUuid: string): Promise<Reconciliation> {
  requireRight(context, "editRegistry");
  return readReconciliationOf(context.db, reconciliationUuid);
}

/** Comparisons, the newest first. @throws Problem FORBIDDEN */
export async function listReconciliations(
  context: Context,
  { page }: { page: PageInput },
): Promise<Page<db.ReconciliationRow>> {
  requireRight(context, "editRegistry");
  return db.listReconciliations(context.db, { page });
}

/** Checks the right before any of the list is read. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export const checkMayReconcile = (context: Context): void => void requireRight(context, "editRegistry");

type Sent = SourceInput & { fileName: string; content: AsyncIterable<Buffer> };

/**
 * Reads a list, compares it and stores the findings. `within` opens the transaction, runs the given act in it, and gets
 * the result for the audit. It checks no rights.
 *
 * @throws Problem INVALID, TOO_LARGE
 */
export async function keepComparison(
  handle: Handle,
  { source, level, fileName, content }: Sent,
  { userUuid, operator }: { userUuid: string | null; operator: string | null },
  within: (act: (transaction: Handle) => Promise<{ uuid: string; details: object }>) => Promise<unknown>,
): Promise<string> {
  const systems = await systemsOf(handle);
  const theirs = await readTheirs(content, systems, level ?? undefined);
  const reconciliationUuid = newUuid();
  const shownName = shownFileName(fileName.trim() || "list");
  await within(async (transaction) => {
    await db.lockSource(transaction, { source });
    const compared = await compareTheirs(transaction, theirs, systems, await findToday(transaction));
    const previous = await db.findNewestOfSource(transaction, { source });
    const findings = followFindings(compared.found, previous ? await db.listFormerFindings(transaction, previous) : []);
    await db.insertReconciliation(transaction, {
      ...{
        reconciliationUuid,
        source: previous?.source ?? source,
        fileName: shownName,
        form: theirs.form,
        rows: theirs.rows.length,
        equal: compared.equal,
        here: compared.here,
      },
      ...{
        compared: compared.columns,
        notes: compared.notes,
        previousUuid: previous?.reconciliationUuid ?? null,
        userUuid,
        operator,
        findings,
      },
    });
    return {
      uuid: reconciliationUuid,
      details: {
        source,
        fileName: shownName,
        rows: theirs.rows.length,
        equal: compared.equal,
        found: compared.found.length,
      },
    };
  });
  return reconciliationUuid;
}

const subjectOf = (id: string) => ({ type: "Reconciliation", id });

/** Compares the registry with a list. @throws Problem FORBIDDEN, INVALID, TOO_LARGE */
export async function reconcile(context: Context, sent: Sent): Promise<Reconciliation> {
  const { userUuid } = requireRight(context, "editRegistry");
  const uuid = await keepComparison(context.db, sent, { userUuid, operator: null }, (act) =>
    transact(context.db, async (transaction) => {
      const { uuid: id, details } = await act(transaction);
      await recordAudit(
        context,
        { action: "registry.reconcile", outcome: "done", subject: subjectOf(id), details },
        transaction,
      );
    }),
  );
  return readReconciliationOf(context.db, uuid);
}

/** The findings of a comparison, in their order. @throws Problem FORBIDDEN, NOT_FOUND */
export async function listFindings(
  context: Context,
  reconciliationUuid: string,
  filter: db.FindingFilter & { page: PageInput },
): Promise<Page<db.FindingRow>> {
  requireRight(context, "editRegistry");
  if (!isUuid(reconciliationUuid) || !(await db.findReconciliation(context.db, { reconciliationUuid })))
    throw notFound("reconciliation", "uuid");
  return db.listFindings(context.db, { reconciliationUuid, ...filter });
}

/** All these findings, for a file. @throws Problem FORBIDDEN, NOT_FOUND */
export async function exportFindings(
  context: Context,
  reconciliationUuid: string,
  filter: db.FindingFilter,
): Promise<AsyncIterable<db.FindingRow>> {
  const { source } = await readReconciliation(context, reconciliationUuid);
  await recordAudit(context, {
    action: "registry.reconcile.export",
    outcome: "done",
    subject: subjectOf(reconciliationUuid),
    details: { source, ...filter },
  });
  return everyRow((page) => db.listFindings(context.db, { reconciliationUuid, ...filter, page }));
}

/**
 * Locks a comparison for decisions. Only the newest one of its source can have them.
 *
 * @throws Problem NOT_FOUND, CONFLICT, INVALID
 */
async function hold(
  transaction: Handle,
  reconciliationUuid: string,
  { numbers }: db.Choice,
): Promise<{ source: string }> {
  const held = isUuid(reconciliationUuid)
    ? await db.lockReconciliation(transaction, { reconciliationUuid })
    : undefined;
  if (!held) throw notFound("reconciliation", "uuid");
  await db.lockSource(transaction, held);
  const newest = await db.findNewestOfSource(transaction, held);
  if (newest?.reconciliationUuid !== reconciliationUuid.toLowerCase())
    throw new Problem("CONFLICT", `There is a newer comparison with ${held.source}: decide there.`);
  const faults = numbers == null ? [] : await db.listNumberFaults(transaction, { reconciliationUuid, numbers });
  if (faults.length > 0)
    throw invalid(faults.map((number) => ({ path: `finding ${number}`, message: "is not among the findings" })));
  return held;
}

/** Stores a decision about findings. @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT */
export function decideFindings(
  context: Context,
  reconciliationUuid: string,
  { state, note, numbers, kind }: FindingDecision,
): Promise<Reconciliation> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    await hold(transaction, reconciliationUuid, { numbers });
    const count = await db.updateFindings(transaction, {
      reconciliationUuid,
      numbers,
      kind,
      state,
      note: note === "" ? null : note,
      userUuid,
    });
    await recordAudit(
      context,
      {
        action: "registry.reconcile.decide",
        outcome: "done",
        subject: subjectOf(reconciliationUuid),
        details: { state, note, numbers, kind, findings: count },
      },
      transaction,
    );
    return readReconciliationOf(transaction, reconciliationUuid);
  });
}

/**
 * Makes an import of the list's rows with open findings. It is reviewed like any other.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT
 */
export function importFindings(context: Context, reconciliationUuid: string, choice: FindingChoice): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const { source } = await hold(transaction, reconciliationUuid, choice);
    const rows = await db.listTheirRows<TheirRow>(transaction, { reconciliationUuid, ...choice });
    if (rows.length === 0)
      throw new Problem("CONFLICT", "None of these findings is open and has a row of the other list to import.");
    const importUuid = newUuid();
    const fileName = `Differences from ${source}`;
    const parts = reviewInParts(
      transaction,
      rows.toSorted((one, other) => one.line - other.line),
      await systemsOf(transaction),
    );
    await insertImport(transaction, { importUuid, fileName, ignored: [], userUuid, rows: rows.length });
    await insertImportRows(transaction, { importUuid, parts });
    await recordAudit(
      context,
      {
        action: "registry.import",
        outcome: "done",
        subject: { type: "RegistryImport", id: importUuid },
        details: { fileName, reconciliationUuid, rows: rows.length },
      },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  });
}
