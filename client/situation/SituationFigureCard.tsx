import { Button, Card } from "@blueprintjs/core";
import { MapIcon } from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import type { ModeScope } from "../routes.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { ChangeNote } from "./ChangeNote.tsx";
import { countedBy, type Figure, figureWords, rests } from "./situationFigures.ts";
import { percent, shareOf } from "../ui/chart/small/shares.ts";
import { type FigureName, figureLink } from "./situationLinks.ts";
import type { SituationUnitAnswer } from "./SituationSection.tsx";
import { TrendChart } from "./TrendChart.tsx";

/** What is said where there is nothing to count. */
const emptyWords: Record<Figure, string> = {
  assessed: "No facilities are listed here yet.",
  functional: "Nothing was assessed yet: the first visits show where SmartCare works.",
  power: "Nothing was assessed yet: the first visits show where there is power.",
  recent: "No facility is expected to send TDBs yet.",
};

type RestProps = { name: FigureName; count: number; words: string; one?: string; scope: ModeScope };

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
  /** What the scope has: the last quarter is as it is now. */
  counts: Pick<SituationUnitAnswer, "facilities" | "quarters" | "functionalTarget">;
  /** the first day of the running quarter */
  since: string;
  /** Whether map and table show this figure, and how it is chosen for them; undefined if they are not there. */
  choice: { isChosen: boolean; onChoose: () => void } | undefined;
};

/** A tile: a share with its whole, its change, its eight quarters, its target, and the sites that it does not count. */
export function SituationFigureCard({ figure, scope, counts, since, choice }: SituationFigureCardProps) {
  const { label } = figureWords[figure];
  const { facilities } = counts;
  const quarters = counts.quarters.map((quarter) => countedBy(figure, { ...quarter, facilities }));
  const [before, now] = quarters.slice(-2);
  const { value, of, notRecorded } = now!;
  const { name, words, one, unknown } = rests[figure];
  const target = figure === "functional" ? counts.functionalTarget : null;
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
          <TrendChart label={label} quarters={quarters} target={target} />
          <ChangeNote change={value - before!.value} since={since} />
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
