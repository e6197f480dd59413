import { Button, Classes, HTMLTable } from "@blueprintjs/core";
import { useMemo, useState } from "react";
import { type AnswerTable, type Cell, sortedRows } from "./answerTable.ts";
import { formatNumber } from "../ui/text/counted.ts";
import "./AnswerSheet.css";

const rowsAtOnce = 200;
const arrows = { ascending: "↑", descending: "↓", none: "↕" };

const textOf = (cell: Cell | undefined, isNumeric: boolean): string => {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return isNumeric ? cell.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 4 }) : String(cell);
};

type AnswerSheetProps = {
  caption: string;
  /** the table of an answer, or why it has none */
  table: AnswerTable | string;
  sort: string | undefined;
  onSort: (sort: string) => void;
};

/** An answer as a table that can be sorted by any column. */
export function AnswerSheet({ caption, table, ...sorting }: AnswerSheetProps) {
  if (typeof table === "string") return <p className={Classes.TEXT_MUTED}>{table}</p>;
  if (table.rows.length === 0) return <p className={Classes.TEXT_MUTED}>The answer has no rows.</p>;
  return <Sheet caption={caption} table={table} {...sorting} />;
}

function Sheet({ caption, table, sort, onSort }: AnswerSheetProps & { table: AnswerTable }) {
  const [shown, setShown] = useState(rowsAtOnce);
  const rows = useMemo(() => sortedRows(table, sort), [table, sort]);
  const places = useMemo(() => new Map(table.rows.map((row, at) => [row, at])), [table]);
  // The frame can have the focus, so that the keyboard scrolls the table (WCAG 2.1.1).
  const region = { "aria-label": caption, role: "region", tabIndex: 0 };
  const directionOf = (name: string) => (sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none");
  return (
    <>
      <p className={Classes.TEXT_MUTED}>{rows.length === 1 ? "1 row" : `${formatNumber(rows.length)} rows`}</p>
      <div className="answer-sheet" {...region}>
        <HTMLTable compact striped>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {table.columns.map(({ name, isNumeric }) => (
                <th
                  aria-sort={directionOf(name)}
                  className={isNumeric ? "is-numeric" : undefined}
                  key={name}
                  scope="col"
                >
                  <Button
                    endIcon={<span aria-hidden="true">{arrows[directionOf(name)]}</span>}
                    onClick={() => onSort(directionOf(name) === "ascending" ? `-${name}` : name)}
                    size="small"
                    text={name}
                    variant="minimal"
                  />
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
        </HTMLTable>
      </div>
      {rows.length > shown && (
        <Button
          onClick={() => setShown(shown + 5 * rowsAtOnce)}
          text={`Show more: ${formatNumber(shown)} of ${formatNumber(rows.length)} rows are shown`}
        />
      )}
    </>
  );
}
