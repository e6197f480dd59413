import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import type { PeriodFigure } from "./figures.ts";
import { useChartSettings } from "./overviewParams.ts";
import { drawPeriods, seriesVariables } from "./series.ts";
import type { OverviewScope } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const comparisonQuery = graphql(`
  query ComparisonTabQuery(
    $year: Int!, $quarter: Int!, $years: Int! = 1, $byMonth: DashboardView! = MONTHLY, $byQuarter: DashboardView! = QUARTERLY
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
  ) {
    monthly: functionalityComparison(
      year: $year, quarter: $quarter, years: $years, view: $byMonth
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      year quarter calMonth state facilities assessed
      sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking
    }
    quarterly: functionalityComparison(
      year: $year, quarter: $quarter, years: $years, view: $byQuarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      year quarter calMonth state facilities assessed
      sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking
    }
    attainment(
      year: $year, quarter: $quarter, years: $years
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { targetUuid measure year share unit provinceId districtId implementingPartnerId reached attainment }
  }
`);

/** Functionality Status and Training Distribution: two charts of the same rows. Both views come at once. */
export function ComparisonTab({ scope, figure }: { scope: OverviewScope; figure: PeriodFigure }) {
  const [settings, change] = useChartSettings(useSystem().today);
  const query = useFigures(comparisonQuery, seriesVariables(settings, scope));
  return (
    <ChartCard
      draw={(data) => drawPeriods(figure, data[settings.view] ?? [], settings, data.attainment ?? [])}
      figure={figure}
      onChange={change}
      query={query}
      scope={scope}
      series={figure.series}
      settings={settings}
      targets={query.data?.attainment ?? []}
      title={figure.title}
    />
  );
}
