import { isRecent } from "./fix.ts";
import { positionOf, toForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import { isReturned, listKeptWork } from "./keptWork.ts";
import type { FieldError, FormWork, KeptWork } from "./keptWork.ts";
import { isClockWrong, now } from "../shell/clock/clock.ts";
import { dayIn } from "../ui/text/instants.ts";
import { onDay, startOf } from "./visitDay.ts";

/** The initial state of a form when this device has stored work for it. */

/**
 * The values of a stored new assessment, with an entry for each service area that the facility has now. Entries of
 * areas that it no longer has stay, because only the person may remove what was typed.
 */
const withPresentAreas = (values: FormValues, areas: readonly { serviceAreaId: number }[]): FormValues => {
  const known = new Set(values.serviceAreaAssessments.map(({ serviceAreaId }) => serviceAreaId));
  const added = toForm({ serviceAreaAssessments: areas.filter(({ serviceAreaId }) => !known.has(serviceAreaId)) });
  return { ...values, serviceAreaAssessments: [...values.serviceAreaAssessments, ...added.serviceAreaAssessments] };
};

/**
 * The stored work for this form: the one that the link names, or one of this assessment, or of a new assessment of this
 * facility.
 */
export function findKept(facilityUuid: string, assessmentUuid: string | undefined, workId: string | undefined) {
  const all = listKeptWork().filter((work) => work.facilityUuid === facilityUuid);
  const named = all.find(
    (work) =>
      work.workId === workId && (assessmentUuid ? !work.isNew && work.assessmentUuid === assessmentUuid : work.isNew),
  );
  if (named) return named;
  if (assessmentUuid) return all.findLast((work) => !work.isNew && work.assessmentUuid === assessmentUuid);
  // Refused work comes before unsaved work.
  return (
    all.find((work) => work.isNew && isReturned(work)) ?? all.findLast((work) => work.isNew && work.status === "draft")
  );
}

/** The server's name of the field that the form calls the day of the visit. */
export const visitTimePath = "assessedAt";
export const isDayOf = (errors: FieldError[] | undefined): boolean =>
  errors?.some(({ path }) => path === visitTimePath) ?? false;

/**
 * A draft is of the time of its save, so a position of another day is not its place. What was saved has the position of
 * its save.
 */
const withoutOldPosition = (values: FormValues): FormValues =>
  values.positionAt === null || isRecent(values.positionAt, now().toISOString())
    ? values
    : { ...values, ...positionOf({}) };

/** What a form shows of kept work. */
export function valuesOf(kept: KeptWork, areas: readonly { serviceAreaId: number }[], timeZone: string): FormValues {
  const known = kept.typed ?? kept.values;
  if (!kept.isNew) return known;
  const values = kept.status === "draft" ? withoutOldPosition(known) : known;
  const visitDay = values.visitDay ?? (kept.savedAt ? dayIn(new Date(kept.savedAt), timeZone) : undefined);
  return { ...withPresentAreas(values, areas), ...(isDayOf(kept.reason?.errors) ? { visitDay } : {}) };
}

/** The time of the visit, if the person gave its day: to correct it, or because the device's clock is wrong. */
export function visitedAtOf({ workId, values }: FormWork, timeZone: string): string | undefined {
  if (!values.visitDay) return undefined;
  const saved = listKeptWork().find((work) => work.workId === workId)?.savedAt;
  if (!saved && isClockWrong()) return startOf(values.visitDay, timeZone);
  return onDay(saved ?? now().toISOString(), values.visitDay, timeZone);
}
