import { Callout } from "@blueprintjs/core";
import { useEffect, useMemo, useRef } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { FacilityDetailsSection } from "../facility/FacilityDetailsSection.tsx";
import { facilityQuery, facilityVariables } from "../facility/FacilityScreen.tsx";
import { guarded } from "../shell/session/guard.ts";
import { useToday, useViewer } from "../shell/session/viewer.ts";
import { unreachableWords } from "../ui/network/reach.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { agoWords } from "../ui/text/ago.ts";
import { formatDate } from "../ui/text/dates.ts";
import { useScreenQuery } from "../urql.ts";
import { AssessmentForm } from "./AssessmentForm.tsx";
import { areaNamesOf, versionsOf } from "./formChoices.ts";
import { keptWorkReady } from "./keptWork.ts";
import { lastVisitOf } from "./lastVisit.ts";
import { VisitSheet } from "./VisitSheet.tsx";

/**
 * The form begins with what this device has stored of the assessment. The query is that of the facility's page
 * (client/screens.ts).
 */
export const loader: LoaderFunction = (args) => guarded("editAssessments")(args) ?? keptWorkReady().then(() => null);

const patienceMs = 2000;

/**
 * The form of a new visit. What it shows comes with the facility's page, so that it opens without network wherever that
 * page does.
 */
export function NewAssessmentScreen() {
  const facilityUuid = useParams()["facilityUuid"] ?? "";
  const { privileges } = useViewer();
  const today = useToday();
  const workId = useSearchParams()[0].get("work") ?? undefined;
  const variables = facilityVariables(facilityUuid, privileges);
  const answer = useScreenQuery(facilityQuery, variables);
  const isStale = useRef(answer.stale);
  useEffect(() => {
    isStale.current = answer.stale;
  }, [answer.stale]);
  // A save makes urql ask again. With that answer the facility's page opens as it stays, and nothing on it moves. A query
  // of our own would be a second request.
  const untilPageIsFresh = async () => {
    const until = performance.now() + patienceMs;
    do await new Promise((resolve) => setTimeout(resolve, 50));
    while (isStale.current && performance.now() < until);
  };
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
          <VisitSheet
            facility={facility}
            details={
              <FacilityDetailsSection
                facility={facility}
                brief={lastVisit ? `last visit ${agoWords(lastVisit.assessmentDate, today)}` : "no visit before"}
                isOpen={false}
              />
            }
          >
            {facility.closedOn ? (
              <Callout role="note">
                Closed since {formatDate(facility.closedOn)}: {facility.closeReason}. A visit after that day is recorded
                all the same. If the facility is open, have it opened again in the registry.
              </Callout>
            ) : null}
            <AssessmentForm
              key={`new ${workId}`}
              facility={facility}
              stored={null}
              lastVisit={lastVisit}
              areaName={areaName}
              versions={versionsOf(smartCareAssessmentVersions)}
              workId={workId}
              untilPageIsFresh={untilPageIsFresh}
            />
          </VisitSheet>
        );
      }}
    </QueryState>
  );
}
