import { Button } from "@blueprintjs/core";
import { ChevronLeftIcon, ChevronRightIcon } from "@blueprintjs/icons";
import type { ReactElement } from "react";
import { useNavigate } from "react-router-dom";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { ScopeLink, useKeptScope } from "../ui/scope/ScopeLink.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { CompareButton, useComparedWords } from "./CompareButton.tsx";
import { type ChartSettings, settingParams, useChartSettings } from "./overviewParams.ts";
import { periodBeside, quarterOptions, yearOptions } from "./periods.ts";
import { PartnerChoice, type Place, PlaceControls } from "./PlaceControls.tsx";
import { reportParams } from "./reportScope.ts";
import { country, hasPartnerFilter, type OverviewScope } from "./scope.ts";
import { ScopePanel } from "./ScopePanel.tsx";
import { useScopeNames } from "./useScopeNames.ts";

type Change = (some: Partial<ChartSettings>) => void;

/** A place's own screen. */
function pathOf({ provinceId, districtId }: Place): string {
  if (districtId !== undefined) return routes.facilitiesOfDistrict(districtId);
  return provinceId === undefined ? routes.provinces() : routes.districts(provinceId);
}

type CrumbsProps = { scope: OverviewScope; names: ReturnType<typeof useScopeNames> };

/** The way to the place or partner. The choices are native ones: the value in view could not name a menu's button. */
function Crumbs({ scope, names }: CrumbsProps) {
  const navigate = useNavigate();
  const kept = useKeptScope();
  const isPhone = useIsPhone();
  const isNation = scope.provinceId === undefined && scope.districtId === undefined;
  return hasPartnerFilter(scope) ? (
    <>
      {isPhone ? null : isNation ? <span>{country}</span> : <ScopeLink to={routes.provinces()}>{country}</ScopeLink>}
      <PlaceControls isInline names={names} onPlace={(place) => navigate(kept(pathOf(place)))} scope={scope} />
    </>
  ) : (
    <>
      <ScopeLink to={routes.partners()}>IP&apos;s</ScopeLink>
      <span>{names.place}</span>
    </>
  );
}

/** Year and quarter, and the buttons for the periods before and after. */
function PeriodChoice({ settings, onChange }: { settings: ChartSettings; onChange: Change }) {
  const years = yearOptions(useSystem().today);
  const step = (by: 1 | -1, label: string, icon: ReactElement) => {
    const { year, quarter } = periodBeside(settings, by);
    return (
      <Button
        aria-label={label}
        disabled={!years.includes(year)}
        icon={icon}
        onClick={() => onChange({ year, quarter })}
        title={label}
        variant="minimal"
      />
    );
  };
  return (
    <div className="scope-period">
      {step(-1, "Previous period", <ChevronLeftIcon />)}
      <ChoiceField
        isInline
        label="Year"
        value={settings.year}
        options={years.map((year) => ({ value: year, label: String(year) }))}
        onChange={(year) => onChange({ year })}
      />
      <ChoiceField
        isInline
        label="Quarter"
        value={settings.quarter}
        options={quarterOptions}
        onChange={(quarter) => onChange({ quarter })}
      />
      {step(1, "Next period", <ChevronRightIcon />)}
    </div>
  );
}

type ScopeControlsProps = { scope: OverviewScope; hasPeriod: boolean; isComparable: boolean };

/** The scope of a screen of charts: place, partner, period and comparison. */
export function ScopeControls({ scope, hasPeriod, isComparable }: ScopeControlsProps) {
  const { today } = useSystem();
  const [settings, change] = useChartSettings(today);
  const names = useScopeNames(scope, settings.partner);
  const compared = useComparedWords({ scope, settings });
  const { partner, chartYear, chartQuarter } = settingParams(settings, today);
  const set = [partner, chartYear, chartQuarter].filter((value) => value !== undefined).length + compared.length;
  const about = reportParams(scope, settings.partner);
  return (
    <ScopePanel crumbs={<Crumbs names={names} scope={scope} />} set={set}>
      {hasPartnerFilter(scope) ? (
        <PartnerChoice
          isInline
          names={names}
          onPartner={(chosen) => change({ partner: chosen })}
          partner={settings.partner}
        />
      ) : null}
      {hasPeriod ? <PeriodChoice onChange={change} settings={settings} /> : null}
      {isComparable ? <CompareButton names={names} scope={scope} settings={settings} /> : null}
      <span className="scope-links row">
        <ScopeLink to={routes.report(about)}>Quarterly report</ScopeLink>
        <ScopeLink to={routes.changes(about)}>What changed</ScopeLink>
      </span>
    </ScopePanel>
  );
}
