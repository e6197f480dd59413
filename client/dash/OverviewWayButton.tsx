import { Button } from "@blueprintjs/core";
import { overviewHeading, type OverviewScope } from "./scope.ts";
import "./OverviewWayButton.css";

function goToOverview(): void {
  const heading = document.querySelector<HTMLElement>(".overview h2");
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** Scrolls down to the overview if it is below a list. */
export function OverviewWayButton({ scope }: { scope: OverviewScope }) {
  return <Button className="overview-way" onClick={goToOverview} text={`${overviewHeading(scope)} ↓`} />;
}
