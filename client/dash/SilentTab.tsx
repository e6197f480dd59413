import { useMay } from "../shell/session/viewer.ts";
import type { OverviewScope } from "./scope.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { useSilentFilter } from "./silentFilter.ts";
import { SilentSitesTable } from "./SilentSitesTable.tsx";
import { SilentUnitsTable } from "./SilentUnitsTable.tsx";
import { useScopeNames } from "./useScopeNames.ts";
import "./SilentTab.css";

/** Facilities that sent no TDB for too long, or an irregular one. Everyone sees the counts; people who may see TDBs also see the facilities. */
export function SilentTab({ scope }: { scope: OverviewScope }) {
  const [filter, change] = useSilentFilter(scope);
  const seesFacilities = useMay("viewTdbs");
  const { place, partnerWords } = useScopeNames(scope, filter.partner);
  return (
    <div className="overview-panel">
      <PrintedNote answer={place} words={[place, partnerWords]} />
      <SilentUnitsTable filter={filter} onLevel={(level) => change({ level })} scope={scope} />
      {seesFacilities ? (
        <SilentSitesTable filter={filter} onShow={(show) => change({ show })} scope={scope} />
      ) : (
        <p className="overview-note">The list of facilities is shown to those who may upload TDBs.</p>
      )}
    </div>
  );
}
