import { useMemo, useState } from "react";

import { type AnswerTable, type Cell, sortedRows } from "./answerTable.ts";

const rowsAtOnce = 200;

const textOf = (cell: Cell | undefined, isNumeric: boolean): string => {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return isNumeric ? cell.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 4 }) : String(cell);
};

type AnswerSheetProps = { caption: string; table: AnswerTable; sort: string | undefined; onSort: (sort: string) => void };

/** A table that can be sorted by any column. If it is wider than its frame, it scrolls within it. */
export function AnswerSheet({ caption, table, sort, onSort }: AnswerSheetProps) {
  const [shown, setShown] = useState(rowsAtOnce);
  const places = useMemo(() => new Map(table.rows.map((row, at) => [row, at])), [table]);
  const rows = sortedRows(table, sort);
  const directionOf = (name: string) => (sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none");
  return (
    <>
      <div className="answer-grid" role="region" aria-label={caption}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {table.columns.map(({ name, isNumeric }) => (
                <th aria-sort={directionOf(name)} className={isNumeric ? "is-numeric" : undefined} key={name} scope="col">
                  <button onClick={() => onSort(directionOf(name) === "ascending" ? `-${name}` : name)} type="button">
                    {name}
                    <span className="answer-arrow" />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr key={places.get(row)}>
                {table.columns.map(({ name, isNumeric }, column) => (
                  <td className={isNumeric ? "is-numeric" : undefined} key={name}>
                    {textOf(row[column], isNumeric)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown && (
        <button className="answer-more" onClick={() => setShown(shown + 5 * rowsAtOnce)} type="button">
          Show more: {shown.toLocaleString("en")} of {rows.length.toLocaleString("en")} rows are shown
        </button>
      )}
    </>
  );
}
