import { Link, useNavigate } from "react-router-dom";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { useKeptScope } from "../ui/scope/keptScope.ts";
import { useChartSettings } from "./overviewParams.ts";
import { newerFiscalYear, quarterOptions, yearOptions } from "./periods.ts";
import { reportParams } from "./reportScope.ts";
import { hasPartnerFilter } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";
import { partnerOptions, ChoiceField } from "./ChoiceField.tsx";
import { useScopeNames } from "./useScopeNames.ts";

const everywhere = -1;

/** The choice of the place: it leads to that place's screen, where the rest of the scope stays. */
function PlaceChoices({ scope, names }: { scope: OverviewScope; names: ReturnType<typeof useScopeNames> }) {
  const navigate = useNavigate();
  const kept = useKeptScope();
  const go = (path: string) => navigate(kept(path));
  const { provinces, province } = names;
  const inProvince = scope.provinceId ?? province?.provinceId ?? everywhere;
  const listed = provinces.map(({ provinceId, name }) => ({ value: provinceId, label: name }));
  return (
    <>
      <ChoiceField
        label="Province"
        value={inProvince}
        options={[{ value: everywhere, label: "All provinces" }, ...listed]}
        onChange={(provinceId) => go(provinceId === everywhere ? routes.provinces() : routes.districts(provinceId))}
      />
      {province ? (
        <ChoiceField
          label="District"
          value={scope.districtId ?? everywhere}
          options={[{ value: everywhere, label: "All districts" }, ...province.districts.map(({ districtId, name }) => ({ value: districtId, label: name }))]}
          onChange={(districtId) => go(districtId === everywhere ? routes.districts(province.provinceId) : routes.facilitiesOfDistrict(districtId))}
        />
      ) : null}
    </>
  );
}

/** Shows what all that stands below is about, and changes it: place, partner and, for charts, the period. */
export function ScopeControls({ scope, hasPeriod }: { scope: OverviewScope; hasPeriod: boolean }) {
  const { today } = useSystem();
  const [settings, change] = useChartSettings(today);
  const names = useScopeNames(scope, settings.partner);
  const newer = newerFiscalYear(today);
  const isOfPartner = !hasPartnerFilter(scope);
  return (
    <div className="scope-bar" role="group" aria-label="Scope">
      <div className="chart-controls-fields">
        {isOfPartner ? null : (
          <>
            <PlaceChoices names={names} scope={scope} />
            <ChoiceField
              label="Implementing partner"
              value={settings.partner}
              options={partnerOptions(names.partners, settings.partner)}
              onChange={(partner) => change({ partner })}
            />
          </>
        )}
        {hasPeriod ? (
          <>
            <ChoiceField
              label="Year"
              value={settings.year}
              options={yearOptions(today).map((year) => ({ value: year, label: String(year) }))}
              onChange={(year) => change({ year })}
            />
            <ChoiceField label="Quarter" value={settings.quarter} options={quarterOptions} onChange={(quarter) => change({ quarter })} />
          </>
        ) : null}
      </div>
      <div className="scope-bar-ways">
        <Link to={routes.report({ ...reportParams(scope, settings.partner), year: settings.year, quarter: settings.quarter })}>Quarterly report</Link>
        <Link to={routes.changes(reportParams(scope, settings.partner))}>What changed</Link>
      </div>
      {hasPeriod && newer !== undefined && newer !== settings.year ? (
        <button className="chart-controls-newer" type="button" onClick={() => change({ year: newer })}>
          FY {newer} is already running: show it
        </button>
      ) : null}
    </div>
  );
}
