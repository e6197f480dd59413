import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import { chartModes, implementationMode } from "./figures.ts";
import { modeLink } from "./modeLink.ts";
import { useChartSettings } from "./overviewParams.ts";
import { inFiscalOrder } from "./periods.ts";
import { drawPeriods, seriesVariables } from "./series.ts";
import type { OverviewScope } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

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
    ) { targetUuid measure year share unit provinceId districtId implementingPartnerId reached attainment }
  }
`);

/** How many facilities work in which mode; each bar opens the list of its facilities. Both views come at once. */
export function ModeTab({ scope }: { scope: OverviewScope }) {
  const [settings, change] = useChartSettings(useSystem().today);
  const query = useFigures(modeQuery, seriesVariables(settings, scope));
  const rows = inFiscalOrder(query.data?.[settings.view] ?? []);
  return (
    <ChartCard
      draw={() => drawPeriods(implementationMode, rows, settings, query.data?.attainment ?? [])}
      figure={implementationMode}
      linkOf={(bar) => {
        const mode = chartModes[bar.series];
        const row = rows[bar.row];
        return mode && row ? modeLink(mode, scope, settings.partner, row) : undefined;
      }}
      onChange={change}
      query={query}
      scope={scope}
      series={implementationMode.series}
      settings={settings}
      targets={query.data?.attainment ?? []}
      title={implementationMode.title}
    />
  );
}
