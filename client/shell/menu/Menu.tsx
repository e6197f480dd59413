import { Classes } from "@blueprintjs/core";
import {
  ApplicationIcon,
  CloudDownloadIcon,
  CloudUploadIcon,
  HistoryIcon,
  IdNumberIcon,
  InfoSignIcon,
  KeyIcon,
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
import type { Privileges } from "../../../gateway/access/access.rules.ts";
import { namedScreens, screens } from "../../screens.ts";
import { useViewer } from "../session/viewer.ts";
import { SignOutButton } from "./SignOutButton.tsx";
import "./Menu.css";

/** The icons of the entries, by the name of the screen. */
const icons: { [name in keyof typeof screens]?: ComponentType } = {
  search: SearchIcon,
  provinces: MapIcon,
  districts: MapMarkerIcon,
  partners: PeopleIcon,
  tdb: CloudUploadIcon,
  downloads: CloudDownloadIcon,
  ownUser: UserIcon,
  userDirectory: IdNumberIcon,
  audit: HistoryIcon,
  machines: KeyIcon,
  registry: MapMarkerIcon,
  fleet: UpdatedIcon,
  field: MobilePhoneIcon,
  about: InfoSignIcon,
};

const entries = namedScreens.flatMap(([name, { path, menu }]) =>
  menu ? [{ ...menu, to: path, covers: [path, ...(menu.covers ?? [])], Icon: icons[name] ?? ApplicationIcon }] : [],
);

/** The menu's entries for a person with these rights. An entry that they may not open is shown as closed. */
export const entriesFor = (privileges: Privileges) =>
  entries
    .filter(({ needs }) => !needs || may(privileges, needs))
    .map((entry) => ({ ...entry, isClosed: entry.opensWith !== undefined && !may(privileges, entry.opensWith) }));

/** The class of an entry. */
export const menuEntry = `menu-entry ${Classes.MENU_ITEM}`;

/**
 * Links with the classes of Blueprint's menu: its MenuItem is for an application's menu, and would fetch a popover. The
 * main menu. Calls back when an entry is chosen.
 */
export function Menu({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  const { privileges } = useViewer();
  const mine = entriesFor(privileges);
  const current = mine
    .flatMap((entry) => entry.covers.filter((start) => pathname.startsWith(start)).map((start) => ({ entry, start })))
    .toSorted((one, other) => other.start.length - one.start.length)[0]?.entry;
  return (
    <nav aria-label="Main menu">
      <ul className={`menu-list ${Classes.MENU}`}>
        {mine.map((entry) => {
          const { title, to, Icon, isClosed } = entry;
          const isCurrent = entry === current;
          return (
            <li key={title}>
              <Link
                className={`${menuEntry} ${isCurrent ? Classes.ACTIVE : ""}`}
                to={to}
                onClick={onChoose}
                aria-current={pathname === to ? "page" : isCurrent ? "true" : undefined}
              >
                <Icon />
                <span className={Classes.FILL}>{title}</span>
                {isClosed ? <span className={Classes.MENU_ITEM_LABEL}>no rights</span> : null}
              </Link>
            </li>
          );
        })}
        <li className="menu-last">
          <SignOutButton className={menuEntry} />
        </li>
      </ul>
    </nav>
  );
}
