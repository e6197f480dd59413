import { useSearchParams } from "react-router-dom";
import { useSystem } from "../shell/session/viewer.ts";
import { otherSide, type Side } from "./compared.ts";
import { type ChartSettings, overviewParams, useChartSettings } from "./overviewParams.ts";
import type { OverviewScope } from "./scope.ts";

/** The sides that a chart shows, the page's own first, and how its settings change. */
export function useSides(scope: OverviewScope): { sides: [Side, Side | undefined]; change: (some: Partial<ChartSettings>) => void } {
  const { today } = useSystem();
  const [params] = useSearchParams();
  const [settings, change] = useChartSettings(today);
  const own = { scope, settings };
  return { sides: [own, otherSide(own, params.get(overviewParams.compare), today)], change };
}
