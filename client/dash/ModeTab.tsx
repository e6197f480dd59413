import { graphql } from "../gql/gql.ts";
import { ChartCard } from "./ChartCard.tsx";
import { chartModes, implementationMode } from "./figures.ts";
import { modeLink } from "./modeLink.ts";
import type { Side } from "./compared.ts";
import { inFiscalOrder } from "./periods.ts";
import { drawPeriods, onOneScale, seriesVariables } from "./series.ts";
import { SidesSection } from "./SidesSection.tsx";
import type { OverviewScope } from "./scope.ts";
import { sideProps, useSides } from "./useSides.ts";

const modeQuery = graphql(`
  query ModeTabQuery(
    $year: Int!, $quarter: Int!, $years: Int! = 1, $byMonth: DashboardView! = MONTHLY, $byQuarter: DashboardView! = QUARTERLY
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
  ) {
    monthly: deploymentMode(
      year: $year, quarter: $quarter, years: $years, view: $byMonth
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { year quarter calMonth state facilities assessed efirst efast elast partial notDeployed notOperational }
    quarterly: deploymentMode(
      year: $year, quarter: $quarter, years: $years, view: $byQuarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { year quarter calMonth state facilities assessed efirst efast elast partial notDeployed notOperational }
    attainment(
      year: $year, quarter: $quarter, years: $years
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { targetUuid measure year share unit provinceId districtId implementingPartnerId notRecorded reached attainment }
  }
`);

const variablesOf = ({ settings, scope }: Side) => seriesVariables(settings, scope);

/** How many facilities work in which mode; each bar opens the list of its facilities. Both views are fetched together. Charts to compare with are beside them. */
export function ModeTab({ scope }: { scope: OverviewScope }) {
  const { sides, change } = useSides(scope, modeQuery, variablesOf);
  const rows = sides.map(({ query, settings }) => inFiscalOrder(query.data?.[settings.view] ?? []));
  const drawings = onOneScale(sides.map(({ query, settings }, at) => drawPeriods(implementationMode, rows[at]!, settings, query.data?.attainment ?? [])));
  return (
    <SidesSection>
      {sides.map((side, at) => (
        <ChartCard
          {...sideProps(side, at, sides, change)}
          draw={() => drawings[at]!}
          figure={implementationMode}
          key={side.word}
          linkOf={(bar) => {
            const mode = chartModes[bar.series];
            const row = rows[at]![bar.row];
            return mode && row ? modeLink(mode, side.scope, side.settings.partner, row) : undefined;
          }}
          series={implementationMode.series}
          targets={side.query.data?.attainment ?? []}
          title={implementationMode.title}
        />
      ))}
    </SidesSection>
  );
}
