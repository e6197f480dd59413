import type { ReactNode } from "react";
import { useAddress } from "../ui/filter/listAddress.ts";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { PartnerChoice, PlaceControls } from "./PlaceControls.tsx";
import type { ReportScope } from "./reportScope.ts";
import { allPartners, country } from "./scope.ts";
import { ScopePanel } from "./ScopePanel.tsx";
import type { useScopeNames } from "./useScopeNames.ts";

type DocumentScopeControlsProps = ReportScope & {
  names: ReturnType<typeof useScopeNames>;
  /** what the address calls the partner */
  partnerParameter?: "partner" | "implementingPartnerId";
  /** how many of the other choices are set */
  set?: number;
  /** the other choices, such as the period */
  children?: ReactNode;
};

/** The scope of a document or a work list: place, partner and what else it chooses. The choice is part of the address. */
export function DocumentScopeControls({
  scope,
  partner,
  names,
  partnerParameter = "partner",
  set = 0,
  children,
}: DocumentScopeControlsProps) {
  const change = useAddress();
  const isPhone = useIsPhone();
  const chosen = scope.implementingPartnerId ?? partner;
  return (
    <ScopePanel
      crumbs={
        <>
          {isPhone ? null : <span>{country}</span>}
          <PlaceControls
            isInline
            names={names}
            onPlace={({ provinceId, districtId }) => change({ provinceId, districtId, page: undefined })}
            scope={scope}
          />
        </>
      }
      set={set + (chosen === allPartners ? 0 : 1)}
    >
      <PartnerChoice
        isInline
        names={names}
        onPartner={(id) => change({ [partnerParameter]: id === allPartners ? undefined : id, page: undefined })}
        partner={chosen}
      />
      {children}
    </ScopePanel>
  );
}
