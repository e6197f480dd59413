import { Button, ButtonGroup } from "@blueprintjs/core";
import { ChevronLeftIcon, ChevronRightIcon } from "@blueprintjs/icons";
import { useCallback } from "react";
import { useSearchParams } from "react-router-dom";
import { formatNumber } from "../text/counted.ts";
import { pagesToShow } from "./pages.ts";
import "./Pager.css";

/** The page a list is on (from 1), kept in the URL's search parameters. */
export function usePage(name = "page"): [page: number, setPage: (page: number) => void] {
  const [params, setParams] = useSearchParams();
  const given = Number(params.get(name));
  const setPage = useCallback(
    (page: number) =>
      setParams(
        (now) => {
          if (page > 1) now.set(name, String(page));
          else now.delete(name);
          return now;
        },
        { preventScrollReset: true },
      ),
    [name, setParams],
  );
  return [Number.isSafeInteger(given) && given >= 1 && given <= 1_000_000 ? given : 1, setPage];
}

type PagerProps = {
  total: number;
  page: number;
  onPage: (page: number) => void;
  pageSize?: number;
  /** Names the list, if a screen has several. */
  label?: string;
};

/** The buttons that step through the pages of a list, and the part that is shown. */
export function Pager({ total, page, onPage, pageSize = 10, label = "Pages" }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1 && page === 1) return null;
  const current = Math.min(page, last);
  const range = page > last ? `Nothing on page ${page}` : `${formatNumber((current - 1) * pageSize + 1)}–${formatNumber(Math.min(current * pageSize, total))} of ${formatNumber(total)}`;

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
          onClick={() => onPage(page > last ? last : page - 1)}
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
              onClick={() => onPage(one)}
              text={one}
            />
          ),
        )}
        <Button
          aria-label="Next page"
          disabled={page >= last}
          icon={<ChevronRightIcon />}
          onClick={() => onPage(page + 1)}
        />
      </ButtonGroup>
    </nav>
  );
}
