import { findBackupFailure, findLastBackup, findLastDue } from "../../db/system/doctor.ts";
import type { Database } from "../../db/engine/connect.ts";

/** The time between a failure and the next attempt. */
const againMs = 60 * 60 * 1000;

/** Whether the backup of last night must still be made. */
export async function isBackupDue(db: Database): Promise<boolean> {
  const [due, last, failure] = [await findLastDue(db), await findLastBackup(db), await findBackupFailure(db)];
  if (failure && Date.now() - Date.parse(failure.at) < againMs) return false;
  return !last?.provedAt || Date.parse(last.provedAt) < due.getTime();
}
