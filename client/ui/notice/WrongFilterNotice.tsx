import { SearchIcon } from "@blueprintjs/icons";
import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { type Filters, wrongFilterIn } from "../filter/wrongFilter.ts";
import { Notice } from "./Notice.tsx";

/** Says which filter in the address is invalid, and links to the list without it. */
export function WrongFilterNotice({ name, text }: { name: string; text: string }) {
  const { pathname } = useLocation();
  const [url] = useSearchParams();
  const rest = new URLSearchParams(url);
  rest.delete(name);
  return (
    <Notice heading="Filter not found" icon={<SearchIcon />} role="status">
      <p>
        There is no filter “{name}={text}”. The link may be old or mistyped.
      </p>
      <p>
        <Link to={{ pathname, search: rest.toString() }}>Show the list without it</Link>
      </p>
    </Notice>
  );
}

/** A list whose address has these filters and no others; otherwise what is wrong with the address. */
export function KnownFilters({ filters, children }: { filters: Filters; children: ReactNode }) {
  const [url] = useSearchParams();
  const wrong = wrongFilterIn(url, filters);
  return wrong ? <WrongFilterNotice {...wrong} /> : children;
}
