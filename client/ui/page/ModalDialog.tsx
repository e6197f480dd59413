import { Classes, Dialog } from "@blueprintjs/core";
import { useState } from "react";
import type { ReactNode } from "react";
import "./ModalDialog.css";

type ModalDialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `is-wide`, if the default width does not fit. */
  className?: string;
  /** An alert dialog asks for a confirmation. */
  role?: "dialog" | "alertdialog";
  children: ReactNode;
};

/** Moves the focus to the title, as a new screen does to its heading, unless the person has already moved it. */
function focusTitle(container: HTMLElement): void {
  if (!document.activeElement?.matches(`.${Classes.OVERLAY_START_FOCUS_TRAP}`)) return;
  const title = container.querySelector<HTMLElement>(`.${Classes.DIALOG_HEADER} > :is(h1, h2, h3)`);
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
}

/**
 * A dialog. Escape closes it, and so does a button in its content: a cross beside the title would be a second button of
 * that name. A tap outside does not close it, because typed text would be lost. After closing it returns the focus, as
 * long as it stays mounted.
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

/** What a dialog is about, also while it fades out: the last subject that was neither undefined nor false. */
export function useLast<Subject>(subject: Subject | undefined | false): Subject | undefined {
  const [last, setLast] = useState<Subject>();
  if (subject !== undefined && subject !== false && subject !== last) setLast(subject);
  return last;
}
