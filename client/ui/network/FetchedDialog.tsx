import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { type FetchedPart, useFetchedPart } from "./fetchedPart.ts";

type FetchedDialogProps<File> = {
  part: FetchedPart<File>;
  isOpen: boolean;
  /** Called with the reason if the dialog could not be fetched. It can be opened again after that. */
  onFailure: (message: string) => void;
  children: (file: File) => ReactNode;
};

/**
 * A dialog whose file is fetched when it is first opened. It stays mounted when it is closed, so that it can return the
 * focus.
 */
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
