import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { FetchedSituationSection, FetchedUnitsSection } from "../situation/FetchedSituationSection.tsx";
import { OverviewSection } from "./OverviewSection.tsx";
import { scopePartner } from "./overviewParams.ts";
import { type OverviewScope, scopeVariables } from "./scope.ts";
import "./WithOverview.css";

type WithOverviewProps = {
  scope: OverviewScope;
  /** A list in place of the table of units. */
  list?: ReactNode;
  /** Whether the list comes before the overview on a narrow screen: it is what people came for. */
  isListFirst?: boolean;
  /** What comes below both. */
  children?: ReactNode;
};

/**
 * The scope and the charts' tabs above, a list or the units on the left and the overview of the same part of the
 * country on the right; one below the other on a narrow screen. Below them the situation of a place or partner; Home
 * has the country's.
 */
export function WithOverview({ scope, list, isListFirst = false, children }: WithOverviewProps) {
  const [url] = useSearchParams();
  const isNation = Object.keys(scope).length === 0;
  const within = scopeVariables(scope, scopePartner(url));
  return (
    <div className="with-overview stack is-apart">
      <div className={isListFirst ? "with-overview-parts is-list-first" : "with-overview-parts"}>
        <OverviewSection scope={scope} />
        <div className="with-overview-list">{list ?? <FetchedUnitsSection scope={within} />}</div>
      </div>
      {children}
      {isNation ? null : <FetchedSituationSection hasUnits={list !== undefined} scope={within} />}
    </div>
  );
}
