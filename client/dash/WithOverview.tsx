import type { ReactNode } from "react";
import { Button } from "@blueprintjs/core";
import { useSearchParams } from "react-router-dom";
import { SituationHeadSection } from "../situation/SituationHeadSection.tsx";
import { OverviewSection } from "./OverviewSection.tsx";
import { scopePartner } from "./overviewParams.ts";
import { overviewHeading, scopeVariables } from "./scope.ts";
import "./WithOverview.css";

type WithOverviewProps = {
  scope: { provinceId?: number; districtId?: number; implementingPartnerId?: number };
  children: ReactNode;
};

/** Where the overview stands below the list: down to it. */
function goToOverview(): void {
  const heading = document.querySelector<HTMLElement>(".overview h2");
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** A list on the left and the overview of the same part of the country on the right; one after the other where it is narrow. */
export function WithOverview({ scope, children }: WithOverviewProps) {
  const [url] = useSearchParams();
  return (
    <div className="with-overview">
      <Button className="with-overview-way" onClick={goToOverview} text={`${overviewHeading(scope)} ↓`} />
      {scope.provinceId === undefined && scope.districtId === undefined ? null : <SituationHeadSection scope={scopeVariables(scope, scopePartner(url))} />}
      <div className="with-overview-columns">
        <div>{children}</div>
        <OverviewSection scope={scope} />
      </div>
    </div>
  );
}
