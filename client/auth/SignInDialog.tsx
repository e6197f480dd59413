import { DialogBody } from "@blueprintjs/core";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { LoginForm } from "./LoginForm.tsx";

/** A person whose session ended signs in again here, so that the screen and what was typed there stay. */
export function SignInDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title="Sign in">
      <DialogBody>
        <LoginForm />
      </DialogBody>
      <DialogButtons closing="Not now" onClose={onClose} />
    </ModalDialog>
  );
}
