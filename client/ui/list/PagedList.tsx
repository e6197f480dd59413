import type { ReactNode } from "react";
import { Empty } from "../notice/Empty.tsx";
import { Pager, usePage } from "./Pager.tsx";
import { pageSize } from "./pageOffset.ts";
import "./PagedList.css";

type PagedListProps = {
  /** Rows of the whole list. */
  total: number;
  /** Rows on this page. */
  shown: number;
  /** Names the list's pages. */
  label: string;
  /** The search parameter that holds the page. */
  pageName?: string;
  /** Said where the whole list is empty. */
  empty: ReactNode;
  children: ReactNode;
};

/** One page of a list with the way to the others. */
export function PagedList({ total, shown, label, pageName = "page", empty, children }: PagedListProps) {
  const [page, setPage] = usePage(pageName);
  if (total === 0) return <Empty>{empty}</Empty>;
  return (
    <div className="paged-list">
      {shown === 0 ? <Empty>The list ends before this page.</Empty> : children}
      <Pager label={label} onPage={setPage} page={page} pageSize={pageSize} total={total} />
    </div>
  );
}
