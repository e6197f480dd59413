import { Button, Intent, Size } from "@blueprintjs/core";
import { useState } from "react";
import { useMay } from "../shell/session/viewer.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";

const dialog = fetchedPart(() => import("../ui/form/ReasonDialog.tsx"));

/** Whether figures count a record: not if it was set aside, or is held. */
export type Standing = { setAside?: { reason: string } | null; held?: string | null };

type Answer = { data?: { done: { errors: readonly { message: string }[] } }; failure?: string };
/** Why it was refused; undefined if it was done. */
const refusalOf = ({ data, failure }: Answer): string | undefined => failure ?? data?.done.errors[0]?.message;

type StandingControlsProps = {
  /** "the visit of 3 Nov 2026" */
  what: string;
  standing: Standing;
  acts: {
    accept: () => Promise<Answer>;
    setAside: (reason: string) => Promise<Answer>;
    restore: (reason: string) => Promise<Answer>;
  };
};

/** What administrators do about a record that figures count, or do not: accept it, set it aside, restore it. */
export function StandingControls({ what, standing, acts }: StandingControlsProps) {
  const isAllowed = useMay("setAside");
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const unfetched = (message: string) => {
    setAsking(false);
    showError(message);
  };
  if (!isAllowed) return null;
  const isAside = standing.setAside != null;
  const accept = async () => {
    setBusy(true);
    const refusal = refusalOf(await acts.accept());
    setBusy(false);
    if (refusal) showError(refusal);
    else showSuccess(`Accepted ${what}`);
  };
  const change = async (reason: string) => {
    const refusal = refusalOf(await (isAside ? acts.restore(reason) : acts.setAside(reason)));
    if (refusal) return refusal;
    setAsking(false);
    showSuccess(isAside ? `Restored ${what}` : `Set aside: ${what}`);
    return undefined;
  };
  const action = isAside ? "Restore" : "Set aside";
  return (
    <span className="row is-close screen-only">
      {standing.held != null && !isAside ? (
        <BusyButton
          aria-label={`Accept ${what}`}
          intent={Intent.PRIMARY}
          isBusy={isBusy}
          onClick={() => void accept()}
          size={Size.SMALL}
          text="Accept"
        />
      ) : null}
      <Button aria-label={`${action} ${what}`} onClick={() => setAsking(true)} size={Size.SMALL} text={action} />
      <FetchedDialog isOpen={isAsking} onFailure={unfetched} part={dialog}>
        {({ ReasonDialog }) => (
          <ReasonDialog
            about={
              isAside ? `Figures count ${what} again.` : `It stays and is shown as set aside; no figure counts ${what}.`
            }
            action={action}
            isOpen={isAsking}
            key={action}
            label="Reason"
            onClose={() => setAsking(false)}
            onReason={change}
          />
        )}
      </FetchedDialog>
    </span>
  );
}
