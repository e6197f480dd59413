import { useAddress } from "../ui/filter/listAddress.ts";
import { ChoiceField, partnerOptions } from "./ChoiceField.tsx";
import { PlaceControls } from "./PlaceControls.tsx";
import type { ReportScope } from "./reportScope.ts";
import { allPartners } from "./scope.ts";
import type { useScopeNames } from "./useScopeNames.ts";

/** Chooses the place and the partner of a document. The choice is part of the address. */
export function DocumentScopeControls({ scope, partner, names }: ReportScope & { names: ReturnType<typeof useScopeNames> }) {
  const change = useAddress();
  const chosen = scope.implementingPartnerId ?? partner;
  return (
    <>
      <PlaceControls names={names} onPlace={({ provinceId, districtId }) => change({ provinceId, districtId })} scope={scope} />
      <ChoiceField
        label="Implementing partner"
        onChange={(id) => change({ partner: id === allPartners ? undefined : id })}
        options={partnerOptions(names.partners, chosen)}
        value={chosen}
      />
    </>
  );
}
