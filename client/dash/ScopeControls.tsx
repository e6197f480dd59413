import { useNavigate, useSearchParams } from "react-router-dom";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { ScopeLink, useKeptScope } from "../ui/scope/ScopeLink.tsx";
import { comparedUnit, joinCompared, sidesOf } from "./compared.ts";
import { type ChartSettings, overviewParams, useChartSettings } from "./overviewParams.ts";
import { newerFiscalYear, quarterOptions, yearOptions } from "./periods.ts";
import { type Place, PlaceControls } from "./PlaceControls.tsx";
import { reportParams } from "./reportScope.ts";
import { hasPartnerFilter, type OverviewScope } from "./scope.ts";
import { ChoiceField } from "./ChoiceField.tsx";
import { useScopeNames } from "./useScopeNames.ts";

const compareLabels = ["Compare with", "Also compare with", "And compare with"];

/**
 * Chooses what the charts by period are compared with: places of the same kind, partners or other years. Each choice
 * made adds a field for the next one.
 */
function CompareChoices({
  scope,
  names,
  settings,
}: {
  scope: OverviewScope;
  names: ReturnType<typeof useScopeNames>;
  settings: ChartSettings;
}) {
  const { today } = useSystem();
  const [params] = useSearchParams();
  const change = useAddress();
  const nothing = "";
  const provinces = names.provinces
    .filter(({ provinceId }) => provinceId !== scope.provinceId)
    .map(({ provinceId, name }) => ({ value: comparedUnit.province(provinceId), label: name }));
  const places =
    scope.districtId === undefined
      ? provinces
      : (names.province?.districts ?? [])
          .filter(({ districtId }) => districtId !== scope.districtId)
          .map(({ districtId, name }) => ({ value: comparedUnit.district(districtId), label: name }));
  const partners = names.partners
    .filter(({ implementingPartnerId }) => implementingPartnerId !== scope.implementingPartnerId)
    .map(({ implementingPartnerId, implementingPartner }) => ({
      value: comparedUnit.partner(implementingPartnerId),
      label: implementingPartner,
    }));
  const years = yearOptions(today)
    .filter((each) => each !== settings.year)
    .map((each) => ({ value: comparedUnit.year(each), label: `FY ${each}` }));
  const units = hasPartnerFilter(scope) ? [...places, ...partners] : [...partners, ...places];
  const offered = [...units, ...years];
  // A link may name other units than these, such as a province on a district's page. Codes that name nothing are
  // neither compared nor shown.
  const chosen = sidesOf({ scope, settings }, params.get(overviewParams.compare), today)
    .slice(1)
    .map(({ word }) => word);
  const brought = chosen
    .filter((word) => !offered.some(({ value }) => value === word))
    .map((word) => ({
      value: word,
      label: provinces.find(({ value }) => value === word)?.label ?? word.replace("-", " "),
    }));
  const choose = (at: number, word: string) =>
    change({
      [overviewParams.compare]: joinCompared(
        compareLabels.map((_, each) => (each === at ? word : (chosen[each] ?? nothing))),
      ),
    });
  return compareLabels
    .slice(0, chosen.length + 1)
    .map((label, at) => (
      <ChoiceField
        key={label}
        label={label}
        onChange={(word) => choose(at, word)}
        options={[
          { value: nothing, label: "Nothing" },
          ...[...offered, ...brought].filter(({ value }) => value === chosen[at] || !chosen.includes(value)),
        ]}
        value={chosen[at] ?? nothing}
      />
    ));
}

/** A place's own screen. */
function pathOf({ provinceId, districtId }: Place): string {
  if (districtId !== undefined) return routes.facilitiesOfDistrict(districtId);
  return provinceId === undefined ? routes.provinces() : routes.districts(provinceId);
}

/** Shows and changes the scope of everything below: place, partner and, for charts, the period. */
export function ScopeControls({
  scope,
  hasPeriod,
  isComparable,
}: {
  scope: OverviewScope;
  hasPeriod: boolean;
  isComparable: boolean;
}) {
  const { today } = useSystem();
  const [settings, change] = useChartSettings(today);
  const names = useScopeNames(scope, settings.partner);
  const navigate = useNavigate();
  const kept = useKeptScope();
  const newer = newerFiscalYear(today);
  return (
    <div className="stack is-close screen-only" role="group" aria-label="Scope">
      <div className="grid scope-fields">
        {hasPartnerFilter(scope) ? (
          <PlaceControls
            names={names}
            onPartner={(partner) => change({ partner })}
            onPlace={(place) => navigate(kept(pathOf(place)))}
            partner={settings.partner}
            scope={scope}
          />
        ) : null}
        {hasPeriod ? (
          <>
            <ChoiceField
              label="Year"
              value={settings.year}
              options={yearOptions(today).map((year) => ({ value: year, label: String(year) }))}
              onChange={(year) => change({ year })}
            />
            <ChoiceField
              label="Quarter"
              value={settings.quarter}
              options={quarterOptions}
              onChange={(quarter) => change({ quarter })}
            />
            {isComparable ? <CompareChoices names={names} scope={scope} settings={settings} /> : null}
          </>
        ) : null}
      </div>
      <div className="row note">
        <ScopeLink to={routes.report(reportParams(scope, settings.partner))}>Quarterly report</ScopeLink>
        <ScopeLink to={routes.changes(reportParams(scope, settings.partner))}>What changed</ScopeLink>
      </div>
      {hasPeriod && newer !== undefined && newer !== settings.year ? (
        <button className="link-button" type="button" onClick={() => change({ year: newer })}>
          FY {newer} is already running: show it
        </button>
      ) : null}
    </div>
  );
}
