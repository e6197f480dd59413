import { insertAuditEvent } from "../../db/audit.ts";
import type { Database } from "../../db/engine/connect.ts";
import { updateOldDownloads, updateOldTdbs, findOwnsAudit, deleteOldAuditEvents, type RetentionDays } from "../../db/retention.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Files } from "../storage/files.ts";

/** Applies the rules of retention: first the rows say that a content is gone, then it goes. What is left by a kill, the sweep of files takes. */

const batch = 500;

export type Removed = { tdbs: number; downloads: number; bytes: number; auditEvents: number };

type RetentionSettings = { TDB_KEEP_DAYS?: number | undefined; DOWNLOAD_KEEP_DAYS?: number | undefined; AUDIT_KEEP_DAYS?: number | undefined };

/** The rules of the settings. */
export const daysOf = ({ TDB_KEEP_DAYS, DOWNLOAD_KEEP_DAYS, AUDIT_KEEP_DAYS }: RetentionSettings): RetentionDays => ({ tdbDays: TDB_KEEP_DAYS, downloadDays: DOWNLOAD_KEEP_DAYS, auditDays: AUDIT_KEEP_DAYS });

/**
 * Removes what is due, in batches. Events of the audit are left to the tables' owner: under another user none is removed.
 *
 * @throws Error of the storage; what was marked before is removed by the sweep of files
 */
export async function applyRetention({ db, files }: { db: Database; files: Pick<Files, "storage"> }, days: RetentionDays): Promise<Removed> {
  const removed: Removed = { tdbs: 0, downloads: 0, bytes: 0, auditEvents: 0 };
  const free = async (kind: "tdbs" | "downloads", mark: typeof updateOldTdbs) => {
    for (;;) {
      const freed = await db.transaction().execute(async (transaction) => {
        const marked = await mark(transaction, days, batch);
        const details = { [kind]: marked.length, bytes: marked.reduce((sum, { fileSize }) => sum + fileSize, 0) };
        if (marked.length > 0) await insertAuditEvent(transaction, { action: "retention.apply" satisfies AuditAction, outcome: "done", details });
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
  if (days.tdbDays !== undefined) await free("tdbs", updateOldTdbs);
  if (days.downloadDays !== undefined) await free("downloads", updateOldDownloads);
  if (days.auditDays !== undefined && (await findOwnsAudit(db))) {
    for (let last = batch; last === batch; removed.auditEvents += last) last = await deleteOldAuditEvents(db, days, batch);
    const details = { auditEvents: removed.auditEvents };
    if (removed.auditEvents > 0) await insertAuditEvent(db, { action: "retention.apply" satisfies AuditAction, outcome: "done", details });
  }
  return removed;
}
