import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { type FetchedPart, useFetchedPart } from "./fetchedPart.ts";

type FetchedDialogProps<File> = {
  part: FetchedPart<File>;
  isOpen: boolean;
  /** Called with the reason when it should open and could not be fetched; it may be opened again. */
  onFailure: (message: string) => void;
  children: (file: File) => ReactNode;
};

/** A dialog whose file is fetched when it is first opened. Closed, it stays in place: so the focus finds its way back. */
export function FetchedDialog<File>({ part, isOpen, onFailure, children }: FetchedDialogProps<File>) {
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  const { file, failure, reset } = useFetchedPart(part, isOpen);

  useEffect(() => {
    if (!failure) return;
    reset();
    onFailure(failure);
  });

  return wasOpened && file ? children(file) : null;
}
