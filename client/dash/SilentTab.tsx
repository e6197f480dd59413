import { graphql } from "../gql/gql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { useScreenQuery } from "../urql.ts";
import { partnerOptions, Select } from "./ChartControls.tsx";
import { hasPartnerFilter } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";
import { useSilentFilter } from "./silentFilter.ts";
import { SilentSitesTable } from "./SilentSitesTable.tsx";
import { SilentUnitsTable } from "./SilentUnitsTable.tsx";
import "./SilentTab.css";

const partnersQuery = graphql(`
  query SilentTabQuery {
    implementingPartners(active: true, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

function PartnerChoice({ partner, onChange }: { partner: number; onChange: (partner: number) => void }) {
  const { data } = useScreenQuery(partnersQuery, {});
  const options = partnerOptions(data?.implementingPartners.nodes ?? [], partner);
  return <Select label="Implementing partner" onChange={onChange} options={options} value={partner} />;
}

/** Sites from which no TDB came for too long, or an irregular one: counts for everyone, the facilities for those who may see TDBs. */
export function SilentTab({ scope }: { scope: OverviewScope }) {
  const [filter, change] = useSilentFilter(scope);
  const seesFacilities = useMay("viewTdbs");
  return (
    <div className="overview-panel">
      {hasPartnerFilter(scope) ? (
        <div className="chart-controls silent-controls">
          <div className="chart-controls-fields">
            <PartnerChoice onChange={(partner) => change({ partner })} partner={filter.partner} />
          </div>
        </div>
      ) : null}
      <SilentUnitsTable filter={filter} onLevel={(level) => change({ level })} scope={scope} />
      {seesFacilities ? (
        <SilentSitesTable filter={filter} onShow={(show) => change({ show })} scope={scope} />
      ) : (
        <p className="overview-note">The list of facilities is shown to those who may upload TDBs.</p>
      )}
    </div>
  );
}
