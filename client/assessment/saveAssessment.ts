import { v7 } from "uuid";
import { graphql } from "../gql/gql.ts";
import type { SaveAssessment_AssessmentFragment } from "../gql/graphql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { changesBetween } from "../../gateway/assessment/content.rules.ts";
import { client, failedWith } from "../urql.ts";
import { contentOfAssessment } from "./assessmentContent.ts";
import { contentOfForm, editOf, toForm } from "./formValues.ts";
import { forgetWork, keepWork, listKeptWork } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";

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
      assessment { ...SaveAssessment_Assessment facility { id functionalityStatusMode } }
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
  | { kind: "saved" }
  /** there is no way to the server: the work waits on this device */
  | { kind: "waiting" }
  | { kind: "signedOut" }
  /** the server has another state: the work is kept for the screen of the stored assessment, where one chooses */
  | { kind: "conflict"; present: StoredAssessment }
  | { kind: "refused"; errors: { path: string; message: string }[] };

/** Figures that a visit changes: asked again when they are next looked at. */
const figures = { additionalTypenames: ["Assessment", "Facility", "DashboardRow", "ParamValueRow", "SummarySheetRow"] };

export const newAssessmentUuid = (): string => v7();

async function send(work: Omit<KeptWork, "keptAt">) {
  const { assessmentUuid, facilityUuid, values, base } = work;
  const content = contentOfForm(values);
  if (!base) {
    const input = { assessmentUuid, facilityUuid, ...content };
    const { data, error } = await client.mutation(createMutation, { input }, figures).toPromise();
    return { payload: data?.createAssessment, error };
  }
  const input = { assessmentUuid, version: base.version, ...editOf(contentOfForm(toForm(base.content)), content) };
  const { data, error } = await client.mutation(updateMutation, { input }, figures).toPromise();
  return { payload: data?.updateAssessment, error };
}

const changedMessage = "it was changed meanwhile. Open it and choose what is to stay.";
const storedMessage = "one with other values was sent before it. Open it and choose what is to stay.";

/** Whether what is stored is what was to be sent: an earlier answer was lost on its way. */
const isSame = (present: StoredAssessment, { values }: Pick<KeptWork, "values">): boolean =>
  changesBetween(contentOfForm(toForm(contentOfAssessment(present))), contentOfForm(values)).length === 0;

/** One window sends at a time, where the browser can see to that. */
const alone = <Result>(act: () => Promise<Result>): Promise<Result> =>
  "locks" in navigator ? navigator.locks.request("send-assessments", act) : act();

/** Sends what waits; calls back for each that was sent or returned. Stops where there is no way to the server. */
export async function sendWaiting(userUuid: string, onOutcome: (work: KeptWork, outcome: SaveOutcome) => void): Promise<void> {
  await alone(async () => {
    for (const work of listKeptWork(userUuid).filter(({ status }) => status === "waiting")) {
      const outcome = await sendWork(work);
      onOutcome(work, outcome);
      if (outcome.kind === "waiting" || outcome.kind === "signedOut") return;
    }
  });
}

/** Sends work of this window, after what another window is sending. */
export const saveWork = (work: Omit<KeptWork, "keptAt">): Promise<SaveOutcome> => alone(() => sendWork(work));

/** Sends kept work to the server; it is forgotten here when, and only when, the server has it. */
async function sendWork(work: Omit<KeptWork, "keptAt">): Promise<SaveOutcome> {
  keepWork({ ...work, status: "waiting" });
  const { payload, error } = await send(work);
  if (failedWith(error, "UNAUTHENTICATED")) {
    keepWork({ ...work, status: "draft" });
    return { kind: "signedOut" };
  }
  if (!payload) {
    const refusal = error?.graphQLErrors.find(({ extensions }) => extensions["code"] !== "UNAVAILABLE");
    if (error?.networkError || !refusal) return { kind: "waiting" };
    keepWork({ ...work, status: "returned", message: refusal.message });
    return { kind: "refused", errors: [{ path: "", message: refusal.message }] };
  }
  const present = readFragment(assessmentFragment, payload.assessment);
  if (payload.errors.length === 0 || (present && isSame(present, work))) {
    forgetWork(work);
    return { kind: "saved" };
  }
  if (present?.facilityUuid === work.facilityUuid) {
    keepWork({ ...work, isNew: false, status: "returned", message: work.base ? changedMessage : storedMessage });
    return { kind: "conflict", present };
  }
  keepWork({ ...work, status: "returned", message: payload.errors.map((one) => one.message).join(" ") });
  return { kind: "refused", errors: payload.errors };
}
