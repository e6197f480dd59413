import {
  CloudDownloadIcon,
  CloudUploadIcon,
  InfoSignIcon,
  LogOutIcon,
  MapIcon,
  MapMarkerIcon,
  PeopleIcon,
  SearchIcon,
  UserIcon,
} from "@blueprintjs/icons";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../routes.ts";
import { signOut } from "./session.ts";
import { showError } from "./toaster.tsx";
import "./Menu.css";

/** Each entry, and the beginnings of the paths it stands for. */
const entries = [
  { title: "Search", to: routes.search(), Icon: SearchIcon, covers: ["/search"] },
  { title: "Provinces", to: routes.provinces(), Icon: MapIcon, covers: ["/provinces", "/facilities/province/"] },
  { title: "Districts", to: routes.districts(), Icon: MapMarkerIcon, covers: ["/districts", "/facilities/district/"] },
  { title: "IP's", to: routes.partners(), Icon: PeopleIcon, covers: ["/ips", "/ip/"] },
  { title: "TDB Upload", to: routes.tdb(), Icon: CloudUploadIcon, covers: ["/tdb"] },
  { title: "Downloads", to: routes.downloads(), Icon: CloudDownloadIcon, covers: ["/downloads"] },
  { title: "User", to: routes.user(), Icon: UserIcon, covers: ["/user"] },
  { title: "About", to: routes.about(), Icon: InfoSignIcon, covers: ["/about"] },
];

async function leave(): Promise<void> {
  if (!(await signOut())) showError("Signing out did not work. Check the connection and try again.");
}

/** The product's menu; tells when an entry was chosen. */
export function Menu({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  return (
    <nav className="menu" aria-label="Main menu">
      <ul className="menu-list">
        {entries.map(({ title, to, Icon, covers }) => {
          const isCurrent = covers.some((start) => pathname.startsWith(start));
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
