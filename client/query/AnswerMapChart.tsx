import { useId, useMemo } from "react";

import { frameOf, useBoundaries } from "../ui/map/boundaries.ts";
import { Hatch } from "../ui/map/Hatch.tsx";
import { AnswerLinks } from "./AnswerLinks.tsx";
import type { ChartChoice } from "./answerChart.ts";
import { type AnswerMap, areAmong, mapOf, placeColumn, positionsOf } from "./answerMap.ts";
import type { AnswerTable } from "./answerTable.ts";
import { mapPicture } from "./mapPicture.ts";
import "../ui/map/mapColours.css";

const provincesPath = "/api/v1/boundaries/provinces";
const districtsPath = "/api/v1/boundaries/districts";
const mostListed = 10;

export type AnswerMapChartProps = { title: string; notes: string[]; table: AnswerTable; choice: ChartChoice; link: string };

/** A table as a map: points if its rows have positions, otherwise the provinces or districts that the rows name. */
export function AnswerMapChart({ table, choice, ...rest }: AnswerMapChartProps) {
  const provinces = useBoundaries(provincesPath);
  const isByDistrict = provinces.boundaries !== undefined && !positionsOf(table) && !areAmong(table, placeColumn(choice.by), provinces.boundaries);
  const { boundaries, hasFailed, retry } = useBoundaries(isByDistrict ? districtsPath : provincesPath);
  const map = useMemo(() => boundaries && mapOf(table, choice, boundaries), [table, choice, boundaries]);
  if (hasFailed)
    return (
      <p role="alert">
        The outlines could not be fetched. The figures are in the table.{" "}
        <button onClick={retry} type="button">
          Try again
        </button>
      </p>
    );
  if (!map) return <p role="status">Loading…</p>;
  if (typeof map === "string") return <p className="answer-note">{map}</p>;
  return <Drawing choice={choice} credit={boundaries!.credit} map={map} {...rest} />;
}

/** What a map cannot draw, in words. */
function missingText({ missing }: AnswerMap): string {
  const listed = missing.slice(0, mostListed).join(", ");
  return missing.length > mostListed ? `Not on the map: ${listed} and ${(missing.length - mostListed).toLocaleString("en")} more` : `Not on the map: ${listed}`;
}

type DrawingProps = Omit<AnswerMapChartProps, "table"> & { map: AnswerMap; credit: string | null };

function Drawing({ title, notes, choice, link, map, credit }: DrawingProps) {
  const hatch = useId();
  const { viewBox, squeeze, size } = frameOf(map.boxes);
  const radius = size / 130;
  const figure = choice.of[0];
  const said = [map.missing.length > 0 ? missingText(map) : "", credit ? `Outlines: ${credit}` : ""].filter((text) => text !== "");
  const heading = { title, notes: [...notes, ...(figure === undefined ? [] : [`Coloured by ${figure}`]), ...said] };
  return (
    <figure className="answer-map map-colours">
      <AnswerLinks link={link} picture={() => mapPicture(map, heading)} title={title} />
      <svg aria-label={`${title}: map${figure === undefined ? "" : ` of ${figure}`}. The figures are in the table.`} className="map-drawing" role="img" viewBox={viewBox}>
        <Hatch id={hatch} size={size} />
        <g transform={`scale(${squeeze} -1)`}>
          {map.ground.map(({ id, path }) => (
            <path className="map-ground" d={path} key={id} />
          ))}
          {map.marks.map((mark, at) => {
            const fill = mark.depth === undefined ? { fill: `url(#${hatch})` } : {};
            return (
              <g className={`map-unit ${mark.depth === undefined ? "is-none" : `is-share-${mark.depth}`}`} key={at /* oxlint-disable-line react/no-array-index-key -- rows have no other key, and are always drawn together */}>
                <title>{figure === undefined ? mark.label : `${mark.label}: ${mark.value?.toLocaleString("en") ?? "no figure"}`}</title>
                {"path" in mark ? <path d={mark.path} {...fill} /> : <ellipse cx={mark.east} cy={mark.north} rx={radius / squeeze} ry={radius} {...fill} />}
              </g>
            );
          })}
        </g>
      </svg>
      <ul aria-label="Legend" className="map-legend">
        {map.classes.map(({ label, depth, count }) => (
          <li key={depth}>
            <span aria-hidden="true" className={`map-swatch is-share-${depth}`} />
            {label}: {count.toLocaleString("en")}
          </li>
        ))}
        {map.without > 0 && (
          <li>
            <span aria-hidden="true" className="map-swatch is-none" />
            No figure: {map.without.toLocaleString("en")}
          </li>
        )}
      </ul>
      {said.length > 0 && <p className="answer-note">{said.join(" · ")}</p>}
    </figure>
  );
}
