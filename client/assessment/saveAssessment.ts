import type { CombinedError } from "urql";
import { v7 } from "uuid";
import { graphql } from "../gql/gql.ts";
import type { SaveAssessment_AssessmentFragment } from "../gql/graphql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { failedWith } from "../ui/network/failureWords.ts";
import { client } from "../urql.ts";
import { contentOfAssessment } from "./assessmentContent.ts";
import { now } from "../shell/clock/clock.ts";
import { labelOf } from "./fieldLabels.ts";
import { actionsOfForm, changesByPerson, contentOfForm, editOf, toForm } from "./formValues.ts";
import { NotKept } from "../store/database.ts";
import type { Reason } from "../store/database.ts";
import { alone, endSent, findWaiting, keptWorkReady, listKeptWork, noteReason, saveWork } from "./keptWork.ts";
import type { FieldError, FormWork, KeptWork } from "./keptWork.ts";

export const assessmentFragment = graphql(`
  fragment SaveAssessment_Assessment on Assessment {
    id
    assessmentUuid
    facilityUuid
    userName
    assessmentDate
    assessmentTime
    receivedDate
    receivedTime
    version
    distanceFromFacility
    ...AssessmentContent_Assessment
    revisions {
      version
      userName
      revisionDate
      revisionTime
      changes { field from to }
    }
  }
`);

const createMutation = graphql(`
  mutation SaveAssessment_create($input: CreateAssessmentInput!) {
    createAssessment(input: $input) {
      assessment { ...SaveAssessment_Assessment receivedAt facility { id functionalityStatusMode } }
      warnings { message }
      errors { path message }
    }
  }
`);
const updateMutation = graphql(`
  mutation SaveAssessment_update($input: UpdateAssessmentInput!) {
    updateAssessment(input: $input) {
      assessment { ...SaveAssessment_Assessment facility { id functionalityStatusMode } }
      errors { path message }
    }
  }
`);

/** An assessment as the server has it. */
export type StoredAssessment = SaveAssessment_AssessmentFragment;

export type SaveOutcome =
  /** `warning`: what the server finds doubtful about it */
  | { kind: "saved"; warning?: string | undefined }
  /** stored on this device and not sent yet: the server cannot be reached, or the session ended, or it cannot accept it now */
  | { kind: "waiting" }
  /**
   * the server has another state: the work is stored for the screen of the stored assessment, where the person chooses
   */
  | { kind: "conflict"; present: StoredAssessment }
  | { kind: "refused"; errors: FieldError[] }
  /** neither this device nor the server has it */
  | { kind: "nowhere"; reason: Reason };

/** What an assessment changes beside itself: figures and actions. They are requested again when they are next shown. */
export const figures = {
  additionalTypenames: [
    "Assessment",
    "Facility",
    "DashboardRow",
    "ParamValueRow",
    "SummarySheetRow",
    "ActionConnection",
  ],
};

export const newAssessmentUuid = (): string => v7();

/** Work to be sent, as it was stored, or as the form has it if this device stores nothing. */
type Sendable = Pick<KeptWork, "assessmentUuid" | "facilityUuid" | "values" | "base"> & { savedAt?: string | null };

async function send(work: Sendable) {
  const { assessmentUuid, facilityUuid, values, base, savedAt } = work;
  const content = contentOfForm(values);
  if (!base) {
    const agreed = values.actions.length ? { actions: actionsOfForm(values) } : {};
    const input = { assessmentUuid, facilityUuid, assessedAt: savedAt, ...content, ...agreed };
    const { data, error } = await client.mutation(createMutation, { input }, figures).toPromise();
    const payload = data?.createAssessment;
    return { payload, receivedAt: payload?.assessment?.receivedAt, warning: payload?.warnings[0]?.message, error };
  }
  const input = { assessmentUuid, version: base.version, ...editOf(contentOfForm(toForm(base.content)), content) };
  const { data, error } = await client.mutation(updateMutation, { input }, figures).toPromise();
  return { payload: data?.updateAssessment, receivedAt: undefined, error };
}

const changedMessage = "it was changed meanwhile. Open it and choose what is to stay.";
const storedMessage = "one with other values was sent before it. Open it and choose what is to stay.";

/**
 * Whether the server already has all that the person said: then an earlier answer was lost. Its position is that of the
 * first save.
 */
const isSame = (present: StoredAssessment, { values }: Sendable): boolean =>
  changesByPerson(contentOfForm(toForm(contentOfAssessment(present))), contentOfForm(values)).length === 0;

/** One window sends at a time. */
const sending = "send-assessments";

/** Statuses after which the server may accept the same work later. */
const passing = new Set<unknown>(["UNAVAILABLE", "INTERNAL", "TOO_MANY", "TOO_SLOW", "TIMEOUT"]);

/**
 * Whether the server does not know a field that this page sent: during an upgrade an older gateway may answer. What the
 * person said is not wrong then.
 */
const isOfOtherVersion = ({ message, extensions: { code } }: CombinedError["graphQLErrors"][number]): boolean =>
  code === "BAD_QUERY" || (code === "BAD_VARIABLE" && message.includes("is not defined by type"));
const otherVersionMessage = "another version runs here at the moment. The visit is sent when both are up to date.";

/** The refusal as a sentence. The server's messages are written to stand beside a field. */
const refusalText = (errors: FieldError[]): string =>
  errors
    .map(({ path, message }) =>
      /^[a-z]/.test(message) ? `${labelOf(path, () => "A service area")} ${message}.` : message,
    )
    .join(" ");

type Answer = {
  outcome: SaveOutcome;
  reason: KeptWork["reason"];
  isReached: boolean;
  isNew?: boolean;
  /** when the server stored it */
  receivedAt?: string;
};

/** Sends work and returns the outcome. */
async function ask(work: Sendable): Promise<Answer> {
  const { payload, receivedAt = now().toISOString(), warning, error } = await send(work);
  if (failedWith(error, "UNAUTHENTICATED")) return { outcome: { kind: "waiting" }, reason: null, isReached: false };
  if (!payload) {
    const refusal = error?.graphQLErrors[0];
    if (error?.networkError || !refusal) return { outcome: { kind: "waiting" }, reason: null, isReached: false };
    if (error?.graphQLErrors.some(isOfOtherVersion))
      return {
        outcome: { kind: "waiting" },
        reason: { message: otherVersionMessage, isFinal: false },
        isReached: true,
      };
    const { message } = refusal;
    if (passing.has(refusal.extensions["code"]))
      return { outcome: { kind: "waiting" }, reason: { message, isFinal: false }, isReached: true };
    return {
      outcome: { kind: "refused", errors: [{ path: "", message }] },
      reason: { message, isFinal: true },
      isReached: true,
    };
  }
  const present = readFragment(assessmentFragment, payload.assessment);
  if (payload.errors.length === 0 || (present && isSame(present, work)))
    return { outcome: { kind: "saved", warning }, reason: null, isReached: true, receivedAt };
  if (present?.facilityUuid === work.facilityUuid) {
    const message = work.base ? changedMessage : storedMessage;
    return {
      outcome: { kind: "conflict", present },
      reason: { message, isFinal: true },
      isReached: true,
      isNew: false,
    };
  }
  const errors = payload.errors.map(({ path, message }) => ({ path, message }));
  return {
    outcome: { kind: "refused", errors },
    reason: { message: refusalText(errors), isFinal: true, errors },
    isReached: true,
  };
}

/** Sends waiting work. When the server has it, its receipt takes its place on the device. */
async function sendKept(workId: string): Promise<Answer> {
  const work = await findWaiting(workId);
  // Another window has sent it.
  if (!work) return { outcome: { kind: "saved" }, reason: null, isReached: true };
  const answer = await ask(work);
  // If the reason cannot be stored, the next attempt finds it out again.
  if (answer.receivedAt) await endSent(work, answer.receivedAt).catch(() => {});
  else if (answer.isReached || work.reason)
    await noteReason(work, answer.reason ?? work.reason, answer.isNew).catch(() => {});
  return answer;
}

/** Work that was sent, and what became of it. */
export type Sent = { work: KeptWork; outcome: SaveOutcome };

/**
 * Sends waiting work; with `all`, also work that the server has refused. Calls back once at the end, with all of it.
 * Stops if the server cannot be reached, or if nobody is signed in.
 */
export async function sendWaiting(all: boolean, onSent: (sent: Sent[]) => void): Promise<void> {
  await keptWorkReady();
  const sent: Sent[] = [];
  await alone(sending, async () => {
    for (const work of listKeptWork().filter(
      ({ status, reason }) => status === "waiting" && (all || !reason?.isFinal),
    )) {
      const { outcome, isReached } = await sendKept(work.workId);
      sent.push({ work, outcome });
      if (!isReached) return;
    }
  }).catch((error: unknown) => {
    // The person has signed out meanwhile, so it waits.
    if (!(error instanceof NotKept)) throw error;
  });
  onSent(sent);
}

/** How long a form waits for the server's answer to work that the device has stored. */
const patienceMs = 10_000;

/**
 * Saves a form. It is stored on the device first and then sent, after anything that another window is sending. If the
 * server takes longer than the form waits for it, `onLate` is called with its answer.
 */
export async function saveAssessment(work: FormWork, onLate: (sent: Sent[]) => void): Promise<SaveOutcome> {
  let kept: KeptWork;
  try {
    kept = await saveWork(work);
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    const { outcome } = await ask(work);
    return outcome.kind === "waiting" ? { kind: "nowhere", reason: error.reason } : outcome;
  }
  const sent = alone(sending, () => sendKept(kept.workId)).then(
    ({ outcome }) => outcome,
    (): SaveOutcome => ({ kind: "waiting" }),
  );
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve({ kind: "waiting" });
    }, patienceMs);
    void sent.then((outcome) => {
      clearTimeout(timer);
      if (isLate) onLate([{ work: kept, outcome }]);
      else resolve(outcome);
    });
  });
}
