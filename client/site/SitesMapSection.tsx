import { counted } from "../ui/text/counted.ts";
import { type Boundaries, frameOf, isWithin, perDegree, reachOf } from "../ui/map/boundaries.ts";
import "../ui/chart/dataColours.css";
import "../ui/map/mapColours.css";
import type { Place } from "../../gateway/facility/distance.rules.ts";
import { shows } from "./siteRows.ts";
import type { SiteRow } from "./siteRows.ts";
import { StateMark } from "./StateNote.tsx";

const pointOf = ({ latitude, longitude }: Place) => ({ east: longitude * perDegree, north: latitude * perDegree });
type Point = ReturnType<typeof pointOf>;

/** Points as one path: round or square ends make a mark of each line of length zero. */
const pathOf = (points: readonly Point[]): string =>
  points.map(({ east, north }) => `M${east.toFixed(2)} ${north.toFixed(2)}h0`).join("");

type SitesMapSectionProps = {
  /** all sites: they decide which part of the country is drawn */
  all: readonly SiteRow[];
  shown: readonly SiteRow[];
  outline: Boundaries | undefined;
  here: Place | undefined;
};

/** The shown sites as points by their state, and the person's own position. It is drawn from what is on the device. */
export function SitesMapSection({ all, shown, outline, here }: SitesMapSectionProps) {
  const outlines = outline?.outlines ?? [];
  const boxes = outlines.map(({ box }) => box);
  const points = all.flatMap(({ place }) => place ?? []).map(pointOf);
  const reach = reachOf(boxes, points);
  if (!reach || points.length === 0) return null;
  const isInReach = (point: Point) => isWithin(reach, point);
  const own = here && pointOf(here);
  const isHere = own !== undefined && isInReach(own);
  const drawn = [...points.filter(isInReach), ...(isHere ? [own] : [])];
  const { viewBox, squeeze } = frameOf([...boxes, ...drawn.map(({ east, north }) => [east, north, east, north])]);
  const groups = Object.entries(shows).map(([id, { title, states }]) => {
    const rows = shown.filter(({ state }) => states.includes(state));
    const placed = rows.flatMap(({ place }) => place ?? []).map(pointOf);
    return { id, title, state: states[0]!, count: rows.length, points: placed.filter(isInReach) };
  });
  const words = groups.map(({ title, count }) => `${title.toLowerCase()} ${count}`).join(", ");
  const missing = shown.length - groups.reduce((sum, { points: of }) => sum + of.length, 0);
  return (
    <figure aria-label="Map of my sites" className="sites-map">
      <svg
        aria-label={`Map of ${counted(shown.length, "site")}: ${words}. The list says the same.`}
        className="map-drawing"
        role="img"
        viewBox={viewBox}
      >
        <g transform={`scale(${squeeze} -1)`}>
          {outlines.map(({ id, path }) => (
            <path className="map-ground" d={path} key={id} />
          ))}
          {groups.map(({ id, state, points: of }) => (
            <path className={`state-mark is-${state}`} d={pathOf(of)} key={id} />
          ))}
          {isHere ? <path className="state-mark is-here" d={pathOf([own])} /> : null}
        </g>
      </svg>
      <figcaption className="stack is-close">
        <ul aria-label="Legend" className="map-legend row plain">
          {groups.map(({ id, title, state, count }) => (
            <li key={id}>
              <StateMark state={state} /> {title}: {count}
            </li>
          ))}
          {isHere ? (
            <li>
              <StateMark state="here" /> You are here
            </li>
          ) : null}
        </ul>
        <p className="note">
          {missing > 0 ? `${counted(missing, "site")} without a position on this map. ` : ""}
          {own && !isHere ? "Your position is outside this map. " : ""}
          {outline?.credit && outlines.length > 0 ? `Outlines: ${outline.credit}` : ""}
        </p>
      </figcaption>
    </figure>
  );
}
