import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { useIsPrinting } from "../page/useIsPrinting.ts";
import { PagedList } from "./PagedList.tsx";
import { offsetOf, pageSize } from "./pageOffset.ts";

type PagedRowsProps<Row> = {
  rows: readonly Row[];
  /** Names the list's pages. */
  label: string;
  /** The search parameter that holds the page. */
  pageName?: string;
  /** Shown if there are no rows. */
  empty?: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
};

/** One page of rows that were all fetched together. On paper, all of them. */
export function PagedRows<Row>({ rows, label, pageName, empty, children }: PagedRowsProps<Row>) {
  const [url] = useSearchParams();
  const isPrinting = useIsPrinting();
  const start = offsetOf(url, pageName);
  const nodes = isPrinting ? rows : rows.slice(start, start + pageSize);
  return (
    <PagedList empty={empty} label={label} list={{ totalCount: rows.length, nodes }} pageName={pageName}>
      {children}
    </PagedList>
  );
}
