import { Button, ButtonGroup } from "@blueprintjs/core";
import { Fragment, type ReactNode, useId, useMemo } from "react";
import { Link } from "react-router-dom";
import { graphql } from "../../gql/gql.ts";
import type { SituationMapSectionQueryQuery } from "../../gql/graphql.ts";
import { type ModeScope, routes } from "../../routes.ts";
import { counted, formatNumber } from "../../ui/text/counted.ts";
import { Fetched } from "../../ui/network/Fetched.tsx";
import { QueryState } from "../../ui/notice/QueryState.tsx";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import { useScreenQuery } from "../../urql.ts";
import {
  type Boundaries,
  boundariesAt,
  frameOf,
  isWithin,
  perDegree,
  type Position,
  reachOf,
} from "../../ui/map/boundaries.ts";
import "../../ui/chart/dataColours.css";
import { MapSwatch } from "../../ui/map/MapSwatch.tsx";
import { figureWords, type Measure, type NamedUnit } from "../situationFigures.ts";
import { figureLink, unitKey } from "../situationLinks.ts";
import type { SituationAnswer, SituationPartProps } from "../SituationSection.tsx";
import { placeNames } from "./mapLabels.ts";
import { classesOf, classOf, scaleOf, unitText } from "./unitClasses.ts";
import { useMapZoom } from "./useMapZoom.ts";
import "./SituationMapSection.css";

const positionsQuery = graphql(`
  query SituationMapSectionQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $isOfFacilities: Boolean!) {
    siteList(provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
      districts { id districtId province { id provinceId } }
      facilityUuid @include(if: $isOfFacilities)
      districtId
      latitude
      longitude
    }
  }
`);

type MapProps = Pick<SituationPartProps, "scope" | "measure" | "marked" | "onMark" | "linkTo" | "isNarrow"> & {
  /** in a report without the facilities that have no position today */
  situation: Pick<SituationAnswer, "level"> &
    Partial<Pick<SituationAnswer, "withoutPosition">> & { units: readonly NamedUnit[] };
  /** Chooses what the map is coloured by; missing in a report. */
  onMeasure?: SituationPartProps["onMeasure"];
  chosen?: NamedUnit | undefined;
};
type DrawingProps = MapProps & {
  boundaries: Boundaries;
  /** by the keys of units */ points?: Map<string, SitePoint[]> | undefined;
};

/** The position of a facility. `site` is its index in the list of sites. */
type SitePoint = Position & { site: number };

/** A unit on the map: an area, the points of its facilities, or both. */
type Shape = { unit: NamedUnit; path: string | undefined; points: SitePoint[] };

const allDistricts = "/api/v1/boundaries/districts";
function pathOf({ provinceId, districtId }: ModeScope): string {
  if (districtId !== undefined) return `${allDistricts}?districtId=${districtId}`;
  return provinceId === undefined ? "/api/v1/boundaries/provinces" : `${allDistricts}?provinceId=${provinceId}`;
}

/** The positions of facilities by the key of their unit: the facility itself, its district or its province. */
function pointsByUnit(
  level: SituationAnswer["level"],
  sites: NonNullable<SituationMapSectionQueryQuery["siteList"]>,
): Map<string, SitePoint[]> {
  const provinces = new Map(sites.districts.map(({ districtId, province }) => [districtId, province.provinceId]));
  const points = new Map<string, SitePoint[]>();
  for (const [site, districtId] of sites.districtId.entries()) {
    const [latitude, longitude] = [sites.latitude[site], sites.longitude[site]];
    if (latitude == null || longitude == null) continue;
    const key =
      level === "FACILITY"
        ? sites.facilityUuid![site]!
        : unitKey({ hxId: level === "DISTRICT" ? districtId : provinces.get(districtId) });
    const of = points.get(key);
    const point = { east: longitude * perDegree, north: latitude * perDegree, site };
    if (of) of.push(point);
    else points.set(key, [point]);
  }
  return points;
}

const titleOf = (measure: Measure): string => {
  if (measure === "facilities") return "Facilities: how many there are";
  return measure === "mode" ? "Most frequent mode" : figureWords[measure].label;
};

/**
 * The units on a map, coloured by the measure of the chosen tile. The table has the same figures. A report has the
 * districts of its day, of which some may lie in another province today.
 */
export function SituationMapSection(props: MapProps) {
  const { level, units, withoutPosition } = props.situation;
  const ids = new Set(units.map(({ hxId }) => hxId));
  const path = pathOf(props.scope);
  return (
    <Fetched key={path} part={boundariesAt(path)}>
      {(boundaries) =>
        level !== "DISTRICT" ||
        withoutPosition ||
        boundaries.outlines.filter(({ id }) => ids.has(id)).length === ids.size ? (
          <FittingDrawing boundaries={boundaries} {...props} />
        ) : (
          <Fetched part={boundariesAt(allDistricts)}>
            {({ credit, outlines }) => (
              <FittingDrawing {...props} boundaries={{ credit, outlines: outlines.filter(({ id }) => ids.has(id)) }} />
            )}
          </Fetched>
        )
      }
    </Fetched>
  );
}

/** The map with outlines only, if they suffice for the measure; otherwise with points. */
function FittingDrawing(props: DrawingProps) {
  const { measure } = props;
  const { level, units } = props.situation;
  const drawn = new Set(level === "FACILITY" ? [] : props.boundaries.outlines.map(({ id }) => id));
  if (measure !== "facilities" && units.every(({ hxId }) => drawn.has(hxId ?? -1))) return <Drawing {...props} />;
  // The key discards positions of another place or level, which could not be assigned to these units.
  return <PositionedDrawing key={JSON.stringify([level, props.scope])} {...props} />;
}

/** The map with points for facilities: of the units without an outline, or of all units. */
function PositionedDrawing(props: DrawingProps) {
  const positions = useScreenQuery(positionsQuery, {
    ...props.scope,
    isOfFacilities: props.situation.level === "FACILITY",
  });
  return (
    <QueryState query={positions} what="map">
      {({ siteList }) => (
        <Drawing points={siteList ? pointsByUnit(props.situation.level, siteList) : undefined} {...props} />
      )}
    </QueryState>
  );
}

/** The pattern for areas without a figure: `fill: url(#id)`. `size` is the size of the map in its own units. */
function Hatch({ id, size }: { id: string; size: number }) {
  return (
    <defs>
      <pattern height={size / 60} id={id} patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width={size / 60}>
        <rect className="map-hatch-ground" height={size / 60} width={size / 60} />
        <line className="map-hatch-line" strokeWidth={size / 150} x1="0" x2="0" y1="0" y2={size / 60} />
      </pattern>
    </defs>
  );
}

/** The height of a name, as a part of the map's size: of a small map, and otherwise. */
const nameHeights = { narrow: 1 / 22, usual: 1 / 34 };

type ZoomButtonsProps = Omit<ReturnType<typeof useMapZoom>, "view" | "events">;

function ZoomButtons({ isEnlarged, enlarge, reduce, showWhole }: ZoomButtonsProps) {
  return (
    <ButtonGroup className="map-zoom screen-only" variant="minimal">
      <Button aria-label="Enlarge the map" text="+" onClick={enlarge} size="small" title="Enlarge (+)" />
      <Button
        aria-label="Reduce the map"
        disabled={!isEnlarged}
        text="−"
        onClick={reduce}
        size="small"
        title="Reduce (−)"
      />
      <Button
        aria-label="Show the whole map"
        disabled={!isEnlarged}
        text="⤢"
        onClick={showWhole}
        size="small"
        title="Whole map (0)"
      />
    </ButtonGroup>
  );
}

function Drawing(props: DrawingProps) {
  const { scope, situation, measure, onMeasure, marked, onMark, chosen, linkTo, isNarrow, boundaries, points } = props;
  const hatch = useId();
  const { view, events, ...zoom } = useMapZoom();
  const isDistrict = situation.level === "FACILITY";
  const scale = scaleOf(situation.units, measure);
  const known = situation.units.map((unit): Shape => {
    const path = isDistrict ? undefined : boundaries.outlines.find(({ id }) => id === unit.hxId)?.path;
    // Facilities are drawn in an area only if the measure is their number.
    return {
      unit,
      path,
      points: (path !== undefined && measure !== "facilities" ? undefined : points?.get(unitKey(unit))) ?? [],
    };
  });
  const outlines = boundaries.outlines.map(({ box }) => box);
  const positions = [...(points?.values() ?? [])].flat();
  const reach = reachOf(outlines, positions);
  const isInReach = (position: Position) => reach !== undefined && isWithin(reach, position);
  const shapes = known
    .map((shape) => ({ ...shape, points: shape.points.filter(isInReach) }))
    .filter((shape) => shape.path !== undefined || shape.points.length > 0);
  const drawn = shapes.flatMap((shape) => shape.points);
  const boxes = [...outlines, ...drawn.map(({ east, north }) => [east, north, east, north])];
  const outside = positions.filter((position) => !isInReach(position)).length;
  const { viewBox, squeeze, size } = boxes.length > 0 ? frameOf(boxes) : frameOf([[0, 0, 1, 1]]);
  const radius = size / (isDistrict ? 70 : 120) / view.k;
  // Smaller in an enlarged map, so that more of them fit. In steps, because finding their places takes time.
  const nameStep = 2 ** (Math.floor(2 * Math.log2(view.k)) / 2);
  const nameHeight = (size * (isNarrow ? nameHeights.narrow : nameHeights.usual)) / nameStep;
  const { units } = situation;
  const names = useMemo(() => {
    const areas = units.flatMap((unit) => {
      const path = isDistrict ? undefined : boundaries.outlines.find(({ id }) => id === unit.hxId)?.path;
      const mark = measure === "mode" ? classOf(unit, measure).mark : undefined;
      return path === undefined ? [] : [{ name: mark ? `${unit.name} (${mark})` : unit.name, path }];
    });
    return placeNames(areas, nameHeight, squeeze);
  }, [units, measure, boundaries, isDistrict, nameHeight, squeeze]);
  const numbers = new Map<string, number>();
  for (const unit of situation.units) {
    const { label } = classOf(unit, measure, scale);
    numbers.set(label, (numbers.get(label) ?? 0) + 1);
  }
  const missing = situation.withoutPosition?.value;
  const notes: { key: string; note: ReactNode }[] = [
    ...(missing === undefined
      ? []
      : [
          {
            key: "missing",
            note:
              missing > 0 ? (
                <Link to={figureLink("withoutPosition", scope)}>
                  {counted(missing, "facility", "facilities")} without a position
                </Link>
              ) : (
                "All facilities have a position"
              ),
          },
        ]),
    ...(outside > 0 && reach
      ? [
          {
            key: "outside",
            note: (
              <Link to={routes.facilityList({ outside: reach.join(","), ...scope })}>
                {counted(outside, "position")} outside the map
              </Link>
            ),
          },
        ]
      : []),
    ...(boundaries.credit && boundaries.outlines.length > 0
      ? [{ key: "credit", note: `Outlines: ${boundaries.credit}` }]
      : []),
  ];

  return (
    <figure className="situation-map">
      <figcaption className="row is-spread">
        <span className="situation-map-title">{titleOf(measure)}</span>
        {onMeasure ? (
          <span className="row is-close">
            <Button
              active={measure === "mode"}
              aria-pressed={measure === "mode"}
              onClick={() => onMeasure(measure === "mode" ? "functional" : "mode")}
              size="small"
              text="By mode"
              variant="minimal"
            />
            {shapes.length > 0 ? <ZoomButtons {...zoom} /> : null}
          </span>
        ) : null}
      </figcaption>
      {shapes.length === 0 ? (
        <p className="note">No facility here has a position. The table has the figures.</p>
      ) : (
        <svg
          aria-label={`Map: ${titleOf(measure).toLowerCase()}`}
          {...events}
          className={`situation-map-drawing map-drawing ${zoom.isEnlarged ? "is-enlarged" : ""}`}
          key={viewBox}
          role="group"
          viewBox={viewBox}
        >
          <Hatch id={hatch} size={size} />
          <g transform={`translate(${view.x} ${view.y}) scale(${view.k})`}>
            <g transform={`scale(${squeeze} -1)`}>
              {isDistrict
                ? boundaries.outlines.map(({ id, path }) => <path className="map-ground" d={path} key={id} />)
                : null}
              {shapes.map(({ unit, path, points: of }) => {
                const { className } = classOf(unit, measure, scale);
                const fill = className === "is-none" ? { fill: `url(#${hatch})` } : {};
                const key = unitKey(unit);
                const text = unitText(unit.name, unit, measure);
                return (
                  <ScopeLink
                    aria-current={unit === chosen ? "true" : undefined}
                    aria-label={text}
                    className={`map-unit ${className} ${marked === key ? "is-marked" : ""} ${chosen && unit !== chosen ? "is-dim" : ""}`}
                    key={key}
                    onBlur={() => onMark(undefined)}
                    onFocus={() => onMark(key)}
                    onMouseEnter={() => onMark(key)}
                    onMouseLeave={() => onMark(undefined)}
                    {...linkTo(unit)}
                  >
                    <title>{text}</title>
                    {path === undefined ? (
                      of.map(({ east, north, site }) => (
                        <ellipse cx={east} cy={north} key={site} rx={radius / squeeze} ry={radius} {...fill} />
                      ))
                    ) : (
                      <>
                        <path d={path} {...fill} />
                        {of.length > 0 ? (
                          <path
                            className="map-dots"
                            d={of.map(({ east, north }) => `M${east.toFixed(1)} ${north.toFixed(1)}h0`).join("")}
                          />
                        ) : null}
                      </>
                    )}
                  </ScopeLink>
                );
              })}
            </g>
            <g aria-hidden="true">
              {names.map(({ name, east, north, height }) => (
                <text
                  className="map-name"
                  dy="0.35em"
                  fontSize={height}
                  key={`${name} ${north}`}
                  x={east * squeeze}
                  y={-north}
                >
                  {name}
                </text>
              ))}
            </g>
          </g>
        </svg>
      )}
      <ul aria-label="Legend" className="map-legend row plain">
        {classesOf(measure, scale, isDistrict).map(({ className, label, mark }) => (
          <li key={label}>
            <MapSwatch className={className} />
            {mark ? `(${mark}) ` : ""}
            {label}: {formatNumber(numbers.get(label) ?? 0)}
          </li>
        ))}
      </ul>
      <p className="note">
        {notes.map(({ key, note }, at) => (
          <Fragment key={key}>
            {at > 0 ? " · " : ""}
            {note}
          </Fragment>
        ))}
      </p>
    </figure>
  );
}
