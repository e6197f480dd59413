import { type ReactNode, useEffect, useState } from "react";
import { formatNumber } from "../text/counted.ts";

const isPrintKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === "p" && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** The rows that the lists of a page are fetching before it is printed. */
let gathering: Promise<void>[] = [];

/** Prints once, when every list has fetched its rows or failed to. */
async function printGathered(): Promise<void> {
  const all = gathering;
  gathering = [];
  await Promise.allSettled(all);
  // After the rows are drawn.
  setTimeout(() => window.print());
}

type RowsForPaperProps<Row> = {
  /** The rows of the page that is shown. */
  shown: readonly Row[];
  /** How many rows all pages have. */
  total: number;
  /** Fetches some rows, from this one on (counted from 0). */
  fetchFrom: (offset: number) => Promise<readonly Row[]>;
  children: (rows: readonly Row[]) => ReactNode;
};

/**
 * The rows of a list; on paper, those of all its pages. They are fetched when the keys for printing are pressed, before
 * the page is printed. Printing from the browser's menu cannot wait for them: the paper then has only the page that is
 * shown, and a note which rows these are.
 */
export function RowsForPaper<Row>({ shown, total, fetchFrom, children }: RowsForPaperProps<Row>) {
  const [gathered, setGathered] = useState<{ beside: readonly Row[]; rows: readonly Row[] }>();
  const isPart = shown.length < total;
  // Rows that were fetched beside another page or filter are not shown.
  const all = gathered?.beside === shown ? gathered.rows : undefined;
  useEffect(() => {
    if (!isPart) return;
    const gather = async () => {
      const rows: Row[] = [];
      while (rows.length < total) {
        const next = await fetchFrom(rows.length);
        if (next.length === 0) return;
        rows.push(...next);
      }
      setGathered({ beside: shown, rows });
    };
    const print = (event: KeyboardEvent) => {
      if (!isPrintKey(event)) return;
      // Every list of the page gets this event. The first one prints for all.
      if (!event.defaultPrevented) setTimeout(() => void printGathered());
      event.preventDefault();
      gathering.push(gather());
    };
    const end = () => setGathered(undefined);
    addEventListener("keydown", print);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("keydown", print);
      removeEventListener("afterprint", end);
    };
  });
  return (
    <>
      {children(all ?? shown)}
      {isPart && !all ? (
        <p
          className="print-only"
          data-words={`${formatNumber(shown.length)} of ${formatNumber(total)} rows. Ctrl P prints all of them.`}
        />
      ) : null}
    </>
  );
}
