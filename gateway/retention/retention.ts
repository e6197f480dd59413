import { insertAuditEvent } from "../../db/audit/audit.ts";
import type { Database } from "../../db/engine/connect.ts";
import {
  updateOldDownloads,
  updateOldReceipts,
  updateOldTdbs,
  findOwnsAudit,
  deleteOldAuditEvents,
  type RetentionRules,
} from "../../db/system/retention.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Files } from "../storage/files.ts";

/**
 * Applies the retention rules: first rows are marked as without content, then the files are removed. If the process is
 * killed in between, the sweep of files removes the rest.
 */

const batch = 500;

type Removed = Record<"tdbs" | "receipts" | "downloads" | "bytes" | "auditEvents", number>;

/** The names of the settings for retention. */
export const retentionSettings = [
  "TDB_KEEP_DAYS",
  "TDB_KEEP_DELTAS",
  "RECEIPT_KEEP_DAYS",
  "DOWNLOAD_KEEP_DAYS",
  "AUDIT_KEEP_DAYS",
] as const;
type RetentionSettings = Partial<Record<(typeof retentionSettings)[number], number | undefined>>;

/** The retention rules of the settings. */
export const rulesOf = (settings: RetentionSettings): RetentionRules => ({
  tdbDays: settings.TDB_KEEP_DAYS,
  tdbDeltas: settings.TDB_KEEP_DELTAS,
  receiptDays: settings.RECEIPT_KEEP_DAYS,
  downloadDays: settings.DOWNLOAD_KEEP_DAYS,
  auditDays: settings.AUDIT_KEEP_DAYS,
});

/**
 * Removes what is due, in batches. Events of the audit log are removed only if the database user owns the table.
 *
 * @throws Error of the storage; what was marked before is removed by the sweep of files
 */
export async function applyRetention(
  { db, files }: { db: Database; files: Pick<Files, "storage"> },
  rules: RetentionRules,
): Promise<Removed> {
  const removed: Removed = { tdbs: 0, receipts: 0, downloads: 0, bytes: 0, auditEvents: 0 };
  const free = async (kind: "tdbs" | "downloads", mark: typeof updateOldTdbs) => {
    for (;;) {
      const freed = await db.transaction().execute(async (transaction) => {
        const marked = await mark(transaction, rules, batch);
        const details = { [kind]: marked.length, bytes: marked.reduce((sum, { fileSize }) => sum + fileSize, 0) };
        if (marked.length > 0)
          await insertAuditEvent(transaction, {
            action: "retention.apply" satisfies AuditAction,
            outcome: "done",
            details,
          });
        return marked;
      });
      for (const { storageKey, fileSize } of freed) {
        await files.storage.remove(storageKey);
        removed[kind] += 1;
        removed.bytes += fileSize;
      }
      if (freed.length < batch) return;
    }
  };
  if (rules.tdbDays !== undefined || rules.tdbDeltas !== undefined) await free("tdbs", updateOldTdbs);
  if (rules.receiptDays !== undefined) {
    for (let last = batch; last === batch; removed.receipts += last)
      last = await db.transaction().execute(async (transaction) => {
        const receipts = await updateOldReceipts(transaction, rules, batch);
        if (receipts > 0)
          await insertAuditEvent(transaction, {
            action: "retention.apply" satisfies AuditAction,
            outcome: "done",
            details: { receipts },
          });
        return receipts;
      });
  }
  if (rules.downloadDays !== undefined) await free("downloads", updateOldDownloads);
  if (rules.auditDays !== undefined && (await findOwnsAudit(db))) {
    for (let last = batch; last === batch; removed.auditEvents += last)
      last = await deleteOldAuditEvents(db, rules, batch);
    const details = { auditEvents: removed.auditEvents };
    if (removed.auditEvents > 0)
      await insertAuditEvent(db, { action: "retention.apply" satisfies AuditAction, outcome: "done", details });
  }
  return removed;
}
