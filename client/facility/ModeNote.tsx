import { Link, useLocation, useSearchParams } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import type { ListFilter } from "./facilityFilter.ts";
import { periodInWords } from "./period.ts";

type ModeNoteProps = {
  filter: ListFilter;
  /** The partner's name, if the list is filtered by partner in addition to its place. */
  partnerName?: string;
};

/** Says what a list by mode contains: which period and partner it is for. Links to the list without these limits. */
export function ModeNote({ filter: { mode, year, quarter, month }, partnerName }: ModeNoteProps) {
  const { pathname } = useLocation();
  const [url] = useSearchParams();
  if (!mode) return null;

  const without = (...names: string[]) => {
    const rest = new URLSearchParams(url);
    for (const name of [...names, "page"]) rest.delete(name);
    return { pathname, search: rest.toString() };
  };

  const period = year == null ? "" : ` in ${periodInWords({ year, quarter, month })}`;
  return (
    <p className="note row">
      <span>
        Facilities that were {modeLabels[mode]} at their latest visit{period}.
      </span>
      {period ? <Link to={without("year", "quarter", "month")}>Clear the period</Link> : null}
      {partnerName ? (
        <>
          <span>Only those of {partnerName}.</span>
          <Link to={without("implementingPartnerId")}>Clear the partner</Link>
        </>
      ) : null}
    </p>
  );
}
