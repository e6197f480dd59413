import { Link } from "react-router-dom";
import { may } from "../../gateway/access/access.rules.ts";
import { OwnVisitsSection } from "../assessment/OwnVisitsSection.tsx";
import { routes } from "../routes.ts";
import { graphql } from "../gql/gql.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { daysAfter, mondayOf } from "../ui/text/dates.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { useScreenQuery } from "../urql.ts";
import "./HomeScreen.css";

const homeQuery = graphql(`
  query HomeScreenQuery($sets: Boolean!) {
    viewer { user { id } signInDays }
    setUp @include(if: $sets) { isDone }
    savedQueries(pinned: true, first: 6) { nodes { id uuid name query } }
  }
`);
/** On so many days a person is a newcomer. */
const newcomerDays = 3;

const newcomer = fetchedPart(() => import("./NewcomerSection.tsx"));
const pinned = fetchedPart(() => import("../query/PinnedQuestionsSection.tsx"));
const situation = fetchedPart(() => import("../situation/home/HomeSituationSection.tsx"));

/**
 * The start page: the person's own visits, the situation of the country, for newcomers the welcome, and the questions
 * that the person pinned.
 */
export function HomeScreen() {
  const { user, privileges } = useViewer();
  const { today } = useSystem();
  // On a Monday, the one before: of the day itself there is hardly anything to tell.
  const since = mondayOf(daysAfter(today, -1));
  const { data } = useScreenQuery(homeQuery, { sets: may(privileges, "viewSystem") });
  const left = data?.setUp?.filter(({ isDone }) => !isDone).length ?? 0;
  const pins = data?.savedQueries.nodes ?? [];
  const isNewcomer = (data?.viewer?.signInDays ?? newcomerDays) < newcomerDays;
  return (
    <Page
      actions={
        <div className="row screen-only">
          <ScopeLink to={routes.partner(user.implementingPartner.implementingPartnerId)}>
            Sites of {user.implementingPartner.implementingPartner}
          </ScopeLink>
          <ScopeLink to={routes.changes({ since })}>What changed since Monday</ScopeLink>
        </div>
      }
      title="Home"
    >
      {left > 0 ? (
        <p className="screen-only">
          <Link to={routes.setUp()}>Set up the country: {counted(left, "step")} left</Link>
        </p>
      ) : null}
      <OwnVisitsSection />
      <div className="home-situation">
        <Fetched part={situation}>
          {({ HomeSituationSection }) => (
            <HomeSituationSection>
              {isNewcomer ? <Fetched part={newcomer}>{({ NewcomerSection }) => <NewcomerSection />}</Fetched> : null}
              {pins.length > 0 ? (
                <Fetched part={pinned}>
                  {({ PinnedQuestionsSection }) => <PinnedQuestionsSection pins={pins} />}
                </Fetched>
              ) : null}
            </HomeSituationSection>
          )}
        </Fetched>
      </div>
    </Page>
  );
}
