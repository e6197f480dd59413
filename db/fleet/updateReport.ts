import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { dayOf, timeOf } from "../list/day.ts";
import type { UpdateOutcome } from "./rollout.rules.ts";

/** The reports of sites about the files that they should apply. */

const reports = (handle: Handle) =>
  handle
    .selectFrom("updateReport")
    .innerJoin("download", "download.downloadUuid", "updateReport.downloadUuid")
    .innerJoin("appUser", "appUser.userUuid", "updateReport.userUuid")
    .select([
      "updateReport.reportUuid as uuid",
      "updateReport.downloadUuid",
      "download.name",
      "download.version",
      sql<UpdateOutcome>`update_report.outcome`.as("outcome"),
      "updateReport.why",
      dayOf("updateReport.reportedAt").as("reportedDate"),
      timeOf("updateReport.reportedAt").as("reportedTime"),
      "appUser.userName",
      instant("updateReport.reportedAt").as("reportedAt"),
    ]);
export type UpdateReportRow = Awaited<ReturnType<ReturnType<typeof reports>["executeTakeFirstOrThrow"]>>;

const newestFirst: Order = {
  columns: [
    { key: "reportedAt", column: "updateReport.reportedAt", type: "timestamptz" },
    { key: "uuid", column: "updateReport.reportUuid", type: "uuid" },
  ],
  descending: true,
};

/** The reports of a facility, the newest first. */
export const listUpdateReports = (
  handle: Handle,
  { facilityUuid, page }: { facilityUuid: string; page: PageInput },
): Promise<Page<UpdateReportRow>> =>
  readPage(reports(handle).where("updateReport.facilityUuid", "=", facilityUuid), newestFirst, page);

export const findUpdateReport = (handle: Handle, { uuid }: { uuid: string }): Promise<UpdateReportRow | undefined> =>
  reports(handle).where("updateReport.reportUuid", "=", uuid).executeTakeFirst();

type NewReport = {
  uuid: string;
  facilityUuid: string;
  downloadUuid: string;
  rolloutUuid: string | null;
  outcome: UpdateOutcome;
  why: string | null;
  dueDate: string | null;
  userUuid: string;
};

/** Stores a report. Without a due day, or with a later one, the file counts as due today. */
export async function insertUpdateReport(handle: Handle, { uuid, dueDate, ...report }: NewReport): Promise<void> {
  const dueDay = sql<string>`least(coalesce(${dueDate}::date, current_date), current_date)`;
  await handle
    .insertInto("updateReport")
    .values({ reportUuid: uuid, ...report, dueDay })
    .execute();
}

/** The latest report of a facility about each file that it reported about. */
export async function listLatestReports(
  handle: Handle,
  { facilityUuid }: { facilityUuid: string },
): Promise<UpdateReportRow[]> {
  return reports(handle)
    .distinctOn("updateReport.downloadUuid")
    .where("updateReport.facilityUuid", "=", facilityUuid)
    .orderBy("updateReport.downloadUuid")
    .orderBy("updateReport.reportedAt", "desc")
    .orderBy("updateReport.reportUuid", "desc")
    .execute();
}
