import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { useKeptScope } from "../ui/scope/keptScope.ts";
import { comparedUnit, comparedWords, joinCompared } from "./compared.ts";
import { overviewParams, useChartSettings } from "./overviewParams.ts";
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

const compareLabels = ["Compare with", "Also compare with", "And compare with"];

/** The choices of what the charts by period are compared with: places of the same kind, partners or other years; the next choice comes with the one before. */
function CompareChoices({ scope, names, year }: { scope: OverviewScope; names: ReturnType<typeof useScopeNames>; year: number }) {
  const { today } = useSystem();
  const [params, setParams] = useSearchParams();
  const nothing = "";
  const places =
    scope.districtId === undefined
      ? names.provinces.filter(({ provinceId }) => provinceId !== scope.provinceId).map(({ provinceId, name }) => ({ value: comparedUnit.province(provinceId), label: name }))
      : (names.province?.districts ?? []).filter(({ districtId }) => districtId !== scope.districtId).map(({ districtId, name }) => ({ value: comparedUnit.district(districtId), label: name }));
  const partners = names.partners
    .filter(({ implementingPartnerId }) => implementingPartnerId !== scope.implementingPartnerId)
    .map(({ implementingPartnerId, implementingPartner }) => ({ value: comparedUnit.partner(implementingPartnerId), label: implementingPartner }));
  const years = yearOptions(today).filter((each) => each !== year).map((each) => ({ value: comparedUnit.year(each), label: `FY ${each}` }));
  const units = hasPartnerFilter(scope) ? [...places, ...partners] : [...partners, ...places];
  const chosen = comparedWords(params.get(overviewParams.compare));
  const choose = (at: number, word: string) =>
    setParams(
      (now) => {
        const compared = joinCompared(compareLabels.map((_, each) => (each === at ? word : (chosen[each] ?? nothing))));
        if (compared === undefined) now.delete(overviewParams.compare);
        else now.set(overviewParams.compare, compared);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return compareLabels.slice(0, chosen.length + 1).map((label, at) => (
    <ChoiceField
      key={label}
      label={label}
      onChange={(word) => choose(at, word)}
      options={[{ value: nothing, label: "Nothing" }, ...[...units, ...years].filter(({ value }) => value === chosen[at] || !chosen.includes(value))]}
      value={chosen[at] ?? nothing}
    />
  ));
}

/** Shows what all that stands below is about, and changes it: place, partner and, for charts, the period. */
export function ScopeControls({ scope, hasPeriod, isComparable }: { scope: OverviewScope; hasPeriod: boolean; isComparable: boolean }) {
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
            {isComparable ? <CompareChoices names={names} scope={scope} year={settings.year} /> : null}
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
