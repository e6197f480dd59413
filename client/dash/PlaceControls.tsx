import { ChoiceField } from "./ChoiceField.tsx";
import { allPartners, type OverviewScope } from "./scope.ts";
import type { useScopeNames } from "./useScopeNames.ts";

/** A district, a province, or the whole country. */
export type Place = { provinceId?: number; districtId?: number };

type Names = ReturnType<typeof useScopeNames>;
type PlaceControlsProps = {
  scope: OverviewScope;
  names: Names;
  onPlace: (place: Place) => void;
  isInline?: boolean;
};

const everywhere = -1;

/** The choice of the place: the country, a province, and within one a district. */
export function PlaceControls({ scope, names: { provinces, province }, onPlace, isInline }: PlaceControlsProps) {
  return (
    <>
      <ChoiceField
        isInline={isInline}
        label="Province"
        value={scope.provinceId ?? province?.provinceId ?? everywhere}
        options={[
          { value: everywhere, label: "All provinces" },
          ...provinces.map(({ provinceId, name }) => ({ value: provinceId, label: name })),
        ]}
        onChange={(provinceId) => onPlace(provinceId === everywhere ? {} : { provinceId })}
      />
      {province ? (
        <ChoiceField
          isInline={isInline}
          label="District"
          value={scope.districtId ?? everywhere}
          options={[
            { value: everywhere, label: "All districts" },
            ...province.districts.map(({ districtId, name }) => ({ value: districtId, label: name })),
          ]}
          onChange={(districtId) =>
            onPlace(districtId === everywhere ? { provinceId: province.provinceId } : { districtId })
          }
        />
      ) : null}
    </>
  );
}

type PartnerChoiceProps = {
  partner: number;
  names: Names;
  onPartner: (partner: number) => void;
  isInline?: boolean;
  /** how all of them are called */
  all?: string;
};

/** The choice of one partner, or of all. */
export function PartnerChoice({ partner, names: { partners }, onPartner, isInline, ...words }: PartnerChoiceProps) {
  const listed = partners.map(({ implementingPartnerId, implementingPartner }) => ({
    value: implementingPartnerId,
    label: implementingPartner,
  }));
  // The chosen partner, even if it is no longer on offer.
  const isListed = partner === allPartners || listed.some(({ value }) => value === partner);
  return (
    <ChoiceField
      isInline={isInline}
      label="Implementing partner"
      value={partner}
      options={[
        { value: allPartners, label: words.all ?? "All IPs" },
        ...listed,
        ...(isListed ? [] : [{ value: partner, label: `IP ${partner}` }]),
      ]}
      onChange={onPartner}
    />
  );
}
