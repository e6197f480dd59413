import { Classes, Dialog } from "@blueprintjs/core";
import type { ReactNode } from "react";
import "./ModalDialog.css";

type ModalDialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Sets `--dialog-width` where the usual one does not do. */
  className?: string;
  /** An alert dialog asks something back. */
  role?: "dialog" | "alertdialog";
  children: ReactNode;
};

/** Leads the reader to the title, as a new screen does to its heading, unless they have gone on by themselves. */
function focusTitle(container: HTMLElement): void {
  if (!document.activeElement?.matches(`.${Classes.OVERLAY_START_FOCUS_TRAP}`)) return;
  const title = container.querySelector<HTMLElement>(`.${Classes.DIALOG_HEADER} > :is(h1, h2, h3)`);
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
}

/**
 * A dialog. Its content has a button that closes it, as Escape does: a cross beside the title would be a second one of that name.
 * A tap beside it does not: what was typed would be gone. Closed, it gives the focus back, as long as it stays in place.
 */
export function ModalDialog({ title, isOpen, onClose, className = "", role = "dialog", children }: ModalDialogProps) {
  return (
    <Dialog
      canOutsideClickClose={false}
      className={`modal-dialog ${className}`}
      isCloseButtonShown={false}
      isOpen={isOpen}
      onClose={onClose}
      onOpened={focusTitle}
      role={role}
      title={title}
    >
      {children}
    </Dialog>
  );
}
