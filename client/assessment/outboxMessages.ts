import { routes } from "../routes.ts";
import { showSuccess, showWarning } from "../shell/toast/toaster.tsx";
import { isReturned } from "./keptWork.ts";
import type { Sent } from "./saveAssessment.ts";

/** Messages about work that was sent. What waits is told by the line about the connection (ConnectionNotice.tsx). */

export const cameBackMessage = (facilityName: string): string =>
  `The assessment of ${facilityName} came back: please look at it`;

/** Says that work which had waited was sent: several visits in one message. Names what was refused for the first time. */
export function tellOutcomes(sent: Sent[]): void {
  const saved = sent.filter(({ outcome }) => outcome.kind === "saved");
  if (saved.length === 1) showSuccess(`The assessment of ${saved[0]!.work.facilityName} was sent`);
  if (saved.length > 1)
    showSuccess(`${saved.length} visits were received`, { text: "My week", href: `#${routes.field()}?show=received` });
  for (const { work, outcome } of sent) {
    if (outcome.kind === "saved" && outcome.warning) showWarning(outcome.warning);
    if ((outcome.kind === "conflict" || outcome.kind === "refused") && !isReturned(work))
      showWarning(cameBackMessage(work.facilityName));
  }
}
