import { Card } from "@blueprintjs/core";
import {
  CloudDownloadIcon,
  CloudUploadIcon,
  MapIcon,
  MapMarkerIcon,
  MobilePhoneIcon,
  UserIcon,
  PeopleIcon,
  SearchIcon,
} from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import { type Capability, may } from "../../gateway/access/access.rules.ts";
import { OwnVisitsSection } from "../assessment/OwnVisitsSection.tsx";
import { routes } from "../routes.ts";
import { graphql } from "../gql/gql.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { useScreenQuery } from "../urql.ts";
import "./HomeScreen.css";

type Task = { Icon: typeof SearchIcon; title: string; text: string; to: string; needs?: Capability };

const tasks: Task[] = [
  {
    Icon: SearchIcon,
    title: "Find a facility",
    text: "By its name, with its partner, province and district.",
    to: routes.search(),
  },
  {
    Icon: MapIcon,
    title: "See how the nation stands",
    text: "Functionality, training, modes and versions in charts.",
    to: routes.provinces(),
  },
  {
    Icon: MapMarkerIcon,
    title: "Look at one area",
    text: "Facilities and figures of any part of the country.",
    to: routes.districts(),
  },
  {
    Icon: PeopleIcon,
    title: "Follow a partner's sites",
    text: "What each organisation supports, and how it runs there.",
    to: routes.partners(),
  },
  {
    Icon: MobilePhoneIcon,
    title: "Prepare for the field",
    text: "Download sites for offline use, and assess them where there is no network.",
    to: routes.field(),
    needs: "editAssessments",
  },
  {
    Icon: CloudUploadIcon,
    title: "Send transport databases",
    text: "Several files at once; a dropped link does no harm.",
    to: routes.tdb(),
    needs: "uploadTdbs",
  },
  {
    Icon: CloudDownloadIcon,
    title: "Get installers and upgraders",
    text: "With patches and other files.",
    to: routes.downloads(),
    needs: "accessDownloads",
  },
  {
    Icon: UserIcon,
    title: "Create an account",
    text: "For a colleague, with the privileges they need.",
    to: routes.addUser(),
    needs: "manageUsers",
  },
];

const homeQuery = graphql(`
  query HomeScreenQuery($sets: Boolean!) {
    viewer { user { id } signInDays }
    setUp @include(if: $sets) { isDone }
  }
`);
/** On so many days a person is a newcomer. */
const newcomerDays = 3;

const situation = fetchedPart(() => import("../situation/home/HomeSituationSection.tsx"));

/** The welcome, and links to the other screens, until the person has signed in on three days. */
function Newcomer() {
  const { user, privileges } = useViewer();
  return (
    <div className="stack screen-only">
      <div className="soft measure">
        <p className="home-lead">Welcome, {user.firstName}.</p>
        <p>
          This platform shows where and how SmartCare is deployed, facility by facility. To get around, use the menu at
          the top left, or begin with one of these.
        </p>
      </div>
      <ul className="home-tasks grid plain">
        {tasks
          .filter(({ needs }) => !needs || may(privileges, needs))
          .map(({ Icon, title, text, to }) => (
            <li key={title}>
              <Card className="home-task" compact interactive>
                <Icon size={20} />
                <div>
                  <Link to={to}>{title}</Link>
                  <p className="soft">{text}</p>
                </div>
              </Card>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** The start page: the person's own visits, the situation of the country and, for newcomers, the welcome. */
export function HomeScreen() {
  const { user, privileges } = useViewer();
  const { data } = useScreenQuery(homeQuery, { sets: may(privileges, "viewSystem") });
  const left = data?.setUp?.filter(({ isDone }) => !isDone).length ?? 0;
  const isNewcomer = (data?.viewer?.signInDays ?? newcomerDays) < newcomerDays;
  return (
    <Page
      actions={
        <div className="row screen-only">
          <ScopeLink to={routes.partner(user.implementingPartner.implementingPartnerId)}>
            Sites of {user.implementingPartner.implementingPartner}
          </ScopeLink>
          <ScopeLink to={routes.changes({})}>What changed</ScopeLink>
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
            <HomeSituationSection>{isNewcomer ? <Newcomer /> : null}</HomeSituationSection>
          )}
        </Fetched>
      </div>
    </Page>
  );
}
