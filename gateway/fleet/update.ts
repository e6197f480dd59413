import { v7 as uuidv7 } from "uuid";

import { transact } from "../../db/engine/transaction.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { lockFacility } from "../../db/facility/facility.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import * as db from "../../db/fleet/updateReport.ts";
import { requireRight, requireSite, requireWithin } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context, Viewer } from "../context.ts";
import { findWay, listReleasedFiles, type ReleasedFile } from "../download/releasePath.ts";
import { readFacility } from "../facility/facility.ts";
import { isUuid } from "../input/page.rules.ts";
import { notFound, Problem } from "../problem.ts";
import type { UpdateReason, UpdateReport } from "./rollout.rules.ts";

/**
 * Acts on the files that a site should fetch and apply, and on its reports: for the site with its credential, and for
 * people.
 */

export type Report = db.UpdateReportRow;
export type Update = { file: ReleasedFile; digest: string; report: Report | null };
export type Updates = {
  facilityUuid: string;
  presentVersion: string | null;
  presentDate: string | null;
  target: string | null;
  rolloutUuid: string | null;
  dueDate: string | null;
  /** why nothing is to be fetched */
  reason: UpdateReason | null;
  updates: Update[];
};

const digestOf = (sha256: string): string => `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;

/**
 * The files that a facility should fetch, in the order in which they are applied. `alsoPaused`: as if no rollout were
 * paused.
 */
async function updatesOf(handle: Handle, facilityUuid: string, { alsoPaused = false } = {}): Promise<Updates> {
  const [{ site, rollout, path }, reports] = await Promise.all([
    findWay(handle, facilityUuid),
    db.listLatestReports(handle, { facilityUuid }),
  ]);
  const { presentVersion = null, presentDate = null, version = null, dueDate = null } = site ?? {};
  const none = {
    facilityUuid,
    presentVersion,
    presentDate,
    target: null,
    rolloutUuid: null,
    dueDate: null,
    updates: [],
  };
  if (!rollout) return { ...none, reason: "noRollout" };
  const of = { ...none, target: rollout.version, rolloutUuid: rollout.uuid };
  if (rollout.paused && !alsoPaused) return { ...of, reason: "paused" };
  if (path === null) return { ...of, reason: "noPath" };
  const reportOf = ({ uuid }: ReleasedFile) => reports.find(({ downloadUuid }) => downloadUuid === uuid) ?? null;
  const open = path.filter((file) => {
    const report = reportOf(file);
    return report?.outcome !== "applied" || report.reportedDate < (presentDate ?? "");
  });
  if (open.length === 0) return { ...of, reason: version === presentVersion ? "reached" : "reported" };
  const updates = open.map((file) => ({ file, digest: digestOf(file.sha256), report: reportOf(file) }));
  return { ...of, dueDate, reason: null, updates };
}

/** The files that the calling site should fetch. @throws Problem FORBIDDEN */
export const readOwnUpdates = (context: Context): Promise<Updates> =>
  updatesOf(context.primary, requireSite(context).facilityUuid);

/** The files that a facility should fetch. @throws Problem FORBIDDEN or NOT_FOUND */
export async function readUpdates(context: Context, facilityUuid: string): Promise<Updates> {
  requireRight(context, "viewFleet", "somewhere");
  const facility = await readFacility(context, facilityUuid);
  requireWithin(context, facility);
  return updatesOf(context.db, facility.facilityUuid);
}

/** The reports of a facility, the newest first. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listUpdateReports(
  context: Context,
  { facilityUuid, page }: { facilityUuid: string; page: PageInput },
): Promise<Page<Report>> {
  requireRight(context, "viewFleet", "somewhere");
  const facility = await readFacility(context, facilityUuid);
  requireWithin(context, facility);
  return db.listUpdateReports(context.db, { facilityUuid: facility.facilityUuid, page });
}

type About = { facilityUuid: string; downloadUuid: string; userUuid: string };

async function keepReport(
  context: Context,
  { facilityUuid, downloadUuid: downloadUuidGiven, userUuid }: About,
  { outcome, why }: UpdateReport,
): Promise<Report> {
  const downloadUuid = downloadUuidGiven.toLowerCase();
  return transact(context.primary, async (transaction) => {
    if (!(await lockFacility(transaction, { facilityUuid }))) throw notFound("facility", "facilityUuid");
    const file = (await listReleasedFiles(transaction)).find(({ uuid }) => uuid === downloadUuid);
    const latest = (await db.listLatestReports(transaction, { facilityUuid })).find(
      (report) => report.downloadUuid === downloadUuid,
    );
    if (!file && !latest) throw notFound("file", "downloadUuid");
    // The same report again: the site did not get the answer to the first one.
    if (
      latest &&
      latest.outcome === outcome &&
      (latest.why ?? "") === (why ?? "") &&
      latest.reportedDate === todayIn(context.timeZone)
    )
      return latest;
    const { rolloutUuid, dueDate, updates } = await updatesOf(transaction, facilityUuid, { alsoPaused: true });
    const isAsked = updates.some((update) => update.file.uuid === downloadUuid);
    if (!isAsked && outcome === "applied" && !latest)
      throw new Problem("CONFLICT", "No rollout asks this site to apply this file.");
    const uuid = uuidv7();
    await db.insertUpdateReport(transaction, {
      uuid,
      facilityUuid,
      downloadUuid,
      userUuid,
      outcome,
      why: why || null,
      rolloutUuid: isAsked ? rolloutUuid : null,
      dueDate: isAsked ? dueDate : null,
    });
    const details = { outcome, ...(why ? { why } : {}), ...(file ? { name: file.name, version: file.version } : {}) };
    await recordAudit(
      context,
      {
        action: "update.report",
        outcome: "done",
        facilityUuid,
        subject: { type: "Download", id: downloadUuid },
        details,
      },
      transaction,
    );
    return (await db.findUpdateReport(transaction, { uuid }))!;
  });
}

/**
 * The calling site reports that it applied a file, or why that failed.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND or CONFLICT
 */
export async function reportOwnUpdate(context: Context, downloadUuid: string, report: UpdateReport): Promise<Report> {
  const { facilityUuid } = requireSite(context);
  if (!isUuid(downloadUuid)) throw notFound("file", "downloadUuid");
  return keepReport(context, { facilityUuid, downloadUuid, userUuid: context.viewer!.userUuid }, report);
}

/** Checks the right before the input is read. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export const checkMayReport = (context: Context): Viewer => requireRight(context, "editFacility", "somewhere");

/** A person who may edit the facility reports for it. @throws Problem FORBIDDEN, NOT_FOUND or CONFLICT */
export async function reportUpdate(
  context: Context,
  { facilityUuid, downloadUuid }: Omit<About, "userUuid">,
  report: UpdateReport,
): Promise<Report> {
  const { userUuid } = checkMayReport(context);
  const facility = await readFacility(context, facilityUuid);
  requireWithin(context, facility);
  if (!isUuid(downloadUuid)) throw notFound("file", "downloadUuid");
  return keepReport(context, { facilityUuid: facility.facilityUuid, downloadUuid, userUuid }, report);
}
