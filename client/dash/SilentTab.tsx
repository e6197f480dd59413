import type { OverviewScope } from "./scope.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { useSilentFilter } from "./silentFilter.ts";
import { SilentSitesTable } from "./SilentSitesTable.tsx";
import { SilentUnitsTable } from "./SilentUnitsTable.tsx";
import { useScopeNames } from "./useScopeNames.ts";
import "./SilentTab.css";

/**
 * Facilities that sent no TDB for too long, or an irregular one. Irregularities are only for people who may see TDBs.
 */
export function SilentTab({ scope }: { scope: OverviewScope }) {
  const [filter, change] = useSilentFilter(scope);
  const { place, partnerWords } = useScopeNames(scope, filter.partner);
  return (
    <div className="overview-panel stack is-apart">
      <PrintedNote answer={place} words={[place, partnerWords]} />
      <SilentUnitsTable filter={filter} onLevel={(level) => change({ level })} scope={scope} />
      <SilentSitesTable filter={filter} onShow={(show) => change({ show })} scope={scope} />
    </div>
  );
}
