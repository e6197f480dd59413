import { SpokenDrawing } from "../ui/chart/small/SpokenDrawing.tsx";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { namesApart } from "./namesApart.ts";
import "../ui/chart/dataColours.css";
import "./VersionsChart.css";

/** The facilities that run each version at one time; undefined for all of them if nothing was known then. */
type VersionsAt = { label: string; counts: (number | undefined)[] };

/** Least share that has room for its name, in percent: at the right edge, and within its area. */
const leastNamed = 7;
const leastWithin = 12;
/** The room of a name, in percent of the drawing's height and width. */
const roomOf = (isPhone: boolean) => ({ x: isPhone ? 18 : 6, y: 9 });

/** The axis of shares, in percent. */
const ticks = [0, 25, 50, 75, 100];

/** The heights at which the areas begin at one time, from above in percent, and the bottom of the last. */
function edgesOf({ counts }: VersionsAt): number[] {
  const sums = counts.map((_, at) => counts.slice(0, at + 1).reduce<number>((sum, count) => sum + (count ?? 0), 0));
  return [0, ...sums].map((sum) => 100 - (100 * sum) / sums.at(-1)!);
}

/**
 * The shares of versions over time as stacked areas, the newest version at the bottom and darkest. Each is named at the
 * right edge, or where its area is highest if few run it today, unless its name would touch that of a larger area. The
 * table has the numbers.
 */
export function VersionsChart({ label, names, times }: { label: string; names: string[]; times: VersionsAt[] }) {
  const room = roomOf(useIsPhone());
  const known = times.filter(({ counts }) => counts.some(Boolean));
  if (known.length < 2) return null;
  const edges = known.map(edgesOf);
  const areas = names.map((name, at) => {
    const spans = edges.map((edge, time) => {
      const [from, to] = [edge[at]!, edge[at + 1]!];
      return {
        x: (100 * time) / (known.length - 1),
        from,
        to,
        said: `${name}, ${known[time]!.label}: ${Math.round(from - to)}\u00a0%`,
      };
    });
    const corners = [...spans.map(({ x, to }) => [x, to]), ...spans.toReversed().map(({ x, from }) => [x, from])];
    const highest = spans.reduce((high, span) => (span.from - span.to > high.from - high.to ? span : high));
    return { name, spans, today: spans.at(-1)!, highest, corners: corners.join(" ") };
  });
  const isAtEdge = ({ today: { from, to } }: (typeof areas)[number]) => from - to >= leastNamed;
  const within = areas
    .filter((area) => !isAtEdge(area) && area.highest.from - area.highest.to >= leastWithin)
    .map(({ name, highest: { x, from, to } }) => ({
      name,
      x: Math.min(Math.max(x, room.x / 2), 100 - room.x / 2),
      y: (from + to) / 2,
      share: from - to,
    }));
  const atEdge = areas
    .filter(isAtEdge)
    .map(({ name, today: { from, to } }) => ({ name, x: 100, y: (from + to) / 2, share: from - to }));
  return (
    <figure className="versions-chart">
      <ul aria-hidden="true" className="versions-chart-axis note plain">
        {ticks.map((tick) => (
          <li key={tick} style={{ bottom: `${tick}%` }}>
            {tick}&nbsp;%
          </li>
        ))}
      </ul>
      <div className="versions-chart-areas">
        <SpokenDrawing
          down={-known.length}
          first={known.length - 1}
          label={label}
          points={areas.flatMap(({ spans }) => spans)}
          preserveAspectRatio="none"
          viewBox="0 0 100 100"
        >
          {areas.map(({ name, corners }, at) => (
            <polygon fillOpacity={1 - (0.9 * at) / names.length} key={name} points={corners} />
          ))}
          <path className="versions-chart-grid" d={ticks.map((tick) => `M0 ${100 - tick}H100`).join("")} />
        </SpokenDrawing>
        {namesApart(within, room).map(({ name, x, y }) => (
          <span aria-hidden="true" className="versions-chart-within" key={name} style={{ left: `${x}%`, top: `${y}%` }}>
            {name}
          </span>
        ))}
      </div>
      <ul aria-label="Today" className="versions-chart-names plain">
        {namesApart(atEdge, room).map(({ name, y, share }) => (
          <li key={name} style={{ bottom: `${100 - y}%` }}>
            {name} · {Math.round(share)}&nbsp;%
          </li>
        ))}
      </ul>
      <ol className="versions-chart-times note plain">
        {known.map((time) => (
          <li key={time.label}>{time.label}</li>
        ))}
      </ol>
    </figure>
  );
}
