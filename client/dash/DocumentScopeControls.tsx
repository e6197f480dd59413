import { useAddress } from "../ui/filter/listAddress.ts";
import { PartnerChoice, PlaceControls } from "./PlaceControls.tsx";
import type { ReportScope } from "./reportScope.ts";
import { allPartners } from "./scope.ts";
import type { useScopeNames } from "./useScopeNames.ts";
import "./DocumentScopeControls.css";

/** Chooses the place and the partner of a document. The choice is part of the address. */
export function DocumentScopeControls({
  scope,
  partner,
  names,
}: ReportScope & { names: ReturnType<typeof useScopeNames> }) {
  const change = useAddress();
  return (
    <>
      <PlaceControls
        names={names}
        onPlace={({ provinceId, districtId }) => change({ provinceId, districtId, page: undefined })}
        scope={scope}
      />
      <PartnerChoice
        names={names}
        onPartner={(id) => change({ partner: id === allPartners ? undefined : id, page: undefined })}
        partner={scope.implementingPartnerId ?? partner}
      />
    </>
  );
}
