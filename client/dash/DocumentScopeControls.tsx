import { useSearchParams } from "react-router-dom";
import { PlaceControls } from "./PlaceControls.tsx";
import type { ReportScope } from "./reportScope.ts";
import { allPartners } from "./scope.ts";
import type { useScopeNames } from "./useScopeNames.ts";

/** Chooses the place and the partner of a document. The choice is part of the address. */
export function DocumentScopeControls({ scope, partner, names }: ReportScope & { names: ReturnType<typeof useScopeNames> }) {
  const [, setParams] = useSearchParams();
  const change = (some: Record<string, number | undefined>) =>
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(some)) {
          if (value === undefined) now.delete(name);
          else now.set(name, String(value));
        }
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <PlaceControls
      names={names}
      onPartner={(id) => change({ partner: id === allPartners ? undefined : id })}
      onPlace={({ provinceId, districtId }) => change({ provinceId, districtId })}
      partner={scope.implementingPartnerId ?? partner}
      scope={scope}
    />
  );
}
