import { ChoiceField, partnerOptions } from "./ChoiceField.tsx";
import type { OverviewScope } from "./scope.ts";
import type { useScopeNames } from "./useScopeNames.ts";

/** A district, a province, or the whole country. */
export type Place = { provinceId?: number; districtId?: number };

type PlaceControlsProps = {
  scope: OverviewScope;
  names: ReturnType<typeof useScopeNames>;
  partner: number;
  onPlace: (place: Place) => void;
  onPartner: (partner: number) => void;
};

const everywhere = -1;

/** The choice of the place (the country, a province, and within one a district) and of the partner. */
export function PlaceControls({ scope, names: { partners, provinces, province }, partner, onPlace, onPartner }: PlaceControlsProps) {
  return (
    <>
      <ChoiceField
        label="Province"
        value={scope.provinceId ?? province?.provinceId ?? everywhere}
        options={[{ value: everywhere, label: "All provinces" }, ...provinces.map(({ provinceId, name }) => ({ value: provinceId, label: name }))]}
        onChange={(provinceId) => onPlace(provinceId === everywhere ? {} : { provinceId })}
      />
      {province ? (
        <ChoiceField
          label="District"
          value={scope.districtId ?? everywhere}
          options={[{ value: everywhere, label: "All districts" }, ...province.districts.map(({ districtId, name }) => ({ value: districtId, label: name }))]}
          onChange={(districtId) => onPlace(districtId === everywhere ? { provinceId: province.provinceId } : { districtId })}
        />
      ) : null}
      <ChoiceField label="Implementing partner" onChange={onPartner} options={partnerOptions(partners, partner)} value={partner} />
    </>
  );
}
