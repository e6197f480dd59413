import { useMemo } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { VisitActionsSection } from "../action/VisitActionsSection.tsx";
import { FacilityDetailsSection } from "../facility/FacilityDetailsSection.tsx";
import { readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { guarded } from "../shell/session/guard.ts";
import { InSteps } from "../ui/network/InSteps.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AssessmentForm } from "./AssessmentForm.tsx";
import { AssessmentRecordSection } from "./AssessmentRecordSection.tsx";
import { areaNamesOf, versionsOf } from "./formChoices.ts";
import { keptWorkReady } from "./keptWork.ts";
import { NotCountedNotice } from "./NotCountedNotice.tsx";
import { RevisionsSection } from "./RevisionsSection.tsx";
import { assessmentFragment } from "./saveAssessment.ts";
import { VisitSheet } from "./VisitSheet.tsx";
import { VisitStandingControls } from "./VisitStandingControls.tsx";

const query = graphql(`
  query AssessmentScreenQuery($facilityUuid: String!, $assessmentUuid: String!, $isEdit: Boolean!) {
    facility(facilityUuid: $facilityUuid) {
      id
      facilityUuid
      facilityName
      latitude
      longitude
      serviceAreas { id serviceAreaId serviceArea }
      ...FacilityDetailsSection_Facility
    }
    serviceAreas { id serviceAreaId serviceArea }
    smartCareAssessmentVersions { id libraryVersion databaseVersion }
    assessment(assessmentUuid: $assessmentUuid) @include(if: $isEdit) {
      id
      facilityUuid
      setAside { reason }
      held
      ...SaveAssessment_Assessment
      ...VisitStandingControls_Assessment
      ...VisitActionsSection_Assessment
    }
  }
`);

/**
 * `isEdit` is always true: a former client asked for new assessments too, and devices store answers under all
 * variables.
 */
const read = (params: { facilityUuid?: string; assessmentUuid?: string }) => ({
  facilityUuid: params.facilityUuid ?? "",
  assessmentUuid: params.assessmentUuid ?? "",
  isEdit: true,
});
const ask = screenLoader(query, ({ params }) => read(params));
/** The form begins with what this device has stored of the assessment. */
const start: LoaderFunction = async (args) => {
  void ask(args);
  await keptWorkReady();
  return null;
};

export const loader: LoaderFunction = (args) => guarded("viewAssessments")(args) ?? start(args);

/** One visit's record, to be looked at and corrected. */
export function AssessmentScreen() {
  const workId = useSearchParams()[0].get("work") ?? undefined;
  const answer = useScreenQuery(query, read(useParams()));
  const mayEdit = useMay("editAssessments");
  const areas = answer.data?.serviceAreas;
  const areaName = useMemo(() => areaNamesOf(areas), [areas]);

  return (
    <QueryState query={answer} what="assessment">
      {({ facility, smartCareAssessmentVersions, assessment }) => {
        if (!facility) return <NotFoundNotice what="facility" />;
        const stored = readFragment(assessmentFragment, assessment);
        if (!assessment || stored?.facilityUuid !== facility.facilityUuid) return <NotFoundNotice what="assessment" />;
        return (
          <VisitSheet
            controls={assessment.setAside || assessment.held ? null : <VisitStandingControls assessment={assessment} />}
            facility={facility}
            details={
              <FacilityDetailsSection
                facility={facility}
                brief={`visit of ${formatDate(stored.assessmentDate)}`}
                isOpen={!mayEdit}
              />
            }
          >
            <NotCountedNotice assessment={assessment} />
            <InSteps>
              {mayEdit ? (
                <AssessmentForm
                  key={`${stored.assessmentUuid} ${workId}`}
                  facility={facility}
                  stored={stored}
                  lastVisit={null}
                  areaName={areaName}
                  versions={versionsOf(smartCareAssessmentVersions)}
                  workId={workId}
                />
              ) : (
                <AssessmentRecordSection areaName={areaName} assessment={stored} />
              )}
              <VisitActionsSection assessment={assessment} />
              <RevisionsSection assessment={stored} areaName={areaName} />
            </InSteps>
          </VisitSheet>
        );
      }}
    </QueryState>
  );
}
