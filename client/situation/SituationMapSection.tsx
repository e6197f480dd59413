import { useId } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SituationMapSectionQueryQuery } from "../gql/graphql.ts";
import type { ModeScope } from "../routes.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { unreachableMessage } from "../ui/network/fetchedPart.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { useScreenQuery } from "../urql.ts";
import { type Boundaries, frameOf, perDegree, useBoundaries } from "../ui/map/boundaries.ts";
import { Hatch } from "../ui/map/Hatch.tsx";
import "../ui/map/mapColours.css";
import { classesOf, classOf, isMeasure, type Measure, measures, unitText } from "./situationFigures.ts";
import { figureLink, unitLink } from "./situationLinks.ts";
import type { SituationAnswer, SituationUnitAnswer } from "./SituationSection.tsx";
import { unitKey } from "./SituationUnitsTable.tsx";
import "./SituationMapSection.css";

const positionsQuery = graphql(`
  query SituationMapSectionQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    siteList(provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
      districts { id districtId province { id provinceId } }
      facilityUuid
      districtId
      latitude
      longitude
    }
  }
`);

type MapProps = { scope: ModeScope; situation: SituationAnswer; marked: string | undefined; onMark: (key: string | undefined) => void };
type DrawingProps = MapProps & { boundaries: Boundaries; /** by the keys of units */ points?: Map<string, Point[]> | undefined };

/** A facility's place east and north, in the steps of the outlines. */
type Point = { facilityUuid: string; east: number; north: number };
/** A unit as the map draws it: an area, or the points of its facilities. */
type Shape = { unit: SituationUnitAnswer; path?: string; points?: Point[] };

function pathOf({ provinceId, districtId }: ModeScope): string {
  if (districtId !== undefined) return `/api/v1/boundaries/districts?districtId=${districtId}`;
  return provinceId === undefined ? "/api/v1/boundaries/provinces" : `/api/v1/boundaries/districts?provinceId=${provinceId}`;
}

/** The positions of facilities by the key of the unit that they belong to: themselves, their district or their province. */
function pointsByUnit(level: SituationAnswer["level"], sites: NonNullable<SituationMapSectionQueryQuery["siteList"]>): Map<string, Point[]> {
  const provinces = new Map(sites.districts.map(({ districtId, province }) => [districtId, province.provinceId]));
  const points = new Map<string, Point[]>();
  for (const [place, facilityUuid] of sites.facilityUuid.entries()) {
    const [latitude, longitude] = [sites.latitude[place], sites.longitude[place]];
    if (latitude == null || longitude == null) continue;
    const districtId = sites.districtId[place]!;
    const key = unitKey(level === "FACILITY" ? { facilityUuid } : { hxId: level === "DISTRICT" ? districtId : provinces.get(districtId) });
    const of = points.get(key);
    const point = { facilityUuid, east: longitude * perDegree, north: latitude * perDegree };
    if (of) of.push(point);
    else points.set(key, [point]);
  }
  return points;
}

/** The units on a map, coloured by a measure that the reader chooses. The table says the same. */
export function SituationMapSection(props: MapProps) {
  const { boundaries, hasFailed, retry } = useBoundaries(pathOf(props.scope));
  if (hasFailed) return <Failure message={unreachableMessage} onRetry={retry} />;
  if (!boundaries) return <Loading />;
  const { level, units } = props.situation;
  const drawn = new Set(level === "FACILITY" ? [] : boundaries.outlines.map(({ id }) => id));
  return units.every(({ hxId }) => drawn.has(hxId ?? -1)) ? <Drawing boundaries={boundaries} {...props} /> : <PositionedDrawing boundaries={boundaries} {...props} />;
}

/** The map with the facilities of the units that have no outline. */
function PositionedDrawing(props: DrawingProps) {
  const positions = useScreenQuery(positionsQuery, props.scope);
  return (
    <QueryState query={positions} what="map">
      {({ siteList }) => <Drawing points={siteList ? pointsByUnit(props.situation.level, siteList) : undefined} {...props} />}
    </QueryState>
  );
}

function Drawing({ scope, situation, marked, onMark, boundaries, points }: DrawingProps) {
  const [url, setUrl] = useSearchParams();
  const { privileges } = useViewer();
  const hatch = useId();
  const chosen = url.get("measure");
  const measure: Measure = isMeasure(chosen) ? chosen : "functional";
  const isDistrict = situation.level === "FACILITY";
  const shapes = situation.units.flatMap((unit): Shape[] => {
    const path = isDistrict ? undefined : boundaries.outlines.find(({ id }) => id === unit.hxId)?.path;
    if (path !== undefined) return [{ unit, path }];
    const known = points?.get(unitKey(unit));
    return known ? [{ unit, points: known }] : [];
  });
  const boxes = [...boundaries.outlines.map(({ box }) => box), ...shapes.flatMap((shape) => shape.points?.map(({ east, north }) => [east, north, east, north]) ?? [])];
  const { viewBox, squeeze, size } = boxes.length > 0 ? frameOf(boxes) : frameOf([[0, 0, 1, 1]]);
  const radius = size / (isDistrict ? 70 : 120);
  const numbers = new Map<string, number>();
  for (const unit of situation.units) {
    const { label } = classOf(unit, measure);
    numbers.set(label, (numbers.get(label) ?? 0) + 1);
  }
  const missing = situation.withoutPosition.value;
  const toMissing = figureLink("withoutPosition", scope, privileges);

  return (
    <figure className="situation-map map-colours">
      <figcaption className="situation-map-head">
        <label>
          Colour by{" "}
          <select
            className="plain-select"
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
        <p className="situation-note">No facility here has a position. The table has the figures.</p>
      ) : (
        <svg aria-label={`Map: ${measures[measure].label.toLowerCase()}`} className="situation-map-drawing map-drawing" role="group" viewBox={viewBox}>
          <Hatch id={hatch} size={size} />
          <g transform={`scale(${squeeze} -1)`}>
            {isDistrict ? boundaries.outlines.map(({ id, path }) => <path className="map-ground" d={path} key={id} />) : null}
            {shapes.map(({ unit, path, points: of }) => {
              const { className } = classOf(unit, measure);
              const fill = className === "is-none" ? { fill: `url(#${hatch})` } : {};
              const key = unitKey(unit);
              const text = unitText(unit.name, unit, measure);
              return (
                <ScopeLink
                  aria-label={text}
                  className={`map-unit ${className} ${marked === key ? "is-marked" : ""}`}
                  key={key}
                  onBlur={() => onMark(undefined)}
                  onFocus={() => onMark(key)}
                  onMouseEnter={() => onMark(key)}
                  onMouseLeave={() => onMark(undefined)}
                  to={unitLink(situation.level, unit, scope.implementingPartnerId)}
                >
                  <title>{text}</title>
                  {path === undefined ? null : <path d={path} {...fill} />}
                  {of?.map(({ facilityUuid, east, north }) => <ellipse cx={east} cy={north} key={facilityUuid} rx={radius / squeeze} ry={radius} {...fill} />)}
                </ScopeLink>
              );
            })}
          </g>
        </svg>
      )}
      <ul aria-label="Legend" className="map-legend">
        {classesOf(measure).map(({ className, label }) => (
          <li key={label}>
            <span aria-hidden="true" className={`map-swatch ${className}`} />
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
