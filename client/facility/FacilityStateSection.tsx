import { Card } from "@blueprintjs/core";
import { useEffect, useRef } from "react";
import { may, type Privileges } from "../../gateway/access/access.rules.ts";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FacilityStateSection_FacilityFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { agoWords } from "../ui/text/ago.ts";
import { formatDate } from "../ui/text/dates.ts";
import { visitQuarters } from "./visitQuarters.ts";
import "./FacilityStateSection.css";

const fragment = graphql(`
  fragment FacilityStateSection_Facility on Facility {
    id
    facilityUuid
    functionalityStatusMode
    state {
      smartCareFunctional libraryVersion primaryPower primaryPowerWorking backupPower backupPowerWorking
      lastVisitDate lastTdbUploadDate expected overdue
    }
    latestAssessment @include(if: $visits) { id assessmentUuid }
    assessments(first: 60) @include(if: $visits) { nodes { id assessmentUuid assessmentDate smartCareFunctional } }
  }
`);

/**
 * Whether this person may see the visits themselves, as variables of the query that contains the fragment. How the
 * facility stands is for everybody.
 */
export const stateVariables = (privileges: Privileges) => (may(privileges, "viewAssessments") ? { visits: true } : {});

type Facility = FacilityStateSection_FacilityFragment;
type State = Facility["state"];

const functionalWords = (functional: boolean | null | undefined) =>
  functional ? "Functional" : functional == null ? "Not recorded" : "Not functional";
const toneOf = (functional: boolean | null | undefined) =>
  functional ? "good" : functional == null ? "unknown" : "bad";

/** The visit's finding about one source of power, in words. */
function powerWords(present: boolean | null | undefined, working: boolean | null | undefined): string {
  if (present === false) return "none";
  return working == null ? "not recorded" : working ? "works" : "does not work";
}

function Power({ state }: { state: State }) {
  return (
    <>
      Primary {powerWords(state.primaryPower, state.primaryPowerWorking)}, backup{" "}
      {powerWords(state.backupPower, state.backupPowerWorking)}
    </>
  );
}

function VisitStrip({
  facilityUuid,
  visits,
  today,
}: {
  facilityUuid: string;
  visits: NonNullable<Facility["assessments"]>["nodes"];
  today: string;
}) {
  const strip = useRef<HTMLOListElement>(null);
  // If the quarters need more room than there is, the last ones are shown first.
  useEffect(() => {
    strip.current?.scrollTo({ left: strip.current.scrollWidth });
  }, []);
  const quarters = visitQuarters(visits, today);
  if (quarters.length === 0) return null;
  return (
    <ol aria-label="Visits by fiscal quarter" className="visit-strip plain" ref={strip}>
      {quarters.map(({ year, quarter, visits: those }) => (
        <li className="stack is-close" key={`${year} ${quarter}`}>
          <span className="visit-strip-marks row">
            {those.length === 0 ? <span className="note">no visit</span> : null}
            {those.map(({ id, assessmentUuid, assessmentDate, smartCareFunctional }) => (
              <ScopeLink
                aria-label={`${formatDate(assessmentDate)}: ${functionalWords(smartCareFunctional)}`}
                className="visit-strip-mark"
                data-tone={toneOf(smartCareFunctional)}
                key={id}
                title={`${formatDate(assessmentDate)}: ${functionalWords(smartCareFunctional)}`}
                to={routes.assessment(facilityUuid, assessmentUuid)}
              >
                {smartCareFunctional ? "✓" : smartCareFunctional == null ? "?" : "✕"}
              </ScopeLink>
            ))}
          </span>
          <span className="note">
            Q{quarter} FY{String(year).slice(2)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/**
 * The state of a facility: whether the system works, when it was last visited, and the visits of the last quarters as
 * links.
 */
export function FacilityStateSection({ facility }: { facility: FragmentType<typeof fragment> }) {
  const { today } = useSystem();
  const {
    facilityUuid,
    functionalityStatusMode: mode,
    state,
    latestAssessment: visit,
    assessments,
  } = readFragment(fragment, facility);
  const { lastVisitDate, lastTdbUploadDate } = state;
  const since = (day: string) => `${formatDate(day)}, ${agoWords(day, today)}`;
  return (
    <Card className="stack" aria-label="State of the facility" role="region">
      <FactList>
        <Fact label="SmartCare" unknown="Never assessed">
          {lastVisitDate ? (
            <span className="facility-state-word" data-tone={toneOf(state.smartCareFunctional)}>
              {functionalWords(state.smartCareFunctional)}
            </span>
          ) : null}
        </Fact>
        <Fact label="Power" unknown="–">
          {lastVisitDate ? <Power state={state} /> : null}
        </Fact>
        <Fact label="Library version" unknown="–">
          {state.libraryVersion}
        </Fact>
        <Fact label="Mode" unknown="None recorded">
          {mode ? modeLabels[mode] : null}
        </Fact>
        <Fact label="Last visit" unknown="Never visited">
          {lastVisitDate && visit ? (
            <ScopeLink to={routes.assessment(facilityUuid, visit.assessmentUuid)}>{since(lastVisitDate)}</ScopeLink>
          ) : (
            lastVisitDate && since(lastVisitDate)
          )}
        </Fact>
        {/* Answers from the device do not have it. */}
        {state.expected == null ? null : (
          <Fact label="Last TDB" unknown={state.overdue ? "Never sent, overdue" : "Never sent"}>
            {lastTdbUploadDate ? `${since(lastTdbUploadDate)}${state.overdue ? ", overdue" : ""}` : null}
          </Fact>
        )}
      </FactList>
      {assessments ? <VisitStrip facilityUuid={facilityUuid} today={today} visits={assessments.nodes} /> : null}
    </Card>
  );
}
