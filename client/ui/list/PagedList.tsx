import { HTMLSelect } from "@blueprintjs/core";
import { type ReactNode, useId } from "react";
import { useSearchParams } from "react-router-dom";
import { Empty } from "../notice/Empty.tsx";
import { useListAddress } from "../filter/listAddress.ts";
import { Pager } from "./Pager.tsx";
import { pageSize, pageSizes, rowsIn } from "./pageOffset.ts";
import { RowsForPaper } from "./RowsForPaper.tsx";
import "./PagedList.css";

type PagedListProps<Row> = {
  /** How many rows the whole list has, and those of this page. Without an answer nothing is shown. */
  list: { totalCount: number; nodes: readonly Row[] } | null | undefined;
  /** Fetches rows from this one on (counted from 0), so that all pages can be printed. */
  fetchFrom?: (offset: number) => Promise<readonly Row[]>;
  /** Names the list's pages. */
  label: string;
  /** The search parameter that holds the page. */
  pageName?: string;
  /** How many rows a page has, if not the usual number. */
  size?: number;
  /** Whether the number of rows of a page can be chosen. */
  isSized?: boolean;
  /** Shown if the whole list is empty. */
  empty: ReactNode;
  children: (rows: readonly Row[], total: number) => ReactNode;
};

/** One page of a list, with a pager. */
export function PagedList<Row>({
  list,
  fetchFrom,
  label,
  pageName = "page",
  size: given = pageSize,
  isSized = false,
  empty,
  children,
}: PagedListProps<Row>) {
  const id = useId();
  const [url] = useSearchParams();
  const change = useListAddress(pageName);
  const size = isSized ? rowsIn(url) : given;
  if (!list) return null;
  const { totalCount: total, nodes } = list;
  if (total === 0) return <Empty>{empty}</Empty>;
  return (
    <div className="paged-list stack is-close">
      {nodes.length === 0 ? (
        <Empty>The list ends before this page.</Empty>
      ) : fetchFrom ? (
        <RowsForPaper fetchFrom={fetchFrom} shown={nodes} total={total}>
          {(rows) => children(rows, total)}
        </RowsForPaper>
      ) : (
        children(nodes, total)
      )}
      <div className="paged-list-foot row is-spread">
        <Pager label={label} pageName={pageName} pageSize={size} total={total} />
        {isSized && total > pageSize ? (
          <span className="list-choice screen-only">
            <label htmlFor={id}>Rows</label>
            <HTMLSelect
              id={id}
              onChange={(event) =>
                change({ rows: event.currentTarget.value === String(pageSize) ? "" : event.currentTarget.value })
              }
              options={pageSizes}
              value={size}
            />
          </span>
        ) : null}
      </div>
    </div>
  );
}
