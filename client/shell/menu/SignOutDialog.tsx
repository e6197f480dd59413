import { Intent } from "@blueprintjs/core";
import { QuestionDialog } from "../../ui/page/QuestionDialog.tsx";

/** What signing out means for work that was not sent. */
const unsentText = (count: number): string =>
  `${count === 1 ? "One visit or draft" : `${count} visits and drafts`} on this device ${count === 1 ? "was" : "were"} not sent. ${count === 1 ? "It stays" : "They stay"} here, sealed, until you sign in on this device again. Signing in needs network.`;

type SignOutDialogProps = { unsent: number | undefined; onClose: () => void; onConfirm: () => Promise<void> };

/** Asks before a person with unsent work signs out. */
export function SignOutDialog({ unsent, onClose, onConfirm }: SignOutDialogProps) {
  return (
    <QuestionDialog asked={unsent} intent={Intent.DANGER} onClose={onClose} onConfirm={onConfirm} title="Sign out">
      {unsentText}
    </QuestionDialog>
  );
}
