import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { useKeptWork } from "../../assessment/keptWork.ts";
import { routes } from "../../routes.ts";
import { idInPath } from "../../ui/list/idInPath.ts";
import { SituationSection } from "../SituationSection.tsx";
import { HomeAttentionSection } from "./HomeAttentionSection.tsx";

/**
 * Visits that were begun on this device and not saved. Those that wait to be sent are in the notice above every screen.
 */
function Drafts() {
  const drafts = useKeptWork().filter(({ status }) => status === "draft");
  if (drafts.length === 0) return null;
  return (
    <section aria-label="Your drafts">
      <h2>Your drafts</h2>
      <ul>
        {drafts.map(({ workId, facilityUuid, facilityName, assessmentUuid, isNew }) => (
          <li key={workId}>
            <Link to={routes.assessment(facilityUuid, isNew ? undefined : assessmentUuid, workId)}>{facilityName}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The person's own drafts, then the situation of the country, or of the partner of the scope. `children` come below its
 * tiles.
 */
export function HomeSituationSection({ children }: { children: ReactNode }) {
  const [url] = useSearchParams();
  const implementingPartnerId = idInPath(url.get("partner"));
  return (
    <>
      <Drafts />
      <SituationSection
        Attention={HomeAttentionSection}
        scope={implementingPartnerId === undefined ? {} : { implementingPartnerId }}
      >
        {children}
      </SituationSection>
    </>
  );
}
