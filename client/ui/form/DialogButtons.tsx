import { Button, DialogFooter } from "@blueprintjs/core";
import type { ReactNode } from "react";

type DialogButtonsProps = {
  onClose: () => void;
  /** "Close" unless the dialog calls it otherwise. */
  closing?: string;
  isCloseDisabled?: boolean;
  children?: ReactNode;
};

/** The foot of a dialog: the button that closes it, then those that do something. */
export function DialogButtons({ onClose, closing = "Close", isCloseDisabled, children }: DialogButtonsProps) {
  return (
    <DialogFooter
      actions={
        <>
          <Button disabled={isCloseDisabled} onClick={onClose} text={closing} />
          {children}
        </>
      }
    />
  );
}
