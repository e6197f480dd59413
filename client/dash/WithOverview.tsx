import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { SituationHeadSection } from "../situation/SituationHeadSection.tsx";
import { OverviewSection, OverviewWayButton } from "./OverviewSection.tsx";
import { scopePartner } from "./overviewParams.ts";
import { scopeVariables } from "./scope.ts";
import "./WithOverview.css";

type WithOverviewProps = {
  scope: { provinceId?: number; districtId?: number; implementingPartnerId?: number };
  children: ReactNode;
};

/**
 * A list on the left and the overview of the same part of the country on the right; one below the other on a narrow
 * screen.
 */
export function WithOverview({ scope, children }: WithOverviewProps) {
  const [url] = useSearchParams();
  return (
    <div className="with-overview">
      <div className="with-overview-way">
        <OverviewWayButton scope={scope} />
      </div>
      {scope.provinceId === undefined && scope.districtId === undefined ? null : (
        <SituationHeadSection scope={scopeVariables(scope, scopePartner(url))} />
      )}
      <div className="with-overview-columns">
        <div>{children}</div>
        <OverviewSection scope={scope} />
      </div>
    </div>
  );
}
