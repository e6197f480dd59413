import { Button, Card } from "@blueprintjs/core";
import { MapIcon } from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import type { ModeScope } from "../routes.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { ChangeNote } from "./ChangeNote.tsx";
import { type Counted, countedBy, type Figure, figureWords, percent, shareOf } from "./situationFigures.ts";
import { type FigureName, figureLink } from "./situationLinks.ts";
import type { SituationAnswer } from "./SituationSection.tsx";
import { TrendChart } from "./TrendChart.tsx";

/** The lists of the sites that a figure does not count, and of those whose answer is not recorded. */
const rests: Record<Figure, { name: FigureName; words: string; one?: string; unknown?: FigureName }> = {
  assessed: { name: "neverAssessed", words: "never assessed" },
  functional: { name: "notFunctional", words: "do not work", one: "does not work", unknown: "notRecordedFunctional" },
  power: { name: "withoutPower", words: "without power", unknown: "notRecordedPower" },
  recent: { name: "silent", words: "overdue" },
};

/** What is said where there is nothing to count. */
const emptyWords: Record<Figure, string> = {
  assessed: "No facilities are listed here yet.",
  functional: "Nothing was assessed yet: the first visits show where SmartCare works.",
  power: "Nothing was assessed yet: the first visits show where there is power.",
  recent: "No facility is expected to send TDBs yet.",
};

/** A figure of a situation today: what it counts, and how much that changed since the end of the previous quarter. */
function presentOf(figure: Figure, situation: SituationAnswer): Counted & { change: number | null | undefined } {
  const { facilities, assessed, functional, power, silent } = situation;
  const counts = {
    facilities: facilities.value,
    assessed: assessed.value,
    functional: functional.value,
    notRecordedFunctional: functional.notRecorded,
    power: power.value,
    notRecordedPower: power.notRecorded,
    expected: silent.of,
    silent: silent.value,
  };
  const [before, now] = situation.quarters.slice(-2).map((quarter) => countedBy(figure, { ...counts, ...quarter }));
  const change = figure === "recent" ? now && before && now.value - before.value : situation[figure].change;
  return { ...countedBy(figure, counts), change };
}

type RestProps = { name: FigureName; count: number; words: string; one?: string | undefined; scope: ModeScope };

function Rest({ name, count, words, one = words, scope }: RestProps) {
  return count > 0 ? (
    <Link className="note" to={figureLink(name, scope)}>
      {counted(count, one, words)}
    </Link>
  ) : null;
}

type SituationFigureCardProps = {
  figure: Figure;
  scope: ModeScope;
  situation: SituationAnswer;
  /** Whether map and table show this figure, and how it is chosen for them; undefined if they are not there. */
  choice: { isChosen: boolean; onChoose: () => void } | undefined;
};

/** A tile: a share with its whole, its change, its eight quarters, its target, and the sites that it does not count. */
export function SituationFigureCard({ figure, scope, situation, choice }: SituationFigureCardProps) {
  const { label } = figureWords[figure];
  const { value, of, notRecorded, change } = presentOf(figure, situation);
  const { name, words, one, unknown } = rests[figure];
  const target = figure === "functional" ? situation.functionalTarget : null;
  const quarters = situation.quarters.map((quarter) =>
    countedBy(figure, { ...quarter, facilities: situation.facilities.value }),
  );
  return (
    <Card
      aria-label={label}
      className={`situation-tile stack is-close ${choice?.isChosen ? "is-chosen" : ""}`}
      compact
      role="group"
    >
      <div className="situation-tile-head">
        <span className="situation-tile-label">{label}</span>
        {choice ? (
          <Button
            active={choice.isChosen}
            aria-label={`Show on the map: ${label}`}
            aria-pressed={choice.isChosen}
            className="screen-only"
            icon={<MapIcon />}
            onClick={choice.onChoose}
            size="small"
            title="Show on the map"
            variant="minimal"
          />
        ) : null}
      </div>
      {of === 0 ? (
        <p className="note">{emptyWords[figure]}</p>
      ) : (
        <>
          <p className="situation-tile-figure">
            <Link to={figureLink(figure, scope)}>
              <span className="situation-tile-share">{percent(shareOf(value, of))}</span>{" "}
              <span className="situation-count">{formatNumber(value)}</span>
            </Link>{" "}
            <span>
              of{" "}
              {figure === "assessed" ? (
                <Link to={figureLink("facilities", scope)}>{formatNumber(of)}</Link>
              ) : (
                formatNumber(of)
              )}
            </span>
          </p>
          <TrendChart label={label} quarters={quarters} />
          {change == null ? null : <ChangeNote change={change} since={situation.quarterStart} />}
          {target == null ? null : <p className="note">Target {target} %</p>}
          <p className="row is-close">
            <Rest count={of - value - notRecorded} name={name} one={one} scope={scope} words={words} />
            {unknown ? <Rest count={notRecorded} name={unknown} scope={scope} words="not recorded" /> : null}
          </p>
        </>
      )}
    </Card>
  );
}
