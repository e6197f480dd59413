import { useEffect, useRef } from "react";
import { may } from "../../gateway/access/access.rules.ts";
import type { Privileges } from "../../gateway/access/access.rules.ts";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import type { FacilityStateSection_FacilityFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
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
    latestAssessment @include(if: $visits) {
      id assessmentUuid assessmentDate smartCareFunctional libraryVersion
      primaryPower primaryPowerWorking backupPower backupPowerWorking
    }
    assessments(first: 60) @include(if: $visits) { nodes { id assessmentUuid assessmentDate smartCareFunctional } }
    latestTdb @include(if: $tdbs) { id uploadDate }
  }
`);

/** Which parts of a facility's state this person may see, as variables of the query that contains the fragment. */
export const stateVariables = (privileges: Privileges) => ({
  ...(may(privileges, "viewAssessments") ? { visits: true } : {}),
  ...(may(privileges, "viewTdbs") ? { tdbs: true } : {}),
});

type Facility = FacilityStateSection_FacilityFragment;
type Visit = NonNullable<Facility["latestAssessment"]>;

const functionalWords = (functional: boolean | null | undefined) => (functional ? "Functional" : functional == null ? "Not recorded" : "Not functional");
const toneOf = (functional: boolean | null | undefined) => (functional ? "good" : functional == null ? "unknown" : "bad");

/** The visit's finding about one source of power, in words. */
function powerWords(present: boolean | null | undefined, working: boolean | null | undefined): string {
  if (present === false) return "none";
  return working == null ? "not recorded" : working ? "works" : "does not work";
}

function Power({ visit }: { visit: Visit }) {
  return (
    <>
      Primary {powerWords(visit.primaryPower, visit.primaryPowerWorking)}, backup {powerWords(visit.backupPower, visit.backupPowerWorking)}
    </>
  );
}

function VisitStrip({ facilityUuid, visits, today }: { facilityUuid: string; visits: NonNullable<Facility["assessments"]>["nodes"]; today: string }) {
  const strip = useRef<HTMLOListElement>(null);
  // If the quarters need more room than there is, the last ones are shown first.
  useEffect(() => {
    strip.current?.scrollTo({ left: strip.current.scrollWidth });
  }, []);
  const quarters = visitQuarters(visits, today);
  if (quarters.length === 0) return null;
  return (
    <ol aria-label="Visits by fiscal quarter" className="visit-strip" ref={strip}>
      {quarters.map(({ year, quarter, visits: those }) => (
        <li key={`${year} ${quarter}`}>
          <span className="visit-strip-marks">
            {those.length === 0 ? <span className="visit-strip-none">no visit</span> : null}
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
          <span className="visit-strip-quarter">
            Q{quarter} FY{String(year).slice(2)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The state of a facility: whether the system works, when it was last visited, and the visits of the last quarters as links. */
export function FacilityStateSection({ facility }: { facility: FragmentType<typeof fragment> }) {
  const { privileges } = useViewer();
  const { today } = useSystem();
  const { visits: withVisits = false, tdbs: withTdbs = false } = stateVariables(privileges);
  const { facilityUuid, functionalityStatusMode: mode, latestAssessment: visit, latestTdb: tdb, assessments } = readFragment(fragment, facility);
  const since = (day: string) => `${formatDate(day)}, ${agoWords(day, today)}`;
  return (
    <section className="card facility-state" aria-label="State of the facility">
      <FactList>
        {withVisits ? (
          <>
            <Fact label="SmartCare" unknown="Never assessed">
              {visit ? (
                <span className="facility-state-word" data-tone={toneOf(visit.smartCareFunctional)}>
                  {functionalWords(visit.smartCareFunctional)}
                </span>
              ) : null}
            </Fact>
            <Fact label="Power" unknown="–">
              {visit ? <Power visit={visit} /> : null}
            </Fact>
            <Fact label="Library version" unknown="–">
              {visit?.libraryVersion}
            </Fact>
          </>
        ) : null}
        <Fact label="Mode" unknown="None recorded">
          {mode ? modeLabels[mode] : null}
        </Fact>
        {withVisits ? (
          <Fact label="Last visit" unknown="Never visited">
            {visit ? <ScopeLink to={routes.assessment(facilityUuid, visit.assessmentUuid)}>{since(visit.assessmentDate)}</ScopeLink> : null}
          </Fact>
        ) : null}
        {withTdbs && tdb !== undefined ? (
          <Fact label="Last TDB" unknown="Never sent">
            {tdb ? since(tdb.uploadDate) : null}
          </Fact>
        ) : null}
      </FactList>
      {assessments ? <VisitStrip facilityUuid={facilityUuid} today={today} visits={assessments.nodes} /> : null}
    </section>
  );
}
