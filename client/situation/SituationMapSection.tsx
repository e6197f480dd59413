import { useId } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ModeScope } from "../routes.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { unreachableMessage } from "../ui/network/fetchedPart.ts";
import { useScreenQuery } from "../urql.ts";
import { frameOf, perDegree, useBoundaries } from "./boundaries.ts";
import { classesOf, classOf, isMeasure, type Measure, measures, unitText } from "./situationFigures.ts";
import { figureLink, unitLink } from "./situationLinks.ts";
import type { SituationAnswer, SituationUnitAnswer } from "./SituationSection.tsx";
import { unitKey } from "./SituationUnitsTable.tsx";
import "./SituationMapSection.css";

const positionsQuery = graphql(`
  query SituationMapSectionQuery($districtId: Int, $implementingPartnerId: Int, $isDistrict: Boolean!) {
    facilities(districtId: $districtId, implementingPartnerId: $implementingPartnerId, first: 100) @include(if: $isDistrict) {
      nodes { id facilityUuid latitude longitude }
    }
  }
`);

type MapProps = { scope: ModeScope; situation: SituationAnswer; marked: string | undefined; onMark: (key: string | undefined) => void };

/** A unit as the map draws it: an area, or a point. */
type Shape = { unit: SituationUnitAnswer; path?: string; at?: [number, number] };

function pathOf({ provinceId, districtId }: ModeScope): string {
  if (districtId !== undefined) return `/api/v1/boundaries/districts?districtId=${districtId}`;
  return provinceId === undefined ? "/api/v1/boundaries/provinces" : `/api/v1/boundaries/districts?provinceId=${provinceId}`;
}

/** The units on a map, coloured by a measure that the reader chooses. The table says the same. */
export function SituationMapSection({ scope, situation, marked, onMark }: MapProps) {
  const [url, setUrl] = useSearchParams();
  const { privileges } = useViewer();
  const hatch = useId();
  const chosen = url.get("measure");
  const measure: Measure = isMeasure(chosen) ? chosen : "functional";
  const isDistrict = situation.level === "FACILITY";
  const { boundaries, hasFailed, retry } = useBoundaries(pathOf(scope));
  const { districtId, implementingPartnerId } = scope;
  const positions = useScreenQuery(positionsQuery, { districtId, implementingPartnerId, isDistrict });
  if (hasFailed) return <Failure message={unreachableMessage} onRetry={retry} />;
  if (!boundaries || (isDistrict && !positions.data)) return <Loading />;

  const found = new Map(positions.data?.facilities?.nodes.map((node) => [node.facilityUuid, node]));
  const shapes = situation.units.flatMap((unit): Shape[] => {
    if (!isDistrict) {
      const path = boundaries.outlines.find(({ id }) => id === unit.hxId)?.path;
      return path === undefined ? [] : [{ unit, path }];
    }
    const { latitude, longitude } = found.get(unit.facilityUuid ?? "") ?? {};
    return latitude == null || longitude == null ? [] : [{ unit, at: [longitude * perDegree, latitude * perDegree] }];
  });
  const boxes = [...boundaries.outlines.map(({ box }) => box), ...shapes.flatMap(({ at }) => (at ? [[at[0], at[1], at[0], at[1]]] : []))];
  const { viewBox, squeeze, size } = boxes.length > 0 ? frameOf(boxes) : frameOf([[0, 0, 1, 1]]);
  const numbers = new Map<string, number>();
  for (const unit of situation.units) {
    const { label } = classOf(unit, measure);
    numbers.set(label, (numbers.get(label) ?? 0) + 1);
  }
  const missing = situation.withoutPosition.value;
  const toMissing = figureLink("withoutPosition", scope, privileges);

  return (
    <figure className="situation-map">
      <figcaption className="situation-map-head">
        <label>
          Colour by{" "}
          <select
            onChange={(event) =>
              setUrl(
                (params) => {
                  params.set("measure", event.currentTarget.value);
                  return params;
                },
                { replace: true, preventScrollReset: true },
              )
            }
            value={measure}
          >
            {Object.entries(measures).map(([id, { label }]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>{" "}
        <span className="situation-note">{measures[measure].of}</span>
      </figcaption>
      {shapes.length === 0 ? (
        <p className="situation-note">{isDistrict ? "No facility here has a position." : "No outlines have been loaded. The table says the same."}</p>
      ) : (
        <svg aria-label={`Map: ${measures[measure].label.toLowerCase()}`} className="situation-map-drawing" role="group" viewBox={viewBox}>
          <defs>
            <pattern height={size / 60} id={hatch} patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width={size / 60}>
              <rect className="situation-hatch-ground" height={size / 60} width={size / 60} />
              <line className="situation-hatch-line" strokeWidth={size / 150} x1="0" x2="0" y1="0" y2={size / 60} />
            </pattern>
          </defs>
          <g transform={`scale(${squeeze} -1)`}>
            {isDistrict ? boundaries.outlines.map(({ id, path }) => <path className="situation-ground" d={path} key={id} />) : null}
            {shapes.map(({ unit, path, at }) => {
              const { className } = classOf(unit, measure);
              const fill = className === "is-none" ? { fill: `url(#${hatch})` } : {};
              const key = unitKey(unit);
              const text = unitText(unit.name, unit, measure);
              return (
                <Link
                  aria-label={text}
                  className={`situation-unit ${className} ${marked === key ? "is-marked" : ""}`}
                  key={key}
                  onBlur={() => onMark(undefined)}
                  onFocus={() => onMark(key)}
                  onMouseEnter={() => onMark(key)}
                  onMouseLeave={() => onMark(undefined)}
                  to={unitLink(situation.level, unit, scope.implementingPartnerId)}
                >
                  <title>{text}</title>
                  {at ? <ellipse cx={at[0]} cy={at[1]} rx={size / 70 / squeeze} ry={size / 70} {...fill} /> : <path d={path} {...fill} />}
                </Link>
              );
            })}
          </g>
        </svg>
      )}
      <ul aria-label="Legend" className="situation-legend">
        {classesOf(measure).map(({ className, label }) => (
          <li key={label}>
            <span aria-hidden="true" className={`situation-swatch ${className}`} />
            {label}: {formatNumber(numbers.get(label) ?? 0)}
          </li>
        ))}
      </ul>
      <p className="situation-note">
        {missing > 0 ? <Link to={toMissing!}>{counted(missing, "facility", "facilities")} without a position</Link> : "All facilities have a position"}
        {boundaries.credit && boundaries.outlines.length > 0 ? ` · Outlines: ${boundaries.credit}` : ""}
      </p>
    </figure>
  );
}
