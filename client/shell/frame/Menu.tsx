import {
  CloudDownloadIcon,
  CloudUploadIcon,
  HistoryIcon,
  IdNumberIcon,
  InfoSignIcon,
  KeyIcon,
  LogOutIcon,
  MapIcon,
  MapMarkerIcon,
  MobilePhoneIcon,
  PeopleIcon,
  SearchIcon,
  UpdatedIcon,
  UserIcon,
} from "@blueprintjs/icons";
import type { ComponentType } from "react";
import { Link, useLocation } from "react-router-dom";
import { may } from "../../../gateway/access/access.rules.ts";
import type { Capability, Privileges } from "../../../gateway/access/access.rules.ts";
import { routes } from "../../routes.ts";
import { signOut } from "../session/session.ts";
import { showError } from "../toast/toaster.tsx";
import { useViewer } from "../session/viewer.ts";
import "./Menu.css";

type Entry = {
  title: string;
  to: string;
  Icon: ComponentType;
  covers: string[];
  /** Without this right the entry is not there. */
  needs?: Capability;
  /** Without this right the entry says so: the menu of the specification has it for everybody. */
  opensWith?: Capability;
};

/** Each entry, and the beginnings of the paths it stands for. */
const entries: Entry[] = [
  { title: "Search", to: routes.search(), Icon: SearchIcon, covers: ["/search"] },
  { title: "Provinces", to: routes.provinces(), Icon: MapIcon, covers: ["/provinces", "/facilities/province/"] },
  { title: "Districts", to: routes.districts(), Icon: MapMarkerIcon, covers: ["/districts", "/facilities/district/"] },
  { title: "IP's", to: routes.partners(), Icon: PeopleIcon, covers: ["/ips", "/ip/"] },
  { title: "TDB Upload", to: routes.tdb(), Icon: CloudUploadIcon, covers: ["/tdb"], opensWith: "uploadTdbs" },
  { title: "Downloads", to: routes.downloads(), Icon: CloudDownloadIcon, covers: ["/downloads"], opensWith: "accessDownloads" },
  { title: "User", to: routes.user(), Icon: UserIcon, covers: ["/user"] },
  { title: "Users", to: routes.userDirectory(), Icon: IdNumberIcon, covers: ["/users/"], needs: "manageUsers" },
  { title: "Audit", to: routes.audit(), Icon: HistoryIcon, covers: ["/audit"], needs: "viewAudit" },
  { title: "Machines", to: routes.machines(), Icon: KeyIcon, covers: ["/machines"], needs: "manageMachines" },
  { title: "Registry", to: routes.registry(), Icon: MapMarkerIcon, covers: ["/registry"], needs: "editRegistry" },
  { title: "Fleet", to: routes.fleet(), Icon: UpdatedIcon, covers: ["/fleet"], needs: "viewFleet" },
  { title: "Prepare for the field", to: routes.field(), Icon: MobilePhoneIcon, covers: ["/field"], needs: "editAssessments" },
  { title: "About", to: routes.about(), Icon: InfoSignIcon, covers: ["/about"] },
];

/** The entries that somebody with these rights has; a closed one says that it leads nowhere for them. */
export const entriesFor = (privileges: Privileges) =>
  entries
    .filter(({ needs }) => !needs || may(privileges, needs))
    .map((entry) => ({ ...entry, isClosed: entry.opensWith !== undefined && !may(privileges, entry.opensWith) }));

async function leave(): Promise<void> {
  if (!(await signOut())) showError("Signing out did not work. Check the connection and try again.");
}

/** The product's menu; tells when an entry was chosen. */
export function Menu({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  const { privileges } = useViewer();
  const mine = entriesFor(privileges);
  const current = mine
    .flatMap((entry) => entry.covers.filter((start) => pathname.startsWith(start)).map((start) => ({ entry, start })))
    .toSorted((one, other) => other.start.length - one.start.length)[0]?.entry;
  return (
    <nav className="menu" aria-label="Main menu">
      <ul className="menu-list">
        {mine.map((entry) => {
          const { title, to, Icon, isClosed } = entry;
          const isCurrent = entry === current;
          return (
            <li key={title}>
              <Link
                className={isCurrent ? "menu-entry is-current" : "menu-entry"}
                to={to}
                onClick={onChoose}
                aria-current={pathname === to ? "page" : isCurrent ? "true" : undefined}
              >
                <Icon />
                {title}
                {isClosed ? <span className="menu-note">no rights</span> : null}
              </Link>
            </li>
          );
        })}
        <li className="menu-last">
          <button className="menu-entry" type="button" onClick={() => void leave()}>
            <LogOutIcon />
            Sign-out
          </button>
        </li>
      </ul>
    </nav>
  );
}
