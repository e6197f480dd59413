import { useSearchParams } from "react-router-dom";
import { useSystem } from "../shell/session/viewer.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { PopoverButton } from "../ui/form/PopoverButton.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { comparedUnit, joinCompared, sidesOf } from "./compared.ts";
import { type ChartSettings, overviewParams } from "./overviewParams.ts";
import { yearOptions } from "./periods.ts";
import { hasPartnerFilter, type OverviewScope } from "./scope.ts";
import type { useScopeNames } from "./useScopeNames.ts";

const compareLabels = ["Compare with", "Also compare with", "And compare with"];
const nothing = "";

type CompareButtonProps = { scope: OverviewScope; names: ReturnType<typeof useScopeNames>; settings: ChartSettings };

/** The codes of what the charts are compared with. Codes of the address that name nothing are left out. */
export function useComparedWords({ scope, settings }: Omit<CompareButtonProps, "names">): string[] {
  const { today } = useSystem();
  const [params] = useSearchParams();
  return sidesOf({ scope, settings }, params.get(overviewParams.compare), today)
    .slice(1)
    .map(({ word }) => word);
}

/**
 * Chooses what the charts by period are compared with: places of the same kind, partners or other years. Each choice
 * made adds a field for the next one.
 */
export function CompareButton({ scope, names, settings }: CompareButtonProps) {
  const { today } = useSystem();
  const change = useAddress();
  const chosen = useComparedWords({ scope, settings });
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
  // A link may name other units than these, such as a province on a district's page.
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
  return (
    <PopoverButton side="start" text={chosen.length > 0 ? `Compare (${chosen.length})` : "Compare"} variant="minimal">
      {() => (
        <div className="scope-compare">
          {compareLabels.slice(0, chosen.length + 1).map((label, at) => (
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
          ))}
        </div>
      )}
    </PopoverButton>
  );
}
