import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { modeLabels } from "../../../gateway/facility/mode.rules.ts";
import { worksWords } from "../../../gateway/facility/siteColumns.rules.ts";
import { graphql } from "../../gql/gql.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import type { StateCard_FacilityFragment } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { useSystem } from "../../shell/session/viewer.ts";
import { Fact, FactList } from "../../ui/page/FactList.tsx";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import { agoWords } from "../../ui/text/ago.ts";
import { formatDate } from "../../ui/text/dates.ts";
import "./StateCard.css";

const fragment = graphql(`
  fragment StateCard_Facility on Facility {
    id
    facilityUuid
    functionalityStatusMode
    state {
      smartCareFunctional smartCareFunctionalSince powerWorking powerWorkingSince
      primaryPower primaryPowerWorking backupPower backupPowerWorking
      libraryVersion libraryVersionSince functionalityStatusModeSince lastVisitDate lastTdbCreationDate expected overdue
    }
    latestAssessment @include(if: $visits) { id assessmentUuid }
  }
`);

type State = StateCard_FacilityFragment["state"];
type Day = string | null | undefined;
type Answer = boolean | null | undefined;

const toneOf = (works: Answer) => (works == null ? "unknown" : works ? "good" : "bad");

/** The visit's finding about one source of power, in words. */
function powerWords(present: Answer, working: Answer, state: State): string {
  if (present === false) return "none";
  return worksWords(working, state).toLowerCase();
}

/** A value with the day since when it holds. Without that day, the day of the visit that found it. */
function Since({ day, seen, children }: { day: Day; seen: Day; children: ReactNode }) {
  return (
    <>
      <span>{children}</span>
      <span className="note is-line">
        {day ? `since ${formatDate(day)}` : seen ? `seen ${formatDate(seen)}` : null}
      </span>
    </>
  );
}

function Works({ works, day, seen }: { works: Answer; day: Day; seen: Day }) {
  return (
    <Since day={day} seen={seen}>
      <span className="state-word" data-tone={toneOf(works)}>
        {worksWords(works, { lastVisitDate: seen })}
      </span>
    </Since>
  );
}

function Power({ state }: { state: State }) {
  return (
    <>
      <Works day={state.powerWorkingSince} seen={state.lastVisitDate} works={state.powerWorking} />
      <span className="note is-line">
        primary {powerWords(state.primaryPower, state.primaryPowerWorking, state)}, backup{" "}
        {powerWords(state.backupPower, state.backupPowerWorking, state)}
      </span>
    </>
  );
}

/** How a facility stands, since when, and when it was last visited and last sent data. */
export function StateCard({ facility }: { facility: FragmentType<typeof fragment> }) {
  const { today } = useSystem();
  const { facilityUuid, functionalityStatusMode: mode, state, latestAssessment } = readFragment(fragment, facility);
  const { lastVisitDate: seen, lastTdbCreationDate: sent } = state;
  const dayWords = (day: string) => (
    <>
      {formatDate(day)} <span className="note is-line">{agoWords(day, today)}</span>
    </>
  );
  return (
    <Card aria-labelledby="facility-state" className="story-card stack is-close" role="region">
      <h2 id="facility-state">State</h2>
      <FactList>
        <Fact label="SmartCare" unknown="Never visited">
          {seen ? <Works day={state.smartCareFunctionalSince} seen={seen} works={state.smartCareFunctional} /> : null}
        </Fact>
        <Fact label="Power" unknown="–">
          {seen ? <Power state={state} /> : null}
        </Fact>
        <Fact label="Version" unknown={seen ? "Not recorded" : "–"}>
          {state.libraryVersion ? (
            <Since day={state.libraryVersionSince} seen={seen}>
              {state.libraryVersion}
            </Since>
          ) : null}
        </Fact>
        <Fact label="Mode" unknown="–">
          {mode ? (
            <Since day={state.functionalityStatusModeSince} seen={seen}>
              {modeLabels[mode]}
            </Since>
          ) : null}
        </Fact>
        <Fact label="Last visit" unknown="Never visited">
          {seen && latestAssessment ? (
            <ScopeLink to={routes.assessment(facilityUuid, latestAssessment.assessmentUuid)}>
              {dayWords(seen)}
            </ScopeLink>
          ) : (
            seen && dayWords(seen)
          )}
        </Fact>
        {/* Answers from the device do not have it. */}
        {state.expected == null ? null : (
          <Fact label="Last data" unknown={state.overdue ? "Never sent, overdue" : "Never sent"}>
            {sent ? dayWords(sent) : null}
          </Fact>
        )}
      </FactList>
    </Card>
  );
}
