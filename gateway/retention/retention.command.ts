import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { insertAuditEvent } from "../../db/audit/audit.ts";
import { findFacility } from "../../db/facility/facility.ts";
import {
  countDue,
  deleteLegalHold,
  listLegalHolds,
  findOwnsAudit,
  upsertLegalHold,
} from "../../db/system/retention.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { shownBytes } from "../backup/manifest.rules.ts";
import { runCommand, withDatabase } from "../system/command.ts";
import { objectsOf, readSettings } from "../env.ts";
import { openFiles } from "../storage/files.ts";
import { applyRetention, retentionSettings, rulesOf } from "./retention.ts";

/** `npm run retention -- …`. Exit codes: 0 done, 1 failed, 2 wrongly called. */

const usage = `npm run retention                                    counts what ${retentionSettings.join(", ")} would remove; changes nothing
npm run retention -- --apply                         removes it, as the gateway does every hour
npm run retention -- --holds                         lists the legal holds
npm run retention -- --hold FACILITY --reason TEXT   removes nothing of this facility (its uuid) from now on
npm run retention -- --release FACILITY              ends that`;

const say = (line: string): void => console.log(line);
const options = {
  apply: { type: "boolean" },
  holds: { type: "boolean" },
  hold: { type: "string" },
  reason: { type: "string" },
  release: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

async function run(): Promise<number> {
  const { values } = parseArgs({ options });
  const { hold, reason, release } = values;
  const wanted = [values.apply, values.holds, hold !== undefined, release !== undefined].filter(Boolean).length;
  if (values.help || wanted > 1 || (hold === undefined) !== (reason === undefined) || reason?.trim() === "") {
    say(usage);
    return values.help ? 0 : 2;
  }
  const settings = readSettings();
  const rules = rulesOf(settings);
  return withDatabase(settings, async (db) => {
    const note = (action: AuditAction, facilityUuid: string, details: Record<string, string>) =>
      insertAuditEvent(db, { action, outcome: "done", facilityUuid, details });
    if (values.holds) {
      for (const { facilityUuid, since, reason: why } of await listLegalHolds(db))
        say(`${facilityUuid}  since ${since.toISOString().slice(0, 10)}  ${why}`);
      return 0;
    }
    if (hold !== undefined) {
      if (!(await findFacility(db, { facilityUuid: hold }))) throw new Error(`No facility has the uuid ${hold}.`);
      await upsertLegalHold(db, { facilityUuid: hold, reason: reason!.trim() });
      await note("retention.hold", hold, { reason: reason!.trim() });
      say(`Nothing of ${hold} is removed from now on.`);
      return 0;
    }
    if (release !== undefined) {
      if (!(await deleteLegalHold(db, { facilityUuid: release }))) throw new Error(`${release} has no legal hold.`);
      await note("retention.release", release, {});
      say(`${release} is no longer held.`);
      return 0;
    }
    if (Object.values(rules).every((each) => each === undefined))
      say(`No rule is set: ${retentionSettings.join(", ")} are missing, and nothing is ever removed.`);
    else if (values.apply) {
      const removed = await applyRetention(
        { db, files: await openFiles(resolve(settings.DATA_DIR), objectsOf(settings)) },
        rules,
      );
      say(
        `Removed: the contents of ${removed.tdbs} TDBs and ${removed.downloads} withdrawn files (${shownBytes(removed.bytes)}), ${removed.receipts} receipts, ${removed.auditEvents} events of the audit.`,
      );
    } else {
      const due = await countDue(db, rules);
      say(
        `Would remove: the contents of ${due.tdbs} TDBs (${shownBytes(due.tdbBytes)}) and of ${due.downloads} withdrawn files (${shownBytes(due.downloadBytes)}), ${due.receipts} receipts, ${due.auditEvents} events of the audit.`,
      );
      say(`Kept by legal holds: ${due.heldTdbs} TDBs, ${due.heldReceipts} receipts, ${due.heldAuditEvents} events.`);
    }
    if (rules.auditDays !== undefined && !(await findOwnsAudit(db)))
      say(
        "Events of the audit can only be removed by the owner of the tables: run this command with the owner's DATABASE_URL.",
      );
    return 0;
  });
}

await runCommand(run, usage);
