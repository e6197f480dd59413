import type { ReactNode } from "react";
import { SituationHeadSection } from "../situation/SituationHeadSection.tsx";
import { OverviewSection } from "./OverviewSection.tsx";
import "./WithOverview.css";

type WithOverviewProps = {
  scope: { provinceId?: number; districtId?: number; implementingPartnerId?: number };
  children: ReactNode;
};

/** A list on the left and the overview of the same part of the country on the right; one after the other where it is narrow. */
export function WithOverview({ scope, children }: WithOverviewProps) {
  return (
    <div className="with-overview">
      {scope.provinceId === undefined && scope.districtId === undefined ? null : <SituationHeadSection scope={scope} />}
      <div className="with-overview-columns">
        <div>{children}</div>
        <OverviewSection scope={scope} />
      </div>
    </div>
  );
}
