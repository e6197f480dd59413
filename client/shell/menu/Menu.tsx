import { Classes } from "@blueprintjs/core";
import {
  ApplicationIcon,
  BookIcon,
  ChangesIcon,
  ClipboardIcon,
  CloudDownloadIcon,
  CloudUploadIcon,
  DocumentIcon,
  HistoryIcon,
  HorizontalBarChartIcon,
  HomeIcon,
  ThListIcon,
  InfoSignIcon,
  KeyIcon,
  MapIcon,
  MapMarkerIcon,
  MobilePhoneIcon,
  OfficeIcon,
  BriefcaseIcon,
  SearchTemplateIcon,
  TickIcon,
  UpdatedIcon,
  PersonIcon,
} from "@blueprintjs/icons";
import { type ComponentType, useId } from "react";
import { Link, useLocation } from "react-router-dom";
import { may } from "../../../gateway/access/access.rules.ts";
import type { Privileges } from "../../../gateway/access/access.rules.ts";
import { menuGroups, namedScreens, screens } from "../../screens.ts";
import { useViewer } from "../session/viewer.ts";
import { SignOutButton } from "./SignOutButton.tsx";
import "./Menu.css";

/** The icons of the entries, by the name of the screen. */
const icons: { [name in keyof typeof screens]?: ComponentType } = {
  home: HomeIcon,
  search: SearchTemplateIcon,
  provinces: MapIcon,
  districts: MapMarkerIcon,
  partners: BriefcaseIcon,
  changes: ChangesIcon,
  reports: DocumentIcon,
  facilities: OfficeIcon,
  worklists: ClipboardIcon,
  tdb: CloudUploadIcon,
  downloads: CloudDownloadIcon,
  ownUser: PersonIcon,
  userDirectory: ThListIcon,
  audit: HistoryIcon,
  toCheck: TickIcon,
  machines: KeyIcon,
  registry: BookIcon,
  fleet: UpdatedIcon,
  questions: HorizontalBarChartIcon,
  field: MobilePhoneIcon,
  about: InfoSignIcon,
};

const entries = namedScreens.flatMap(([name, { path, menu }]) =>
  menu ? [{ ...menu, to: path, covers: [path, ...(menu.covers ?? [])], Icon: icons[name] ?? ApplicationIcon }] : [],
);

/** The menu's entries for a person with these rights. An entry that they may not open is shown as closed. */
export const entriesFor = (privileges: Privileges) =>
  menuGroups
    .flatMap((name) => entries.filter(({ group }) => group === name))
    .filter(({ needs }) => !needs || may(privileges, needs))
    .map((entry) => ({ ...entry, isClosed: entry.opensWith !== undefined && !may(privileges, entry.opensWith) }));

/** The class of an entry. */
export const menuEntry = `menu-entry ${Classes.MENU_ITEM}`;

type Entry = ReturnType<typeof entriesFor>[number];

/** How much of a path an entry covers. Every path begins with Home's, which covers only itself. */
const covered = ({ covers }: Entry, pathname: string): number =>
  Math.max(
    0,
    ...covers
      .filter((start) => (start === "/" ? pathname === start : pathname.startsWith(start)))
      .map((start) => start.length),
  );

/**
 * Links with the classes of Blueprint's menu: its MenuItem is for an application's menu, and would fetch a popover. The
 * main menu in groups. Calls back when an entry is chosen.
 */
export function Menu({ onChoose }: { onChoose?: () => void }) {
  const { pathname } = useLocation();
  const { privileges } = useViewer();
  const id = useId();
  const mine = entriesFor(privileges);
  const most = Math.max(...mine.map((entry) => covered(entry, pathname)));
  const current = most === 0 ? undefined : mine.find((entry) => covered(entry, pathname) === most);
  return (
    <nav aria-label="Main menu">
      {menuGroups.map((group) => (
        <div aria-labelledby={`${id}${group}`} key={group} role="group">
          <p className="menu-group" id={`${id}${group}`}>
            {group}
          </p>
          <ul className={`menu-list ${Classes.MENU}`}>
            {mine
              .filter((entry) => entry.group === group)
              .map((entry) => {
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
          </ul>
        </div>
      ))}
      <ul className={`menu-list menu-last ${Classes.MENU}`}>
        <li>
          <SignOutButton className={menuEntry} />
        </li>
      </ul>
    </nav>
  );
}
