import { z } from "zod";

/** The time of a visit: given by the device that recorded it, and compared with the server's clock when it arrives. */

const minute = 60_000;
const day = 24 * 60 * minute;
const daysBack = 60;
const minutesAhead = 5;

export const futureUpgradeMessage = "must not be in the future";

/** An instant (ISO 8601 with a zone) in the server's form: UTC with milliseconds. */
export const instantRule = z.iso
  .datetime({ offset: true, error: "must be an instant with its zone, such as 2026-11-22T09:30:00+02:00", abort: true })
  .refine((text) => text >= "1900", "must be an instant from 1900 on")
  .transform((text) => new Date(text).toISOString());

/** An instant from the database, which has microseconds, in the server's form. */
export const instantText = (instant: string): string => instant.replace(/\d{3}Z$/, "Z");

type Times = {
  assessedAt: string;
  assessmentDate: string;
  assessmentTime: string;
  receivedAt: string;
  receivedDate: string;
  receivedTime: string;
};

/** Why a time of a visit is not accepted. Null if it is. */
export function visitTimeRefusal(times: Times): string | null {
  const [visited, received] = [Date.parse(times.assessedAt), Date.parse(times.receivedAt)];
  if (visited >= received - daysBack * day && visited <= received + minutesAhead * minute) return null;
  const earliest = new Date(Date.parse(times.receivedDate) - daysBack * day).toISOString().slice(0, 10);
  const [time, now] = [times.assessmentTime, times.receivedTime];
  return `cannot be ${times.assessmentDate} ${time}: a visit is accepted from ${daysBack} days back (${earliest} ${now}) to ${minutesAhead} minutes ahead of the server's clock (${times.receivedDate} ${now})`;
}

/** The most hours between a visit and the fix of its position. The form drops a fix that is older than 12 hours. */
const hoursFromVisit = 24;

/**
 * Why the instant of a position is not accepted: it must not be in the future, nor far from the visit, because time and
 * place belong together. Null if it is accepted.
 */
export function positionTimeRefusal(positionAt: string, { assessedAt, now }: { assessedAt: string; now: string }) {
  if (Date.parse(positionAt) > Date.parse(now) + minutesAhead * minute)
    return `must not be more than ${minutesAhead} minutes ahead of the server's clock (${instantText(now)})`;
  return Math.abs(Date.parse(positionAt) - Date.parse(assessedAt)) <= hoursFromVisit * 60 * minute
    ? null
    : `must not be more than ${hoursFromVisit} hours from the visit (${instantText(assessedAt)})`;
}

/** What to say of a visit after the day on which its facility was closed. Null if it was open. */
export const afterClosingWarning = (visited: string, facilityName: string, closedOn: string | null): string | null =>
  closedOn === null || visited <= closedOn
    ? null
    : `${facilityName} is closed since ${closedOn}, before this visit on ${visited}. The visit is recorded. If the facility is open, have it opened again in the registry`;

/** Why a date of the last upgrade is not accepted: it must not be after the visit. Null if it is accepted. */
export function laterUpgradeRefusal(date: string, visited: string, today: string): string | null {
  if (date <= visited) return null;
  return date > today ? futureUpgradeMessage : `must not be after the day of the visit, ${visited}`;
}
