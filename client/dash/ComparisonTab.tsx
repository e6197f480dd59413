import { graphql } from "../gql/gql.ts";
import { ChartCard } from "./ChartCard.tsx";
import type { PeriodFigure } from "./figures.ts";
import type { Side } from "./compared.ts";
import { drawPeriods, onOneScale, seriesVariables } from "./series.ts";
import { SidesSection } from "./SidesSection.tsx";
import type { OverviewScope } from "./scope.ts";
import { sideProps, useSides } from "./useSides.ts";

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
      notRecordedSmartCareFunctional notRecordedPrimaryPower notRecordedPrimaryPowerWorking notRecordedBackupPower notRecordedBackupPowerWorking
    }
    quarterly: functionalityComparison(
      year: $year, quarter: $quarter, years: $years, view: $byQuarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      year quarter calMonth state facilities assessed
      sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking
      notRecordedSmartCareFunctional notRecordedPrimaryPower notRecordedPrimaryPowerWorking notRecordedBackupPower notRecordedBackupPowerWorking
    }
    attainment(
      year: $year, quarter: $quarter, years: $years
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { targetUuid measure year share unit provinceId districtId implementingPartnerId notRecorded reached attainment }
  }
`);

const variablesOf = ({ settings, scope }: Side) => seriesVariables(settings, scope);

/** Functionality Status and Training Distribution: two charts of the same rows. Both views are fetched together. Charts to compare with are beside them. */
export function ComparisonTab({ scope, figure }: { scope: OverviewScope; figure: PeriodFigure }) {
  const { sides, change } = useSides(scope, comparisonQuery, variablesOf);
  const drawings = onOneScale(
    sides.map(({ query: { data }, settings }) => data && drawPeriods(figure, data[settings.view] ?? [], settings, data.attainment ?? [])),
  );
  return (
    <SidesSection>
      {sides.map((side, at) => (
        <ChartCard
          {...sideProps(side, at, sides, change)}
          draw={() => drawings[at]!}
          figure={figure}
          key={side.word}
          series={figure.series}
          targets={side.query.data?.attainment ?? []}
          title={figure.title}
        />
      ))}
    </SidesSection>
  );
}
