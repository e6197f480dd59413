import { useState } from "react";
import { useMay, useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import { overviewParams, useChartSettings } from "./overviewParams.ts";
import type { OverviewScope } from "./scope.ts";
import { formatDate } from "../ui/text/dates.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { TdbFacilitiesTable } from "./TdbFacilitiesTable.tsx";
import { TdbUnitsTable } from "./TdbUnitsTable.tsx";
import { useScopeNames } from "./useScopeNames.ts";

const pages = [overviewParams.unitPage, overviewParams.facilityPage];

/**
 * The TDBs received in a range of days: by province or district for everyone, by facility for people who may see TDBs.
 */
export function TdbHistoryTab({ scope }: { scope: OverviewScope }) {
  const { today } = useSystem();
  const [{ partner }] = useChartSettings(today);
  const [range, setRange] = useDateRange(monthToDate(today), pages);
  const [round, setRound] = useState(0);
  const seesFacilities = useMay("viewTdbs");
  const { place, partnerWords } = useScopeNames(scope, partner);
  return (
    <div className="overview-panel stack is-apart">
      <PrintedNote
        answer={round}
        words={[place, partnerWords, `${formatDate(range.start)} to ${formatDate(range.end)}`]}
      />
      <DateRangeForm onChange={setRange} onReload={() => setRound((now) => now + 1)} range={range} />
      <TdbUnitsTable partner={partner} range={range} round={round} scope={scope} />
      {seesFacilities ? (
        <TdbFacilitiesTable partner={partner} range={range} round={round} scope={scope} />
      ) : (
        <p className="soft">The rows for each facility are shown to those who may upload TDBs.</p>
      )}
    </div>
  );
}
