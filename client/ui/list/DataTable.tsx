import { Button, Checkbox, HTMLTable } from "@blueprintjs/core";
import { ChevronDownIcon, ChevronUpIcon } from "@blueprintjs/icons";
import { Fragment, type ReactNode, useState } from "react";
import { useIsPhone } from "../form/useIsWide.ts";
import { ScrollFrame } from "./ScrollFrame.tsx";
import "./DataTable.css";

/** One column of a table. */
export type Column<R> = {
  id: string;
  header: string;
  cell: (row: R) => ReactNode;
  /** Numbers: aligned to the right, with digits of equal width. */
  numeric?: boolean;
  /** Without line breaks, such as a date. */
  oneLine?: boolean;
  /** The cell that names the row. */
  rowHeader?: boolean;
  /** The header is for screen readers only (a column of links). */
  headerHidden?: boolean;
  /** A key of the orders of the list: the header is then a button. */
  sort?: string;
  /**
   * On a phone: a box before the name, in the second line below the name, with or without its header, at the end of the first line, or as one of
   * some figures side by side, each above its header. If a table has such columns, each of its rows has two lines there,
   * without the other columns.
   */
  phone?: "start" | "line" | "labelled" | "figure" | "end";
  /** Only a phone shows it. */
  isPhoneOnly?: boolean;
};

/** The order of a list: its sort key, with a minus for descending order, and a function that changes it. */
export type Sorting = { by: string | undefined; onSort: (by: string) => void };

/**
 * The key of the marked row, for example because its area on a map is pointed at. `onMark` is called with the row that
 * is pointed at or has the focus.
 */
export type Marking = { marked: string | undefined; onMark: (key: string | undefined) => void };

/** Which rows are selected. Without it the table has no boxes. */
export type RowSelection<R> = {
  isSelected: (row: R) => boolean;
  onSelect: (rows: readonly R[], isSelected: boolean) => void;
  nameOf: (row: R) => string;
};

type DataTableProps<R> = {
  caption: string;
  columns: Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string | number;
  /** The caption is for screen readers only, because a heading above says the same. */
  captionHidden?: boolean;
  sorting?: Sorting | undefined;
  marking?: Marking;
  selection?: RowSelection<R> | undefined;
  /** What a row is called. With it, each row has a button on a phone, which shows its other columns and what was cut. */
  opensAs?: (row: R) => string;
  /** The heading above the rows that belong together, which follow each other. */
  groupOf?: ((row: R) => string) | undefined;
};

const directionOf = (sort: string, { by }: Sorting) =>
  by === sort ? "ascending" : by === `-${sort}` ? "descending" : "none";

function HeaderCell<R>({ column, sorting }: { column: Column<R>; sorting: Sorting | undefined }) {
  const { header, headerHidden, numeric, sort } = column;
  if (headerHidden) return <span className="visually-hidden">{header}</span>;
  if (!sorting || sort === undefined) return header;
  const direction = directionOf(sort, sorting);
  return (
    <button
      className={numeric ? "data-table-sort is-numeric" : "data-table-sort"}
      onClick={() => sorting.onSort(direction === "ascending" ? `-${sort}` : sort)}
      type="button"
    >
      {header}
      <span className="data-table-arrow" />
    </button>
  );
}

function markingOf(key: string, { marked, onMark }: Marking) {
  const [mark, unmark] = [() => onMark(key), () => onMark(undefined)];
  return {
    className: marked === key ? "is-marked" : undefined,
    onBlur: unmark,
    onFocus: mark,
    onMouseEnter: mark,
    onMouseLeave: unmark,
  };
}

/**
 * A table whose rows become cards on a phone. The explicit roles keep the semantics of a table, which the other layout
 * would remove.
 */
export function DataTable<R>({
  caption,
  columns,
  rows,
  rowKey,
  captionHidden = false,
  sorting,
  marking,
  selection,
  opensAs,
  groupOf,
}: DataTableProps<R>) {
  const isPhone = useIsPhone();
  const [opened, setOpened] = useState<readonly (string | number)[]>([]);
  const nameOf = isPhone ? opensAs : undefined;
  const selected = selection ? rows.filter(selection.isSelected).length : 0;
  const lastInLine = columns.findLast(({ phone }) => phone === "line" || phone === "labelled");
  const hasLines = columns.some(({ phone }) => phone);
  const classOf = (column: Column<R>) =>
    [
      column.numeric ? "is-numeric" : column.oneLine ? "is-one-line" : "",
      column.phone
        ? { start: "is-start", line: "is-line", labelled: "is-line", figure: "is-figure", end: "is-end" }[column.phone]
        : "",
      column.phone === "labelled" || (column.phone === "end" && column.numeric) ? "is-labelled" : "",
      column.isPhoneOnly ? "only-phone" : "",
      (column.phone === "line" || column.phone === "labelled") && column !== lastInLine ? "is-joined" : "",
    ]
      .filter(Boolean)
      .join(" ") || undefined;
  return (
    <ScrollFrame label={caption}>
      <HTMLTable
        className={`data-table ${hasLines ? "has-lines" : ""} ${nameOf ? "has-more" : ""}`.trim()}
        compact
        role="table"
      >
        <caption className={captionHidden ? "visually-hidden" : undefined}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection ? (
              <th className="screen-only" role="columnheader" scope="col">
                <Checkbox
                  aria-label="Select all on this page"
                  checked={selected === rows.length}
                  indeterminate={selected > 0 && selected < rows.length}
                  onChange={({ currentTarget }) => selection.onSelect(rows, currentTarget.checked)}
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <Fragment key={column.id}>
                <th
                  aria-sort={sorting && column.sort !== undefined ? directionOf(column.sort, sorting) : undefined}
                  className={
                    [column.numeric ? "is-numeric" : "", column.isPhoneOnly ? "only-phone" : ""]
                      .filter(Boolean)
                      .join(" ") || undefined
                  }
                  role="columnheader"
                  scope="col"
                >
                  <HeaderCell column={column} sorting={sorting} />
                </th>
                {nameOf && column.rowHeader ? (
                  <th role="columnheader" scope="col">
                    More
                  </th>
                ) : null}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => {
            const key = rowKey(row);
            const isOpen = nameOf !== undefined && opened.includes(key);
            const group = groupOf?.(row);
            const isFirstOfGroup = group !== undefined && (index === 0 || groupOf?.(rows[index - 1]!) !== group);
            return (
              <Fragment key={key}>
                {isFirstOfGroup ? (
                  <tr className="data-table-group" role="row">
                    <th
                      colSpan={columns.length + (selection ? 1 : 0) + (nameOf ? 1 : 0)}
                      role="rowheader"
                      scope="rowgroup"
                    >
                      {group}
                    </th>
                  </tr>
                ) : null}
                <tr
                  className={isOpen ? "is-open" : undefined}
                  role="row"
                  {...(marking ? markingOf(String(key), marking) : {})}
                >
                  {selection ? (
                    <td className="is-start screen-only" role="cell">
                      <Checkbox
                        aria-label={`Select ${selection.nameOf(row)}`}
                        checked={selection.isSelected(row)}
                        onChange={({ currentTarget }) => selection.onSelect([row], currentTarget.checked)}
                      />
                    </td>
                  ) : null}
                  {columns.map((column) => {
                    const Cell = column.rowHeader ? "th" : "td";
                    return (
                      <Fragment key={column.id}>
                        <Cell
                          className={classOf(column)}
                          data-label={column.headerHidden || column.rowHeader ? undefined : column.header}
                          role={column.rowHeader ? "rowheader" : "cell"}
                          scope={column.rowHeader ? "row" : undefined}
                        >
                          {column.cell(row)}
                        </Cell>
                        {nameOf && column.rowHeader ? (
                          <td className="is-more screen-only" role="cell">
                            <Button
                              aria-expanded={isOpen}
                              aria-label={`More about ${nameOf(row)}`}
                              icon={isOpen ? <ChevronUpIcon /> : <ChevronDownIcon />}
                              onClick={() =>
                                setOpened(isOpen ? opened.filter((other) => other !== key) : [...opened, key])
                              }
                              variant="minimal"
                            />
                          </td>
                        ) : null}
                      </Fragment>
                    );
                  })}
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </HTMLTable>
    </ScrollFrame>
  );
}
