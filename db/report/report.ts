import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import type { Scope } from "../list/scope.ts";

/**
 * Saved reports. What is written to a report is written to drafts only: a signed one has no statement that changes or
 * removes it.
 */

/** The counts of some facilities as they stood on a day. */
export type ReportCounts = Record<
  "facilities" | "assessed" | "functional" | "notRecordedFunctional" | "power" | "notRecordedPower",
  number
> &
  Record<"expected" | "silent", number>;
/** A province or district of the scope, or a facility of a district, whose counts are 0 or 1. */
export type ReportUnit = ReportCounts & {
  hxId: number | null;
  facilityUuid: string | null;
  name: string;
  modes: Record<"efirst" | "efast" | "elast" | "partial" | "notDeployed" | "notOperational" | "noneRecorded", number>;
};
export type ReportFigures = {
  /** when they were counted, in UTC */ asAt: string;
  /** the day that they are of */ day: string;
  level: "province" | "district" | "facility";
  /** the target of the share that works, in the fiscal year */ target: number | null;
  /** at the ends of eight quarters; the last one is the report's */
  quarters: (ReportCounts & { periodStart: string })[];
  units: ReportUnit[];
};

/** A saved question in a report, as it was when it was added, and its answer when the report was signed. */
export type ReportQuestion = { uuid: string; name: string; query: string; answer: unknown };

const reports = (handle: Handle) =>
  handle
    .selectFrom("report")
    .innerJoin("appUser as saver", "saver.userUuid", "report.savedBy")
    .select([
      "report.number",
      "report.provinceId",
      "report.districtId",
      "report.implementingPartnerId",
      "report.place",
      "report.partner",
      "report.year",
      "report.quarter",
      "report.comment",
      instant("report.savedAt").as("savedAt"),
      sql<string>`saver.user_name`.as("savedBy"),
      sql<string | null>`case when report.signed_at is not null then ${instant("report.signedAt")} end`.as("signedAt"),
      sql<string | null>`report.signed_at::date`.as("signedDate"),
      "report.signedName",
      sql<ReportQuestion[]>`coalesce(report.questions, '[]')`.as("questions"),
    ]);
export type ReportRow = Awaited<ReturnType<ReturnType<typeof reports>["executeTakeFirstOrThrow"]>>;

const newestFirst: Order = {
  columns: [{ key: "number", column: "report.number", type: "integer" }],
  descending: true,
};

/** The reports of exactly this place or partner, or of those within it; all if nothing is named. The newest first. */
export function listReports(
  handle: Handle,
  { provinceId, districtId, implementingPartnerId, page }: Scope & { page: PageInput },
): Promise<Page<ReportRow>> {
  let query = reports(handle);
  if (provinceId != null)
    query = query.where((eb) =>
      eb.or([
        eb("report.provinceId", "=", provinceId),
        eb(
          "report.districtId",
          "in",
          eb.selectFrom("district").select("district.districtId").where("district.provinceId", "=", provinceId),
        ),
      ]),
    );
  if (districtId != null) query = query.where("report.districtId", "=", districtId);
  if (implementingPartnerId != null) query = query.where("report.implementingPartnerId", "=", implementingPartnerId);
  return readPage(query, newestFirst, page);
}

export function findReport(handle: Handle, { number }: { number: number }): Promise<ReportRow | undefined> {
  return reports(handle).where("report.number", "=", number).executeTakeFirst();
}

/** The figures of a signed report; undefined of a draft. */
export async function findReportFigures(
  handle: Handle,
  { number }: { number: number },
): Promise<ReportFigures | undefined> {
  const row = await handle.selectFrom("report").select("figures").where("number", "=", number).executeTakeFirst();
  return (row?.figures as ReportFigures | null | undefined) ?? undefined;
}

/** Locks a report until the transaction ends. */
export async function lockReport(handle: Handle, { number }: { number: number }): Promise<void> {
  await handle.selectFrom("report").select("number").where("number", "=", number).forUpdate().execute();
}

type NewReport = Scope & { place: string; partner: string | null; year: number; quarter: number } & {
  comment: string;
  savedBy: string;
};
/** Stores a draft. Returns its number. */
export async function insertReport(
  handle: Handle,
  { provinceId, districtId, implementingPartnerId, ...values }: NewReport,
): Promise<number> {
  const scope = {
    provinceId: provinceId ?? null,
    districtId: districtId ?? null,
    implementingPartnerId: implementingPartnerId ?? null,
  };
  const { number } = await handle
    .insertInto("report")
    .values({ ...scope, ...values })
    .returning("number")
    .executeTakeFirstOrThrow();
  return number;
}

export async function updateDraft(
  handle: Handle,
  { number, comment, questions }: { number: number; comment: string; questions: readonly ReportQuestion[] },
): Promise<void> {
  await handle
    .updateTable("report")
    .set({ comment, questions: JSON.stringify(questions) })
    .where("number", "=", number)
    .where("signedAt", "is", null)
    .execute();
}

type Signature = { place: string; partner: string | null; comment: string; signedBy: string; signedName: string };
type Counted = { figures: ReportFigures; questions: readonly ReportQuestion[] };
/** Stores the figures and the answers of a draft, with its names of today, and who signs it now. */
export async function updateDraftSigned(
  handle: Handle,
  { number, figures, questions, ...values }: Signature & Counted & { number: number },
): Promise<void> {
  const counted = { figures: JSON.stringify(figures), questions: JSON.stringify(questions) };
  await handle
    .updateTable("report")
    .set({ ...values, ...counted, signedAt: sql`now()` })
    .where("number", "=", number)
    .where("signedAt", "is", null)
    .execute();
}

export async function deleteDraft(handle: Handle, { number }: { number: number }): Promise<void> {
  await handle.deleteFrom("report").where("number", "=", number).where("signedAt", "is", null).execute();
}
