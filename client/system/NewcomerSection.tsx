import { Card } from "@blueprintjs/core";
import {
  CloudDownloadIcon,
  CloudUploadIcon,
  MapIcon,
  MapMarkerIcon,
  MobilePhoneIcon,
  PersonIcon,
  BriefcaseIcon,
  SearchIcon,
} from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import { type Capability, may } from "../../gateway/access/access.rules.ts";
import { routes } from "../routes.ts";
import { useViewer } from "../shell/session/viewer.ts";

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
    Icon: BriefcaseIcon,
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
    Icon: PersonIcon,
    title: "Create an account",
    text: "For a colleague, with the privileges they need.",
    to: routes.addUser(),
    needs: "manageUsers",
  },
];

/** The welcome, and links to the other screens, until the person has signed in on three days. */
export function NewcomerSection() {
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
