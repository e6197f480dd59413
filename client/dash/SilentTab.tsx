import { useMay } from "../shell/session/viewer.ts";
import type { OverviewScope } from "./scope.ts";
import { useSilentFilter } from "./silentFilter.ts";
import { SilentSitesTable } from "./SilentSitesTable.tsx";
import { SilentUnitsTable } from "./SilentUnitsTable.tsx";
import "./SilentTab.css";

/** Sites from which no TDB came for too long, or an irregular one: counts for everyone, the facilities for those who may see TDBs. */
export function SilentTab({ scope }: { scope: OverviewScope }) {
  const [filter, change] = useSilentFilter(scope);
  const seesFacilities = useMay("viewTdbs");
  return (
    <div className="overview-panel">
      <SilentUnitsTable filter={filter} onLevel={(level) => change({ level })} scope={scope} />
      {seesFacilities ? (
        <SilentSitesTable filter={filter} onShow={(show) => change({ show })} scope={scope} />
      ) : (
        <p className="overview-note">The list of facilities is shown to those who may upload TDBs.</p>
      )}
    </div>
  );
}
