import { Intent, Tag } from "@blueprintjs/core";
import { WarningSignIcon } from "@blueprintjs/icons";
import { graphql } from "../../gql/gql.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import type { AlertsList_FacilityFragment } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { useSystem } from "../../shell/session/viewer.ts";
import { kindOf } from "../../action/worklistKinds.ts";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import { daysBetween } from "../../ui/text/ago.ts";
import { counted } from "../../ui/text/counted.ts";
import { daysAfter, formatDate } from "../../ui/text/dates.ts";
import "./AlertsList.css";

const fragment = graphql(`
  fragment AlertsList_Facility on Facility {
    id
    district { id districtId }
    state { lastTdbCreationDate libraryVersion }
    problems { kind sinceDate days newestVersion }
  }
`);

type Facility = AlertsList_FacilityFragment;
type Problem = NonNullable<Facility["problems"]>[number];

function alertWords({ kind, sinceDate, days, newestVersion }: Problem, { state }: Facility, today: string): string {
  switch (kind) {
    case "STOPPED":
      return `Stopped working ${formatDate(sinceDate)}`;
    case "LOST_POWER":
      return `Lost power ${formatDate(sinceDate)}`;
    case "OLD_VERSION":
      return `Version ${state.libraryVersion ?? ""}, newest ${newestVersion ?? ""}`;
    case "NOT_VISITED":
      return `Not visited for ${counted(days ?? 0, "day")}`;
    case "SILENT":
      return sinceDate && state.lastTdbCreationDate
        ? `No data for ${counted(daysBetween(state.lastTdbCreationDate, today), "day")}, due ${formatDate(daysAfter(sinceDate, -1))}`
        : "No data yet";
  }
}

/** What is to be done about the facility: each opens its list, in the district. Nothing when nothing is wrong. */
export function AlertsList({ facility }: { facility: FragmentType<typeof fragment> }) {
  const { today } = useSystem();
  const known = readFragment(fragment, facility);
  const { problems, district } = known;
  // The device has none of them.
  if (!problems?.length) return null;
  return (
    <ul aria-label="Needs attention" className="alerts-list row plain">
      {problems.map((problem) => (
        <li key={problem.kind}>
          <ScopeLink to={routes.worklist(kindOf(problem.kind), { districtId: district.districtId, show: "all" })}>
            <Tag
              icon={<WarningSignIcon />}
              intent={problem.kind === "STOPPED" || problem.kind === "LOST_POWER" ? Intent.DANGER : Intent.WARNING}
              interactive
              minimal
              multiline
              size="large"
            >
              {alertWords(problem, known, today)}
            </Tag>
          </ScopeLink>
        </li>
      ))}
    </ul>
  );
}
