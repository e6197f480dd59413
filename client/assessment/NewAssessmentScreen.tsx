import { Callout } from "@blueprintjs/core";
import { useMemo } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { FacilityDetailsSection } from "../facility/FacilityDetailsSection.tsx";
import { facilityQuery, facilityVariables } from "../facility/FacilityScreen.tsx";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { unreachableWords } from "../ui/network/portal.ts";
import { InSteps } from "../ui/network/InSteps.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { useScreenQuery } from "../urql.ts";
import { AssessmentForm } from "./AssessmentForm.tsx";
import { areaNamesOf, versionsOf } from "./formChoices.ts";
import { keptWorkReady } from "./keptWork.ts";
import { lastVisitOf } from "./lastVisit.ts";
import "./AssessmentScreen.css";

/**
 * The form begins with what this device has stored of the assessment. The query is that of the facility's page
 * (client/screens.ts).
 */
export const loader: LoaderFunction = (args) => guarded("editAssessments")(args) ?? keptWorkReady().then(() => null);

/**
 * The form of a new visit. What it shows comes with the facility's page, so that it opens without network wherever that
 * page does.
 */
export function NewAssessmentScreen() {
  const facilityUuid = useParams()["facilityUuid"] ?? "";
  const { privileges } = useViewer();
  const workId = useSearchParams()[0].get("work") ?? undefined;
  const answer = useScreenQuery(facilityQuery, facilityVariables(facilityUuid, privileges));
  const areas = answer.data?.serviceAreas;
  const areaName = useMemo(() => areaNamesOf(areas), [areas]);
  const latest = answer.data?.facility?.latestAssessment;
  const lastVisit = useMemo(() => (latest ? lastVisitOf(latest) : null), [latest]);

  return (
    <QueryState query={answer} what="facility">
      {({ facility, smartCareAssessmentVersions }) => {
        if (!facility) return <NotFoundNotice what="facility" />;
        // An answer that a former client stored.
        if (!smartCareAssessmentVersions) return <Failure message={unreachableWords} onRetry={answer.reload} />;
        return (
          <Page
            title="Assessment"
            subtitle={<Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>}
          >
            {facility.closedOn ? (
              <Callout role="note">
                Closed since {formatDate(facility.closedOn)}: {facility.closeReason}. A visit after that day is recorded
                all the same. If the facility is open, have it opened again in the registry.
              </Callout>
            ) : null}
            <InSteps>
              <FacilityDetailsSection facility={facility} />
              <AssessmentForm
                key={`new ${workId}`}
                facility={facility}
                stored={null}
                lastVisit={lastVisit}
                areaName={areaName}
                versions={versionsOf(smartCareAssessmentVersions)}
                workId={workId}
              />
            </InSteps>
          </Page>
        );
      }}
    </QueryState>
  );
}
