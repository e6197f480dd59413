import { Button, Classes, HTMLSelect } from "@blueprintjs/core";
import { OfficeIcon } from "@blueprintjs/icons";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { isSearchText } from "../../gateway/facility/searchText.rules.ts";
import { useKeptWork } from "../assessment/keptWork.ts";
import { useReceipts } from "../assessment/receipts.ts";
import { visitsOf } from "../assessment/visits.ts";
import type { KeptSites } from "../facility/fieldSites.ts";
import { FacilityTextForm } from "../facility/FacilityTextForm.tsx";
import { search, searchable } from "../facility/siteSearch.ts";
import { routes } from "../routes.ts";
import { useMay } from "../shell/session/viewer.ts";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { PagedRows } from "../ui/list/PagedRows.tsx";
import type { Boundaries } from "../ui/map/boundaries.ts";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { distanceText } from "../ui/text/distance.ts";
import type { Place } from "../../gateway/facility/distance.rules.ts";
import { askPosition, useOwnPosition } from "./ownPosition.ts";
import { byDistance, byLastVisit, distanceOf, rowsOf, shows } from "./siteRows.ts";
import type { SiteRow } from "./siteRows.ts";
import { SitesMapSection } from "./SitesMapSection.tsx";
import { StateNote } from "./StateNote.tsx";

/** What is on the device: the sites, the days of their last visits, and the outlines of the map. */
export type Taken = { kept: KeptSites | null; lastDays: ReadonlyMap<string, string>; outline: Boundaries | undefined };

/** One site in two lines: it opens the form of its visit. The button beside it opens the facility's page. */
function SiteLine({ row, from }: { row: SiteRow; from: Place | undefined }) {
  const mayAssess = useMay("editAssessments");
  const { facilityUuid, facilityName, state, site, lastVisit, visit } = row;
  const facility = routes.facility(facilityUuid);
  const metres = distanceOf(row, from);
  const lastDay = state === "received" ? "" : formatDate(lastVisit);
  return (
    <li className="site-line">
      <Link to={mayAssess ? (visit?.to ?? routes.assessment(facilityUuid)) : facility}>
        <span className="site-line-part">
          <span className="site-line-name">{facilityName}</span>
          <span className="note">{from ? (metres === undefined ? "" : distanceText(metres)) : lastDay}</span>
        </span>
        <span className="site-line-more note">
          <StateNote row={row} /> {[site?.hmisCode, site?.district].flatMap((text) => text ?? []).join(" · ")}
        </span>
      </Link>
      <Link
        aria-label={`Facility page of ${facilityName}`}
        className={`${Classes.BUTTON} ${Classes.MINIMAL}`}
        to={facility}
      >
        <OfficeIcon />
      </Link>
    </li>
  );
}

/** Keeps the sites whose name, code or district has the words of the text. */
function matching(rows: readonly SiteRow[], text: string): readonly SiteRow[] {
  if (!isSearchText(text)) return rows;
  const known = rows.map((row) => {
    const { hmisCode = null, oldHmisCode = null, district } = row.site ?? {};
    return searchable({ ...row, hmisCode, oldHmisCode }, district);
  });
  const found = new Set(search(known, text).map(({ key }) => key));
  return rows.filter(({ key }) => found.has(key));
}

/** The sites that were taken along, with the visits on this device and those that were sent. It needs no network. */
export function MySitesSection({ taken: { kept, lastDays, outline } }: { taken: Taken }) {
  const [url] = useSearchParams();
  const change = useListAddress();
  const work = useKeptWork();
  const receipts = useReceipts();
  const { isAsking, place, failure } = useOwnPosition();
  const [typed, setTyped] = useState(url.get("text")?.trim() ?? "");
  const all = useMemo(
    () => rowsOf(kept?.sites ?? [], visitsOf(work, receipts), lastDays),
    [kept, work, receipts, lastDays],
  );
  const found = useMemo(() => matching(all, typed), [all, typed]);
  const show = url.get("show") ?? "";
  const states = shows[show]?.states;
  const from = url.get("sort") === "distance" ? place : undefined;
  const shown = useMemo(() => {
    const rows = states ? found.filter(({ state }) => states.includes(state)) : found;
    return from ? byDistance(rows, from) : byLastVisit(rows);
  }, [found, states, from]);
  const options = Object.entries(shows).map(([value, { title, states: of }]) => ({
    value,
    label: `${title} (${found.filter(({ state }) => of.includes(state)).length})`,
  }));
  /** Each time it is switched on, the device is asked anew where it is. */
  const sort = () => {
    if (from) change({ sort: "" });
    else void askPosition().then(() => change({ sort: "distance" }));
  };

  return (
    <section aria-label="My sites" className="my-sites">
      <div className="stack is-close">
        <div className="my-sites-bar">
          <FacilityTextForm label="Find a site by name, code or district" name="text" onTyped={setTyped} />
          <div className="row screen-only">
            <HTMLSelect
              aria-label="Show"
              onChange={({ currentTarget }) => change({ show: currentTarget.value })}
              options={[{ value: "", label: `All (${found.length})` }, ...options]}
              value={states ? show : ""}
            />
            <Button
              active={from !== undefined}
              aria-pressed={from !== undefined}
              loading={isAsking}
              onClick={sort}
              text="Sort by distance"
            />
          </div>
        </div>
        <p className={failure ? "bad" : "note"} role="status">
          {failure ?? `${counted(shown.length, "site")}, ${from ? "nearest first" : "longest without a visit first"}`}
        </p>
        <PagedRows
          empty={
            isSearchText(typed)
              ? `No site here has "${typed}" in its name, code or district. Facility Search finds the others.`
              : "No visit here is in this state."
          }
          label="Pages of sites"
          rows={shown}
        >
          {(rows) => (
            <ul className="site-lines plain">
              {rows.map((row) => (
                <SiteLine from={from} key={row.key} row={row} />
              ))}
            </ul>
          )}
        </PagedRows>
      </div>
      <SitesMapSection all={all} here={place} outline={outline} shown={shown} />
    </section>
  );
}
