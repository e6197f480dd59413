import { DialogBody, Intent } from "@blueprintjs/core";
import type { ReactNode, SubmitEvent } from "react";
import { BusyButton } from "./BusyButton.tsx";
import { DialogButtons } from "./DialogButtons.tsx";
import { FormAlert } from "./FormAlert.tsx";

type DialogFormProps = {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void> | void;
  isBusy: boolean;
  /** The caption of the button that sends the form. */
  action: string;
  isDisabled?: boolean;
  onClose: () => void;
  /** The caption of the button that closes the dialog, if it is not "Close". */
  closing?: string;
  /** Another button, between those two. */
  other?: ReactNode;
  /** The error of the form as a whole. */
  alert?: string | undefined;
  children: ReactNode;
};

/** The content of a dialog that is a form: its fields, and below them its buttons. */
export function DialogForm({
  onSubmit,
  isBusy,
  action,
  isDisabled,
  onClose,
  closing,
  other,
  alert,
  children,
}: DialogFormProps) {
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)}>
      <DialogBody className="stack">
        <FormAlert message={alert} />
        {children}
      </DialogBody>
      <DialogButtons closing={closing} onClose={onClose}>
        {other}
        <BusyButton disabled={isDisabled} intent={Intent.PRIMARY} isBusy={isBusy} text={action} type="submit" />
      </DialogButtons>
    </form>
  );
}
