import "./VersionsChart.css";

/** The facilities that run each version at one time; undefined for all of them if nothing was known then. */
type VersionsAt = { label: string; counts: (number | undefined)[] };

/** Least share that has room for its name. */
const leastNamed = 0.07;

/**
 * The shares of versions over time as stacked areas, the newest version at the bottom and darkest. Each is named at the
 * right edge, where it has room. The table has the numbers.
 */
export function VersionsChart({ label, names, times }: { label: string; names: string[]; times: VersionsAt[] }) {
  const known = times.filter(({ counts }) => counts.some(Boolean));
  if (known.length < 2) return null;
  /** For each time the heights at which the areas begin, in percent, and the top. */
  const edges = known.map(({ counts }) => {
    const all = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    return [...counts, 0].map(
      (_, at) => (100 * counts.slice(0, at).reduce<number>((sum, count) => sum + (count ?? 0), 0)) / all,
    );
  });
  const point = (time: number, share: number) => `${(100 * time) / (known.length - 1)},${100 - share}`;
  const today = names.map((name, at) => {
    const [from, to] = [edges.at(-1)![at]!, edges.at(-1)![at + 1]!];
    return { name, middle: (from + to) / 2, share: to - from, words: `${name} · ${Math.round(to - from)}\u00a0%` };
  });
  return (
    <figure className="versions-chart">
      <svg aria-label={label} preserveAspectRatio="none" role="img" viewBox="0 0 100 100">
        {today.map(({ name, words }, at) => {
          const top = edges.map((edge, time) => point(time, edge[at + 1]!));
          const bottom = edges.map((edge, time) => point(time, edge[at]!)).toReversed();
          return (
            <polygon fillOpacity={1 - (0.9 * at) / names.length} key={name} points={[...top, ...bottom].join(" ")}>
              <title>{words}</title>
            </polygon>
          );
        })}
      </svg>
      <ul aria-label="Today" className="versions-chart-names plain">
        {today.map(({ name, middle, share, words }) =>
          share < 100 * leastNamed ? null : (
            <li key={name} style={{ bottom: `${middle}%` }}>
              {words}
            </li>
          ),
        )}
      </ul>
      <ol className="versions-chart-times note plain">
        {known.map((time) => (
          <li key={time.label}>{time.label}</li>
        ))}
      </ol>
    </figure>
  );
}
