import { routes } from "../routes.ts";
import { instantText } from "../ui/text/instants.ts";
import { isReturned } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";
import { referenceOf } from "./receipts.ts";
import type { Receipt } from "./receipts.ts";

/** The states of a visit on this device, in the order in which they want to be looked at. */
export const visitStates = ["returned", "waiting", "draft", "received"] as const;
export type VisitState = (typeof visitStates)[number];

/** A visit that this device holds or has sent. */
export type Visit = {
  key: string;
  facilityUuid: string;
  facilityName: string;
  state: VisitState;
  /** when it was typed, saved or received, ISO 8601 */
  at: string;
  assessmentUuid: string;
  /** opens its form */
  to: string;
};

const visitOf = (work: KeptWork): Visit => {
  const { workId, facilityUuid, facilityName, assessmentUuid, isNew, savedAt, keptAt } = work;
  return {
    key: workId,
    facilityUuid,
    facilityName,
    state: isReturned(work) ? "returned" : work.status,
    at: work.status === "waiting" ? (savedAt ?? keptAt) : keptAt,
    assessmentUuid,
    to: routes.assessment(facilityUuid, isNew ? undefined : assessmentUuid, workId),
  };
};

const receivedVisit = ({ facilityUuid, facilityName, assessmentUuid, receivedAt }: Receipt): Visit => ({
  ...{ key: `receipt ${assessmentUuid}`, facilityUuid, facilityName, assessmentUuid },
  state: "received",
  at: receivedAt,
  to: routes.assessment(facilityUuid, assessmentUuid),
});

/** The person's visits by their state, the newest of a state first. A correction that waits stands for what was sent. */
export function visitsOf(work: readonly KeptWork[], receipts: readonly Receipt[]): Visit[] {
  const open = new Set(work.map(({ assessmentUuid }) => assessmentUuid));
  const received = receipts.filter(({ assessmentUuid }) => !open.has(assessmentUuid));
  return [...work.map(visitOf), ...received.map(receivedVisit)].toSorted(
    (one, other) => visitStates.indexOf(one.state) - visitStates.indexOf(other.state) || (one.at < other.at ? 1 : -1),
  );
}

const timeLength = "HH:MM".length;
const yearLength = " YYYY".length;

/** An instant as short as it can be: "16:02" of today, otherwise "28 Nov 16:02". */
export function shortInstant(instant: string, timeZone: string, now: Date): string {
  const [text, today] = [instantText(instant, timeZone), instantText(now, timeZone)];
  const [day, time] = [text.slice(0, -timeLength - 1), text.slice(-timeLength)];
  if (today.startsWith(`${day} `)) return time;
  return `${day.slice(0, -yearLength)} ${time}`;
}

const words: Record<VisitState, (at: string, visit: Visit) => string> = {
  returned: () => "Came back, to be corrected",
  waiting: (at) => `Waiting since ${at}`,
  draft: (at) => `Draft of ${at}`,
  received: (at, { assessmentUuid }) => `Received ${at}, ref. ${referenceOf(assessmentUuid)}`,
};

/** The state of a visit with its time, and the reference of one that was received. */
export const visitText = (visit: Visit, timeZone: string, now: Date): string =>
  words[visit.state](shortInstant(visit.at, timeZone, now), visit);
