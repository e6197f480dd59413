import type { ReactNode } from "react";
import "./DataTable.css";

/** One column of a table. */
export type Column<R> = {
  id: string;
  header: string;
  cell: (row: R) => ReactNode;
  /** Figures: aligned to the right, in figures of one width. */
  numeric?: boolean;
  /** Not to be broken, as a date. */
  oneLine?: boolean;
  /** The cell that names the row. */
  rowHeader?: boolean;
  /** The header is read out but not seen (a column of links). */
  headerHidden?: boolean;
};

type DataTableProps<R> = {
  caption: string;
  columns: Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string | number;
  /** The caption is read out but not seen, where a heading above says the same. */
  captionHidden?: boolean;
};

/** A calm table whose rows become stacked cards on a phone. The roles keep its meaning when it does. */
export function DataTable<R>({ caption, columns, rows, rowKey, captionHidden = false }: DataTableProps<R>) {
  return (
    <div className="data-table-frame">
      <table className="data-table" role="table">
        <caption className={captionHidden ? "visually-hidden" : undefined}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.id} className={column.numeric ? "is-numeric" : undefined} role="columnheader" scope="col">
                {column.headerHidden ? <span className="visually-hidden">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => {
                const Cell = column.rowHeader ? "th" : "td";
                return (
                  <Cell
                    key={column.id}
                    className={column.numeric ? "is-numeric" : column.oneLine ? "is-one-line" : undefined}
                    data-label={column.headerHidden || column.rowHeader ? undefined : column.header}
                    role={column.rowHeader ? "rowheader" : "cell"}
                    scope={column.rowHeader ? "row" : undefined}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
