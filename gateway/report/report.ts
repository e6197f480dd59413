import { transact } from "../../db/engine/transaction.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import { type CorrectionRow, listCorrections } from "../../db/report/corrections.ts";
import * as db from "../../db/report/report.ts";
import { findUser } from "../../db/user/user.ts";
import { deny, mayEverywhere, narrowed, requireRight, requireSession, requireViewer } from "../access/access.ts";
import { missingRightsMessage, noPrivileges } from "../access/access.rules.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { readSavedQuery } from "../query/query.ts";
import { checkScope, readDistrict, readPartner, readProvince, type Scope } from "../reference/reference.ts";
import { countFigures } from "./figures.ts";
import type { NewReport, ReportAsked, ReportWords } from "./report.rules.ts";
import { daysOfQuarter, maySignReport, stateOfQuarter } from "./reportQuarter.rules.ts";

/**
 * Acts on quarterly reports. Every signed-in person reads them: their figures are open facts. A draft is counted when it
 * is read; signing stores its figures, and from then on nothing changes or removes it.
 */

export type Report = db.ReportRow;
export type Correction = CorrectionRow;
/** Answers a question of the builder with the rights of a context. Failures are in the answer. */
export type Ask = NonNullable<Context["ask"]>;
export type { ReportCounts, ReportFigures, ReportQuestion, ReportUnit } from "../../db/report/report.ts";

const scopeOf = ({ provinceId, districtId, implementingPartnerId }: Scope): Scope => ({
  provinceId,
  districtId,
  implementingPartnerId,
});
const subjectOf = ({ number }: { number: number }) => ({ type: "Report", id: String(number) });

/** Reports, the newest first: of this place or partner, or all. @throws Problem FORBIDDEN */
export async function listReports(context: Context, asked: Scope & { page: PageInput }): Promise<Page<Report>> {
  return db.listReports(context.db, narrowed(context, asked));
}

/** @throws Problem NOT_FOUND */
export async function readReport(context: Context, number: number): Promise<Report> {
  requireViewer(context);
  const report = await db.findReport(context.db, { number });
  if (!report) throw notFound("report", "number");
  return report;
}

/** Refuses a quarter that has not begun. @throws Problem INVALID */
function requireBegun({ timeZone }: Context, asked: { year: number; quarter: number }): void {
  if (stateOfQuarter(asked, todayIn(timeZone)) === "ahead")
    throw invalid([{ path: "quarter", message: `has not begun: it begins on ${daysOfQuarter(asked).start}` }]);
}

/** The figures of a scope as at the last day of a quarter, counted now. @throws Problem INVALID, NOT_FOUND */
export async function readFigures(context: Context, asked: ReportAsked): Promise<db.ReportFigures> {
  requireViewer(context);
  requireBegun(context, asked);
  await checkScope(context, scopeOf(asked));
  return countFigures(context, context.db, asked);
}

/** The stored figures of a signed report; those of a draft are counted now, null if its place or partner is gone. */
export async function readFiguresOf(context: Context, report: Report): Promise<db.ReportFigures | null> {
  requireViewer(context);
  if (report.signedAt !== null) return (await db.findReportFigures(context.db, report))!;
  try {
    return await readFigures(context, { ...scopeOf(report), year: report.year, quarter: report.quarter });
  } catch (error) {
    if (error instanceof Problem && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/**
 * What became known about the days of a signed report after it was signed; nothing of a draft. Visits that were received
 * later are open facts. Corrections and what was set aside are for who may see assessments, TDBs for who may see TDBs.
 *
 * @throws Problem FORBIDDEN
 */
export async function listSinceThen(
  context: Context,
  { report, page }: { report: Report; page: PageInput },
): Promise<Page<Correction>> {
  return listCorrections(context.db, {
    scope: narrowed(context, scopeOf(report)),
    signedAt: report.signedAt ?? "infinity",
    lastDay: daysOfQuarter(report).end,
    rights: { visits: mayEverywhere(context, "viewAssessments"), tdbs: mayEverywhere(context, "viewTdbs") },
    page,
  });
}

/** Whether the caller may save and sign reports of this scope. */
export const mayWrite = (context: Context, scope: Scope): boolean => maySignReport(requireViewer(context), scope);

/** The caller, if they may save and sign reports of this scope. @throws Problem FORBIDDEN */
function requireWriter(context: Context, scope: Scope) {
  const viewer = requireRight(context, "signReports");
  if (maySignReport(viewer, scope)) return viewer;
  throw deny(
    context,
    { action: "access.right", details: { right: "signReports" } },
    new Problem("FORBIDDEN", `${missingRightsMessage}: you may save and sign the reports of your own partner only.`),
  );
}

/** The names of a scope as they are today. @throws Problem NOT_FOUND */
async function namesOf(context: Context, scope: Scope): Promise<{ place: string; partner: string | null }> {
  const partner =
    scope.implementingPartnerId == null
      ? null
      : (await readPartner(context, scope.implementingPartnerId)).implementingPartner;
  if (scope.districtId != null)
    return { place: `${(await readDistrict(context, scope.districtId)).name} District`, partner };
  if (scope.provinceId != null)
    return { place: `${(await readProvince(context, scope.provinceId)).name} Province`, partner };
  return { place: "National", partner };
}

/** Saves a report as a draft, with the next number. @throws Problem FORBIDDEN, INVALID, NOT_FOUND */
export async function saveReport(context: Context, input: NewReport): Promise<Report> {
  const { userUuid } = requireWriter(context, input);
  requireBegun(context, input);
  const names = await namesOf(context, input);
  return transact(context.db, async (transaction) => {
    const number = await db.insertReport(transaction, { ...input, ...names, savedBy: userUuid });
    const details = { ...names, year: input.year, quarter: input.quarter, comment: input.comment };
    await recordAudit(
      context,
      { action: "report.save", outcome: "done", subject: subjectOf({ number }), details },
      transaction,
    );
    return (await db.findReport(transaction, { number }))!;
  });
}

type Change = {
  number: number;
  action: AuditAction;
  details?: Record<string, unknown>;
  write: (transaction: Parameters<Parameters<typeof transact>[1]>[0], draft: Report) => Promise<void>;
};
/**
 * Changes a draft while it is locked, with an audit event.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT if it was signed
 */
async function changeDraft(context: Context, { number, action, details, write }: Change): Promise<Report> {
  requireRight(context, "signReports");
  return transact(context.db, async (transaction) => {
    await db.lockReport(transaction, { number });
    const draft = await db.findReport(transaction, { number });
    if (!draft) throw notFound("report", "number");
    requireWriter(context, draft);
    if (draft.signedAt !== null)
      throw new Problem(
        "CONFLICT",
        `Report ${number} was signed by ${draft.signedName} on ${draft.signedDate}. A signed report does not change.`,
      );
    await write(transaction, draft);
    await recordAudit(
      context,
      { action, outcome: "done", subject: subjectOf(draft), ...(details ? { details } : {}) },
      transaction,
    );
    return (await db.findReport(transaction, { number })) ?? draft;
  });
}

const mostAnswerCharacters = 200_000;
const aboutQuestion = (message: string) => invalid([{ path: "questions", message }]);

const closed = (name: string, why = "not everybody may see its answer") =>
  aboutQuestion(`“${name}” cannot stand in a report, which everybody reads: ${why}`);

/**
 * The answer of a question as somebody without any right gets it: everybody reads reports.
 *
 * @throws Problem INVALID if there is none
 */
async function answerForReaders(context: Context, ask: Ask, { name, query }: db.ReportQuestion): Promise<unknown> {
  const reader = { ...requireViewer(context), privileges: noPrivileges };
  const { data, errors } = await ask({ ...context, viewer: reader, denials: [] }, query);
  const [error] = errors ?? [];
  if (error) throw closed(name, error.extensions?.["code"] === "FORBIDDEN" ? undefined : error.message);
  if (JSON.stringify(data).length > mostAnswerCharacters)
    throw aboutQuestion(`“${name}” has too long an answer for a report: let it show the first 50`);
  return data;
}

/**
 * The questions for a draft: those that it has stay as they are, others are copied from the saved ones.
 *
 * @throws Problem NOT_FOUND, INVALID if readers of reports would not see the same answer
 */
async function questionsOf(context: Context, draft: Report, { questions }: ReportWords, ask: Ask) {
  const chosen: db.ReportQuestion[] = [];
  for (const uuid of questions ?? draft.questions.map((one) => one.uuid)) {
    const known = draft.questions.find((one) => one.uuid === uuid);
    if (!known) {
      const { name, query } = await readSavedQuery(context, uuid, "questions");
      const added = { uuid, name, query, answer: null };
      const own = await ask(context, query);
      const open = await answerForReaders(context, ask, added);
      // A closed fact of which readers would see nothing.
      if (JSON.stringify(own.data) !== JSON.stringify(open)) throw closed(name);
      chosen.push(added);
    } else chosen.push(known);
  }
  return chosen;
}

/** Changes the comment of a draft, and its questions. @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT */
export const editReport = (context: Context, words: ReportWords, ask: Ask) =>
  changeDraft(context, {
    number: words.number,
    action: "report.edit",
    details: { comment: words.comment, ...(words.questions ? { questions: words.questions } : {}) },
    write: async (transaction, draft) => {
      const questions = await questionsOf({ ...context, db: transaction }, draft, words, ask);
      await db.updateDraft(transaction, { number: words.number, comment: words.comment, questions });
    },
  });

/** Removes a draft. Its number is not given again. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export const discardReport = (context: Context, number: number) =>
  changeDraft(context, {
    number,
    action: "report.discard",
    write: (transaction) => db.deleteDraft(transaction, { number }),
  });

/**
 * Signs a draft with this comment: stores its figures, and the answers of its questions, by what has been received by
 * now. A person does it, by a session.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID if the quarter is not over, CONFLICT if it was signed
 */
export async function signReport(context: Context, words: ReportWords, ask: Ask): Promise<Report> {
  const { number, comment } = words;
  const { userUuid } = requireSession(context);
  return changeDraft(context, {
    number,
    action: "report.sign",
    details: { comment },
    write: async (transaction, draft) => {
      const asked = { ...scopeOf(draft), year: draft.year, quarter: draft.quarter };
      if (stateOfQuarter(asked, todayIn(context.timeZone)) !== "over")
        throw invalid([
          {
            path: "quarter",
            message: `is not over: the report can be signed after ${daysOfQuarter(asked).end}, its last day`,
          },
        ]);
      const within = { ...context, db: transaction };
      const names = await namesOf(within, asked);
      const signer = (await findUser(transaction, { userUuid }))!;
      const signedName = `${[signer.firstName, signer.surname].filter(Boolean).join(" ")}, ${signer.implementingPartner}`;
      const figures = await countFigures(context, transaction, asked);
      const questions: db.ReportQuestion[] = [];
      for (const question of await questionsOf(within, draft, words, ask))
        questions.push({ ...question, answer: await answerForReaders(within, ask, question) });
      const signature = { ...names, signedBy: userUuid, signedName };
      await db.updateDraftSigned(transaction, { number, comment, ...signature, figures, questions });
    },
  });
}
