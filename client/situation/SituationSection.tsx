import { type ComponentType, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SituationSectionQueryQuery } from "../gql/graphql.ts";
import type { ModeScope } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { Chips } from "../ui/filter/Chips.tsx";
import { useAddress } from "../ui/filter/listAddress.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart, useIsNear } from "../ui/network/fetchedPart.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { instantText } from "../ui/text/instants.ts";
import { useScreenQuery } from "../urql.ts";
import { AttentionCard } from "./AttentionCard.tsx";
import { figures, isFigure, type Measure, type NamedUnit } from "./situationFigures.ts";
import { placeOf, unitKey, unitLink } from "./situationLinks.ts";
import { SituationFigureCard } from "./SituationFigureCard.tsx";
import { SituationUnitsTable } from "./SituationUnitsTable.tsx";
import "./SituationSection.css";

/**
 * The situation of a part of the country: four figures, its units on a map and in a table, and what needs attention.
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
      assessed { value }
      oldVersion { of }
      withoutPosition { value }
      functionalTarget
      quarters { assessed functional notRecordedFunctional power notRecordedPower expected silent }
      worklist { kind entries snoozed }
      units {
        hxId facilityUuid name facilities assessed functional power notRecordedFunctional notRecordedPower expected silent functionalTarget functionalAttainment
        modes { efirst efast elast partial notDeployed notOperational noneRecorded }
        quarters { assessed functional notRecordedFunctional power notRecordedPower expected silent }
      }
    }
  }
`);

export type SituationAnswer = NonNullable<SituationSectionQueryQuery["situation"]>;
export type SituationUnitAnswer = SituationAnswer["units"][number];

const map = fetchedPart(() => import("./map/SituationMapSection.tsx"));

/** A table or map of the units. */
export type SituationPartProps = {
  scope: ModeScope;
  situation: SituationAnswer;
  /** what the map is coloured by and the table sorted by, and a function that chooses it */
  measure: Measure;
  onMeasure: (measure: Measure) => void;
  /** the key of the unit that is pointed at, which is marked in both */
  marked: string | undefined;
  onMark: (key: string | undefined) => void;
  /** the unit that alone is shown */
  chosen: SituationUnitAnswer | undefined;
  linkTo: (unit: NamedUnit) => { to: string; preventScrollReset?: boolean };
  /** whether the table stands in a narrow column, without the change and the line of each unit */
  isNarrow?: boolean;
};

/** The place of the map. Its code and outlines are fetched after the figures, when it comes near the visible part. */
function MapPlace(props: SituationPartProps) {
  const [place, isNear] = useIsNear(false);
  return (
    <div className="situation-map-place" ref={place}>
      {isNear ? <Fetched part={map}>{({ SituationMapSection }) => <SituationMapSection {...props} />}</Fetched> : null}
    </div>
  );
}

type SituationSectionProps = {
  scope: ModeScope;
  /** whether the units are shown here; otherwise the page shows them elsewhere (`UnitsSection`) */
  hasUnits?: boolean;
  /**
   * On Home: what needs attention in a part of the scope. With it the heading is for screen readers only, and the first
   * click on a unit narrows map, table and this to the unit, the second opens it.
   */
  Attention?: ComponentType<{ place: string | undefined; scope: ModeScope }>;
  /** below all of it */
  children?: ReactNode;
};

/**
 * The measure of map and table, in the address. As long as no facility was assessed, it is the number of facilities,
 * which are drawn too.
 */
function useMeasure(situation: SituationAnswer): [measure: Measure, choose: (measure: Measure) => void] {
  const [url] = useSearchParams();
  const change = useAddress();
  const asked = url.get("measure");
  const isUnvisited = situation.level !== "FACILITY" && situation.assessed.value === 0;
  const measure = isFigure(asked) || asked === "mode" ? asked : isUnvisited ? "facilities" : "functional";
  return [measure, (chosen) => change({ measure: chosen })];
}

/** The unit that the address narrows the situation to, if units can be chosen, and the links that choose or open one. */
function useChoice({ level, units }: SituationAnswer, scope: ModeScope, isChoosing: boolean) {
  const { pathname } = useLocation();
  const [url] = useSearchParams();
  const chosen = isChoosing ? units.find((unit) => unitKey(unit) === url.get("unit")) : undefined;
  const openLink: SituationPartProps["linkTo"] = (unit) => ({
    to: unitLink(level, unit, scope.implementingPartnerId),
  });
  const linkTo: SituationPartProps["linkTo"] = (unit) => {
    if (!isChoosing || unit === chosen || unit.hxId == null) return openLink(unit);
    const narrowed = new URLSearchParams(url);
    narrowed.set("unit", unitKey(unit));
    return { to: `${pathname}?${narrowed.toString()}`, preventScrollReset: true };
  };
  return { chosen, linkTo, openLink };
}

function NoFacilities({ scope }: { scope: ModeScope }) {
  return (
    <p>
      {scope.implementingPartnerId === undefined
        ? "No facilities are listed here yet."
        : "This partner supports no facility here yet."}
    </p>
  );
}

type Choice = ReturnType<typeof useChoice>;

/** What is narrowed to the chosen unit, below its chip. Escape or the chip shows all again. */
function Narrowed({
  chosen,
  className,
  children,
}: Pick<Choice, "chosen"> & { className: string; children: ReactNode }) {
  const change = useAddress(true);
  const parts = useRef<HTMLDivElement>(null);
  const showAll = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && chosen) change({ unit: "" });
  };
  return (
    <div className={className} onKeyDown={showAll} ref={parts} role="presentation" tabIndex={-1}>
      {chosen ? (
        <div className="row screen-only">
          <Chips chips={[{ name: "unit", words: chosen.name }]} onDropped={() => parts.current?.focus()} />
          <span className="note">A second click on {chosen.name} opens it.</span>
        </div>
      ) : null}
      {children}
    </div>
  );
}

type UnitPartsProps = { scope: ModeScope; situation: SituationAnswer } & Pick<
  SituationPartProps,
  "measure" | "onMeasure" | "isNarrow"
> & { choice: Choice };

/**
 * The units on a map and in a table. A click on the map narrows both to a unit, if units can be chosen. In a narrow
 * column the table is below the map, and its names open their units at once.
 */
function UnitParts({ choice: { chosen, linkTo, openLink }, isNarrow = false, ...props }: UnitPartsProps) {
  const [marked, onMark] = useState<string>();
  const part = { ...props, isNarrow, marked, onMark, chosen, linkTo };
  return (
    <div className={isNarrow ? "stack is-close" : "situation-columns"}>
      <MapPlace {...part} />
      <SituationUnitsTable {...part} linkTo={isNarrow ? openLink : linkTo} />
    </div>
  );
}

function SituationParts({ situation, ...props }: SituationSectionProps & { situation: SituationAnswer }) {
  const { hasUnits = true, Attention, children } = props;
  const { timeZone } = useSystem();
  const [measure, onMeasure] = useMeasure(situation);
  const choice = useChoice(situation, props.scope, Attention !== undefined);
  const { chosen } = choice;
  if (situation.facilities.value === 0) return <NoFacilities scope={props.scope} />;
  const scope = chosen ? { ...props.scope, ...placeOf(situation.level, chosen) } : props.scope;
  return (
    <Narrowed chosen={chosen} className="situation-parts stack is-apart">
      <div className="stack is-close">
        <div className="situation-tiles">
          {figures.map((figure) => (
            <SituationFigureCard
              choice={hasUnits ? { isChosen: measure === figure, onChoose: () => onMeasure(figure) } : undefined}
              counts={chosen ?? { ...situation, facilities: situation.facilities.value }}
              figure={figure}
              key={figure}
              scope={scope}
              since={situation.quarterStart}
            />
          ))}
        </div>
        <p className="note">
          Figures as at {instantText(situation.asAt, timeZone)}, by each facility’s latest visit. Power: primary or
          backup.
        </p>
      </div>
      {hasUnits ? <UnitParts {...{ situation, measure, onMeasure, choice }} scope={props.scope} /> : null}
      {Attention ? (
        <Attention place={chosen?.name} scope={scope} />
      ) : (
        <AttentionCard scope={scope} situation={situation} />
      )}
      {children}
    </Narrowed>
  );
}

/** The situation of a scope, and the name of its partner where the page's title names only the place. */
function useSituation(scope: ModeScope) {
  const { provinceId, districtId, implementingPartnerId: named } = scope;
  const ofPartner = named !== undefined && (provinceId ?? districtId) !== undefined;
  return useScreenQuery(situationQuery, ofPartner ? { ...scope, ofPartner, named } : scope);
}

export function SituationSection(props: SituationSectionProps) {
  const { scope, Attention } = props;
  const answer = useSituation(scope);
  const partner = answer.data?.implementingPartner?.implementingPartner;
  return (
    <section className="situation stack">
      <h2 className={Attention ? "visually-hidden" : undefined}>
        The situation
        {partner === undefined ? "" : `: sites of ${partner}`}
      </h2>
      <QueryState query={answer} what="situation">
        {({ situation }) => (situation ? <SituationParts situation={situation} {...props} /> : null)}
      </QueryState>
    </section>
  );
}

function Units({ scope, situation }: { scope: ModeScope; situation: SituationAnswer }) {
  const [measure, onMeasure] = useMeasure(situation);
  const choice = useChoice(situation, scope, true);
  if (situation.facilities.value === 0) return <NoFacilities scope={scope} />;
  return (
    <div className="situation is-narrow">
      <Narrowed chosen={choice.chosen} className="stack">
        <UnitParts {...{ scope, situation, measure, onMeasure, choice }} isNarrow />
      </Narrowed>
    </div>
  );
}

/** The units of a scope on a small map, and below it in a table, worst first. */
export function UnitsSection({ scope }: { scope: ModeScope }) {
  const answer = useSituation(scope);
  return (
    <QueryState query={answer} what="situation">
      {({ situation }) => (situation ? <Units scope={scope} situation={situation} /> : null)}
    </QueryState>
  );
}
