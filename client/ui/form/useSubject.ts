import { useState } from "react";

/** What a dialog is about. It stays while the dialog closes, so that its words do not change on the way. */
export function useSubject<Subject>() {
  const [about, setAbout] = useState<Subject>();
  const [isOpen, setOpen] = useState(false);
  const open = (subject: Subject) => {
    setAbout(subject);
    setOpen(true);
  };
  return { about, isOpen, open, close: () => setOpen(false) };
}
