import { Button } from "@blueprintjs/core";
import { FilterIcon, MoreIcon } from "@blueprintjs/icons";
import { type ReactNode, useId, useRef, useState } from "react";
import { type Chip, Chips } from "./Chips.tsx";
import type { Sorting } from "../list/DataTable.tsx";
import { useIsPhone } from "../form/useIsWide.ts";
import { ExportButton, type ExportButtonProps } from "./ExportButton.tsx";
import { FilterPanel } from "./FilterPanel.tsx";
import type { Orders } from "./listSort.ts";
import { SortSelect } from "./SortSelect.tsx";
import "./ListBar.css";

type ListBarProps = {
  /** The list's search text. Its parameter `search` may have a chip, and is none of the button's filters. */
  search?: ReactNode;
  chips: readonly Chip[];
  /** Frequent filters as buttons, beside those that are set. */
  often?: ReactNode;
  /** The fields of the filters. */
  form: ReactNode;
  /** The orders, if the list can be sorted. */
  order?: { orders: Orders; sorting: Sorting };
  /** The list is narrow and has no headers that sort it: the order and the export are among the other actions. */
  isNarrow?: boolean;
  /** The file with the whole list. */
  file?: ExportButtonProps;
  /** The search parameter that holds the list's page. */
  pageName?: string;
  /** Other actions of the list. */
  children?: ReactNode;
};

/**
 * The search text of a list, a button that opens all filters, the order, the export, and the filters that are set, each
 * removable in one click. Where there is little room, the export is an icon, and other actions are behind a button; in
 * a narrow list the export is one of them.
 */
export function ListBar({
  search,
  chips,
  often,
  form,
  order,
  isNarrow = false,
  file,
  pageName,
  children,
}: ListBarProps) {
  const [isOpen, setOpen] = useState(false);
  const [isMore, setMore] = useState(false);
  const isPhone = useIsPhone();
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isFolded = (isPhone || isNarrow) && file !== undefined;
  const exporting = file ? <ExportButton {...file} isIcon={isFolded && !isNarrow} /> : null;
  // On a phone it may scroll sideways, for the keyboard too.
  const line = isPhone ? { "aria-label": "What the list is asked", role: "region", tabIndex: 0 } : {};
  const count = chips.filter(({ name }) => name !== "search").length;
  const orderChoice = order ? (
    <div className={isNarrow ? "list-bar-order" : "list-bar-order only-narrow"}>
      <SortSelect {...order} />
    </div>
  ) : null;
  return (
    <div className={isNarrow && !isMore ? "list-bar is-one-row" : "list-bar"}>
      {search}
      <div className="list-bar-row row screen-only">
        <Button
          aria-controls={isOpen ? id : undefined}
          aria-expanded={isOpen}
          icon={<FilterIcon />}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          ref={opener}
          text={count > 0 ? `Filters (${count})` : "Filters"}
        />
        {isNarrow ? null : orderChoice}
        {isNarrow ? null : exporting}
        {isFolded ? (
          <Button
            aria-expanded={isMore}
            aria-label="More for this list"
            icon={<MoreIcon />}
            onClick={() => setMore(!isMore)}
            title="More for this list"
          />
        ) : null}
        {isFolded && !isMore ? null : (
          <>
            {isNarrow ? orderChoice : null}
            {isNarrow ? exporting : null}
            {children}
          </>
        )}
      </div>
      <div className="list-bar-set row" {...line}>
        <Chips chips={chips} onDropped={() => opener.current?.focus()} pageName={pageName} />
        {often}
      </div>
      <FilterPanel id={id} isOpen={isOpen} onClose={() => setOpen(false)}>
        {form}
      </FilterPanel>
    </div>
  );
}
