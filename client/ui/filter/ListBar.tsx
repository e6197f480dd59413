import { Button } from "@blueprintjs/core";
import { FilterIcon } from "@blueprintjs/icons";
import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { FetchedDialog } from "../network/FetchedDialog.tsx";
import type { FetchedPart } from "../network/fetchedPart.ts";
import { type Chip, Chips } from "./Chips.tsx";
import "./ListBar.css";

/** The props of every form of filters. */
export type FilterFormOpening = { isOpen: boolean; onClose: () => void; id: string };

type ListBarProps<File> = {
  chips: readonly Chip[];
  /** The form of the filters, which is fetched when it is first opened. */
  form: FetchedPart<File>;
  renderForm: (file: File, opening: FilterFormOpening) => ReactNode;
  /** Called when the form could not be fetched. */
  onFailure: (message: string) => void;
  /** The search parameter that holds the list's page. */
  pageName?: string;
  /** Other actions of the list. */
  children?: ReactNode;
};

/** The filters of a list, each removable in one click, and a button that opens the form of all filters. */
export function ListBar<File>({ chips, form, renderForm, onFailure, pageName, children }: ListBarProps<File>) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div className="list-bar">
      <div className="list-bar-row">
        <Button
          aria-controls={isOpen ? id : undefined}
          aria-expanded={isOpen}
          icon={<FilterIcon />}
          onClick={() => setOpen(!isOpen)}
          ref={opener}
          text={chips.length > 0 ? `Filters (${chips.length})` : "Filters"}
        />
        {children}
      </div>
      <Chips chips={chips} onDropped={() => opener.current?.focus()} pageName={pageName} />
      <FetchedDialog
        isOpen={isOpen}
        onFailure={(message) => {
          setOpen(false);
          onFailure(message);
        }}
        part={form}
      >
        {(file) => renderForm(file, { isOpen, onClose: close, id })}
      </FetchedDialog>
    </div>
  );
}
