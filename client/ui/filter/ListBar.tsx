import { Button } from "@blueprintjs/core";
import { FilterIcon } from "@blueprintjs/icons";
import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { type Chip, Chips } from "./Chips.tsx";
import { FilterPanel } from "./FilterPanel.tsx";
import "./ListBar.css";

type ListBarProps = {
  chips: readonly Chip[];
  /** The fields of the filters. */
  form: ReactNode;
  /** The search parameter that holds the list's page. */
  pageName?: string;
  /** Other actions of the list. */
  children?: ReactNode;
};

/** The filters of a list, each removable in one click, and a button that opens the form of all filters. */
export function ListBar({ chips, form, pageName, children }: ListBarProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <div className="stack is-close">
      <div className="list-bar-row row screen-only">
        <Button
          aria-controls={isOpen ? id : undefined}
          aria-expanded={isOpen}
          icon={<FilterIcon />}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          ref={opener}
          text={chips.length > 0 ? `Filters (${chips.length})` : "Filters"}
        />
        {children}
      </div>
      <Chips chips={chips} onDropped={() => opener.current?.focus()} pageName={pageName} />
      <FilterPanel id={id} isOpen={isOpen} onClose={() => setOpen(false)}>
        {form}
      </FilterPanel>
    </div>
  );
}
