import { useMemo } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { FacilityDetailsSection } from "../facility/FacilityDetailsSection.tsx";
import { readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { useMay } from "../shell/session/viewer.ts";
import { guarded } from "../shell/session/guard.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { InSteps } from "../ui/network/InSteps.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AssessmentForm } from "./AssessmentForm.tsx";
import { keptWorkReady } from "./keptWork.ts";
import { lastVisitOf } from "./lastVisit.ts";
import { assessmentFragment } from "./saveAssessment.ts";
import "./AssessmentScreen.css";

const query = graphql(`
  query AssessmentScreenQuery($facilityUuid: String!, $assessmentUuid: String!, $isEdit: Boolean!) {
    facility(facilityUuid: $facilityUuid) {
      id
      facilityUuid
      facilityName
      closedOn
      closeReason
      serviceAreas { id serviceAreaId serviceArea }
      latestAssessment @skip(if: $isEdit) { ...LastVisit_Assessment }
      ...FacilityDetailsSection_Facility
    }
    serviceAreas { id serviceAreaId serviceArea }
    smartCareAssessmentVersions { id libraryVersion databaseVersion }
    assessment(assessmentUuid: $assessmentUuid) @include(if: $isEdit) {
      id
      facilityUuid
      ...SaveAssessment_Assessment
    }
  }
`);

const read = (params: { facilityUuid?: string; assessmentUuid?: string }) => ({
  facilityUuid: params.facilityUuid ?? "",
  assessmentUuid: params.assessmentUuid ?? "",
  isEdit: params.assessmentUuid !== undefined,
});
const ask = screenLoader(query, ({ params }) => read(params));
/** The form begins with what this device has stored of the assessment. */
const start: LoaderFunction = async (args) => {
  void ask(args);
  await keptWorkReady();
  return null;
};

export const loader: LoaderFunction = (args) => guarded("viewAssessments")(args) ?? start(args);
/** The screen of a facility calls it too, so that a new assessment opens without network. */
export const newLoader: LoaderFunction = (args) => guarded("editAssessments")(args) ?? start(args);

/** Parts that a new assessment does not have, and the record for people who may not edit. */
const history = fetchedPart(() => import("./RevisionsSection.tsx"));
const record = fetchedPart(() => import("./AssessmentRecordSection.tsx"));

const different = (texts: string[]): string[] => [...new Set(texts)].toSorted();

/** One visit's record: a new one, or one to be looked at and corrected. */
export function AssessmentScreen() {
  const variables = read(useParams());
  const workId = useSearchParams()[0].get("work") ?? undefined;
  const answer = useScreenQuery(query, variables);
  const { data } = answer;
  const mayEdit = useMay("editAssessments");
  const areaName = useMemo(() => {
    const names = new Map(data?.serviceAreas.map(({ serviceAreaId, serviceArea }) => [serviceAreaId, serviceArea]));
    return (serviceAreaId: number) => names.get(serviceAreaId) ?? `Service area ${serviceAreaId}`;
  }, [data?.serviceAreas]);
  const latest = data?.facility?.latestAssessment;
  const lastVisit = useMemo(() => (latest ? lastVisitOf(latest) : null), [latest]);

  return (
    <QueryState query={answer} what={variables.isEdit ? "assessment" : "facility"}>
      {({ facility, smartCareAssessmentVersions, assessment }) => {
        if (!facility) return <NotFoundNotice what="facility" />;
        if (variables.isEdit && assessment?.facilityUuid !== facility.facilityUuid) return <NotFoundNotice what="assessment" />;
        const stored = readFragment(assessmentFragment, assessment) ?? null;
        const versions = {
          library: different(smartCareAssessmentVersions.map(({ libraryVersion }) => libraryVersion)),
          database: different(smartCareAssessmentVersions.map(({ databaseVersion }) => databaseVersion)),
        };
        return (
          <Page title="Assessment" subtitle={<Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>}>
            {facility.closedOn && !stored ? (
              <p className="facility-closed" role="note">
                Closed since {formatDate(facility.closedOn)}: {facility.closeReason}. A visit after that day is recorded all the same. If the facility is open, have it opened again in the registry.
              </p>
            ) : null}
            <InSteps>
              <FacilityDetailsSection facility={facility} />
              {mayEdit ? (
                <AssessmentForm
                  key={`${stored?.assessmentUuid ?? "new"} ${workId}`}
                  facility={facility}
                  stored={stored}
                  lastVisit={lastVisit}
                  areaName={areaName}
                  versions={versions}
                  workId={workId}
                />
              ) : stored ? (
                <Fetched part={record}>{({ AssessmentRecordSection }) => <AssessmentRecordSection areaName={areaName} assessment={stored} />}</Fetched>
              ) : null}
              {stored ? <Fetched part={history}>{({ RevisionsSection }) => <RevisionsSection assessment={stored} areaName={areaName} />}</Fetched> : null}
            </InSteps>
          </Page>
        );
      }}
    </QueryState>
  );
}
