import { graphql } from "../gql/gql.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { ChartCard } from "./ChartCard.tsx";
import { chartModes, emptyPeriods, implementationMode, periodChart } from "./figures.ts";
import { modeLink } from "./modeLink.ts";
import { useChartSettings } from "./overviewParams.ts";
import { inFiscalOrder } from "./periods.ts";
import { scopeVariables } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";
import { useFigures } from "./useFigures.ts";

const modeQuery = graphql(`
  query ModeTabQuery($year: Int!, $quarter: Int!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    monthly: deploymentMode(
      year: $year, quarter: $quarter, view: MONTHLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { quarter calMonth efirst efast elast sumPrimaryPower sumSmartCareFunctional }
    quarterly: deploymentMode(
      year: $year, quarter: $quarter, view: QUARTERLY
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { quarter calMonth efirst efast elast sumPrimaryPower sumSmartCareFunctional }
  }
`);

/** How many facilities work in which mode; each bar opens the list of its facilities. Both views come at once. */
export function ModeTab({ scope }: { scope: OverviewScope }) {
  const [settings, change] = useChartSettings(useSystem().today);
  const { year, quarter, view, partner } = settings;
  const query = useFigures(modeQuery, { year, quarter, ...scopeVariables(scope, partner) });
  const rows = inFiscalOrder(query.data?.[view] ?? []);
  return (
    <ChartCard
      draw={() => {
        const chart = periodChart(implementationMode, year, rows);
        return { chart, empty: emptyPeriods(implementationMode, chart, rows) };
      }}
      hasView
      linkOf={(bar) => {
        const mode = chartModes[bar.series];
        const row = rows[bar.row];
        return mode && row ? modeLink(mode, scope, partner, year, row) : undefined;
      }}
      onChange={change}
      query={query}
      scope={scope}
      series={implementationMode.series}
      settings={settings}
      title={implementationMode.title}
    />
  );
}
