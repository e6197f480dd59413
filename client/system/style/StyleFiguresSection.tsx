import { SituationFigureCard } from "../../situation/SituationFigureCard.tsx";
import { figures } from "../../situation/situationFigures.ts";
import { ChartFrame } from "../../ui/chart/ChartFrame.tsx";
import { MapSwatch } from "../../ui/map/MapSwatch.tsx";
import { exampleCharts, exampleCounts } from "./styleExamples.ts";
import "../../situation/SituationSection.css";
import "../../situation/map/SituationMapSection.css";
import "../../ui/chart/dataColours.css";

const depths = ["is-share-0", "is-share-1", "is-share-2", "is-share-3", "is-share-4", "is-none"];
const modes = ["E-First", "E-Fast", "E-Last", "Partial", "Not deployed", "Not operational"];
const nothing = () => undefined;

/** Tiles, charts and the colours of the map. */
export function StyleFiguresSection() {
  return (
    <>
      <div className="situation-tiles">
        {figures.map((figure) => (
          <SituationFigureCard
            choice={{ isChosen: figure === "functional", onChoose: nothing }}
            counts={exampleCounts}
            figure={figure}
            key={figure}
            scope={{}}
            since="2026-10-01"
          />
        ))}
      </div>
      <div>
        <ul aria-label="Colours of the map" className="map-legend row plain">
          {depths.map((depth, at) => (
            <li key={depth}>
              <MapSwatch className={depth} /> {depth === "is-none" ? "not assessed" : `class ${at + 1}`}
            </li>
          ))}
        </ul>
        <ul aria-label="Colours of the modes" className="map-legend row plain">
          {modes.map((mode, at) => (
            <li key={mode}>
              <MapSwatch className={`is-mode-${at}`} /> {mode}
            </li>
          ))}
        </ul>
      </div>
      {exampleCharts.map(({ title, chart }) => (
        <div className="stack is-close" key={title}>
          <h3>{title}</h3>
          <ChartFrame chart={chart} label={`Bar chart: ${title}`} onBar={nothing} />
        </div>
      ))}
    </>
  );
}
