import { type ReactNode, useState } from "react";
import type { ModeScope } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { figures as figureNames } from "../situation/situationFigures.ts";
import { unitLink } from "../situation/situationLinks.ts";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { instantText } from "../ui/text/instants.ts";
import { ReportFigureCard } from "./ReportFigureCard.tsx";
import { mostWorst, type ReportFigures, unitWords, worstUnits, worstWords } from "./reportFigures.ts";
import { ReportModesTable } from "./ReportModesTable.tsx";
import { ReportTrendTable } from "./ReportTrendTable.tsx";
import { ReportUnitsTable } from "./ReportUnitsTable.tsx";
import "../situation/SituationSection.css";
import "./ReportDocumentSection.css";

const map = fetchedPart(() => import("../situation/map/SituationMapSection.tsx"));

/** The units on a map, coloured by the share that works, or before the first visit by how many sites they have. */
function ReportMap({ scope, figures: { level, quarters, units } }: { scope: ModeScope; figures: ReportFigures }) {
  const [marked, onMark] = useState<string>();
  return (
    <div className="situation-map-place">
      <Fetched part={map}>
        {({ SituationMapSection }) => (
          <SituationMapSection
            linkTo={(unit) => ({ to: unitLink(level, unit, scope.implementingPartnerId) })}
            marked={marked}
            measure={level !== "FACILITY" && quarters.at(-1)!.assessed === 0 ? "facilities" : "functional"}
            onMark={onMark}
            scope={scope}
            situation={{ level, units }}
          />
        )}
      </Fetched>
    </div>
  );
}

type ReportDocumentSectionProps = {
  scope: ModeScope;
  figures: ReportFigures;
  /** Chooses what the report is about; on a phone below the figures. */
  controls?: ReactNode;
  /** the author's sentences, and who signed it or that it is a draft */
  closing: ReactNode;
  /** the saved questions that stand in it */
  questions?: ReactNode;
  /** what became known after it was signed */
  sinceThen?: ReactNode;
};

/** A quarterly report: on one page its four figures, the map and the signature; then the trend, the worst units and annexes. */
export function ReportDocumentSection(props: ReportDocumentSectionProps) {
  const { scope, figures, controls, closing, questions, sinceThen } = props;
  const { timeZone } = useSystem();
  const isPhone = useIsPhone();
  const { asAt, day, level, quarters, units } = figures;
  const worst = worstUnits(units);
  const [, plural] = unitWords[level];
  if (quarters.at(-1)!.facilities === 0)
    return (
      <div className="report stack is-apart">
        {controls}
        <Empty>No site belonged here on {formatDate(day)}: there is nothing to report.</Empty>
        {closing}
      </div>
    );
  return (
    <div className="report stack is-apart">
      <section className="report-first stack">
        {isPhone ? null : controls}
        <div className="situation-tiles">
          {figureNames.map((figure) => (
            <ReportFigureCard figure={figure} figures={figures} key={figure} />
          ))}
        </div>
        <p className="note">
          As on {formatDate(day)}, by the latest visit of each site up to that day. Figures as at{" "}
          {instantText(asAt, timeZone)}.
        </p>
        {isPhone ? controls : null}
        <ReportMap figures={figures} scope={scope} />
        {closing}
      </section>
      <section className="stack is-close">
        <h2>The last quarters</h2>
        <ReportTrendTable quarters={quarters} />
      </section>
      {worst.length > 0 ? (
        <section className="stack is-close">
          <h2>{worstWords(level, worst.length)}</h2>
          <ReportUnitsTable caption={worstWords(level, worst.length)} level={level} units={worst} />
        </section>
      ) : null}
      {questions}
      {units.length > mostWorst ? (
        <section className="stack is-close">
          <h2>Annex: all {plural}</h2>
          <ReportUnitsTable caption={`All ${plural}`} level={level} units={units} />
        </section>
      ) : null}
      <section className="stack is-close">
        <h2>Annex: deployment modes</h2>
        <ReportModesTable level={level} units={units} />
      </section>
      {sinceThen}
    </div>
  );
}

/** What still has to be fetched before the document can be printed. */
const unfinished = [".report .state-loading", ".report .situation-map-place:empty"].join();
const patienceMs = 10_000;

/** Prints when the document is complete, or after ten seconds with what has arrived. */
export async function printReport(): Promise<void> {
  const end = performance.now() + patienceMs;
  while (document.querySelector(unfinished) && performance.now() < end)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  window.print();
}
