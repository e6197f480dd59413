import { Button, Callout, Classes, Intent } from "@blueprintjs/core";
import { AddIcon, EditIcon } from "@blueprintjs/icons";
import { type ReactNode, useState } from "react";
import { Link, type LoaderFunction, Navigate, useLocation, useParams } from "react-router-dom";
import { type Capability, may, type Privileges } from "../../gateway/access/access.rules.ts";
import * as actions from "../action/FacilityActionsSection.tsx";
import { useKeptWork } from "../assessment/keptWork.ts";
import { AddAssessmentLink } from "../assessment/AddAssessmentLink.tsx";
import * as assessments from "../assessment/PastAssessmentsTab.tsx";
import { SiteUpdatesSection } from "../fleet/SiteUpdatesSection.tsx";
import { graphql } from "../gql/gql.ts";
import type { FacilityScreen_RecordsQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { signOutDialog } from "../shell/menu/SignOutButton.tsx";
import { currentSession } from "../shell/session/session.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { useMay, useViewer } from "../shell/session/viewer.ts";
import * as tdbs from "../tdb/FacilityTdbsTab.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { screenLoader, type ScreenQuery, useScreenQuery } from "../urql.ts";
import { FacilityDetailsSection } from "./FacilityDetailsSection.tsx";
import { FacilityEditDialog } from "./FacilityEditDialog.tsx";
import { FieldListNote } from "./FieldListNote.tsx";
import { AlertsList } from "./story/AlertsList.tsx";
import { PeopleCard } from "./story/PeopleCard.tsx";
import { PlaceLinks } from "./story/PlaceLinks.tsx";
import { SiteMapCard } from "./story/SiteMapCard.tsx";
import { StateCard } from "./story/StateCard.tsx";
import * as timeline from "./story/TimelineSection.tsx";
import { UnreachableFacilityNotice } from "./UnreachableFacilityNotice.tsx";
import { useVisitReadiness, VisitReadinessNote } from "./VisitReadinessNote.tsx";

/**
 * The form of a new visit is fetched with the page, so that it opens without network; so is the question before signing
 * out with unsent work, which a visit can do without.
 */
const fetchVisitForm = () =>
  Promise.all([import("../assessment/NewAssessmentScreen.tsx"), signOutDialog.load().catch(() => {})]);

/**
 * The answer contains what the form of a new visit shows, for people who may see visits: the form opens wherever this
 * page does.
 */
export const facilityQuery = graphql(`
  query FacilityScreenQuery($facilityUuid: String!, $visits: Boolean! = false) {
    facility(facilityUuid: $facilityUuid) {
      id
      facilityUuid
      facilityName
      closedOn
      closeReason
      latitude
      longitude
      serviceAreas { id serviceAreaId serviceArea }
      state { lastVisitDate }
      latestAssessment @include(if: $visits) { ...LastVisit_Assessment }
      ...PlaceLinks_Facility
      ...AlertsList_Facility
      ...StateCard_Facility
      ...PeopleCard_Facility
      ...SiteMapCard_Facility
      ...FacilityDetailsSection_Facility
    }
    serviceAreas @include(if: $visits) { id serviceAreaId serviceArea }
    smartCareAssessmentVersions @include(if: $visits) { id libraryVersion databaseVersion }
  }
`);

/** The first page of each list. The lists ask for their other pages, and for a kind of the timeline, by themselves. */
const recordsQuery = graphql(`
  query FacilityScreen_records(
    $facilityUuid: String!, $visits: Boolean! = false, $kind: TimelineKind, $first: Int = 10, $offset: Int
  ) {
    ...TimelineSection_Query
    ...FacilityActionsSection_Query @include(if: $visits)
    ...PastAssessmentsTab_Query @include(if: $visits)
  }
`);

type FacilityTab = {
  id: string;
  title: string;
  needs: Capability;
  loader: LoaderFunction;
  panel: (facilityUuid: string, records: ScreenQuery<FacilityScreen_RecordsQuery>) => ReactNode;
};

const tabs: FacilityTab[] = [
  {
    id: "assessments",
    title: "Past Assessments",
    needs: "viewAssessments",
    loader: assessments.loader,
    panel: (facilityUuid, records) => <assessments.PastAssessmentsTab facilityUuid={facilityUuid} first={records} />,
  },
  {
    id: "tdbs",
    title: "Uploaded TDBs",
    needs: "viewTdbs",
    loader: tdbs.loader,
    panel: (facilityUuid) => <tdbs.FacilityTdbsTab facilityUuid={facilityUuid} />,
  },
];

const tabsFor = (privileges: Privileges) => tabs.filter(({ needs }) => may(privileges, needs));

/** How a facility stands is for everybody; the last visit itself for people who may see visits. */
export const facilityVariables = (facilityUuid: string, privileges: Privileges) => ({
  facilityUuid,
  ...(may(privileges, "viewAssessments") ? { visits: true } : {}),
});

/** Starts the screen's two queries, and those of lists that are not at their first page. */
export const loader: LoaderFunction = (args) => {
  const session = currentSession();
  if (session.state !== "signedIn") return null;
  const mine = tabsFor(session.viewer.privileges);
  const wanted = new URL(args.request.url).searchParams.get("tab");
  if (may(session.viewer.privileges, "viewAssessments")) void actions.loader(args);
  void timeline.loader(args);
  void (mine.find(({ id }) => id === wanted) ?? mine[0])?.loader(args);
  const variables = facilityVariables(args.params["facilityUuid"] ?? "", session.viewer.privileges);
  void screenLoader(recordsQuery, () => variables)(args);
  return screenLoader(facilityQuery, () => variables)(args);
};

/** One facility: how it stands, whom to call, where it is, what happened, its details, visits and TDBs. */
export function FacilityScreen() {
  const facilityUuid = useParams()["facilityUuid"] ?? "";
  const { privileges } = useViewer();
  const mayAssess = useMay("editAssessments");
  const mayEdit = useMay("editFacility");
  const mayRegister = useMay("editRegistry");
  const maySeeUpdates = useMay("viewFleet");
  const { search } = useLocation();
  const isVisitWaiting = useKeptWork().some((work) => work.facilityUuid === facilityUuid && work.status === "waiting");
  const [isEditing, setEditing] = useState(false);
  const [isUpdating, setUpdating] = useState(new URLSearchParams(search).has("updates"));
  const answer = useScreenQuery(facilityQuery, facilityVariables(facilityUuid, privileges));
  const records = useScreenQuery(recordsQuery, facilityVariables(facilityUuid, privileges));
  const readiness = useVisitReadiness(
    mayAssess && answer.data !== undefined,
    answer.data?.smartCareAssessmentVersions !== undefined,
    fetchVisitForm,
  );
  const saved = () => {
    setEditing(false);
    answer.reload();
  };
  if (answer.error?.networkError && !answer.data)
    return (
      <UnreachableFacilityNotice facilityUuid={facilityUuid} isFetching={answer.fetching} onRetry={answer.reload} />
    );
  return (
    <QueryState query={answer} what="facility">
      {({ facility }) =>
        facility && facility.facilityUuid !== facilityUuid && !answer.stale ? (
          // This facility was merged into another one, which the server has answered instead.
          <Navigate replace to={routes.facility(facility.facilityUuid) + search} />
        ) : facility ? (
          <Page
            title={facility.facilityName}
            subtitle={<PlaceLinks facility={facility} />}
            actions={
              <>
                {mayRegister ? (
                  <Link className={Classes.BUTTON} to={routes.registryOf(facility.facilityUuid)}>
                    Registry
                  </Link>
                ) : null}
                {mayEdit ? <Button icon={<EditIcon />} onClick={() => setEditing(true)} text="Edit" /> : null}
                {mayAssess && readiness.hasForm ? (
                  <AddAssessmentLink facilityUuid={facility.facilityUuid} />
                ) : mayAssess ? (
                  <Button disabled icon={<AddIcon />} intent={Intent.PRIMARY} text="Add new assessment" />
                ) : null}
              </>
            }
          >
            <PrintedNote answer={answer.data} words={[]} />
            <FacilityEditDialog
              facilityUuid={facility.facilityUuid}
              facilityName={facility.facilityName}
              isOpen={isEditing}
              onClose={() => setEditing(false)}
              onSaved={saved}
            />
            {facility.closedOn ? (
              <Callout role="note">
                Closed since {formatDate(facility.closedOn)}: {facility.closeReason}. It is in no list and no count any
                more; its history stays.
                {(facility.state.lastVisitDate ?? "") > facility.closedOn
                  ? ` A visit on ${formatDate(facility.state.lastVisitDate)} was recorded all the same: if it is open, open it again in the registry.`
                  : null}
              </Callout>
            ) : null}
            <FieldListNote query={answer}>
              Its deployment mode is that of the last visit, where that was downloaded.
            </FieldListNote>
            <div className="story stack">
              <AlertsList facility={facility} />
              <div className="story-cards">
                <StateCard facility={facility} />
                <PeopleCard facility={facility} />
                <SiteMapCard facility={facility} />
              </div>
            </div>
            {mayAssess ? <VisitReadinessNote readiness={readiness} /> : null}
            {may(privileges, "viewAssessments") ? (
              <actions.FacilityActionsSection
                facilityName={facility.facilityName}
                facilityUuid={facility.facilityUuid}
                first={records}
                isVisitWaiting={isVisitWaiting}
              />
            ) : null}
            <timeline.TimelineSection facilityUuid={facility.facilityUuid} first={records} />
            <FacilityDetailsSection facility={facility} />
            {maySeeUpdates ? (
              <details
                className={Classes.CARD}
                open={isUpdating}
                onToggle={(event) => setUpdating(event.currentTarget.open)}
              >
                <summary>
                  <strong>Updates of the site</strong>
                </summary>
                {isUpdating ? <SiteUpdatesSection facilityUuid={facility.facilityUuid} /> : null}
              </details>
            ) : null}
            <UrlTabs
              label="Records of the facility"
              tabs={tabsFor(privileges).map(({ id, title, panel }) => ({
                id,
                title,
                panel: () => panel(facility.facilityUuid, records),
              }))}
            />
          </Page>
        ) : (
          <NotFoundNotice what="facility" />
        )
      }
    </QueryState>
  );
}
