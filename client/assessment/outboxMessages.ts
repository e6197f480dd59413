import { showSuccess, showWarning } from "../shell/toast/toaster.tsx";
import { isReturned } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";
import type { SaveOutcome } from "./saveAssessment.ts";

/** Messages about unsent work. A message is removed when it no longer applies. */

export const waitsMessage =
  "There is no connection: the assessment is kept on this device and is sent when the network is back";
export const portalMessage =
  "This network wants you to sign in first: the assessment is kept on this device and is sent when you have done so";
export const endedMessage = "Your session ended: the assessment is kept on this device and is sent when you sign in";
export const cameBackMessage = (facilityName: string): string =>
  `The assessment of ${facilityName} came back: please look at it`;

/** Says that work which had waited was sent, or was refused for the first time. */
export function tellOutcome(work: KeptWork, outcome: SaveOutcome): void {
  if (outcome.kind === "saved") {
    showSuccess(`The assessment of ${work.facilityName} was sent`);
    if (outcome.warning) showWarning(outcome.warning);
  }
  if ((outcome.kind === "conflict" || outcome.kind === "refused") && !isReturned(work))
    showWarning(cameBackMessage(work.facilityName));
}
