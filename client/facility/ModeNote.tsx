import { Link, useLocation, useSearchParams } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/facility.rules.ts";
import type { ListFilter } from "./facilityFilter.ts";
import { periodInWords } from "./period.ts";

type ModeNoteProps = {
  filter: ListFilter;
  /** The partner's name where the list is narrowed to it beside its place. */
  partnerName?: string;
};

/** Says what a list by mode holds: by the latest visit of which period, of which partner; and how to widen it. */
export function ModeNote({ filter: { mode, year, quarter, month }, partnerName }: ModeNoteProps) {
  const { pathname } = useLocation();
  const [url] = useSearchParams();
  if (!mode) return null;

  const without = (...names: string[]) => {
    const rest = new URLSearchParams(url);
    for (const name of [...names, "page"]) rest.delete(name);
    return { pathname, search: rest.toString() };
  };

  return (
    <div className="mode-note">
      {year == null ? (
        <p>Latest visit of all: {modeLabels[mode]}</p>
      ) : (
        <p>
          Latest visit in {periodInWords({ year, quarter, month })}: {modeLabels[mode]}
          <Link to={without("year", "quarter", "month")}>Clear the period</Link>
        </p>
      )}
      {partnerName ? (
        <p>
          Only facilities of {partnerName}
          <Link to={without("implementingPartnerId")}>Clear the partner</Link>
        </p>
      ) : null}
    </div>
  );
}
