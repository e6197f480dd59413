import { Card } from "@blueprintjs/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { WorklistKind } from "../../db/situation/state.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { SituationSectionQueryQuery } from "../gql/graphql.ts";
import type { ModeScope } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { instantText } from "../ui/text/instants.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart, useIsNear } from "../ui/network/fetchedPart.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { useScreenQuery } from "../urql.ts";
import { worklistLink } from "./situationLinks.ts";
import { SituationSentenceNote } from "./SituationSentenceNote.tsx";
import { SituationUnitsTable } from "./SituationUnitsTable.tsx";
import { kindOf, worklistTitles } from "./worklistKinds.ts";
import "./SituationSection.css";

/**
 * The situation of a part of the country: figures with denominators, the work list, and its units as a table and on a
 * map.
 */
const situationQuery = graphql(`
  query SituationSectionQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $ofPartner: Boolean = false, $named: Int = 0) {
    implementingPartner(implementingPartnerId: $named) @include(if: $ofPartner) { id implementingPartner }
    situation(provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
      asAt
      quarterStart
      level
      newestLibraryVersion
      facilities { value }
      assessed { value of share change }
      functional { value of notRecorded share change }
      power { value of notRecorded share change }
      silent { value of share change }
      oldVersion { value of share change }
      withoutPosition { value }
      worklist { kind entries snoozed }
      units {
        hxId facilityUuid name facilities assessed functional power notRecordedFunctional notRecordedPower expected silent functionalShareChange functionalTarget functionalAttainment
        modes { efirst efast elast partial notDeployed notOperational noneRecorded }
        quarters { assessed functional notRecordedFunctional }
      }
    }
  }
`);

export type SituationAnswer = NonNullable<SituationSectionQueryQuery["situation"]>;
export type SituationUnitAnswer = SituationAnswer["units"][number];

const map = fetchedPart(() => import("./SituationMapSection.tsx"));

/** A table or map of the units. `marked`: the key of the unit that is marked in both. */
export type SituationPartProps = {
  scope: ModeScope;
  situation: SituationAnswer;
  marked: string | undefined;
  onMark: (key: string | undefined) => void;
};

/**
 * The place of the map. Its code and outlines are fetched after the figures, when it comes near the visible part; in a
 * document at once.
 */
function MapPlace({ isEager, ...props }: SituationPartProps & { isEager: boolean }) {
  const [place, isNear] = useIsNear(isEager);
  return (
    <div className="situation-map-place" ref={place}>
      {isNear ? <Fetched part={map}>{({ SituationMapSection }) => <SituationMapSection {...props} />}</Fetched> : null}
    </div>
  );
}

type SituationSectionProps = {
  scope: ModeScope;
  /** at the head of another page: table and map are opened on request, so that the page itself stays in sight */
  isHead?: boolean;
  /** in a document, which is printed whole and may be read later */
  isDocument?: boolean;
};

/** The work list by kind: how many sites, and how many of them are snoozed. */
function WorklistLinks({ scope, worklist }: { scope: ModeScope; worklist: SituationAnswer["worklist"] }) {
  const total = worklist.reduce((sum, { entries }) => sum + entries, 0);
  return (
    <Card className="situation-worklist stack is-close" compact>
      <h3>Needs attention</h3>
      {total === 0 ? <p className="note">Nothing is on the work list here.</p> : null}
      <ul className="stack is-close plain">
        {worklist.map(({ kind: name, entries, snoozed }) => {
          const kind: WorklistKind = kindOf(name);
          const { title, text } = worklistTitles[kind];
          return (
            <li key={kind}>
              <span className="situation-count">{formatNumber(entries - snoozed)}</span>
              <span>
                <Link to={worklistLink(kind, scope)}>{title}</Link>
                <span className="note"> {text}</span>
                {snoozed > 0 ? (
                  <span className="note">
                    , <Link to={worklistLink(kind, scope, "snoozed")}>{`${formatNumber(snoozed)}\u00a0snoozed`}</Link>
                  </span>
                ) : null}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

export function SituationSection({ scope, isHead = false, isDocument = false }: SituationSectionProps) {
  const { timeZone } = useSystem();
  const { provinceId, districtId, implementingPartnerId: named } = scope;
  // With a place and a partner, the page's title names the place only, so the partner's name is queried.
  const ofPartner = named !== undefined && (provinceId ?? districtId) !== undefined;
  const answer = useScreenQuery(situationQuery, ofPartner ? { ...scope, ofPartner, named } : scope);
  const partner = answer.data?.implementingPartner?.implementingPartner;
  const [marked, setMarked] = useState<string>();
  const [isOpen, setOpen] = useState(!isHead);
  const parts = (situation: SituationAnswer) => (
    <div className="situation-columns">
      <SituationUnitsTable marked={marked} onMark={setMarked} scope={scope} situation={situation} />
      <MapPlace isEager={isDocument} marked={marked} onMark={setMarked} scope={scope} situation={situation} />
    </div>
  );
  return (
    <section className="situation stack">
      <h2>
        {isDocument ? "The situation now" : "The situation"}
        {partner === undefined ? "" : `: sites of ${partner}`}
      </h2>
      <QueryState query={answer} what="situation">
        {({ situation }) =>
          situation ? (
            <div className="situation-parts stack is-apart">
              <div className="situation-top">
                <div>
                  <SituationSentenceNote scope={scope} situation={situation} />
                  <p className="note">
                    Figures as at {instantText(situation.asAt, timeZone)}, by the latest visit of each facility. Changes
                    are since {formatDate(situation.quarterStart)}.
                  </p>
                </div>
                <WorklistLinks scope={scope} worklist={situation.worklist} />
              </div>
              {situation.facilities.value === 0 ? null : isHead ? (
                <details className="situation-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
                  <summary>Table and map</summary>
                  {isOpen ? parts(situation) : null}
                </details>
              ) : (
                parts(situation)
              )}
            </div>
          ) : null
        }
      </QueryState>
    </section>
  );
}
