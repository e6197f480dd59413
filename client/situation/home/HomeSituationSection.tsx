import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { idInPath } from "../../ui/list/idInPath.ts";
import { SituationSection } from "../SituationSection.tsx";
import { HomeAttentionSection } from "./HomeAttentionSection.tsx";

/** The situation of the country, or of the partner of the scope. `children` come below it. */
export function HomeSituationSection({ children }: { children: ReactNode }) {
  const [url] = useSearchParams();
  const implementingPartnerId = idInPath(url.get("partner"));
  return (
    <SituationSection
      Attention={HomeAttentionSection}
      scope={implementingPartnerId === undefined ? {} : { implementingPartnerId }}
    >
      {children}
    </SituationSection>
  );
}
