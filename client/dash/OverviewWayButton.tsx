import { Button } from "@blueprintjs/core";
import { overviewHeading } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";

function goToOverview(): void {
  const heading = document.querySelector<HTMLElement>(".overview h2");
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** Scrolls down to the overview if it is below a list. */
export function OverviewWayButton({ scope }: { scope: OverviewScope }) {
  return <Button fill size="large" onClick={goToOverview} text={`${overviewHeading(scope)} ↓`} />;
}
