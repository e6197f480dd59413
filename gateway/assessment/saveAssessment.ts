import { v7 } from "uuid";

import * as db from "../../db/assessment/assessment.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { findFacility } from "../../db/facility/facility.ts";
import { insertRevision, listRevisions } from "../../db/change/revision.ts";
import { refreshAssessmentRollups } from "../../db/derived/latest.ts";
import { findToday } from "../../db/system/system.ts";
import { transact } from "../../db/engine/transaction.ts";
import { judgeActions } from "../facility/actionEvidence.ts";
import { isLimited, isWithin, requireRight, requireWithin } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { loadFacilities, presentUuid, requireFacilityWithin } from "../facility/facility.ts";
import { type InputError, invalid, notFound, Problem, refuseChanged } from "../problem.ts";
import {
  type AssessmentRow,
  type AssessmentState,
  findWholeAssessment,
  stateOf,
  type WholeAssessment,
} from "./assessment.ts";
import type { AssessmentChange, NewAssessment } from "./assessment.rules.ts";
import { givenNames, positionErrors, positionNames } from "./assessment.rules.ts";
import { holdOrRelease, type Saver, warnHeld } from "./hold.ts";
import { before, changed, changesBetween, type Content, contentOf } from "./content.rules.ts";
import {
  afterClosingWarning,
  instantText,
  positionTimeRefusal,
  laterUpgradeRefusal,
  visitTimeRefusal,
} from "./visitTime.rules.ts";
import { keepVisitActions, requireVisitPartners } from "./visitActions.ts";

/**
 * Acts that save assessments, shared by REST and GraphQL. A save is one transaction: the assessment, its service areas,
 * for a change its revision, the actions agreed at it or closed by it, the roll-ups of the facility's periods and the
 * audit event, all or nothing. The first statement locks the facility, so that two saves at one facility run one after
 * the other.
 */

function refuseLaterUpgrade(date: string, visited: string, today: string): InputError[] {
  const message = laterUpgradeRefusal(date, visited, today);
  return message ? [{ path: "dateOfLastUpgrade", message }] : [];
}

const withoutTime = "is needed with a position that is added later: when the device found it";

/** Refuses a position that was found after now or far from the visit. */
function refusePositionTime(positionAt: string | null, times: { assessedAt: string; now: string }): InputError[] {
  const message = positionAt ? positionTimeRefusal(positionAt, times) : null;
  return message ? [{ path: "positionAt", message }] : [];
}

/** Refuses a wrong time of a new visit, or a date of the last upgrade or a position after the visit. */
function refuseTimes(assessment: AssessmentRow): InputError[] {
  const { dateOfLastUpgrade, assessmentDate, receivedDate, positionAt, assessedAt, receivedAt } = assessment;
  const message = visitTimeRefusal(assessment);
  if (message) return [{ path: "assessedAt", message }];
  return [
    ...refuseLaterUpgrade(dateOfLastUpgrade, assessmentDate, receivedDate),
    ...refusePositionTime(positionAt, { assessedAt, now: receivedAt }),
  ];
}

/**
 * The position of a stored visit stays as it is, and may be sent back unchanged. A visit without a position may get
 * one, with its instant: a position of the day of the correction would pass for the visit's.
 */
function refusePosition(input: AssessmentChange, state: AssessmentState, content: Content): InputError[] {
  if (state.latitude === null) {
    const times = { assessedAt: state.assessedAt, now: new Date().toISOString() };
    const errors = [...positionErrors(content), ...refusePositionTime(content.positionAt, times)];
    const isUndated = content.latitude !== null && content.positionAt === null;
    return errors.length === 0 && isUndated ? [{ path: "positionAt", message: withoutTime }] : errors;
  }
  return positionNames
    .filter((name) => input[name] !== undefined && input[name] !== state[name])
    .map((path) => ({ path, message: "cannot be changed: the position belongs to the time of the visit" }));
}

/**
 * A warning for a visit after the day on which its facility was closed. The visit is stored nevertheless, because it
 * took place.
 */
function warnClosed({ assessmentDate, facilityName }: AssessmentRow, closedOn: string | null): InputError[] {
  const message = afterClosingWarning(assessmentDate, facilityName, closedOn);
  return message ? [{ path: "assessedAt", message }] : [];
}

const refuseAreas = (
  asked: { serviceAreaId: number }[] | null | undefined,
  known: Set<number>,
  message: string,
): InputError[] =>
  (asked ?? []).flatMap(({ serviceAreaId }, index) =>
    known.has(serviceAreaId) ? [] : [{ path: `serviceAreaAssessments.${index}.serviceAreaId`, message }],
  );

function refuse(errors: InputError[]): void {
  if (errors.length) throw invalid(errors);
}

const conflict = (message: string, present: unknown) => new Problem("CONFLICT", message, { present });
const changedMeanwhile = "Somebody has changed this assessment meanwhile.";

/** Whether the assessment was created with this content, whatever was changed since. */
async function isOriginal(handle: Handle, state: AssessmentState, content: Content): Promise<boolean> {
  const revisions = await listRevisions(handle, { assessmentUuids: [state.assessmentUuid] });
  const original = before(
    state,
    revisions.flatMap(({ changes }) => changes),
  );
  const areasOf = ({ serviceAreaAssessments }: Content) =>
    serviceAreaAssessments.map((area) => area.serviceAreaId).join();
  return changesBetween(original, content).length === 0 && areasOf(original) === areasOf(content);
}

/**
 * The answer to a visit that was not stored, because there is no such facility or its uuid is taken: by the same visit,
 * which is answered again, or by another one.
 *
 * @throws Problem INVALID, or CONFLICT with the other visit if the caller may see it
 */
async function answerRepeated(
  context: Context,
  handle: Handle,
  {
    assessmentUuid,
    facilityUuid,
    userUuid,
    assessedAt,
    content,
  }: Pick<AssessmentState, "assessmentUuid" | "facilityUuid" | "userUuid"> & {
    assessedAt: string | null;
    content: Content;
  },
): Promise<WholeAssessment> {
  const facility = await findFacility(handle, { facilityUuid });
  const earlier = facility && (await findWholeAssessment(handle, assessmentUuid));
  if (!earlier) throw invalid([{ path: "facilityUuid", message: "there is no such facility" }]);
  const { state } = earlier;
  const isSame =
    state.userUuid === userUuid &&
    state.facilityUuid === facilityUuid &&
    (assessedAt ?? state.assessedAt) === state.assessedAt;
  if (isSame && (await isOriginal(handle, state, content)))
    return { ...earlier, warnings: [...warnClosed(earlier.assessment, facility.closedOn), ...warnHeld(state.held)] };
  const visited = await findFacility(handle, { facilityUuid: state.facilityUuid });
  throw conflict(
    "There is an assessment with this assessmentUuid already, and it says something else.",
    visited && isWithin(context, visited) ? state : undefined,
  );
}

/**
 * Refuses a facility outside an account's limit. An unknown facility is reported by the act.
 *
 * @throws Problem FORBIDDEN
 */
async function requireKnownWithin(context: Context, facilityUuid: string): Promise<void> {
  const present = await presentUuid(context.db, facilityUuid);
  const facility = (await loadFacilities(context, [present])).get(present);
  if (facility) requireWithin(context, facility);
}

/**
 * Stores a visit. Its author is the caller; its time is given by the caller, or now. If the same assessment is sent
 * again, it is stored once and answered again, however long ago it was. If a program sends an answer far from usual, it
 * is held.
 *
 * @throws Problem FORBIDDEN, INVALID or CONFLICT
 */
export async function createAssessment(
  context: Context,
  input: NewAssessment,
  saver: Saver = "form",
): Promise<WholeAssessment> {
  const { userUuid, userName, tokenUuid } = requireRight(context, "editAssessments", "somewhere");
  const content = contentOf(input);
  if (isLimited(context)) await requireKnownWithin(context, input.facilityUuid);
  await requireVisitPartners(context, input.actions ?? []);
  const assessmentUuid = input.assessmentUuid ?? v7();
  const assessedAt = input.assessedAt ?? null;
  const { serviceAreaAssessments: areas, ...values } = content;
  return transact(context.db, async (transaction) => {
    // It is stored first and checked then: a refusal rolls the transaction back.
    const stored = (facilityUuid: string) =>
      db.insertAssessment(transaction, { assessmentUuid, facilityUuid, userUuid, assessedAt, ...values, areas });
    let facilityUuid = input.facilityUuid;
    let visit = await stored(facilityUuid);
    if (!visit) {
      // A visit that a device kept while its facility was merged into another one.
      const present = await presentUuid(transaction, facilityUuid);
      if (present !== facilityUuid) visit = await stored((facilityUuid = present));
    }
    if (!visit) {
      const earlier = await answerRepeated(context, transaction, {
        assessmentUuid,
        facilityUuid,
        userUuid,
        assessedAt,
        content,
      });
      await keepVisitActions(context, transaction, earlier.assessment, input.actions ?? []);
      return earlier;
    }
    const { closedOn, ...unjudged } = visit;
    const { assessmentDate, serviceAreaAssessments } = unjudged;
    const storedAreas = new Set(serviceAreaAssessments.map(({ serviceAreaId }) => serviceAreaId));
    refuse([
      ...refuseChanged(input, { userUuid, userName, assessedAt }, givenNames),
      ...refuseAreas(input.serviceAreaAssessments, storedAreas, "is not a service area of this facility"),
      ...refuseTimes(unjudged),
    ]);
    const isProgram = saver === "program" || tokenUuid !== null;
    const held = await holdOrRelease(transaction, unjudged, content, isProgram ? () => true : null);
    const assessment = { ...unjudged, held };
    await refreshAssessmentRollups(transaction, { facilityUuid, days: [assessmentDate] });
    const subject = { type: "assessment", id: assessmentUuid };
    const closing = warnClosed(assessment, closedOn);
    const details = {
      assessedAt: instantText(assessment.assessedAt),
      new: content,
      ...(closing.length > 0 ? { closedOn } : {}),
      ...(held === null ? {} : { held }),
    };
    await recordAudit(
      context,
      { action: "assessment.create", outcome: "done", facilityUuid, subject, details },
      transaction,
    );
    await keepVisitActions(context, transaction, assessment, input.actions ?? []);
    await judgeActions(context, transaction, { facilityUuid, from: assessment.assessedAt });
    const warnings = [...closing, ...warnHeld(held)];
    return { assessment, state: stateOf(assessment, serviceAreaAssessments), warnings };
  });
}

/**
 * Changes a visit's record. A field that is not given is not changed. `version` is the version that the caller has
 * read: an old one is refused, with the present record, so that nobody overwrites what they have not seen. It may be
 * missing, because the specification's assessment has none. A visit that is held is released by a change that brings
 * its answers back to what is usual.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID or CONFLICT
 */
export async function updateAssessment(
  context: Context,
  input: AssessmentChange,
  saver: Saver = "form",
): Promise<WholeAssessment> {
  const { userUuid, tokenUuid } = requireRight(context, "editAssessments", "somewhere");
  const { assessmentUuid } = input;
  return transact(context.db, async (transaction) => {
    await db.lockAssessment(transaction, { assessmentUuid });
    const present = await findWholeAssessment(transaction, assessmentUuid);
    if (!present) throw notFound("assessment", "assessmentUuid");
    const { state } = present;
    const { facilityUuid } = state;
    await requireFacilityWithin(context, facilityUuid);
    context.expect?.(state);
    const content = changed(state, input);
    const known = new Set(state.serviceAreaAssessments.map(({ serviceAreaId }) => serviceAreaId));
    refuse([
      ...refuseChanged(input, state, ["facilityUuid", ...givenNames]),
      ...refuseAreas(input.serviceAreaAssessments, known, "has no entry in this assessment"),
      ...refusePosition(input, state, content),
      // Present values may be sent back unchanged.
      ...(content.dateOfLastUpgrade === state.dateOfLastUpgrade
        ? []
        : refuseLaterUpgrade(content.dateOfLastUpgrade, state.assessmentDate, await findToday(transaction))),
    ]);
    const { version } = state;
    if (input.version !== undefined && input.version !== version) throw conflict(changedMeanwhile, state);
    const changes = changesBetween(state, content);
    if (changes.length === 0) return present;
    const { serviceAreaAssessments: areas, ...values } = content;
    const isChanged = ({ serviceAreaId }: { serviceAreaId: number }) =>
      changes.some(({ field }) => field.startsWith(`serviceAreaAssessments.${serviceAreaId}.`));
    await db.updateAssessment(transaction, { assessmentUuid, values, areas: areas.filter(isChanged) });
    await insertRevision(transaction, { assessmentUuid, version: version + 1, userUuid, tokenUuid, changes });
    const isProgram = saver === "program" || tokenUuid !== null;
    const given = new Set(changes.map(({ field }) => field));
    const held = await holdOrRelease(transaction, state, content, isProgram ? (field) => given.has(field) : null);
    await refreshAssessmentRollups(transaction, { facilityUuid, days: [state.assessmentDate] });
    const subject = { type: "assessment", id: assessmentUuid };
    const details = { version: version + 1, changes, ...(held === state.held ? {} : { held }) };
    await recordAudit(
      context,
      { action: "assessment.update", outcome: "done", facilityUuid, subject, details },
      transaction,
    );
    await judgeActions(context, transaction, { facilityUuid, from: present.assessment.assessedAt });
    return (await findWholeAssessment(transaction, assessmentUuid))!;
  });
}
