import { Button } from "@blueprintjs/core";
import { FilterIcon } from "@blueprintjs/icons";
import { type ReactNode, useId, useRef, useState } from "react";
import { type Chip, Chips } from "./Chips.tsx";
import type { Sorting } from "../list/DataTable.tsx";
import { ExportButton, type ExportButtonProps } from "./ExportButton.tsx";
import { FilterPanel } from "./FilterPanel.tsx";
import type { Orders } from "./listSort.ts";
import { SortSelect } from "./SortSelect.tsx";
import "./ListBar.css";

type ListBarProps = {
  chips: readonly Chip[];
  /** The fields of the filters. */
  form: ReactNode;
  orders: Orders;
  sorting: Sorting;
  /** The list has no headers that sort it, so the choice of the order is shown on wide screens too. */
  isWithoutHeaders?: boolean;
  /** The file with the whole list. */
  file: ExportButtonProps;
  /** The search parameter that holds the list's page. */
  pageName?: string;
  /** Other actions of the list. */
  children?: ReactNode;
};

/**
 * The filters of a list, each removable in one click, a button that opens the form of all filters, the order, and the
 * export.
 */
export function ListBar({
  chips,
  form,
  orders,
  sorting,
  isWithoutHeaders = false,
  file,
  pageName,
  children,
}: ListBarProps) {
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
        <div className={isWithoutHeaders ? undefined : "only-narrow"}>
          <SortSelect orders={orders} sorting={sorting} />
        </div>
        <ExportButton {...file} />
        {children}
      </div>
      <Chips chips={chips} onDropped={() => opener.current?.focus()} pageName={pageName} />
      <FilterPanel id={id} isOpen={isOpen} onClose={() => setOpen(false)}>
        {form}
      </FilterPanel>
    </div>
  );
}
