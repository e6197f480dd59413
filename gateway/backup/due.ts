import { findBackupFailure, findLastBackup, findLastDue } from "../../db/doctor.ts";
import type { Database } from "../../db/engine/connect.ts";

/** After a failure it is tried again, not at once. */
const againMs = 60 * 60 * 1000;

/** Whether the last night's backup is still to be made. */
export async function isBackupDue(db: Database): Promise<boolean> {
  const [due, last, failure] = [await findLastDue(db), await findLastBackup(db), await findBackupFailure(db)];
  if (failure && Date.now() - Date.parse(failure.at) < againMs) return false;
  return !last?.provedAt || Date.parse(last.provedAt) < due.getTime();
}
