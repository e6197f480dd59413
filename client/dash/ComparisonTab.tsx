import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import { emptyPeriods, periodChart } from "./figures.ts";
import type { PeriodFigure } from "./figures.ts";
import { useChartSettings } from "./overviewParams.ts";
import { scopeVariables } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const comparisonQuery = graphql(`
  query ComparisonTabQuery($year: Int!, $quarter: Int!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    monthly: functionalityComparison(
      year: $year, quarter: $quarter, view: MONTHLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { quarter calMonth sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking }
    quarterly: functionalityComparison(
      year: $year, quarter: $quarter, view: QUARTERLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { quarter calMonth sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking }
  }
`);

/** Functionality Status and Training Distribution: two charts of the same rows. Both views come at once. */
export function ComparisonTab({ scope, figure }: { scope: OverviewScope; figure: PeriodFigure }) {
  const [settings, change] = useChartSettings(useSystem().today);
  const { year, quarter, view, partner } = settings;
  const query = useFigures(comparisonQuery, { year, quarter, ...scopeVariables(scope, partner) });
  return (
    <ChartCard
      draw={(data) => {
        const rows = data[view] ?? [];
        const chart = periodChart(figure, year, rows);
        return { chart, empty: emptyPeriods(figure, chart, rows) };
      }}
      hasView
      onChange={change}
      query={query}
      scope={scope}
      series={figure.series}
      settings={settings}
      title={figure.title}
    />
  );
}
