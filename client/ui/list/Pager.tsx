import { Button, ButtonGroup } from "@blueprintjs/core";
import { ChevronLeftIcon, ChevronRightIcon } from "@blueprintjs/icons";
import { useSearchParams } from "react-router-dom";
import { useAddress } from "../filter/listAddress.ts";
import { formatNumber } from "../text/counted.ts";
import { pageIn, pageSize as usual } from "./pageOffset.ts";
import { pagesToShow } from "./pages.ts";
import "./Pager.css";

type PagerProps = {
  total: number;
  /** The search parameter that holds the page. */
  pageName?: string;
  pageSize?: number;
  /** Names the list, if a screen has several. */
  label?: string;
};

/** The buttons that step through the pages of a list, and the part that is shown. */
export function Pager({ total, pageName = "page", pageSize = usual, label = "Pages" }: PagerProps) {
  const [url] = useSearchParams();
  const change = useAddress(true);
  const page = pageIn(url, pageName);
  const open = (to: number) => change({ [pageName]: to > 1 ? to : "" });
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1 && page === 1) return null;
  const current = Math.min(page, last);
  const range =
    page > last
      ? `Nothing on page ${page}`
      : `${formatNumber((current - 1) * pageSize + 1)}–${formatNumber(Math.min(current * pageSize, total))} of ${formatNumber(total)}`;

  return (
    <nav className="pager row is-spread screen-only" aria-label={label}>
      <span className="note" role="status">
        {range}
      </span>
      <ButtonGroup className="screen-only" variant="minimal">
        <Button
          aria-label="Previous page"
          disabled={page <= 1}
          icon={<ChevronLeftIcon />}
          onClick={() => open(page > last ? last : page - 1)}
        />
        {pagesToShow(current, last).map((one) =>
          typeof one === "string" ? (
            <span className="pager-gap soft" key={one} aria-hidden="true">
              …
            </span>
          ) : (
            <Button
              key={one}
              active={one === page}
              aria-current={one === page ? "page" : undefined}
              aria-label={`Page ${one}`}
              onClick={() => open(one)}
              text={one}
            />
          ),
        )}
        <Button
          aria-label="Next page"
          disabled={page >= last}
          icon={<ChevronRightIcon />}
          onClick={() => open(page + 1)}
        />
      </ButtonGroup>
    </nav>
  );
}
