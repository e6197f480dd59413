import { atMost, type Goal } from "./goals.ts";
import { type ChartTime, times as asked } from "./sqlTime.ts";
import { figure, table } from "./table.ts";

/** The SQL time of the dashboards at every size of the history, side by side. */
export function dashboardsOf(sizes: { assessments: number; times: ChartTime[] }[]): { goals: Goal[]; text: string } {
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  const rows = last.times.map(({ level, chart, statements, ms, allMs }, index) => ({
    level,
    chart,
    statements,
    ms,
    allMs,
    growth: ms / first.times[index]!.ms,
    each: sizes.map(({ times }) => times[index]!.ms),
  }));
  const slowest = rows.toSorted((one, other) => other.ms - one.ms)[0]!;
  const grown = rows.toSorted((one, other) => other.growth - one.growth)[0]!;
  const over = rows.filter(({ ms }) => ms > 1);
  const goals = [
    atMost(`dashboards: SQL of the slowest at ${last.assessments} assessments`, slowest.ms, 1, " ms",
      `${slowest.chart} of the ${slowest.level}; ${over.length} of ${rows.length} take more than 1 ms`),
  ];
  if (sizes.length > 1)
    goals.push(atMost(`dashboards: SQL at ${last.assessments} against ${first.assessments}`, grown.growth, 1.3, " x",
      `${grown.chart} of the ${grown.level}; ${rows.filter(({ growth }) => growth > 1.3).length} of ${rows.length} grew more`));
  const head = ["level", "chart", ...sizes.map(({ assessments }) => `ms at ${assessments}`), "growth", "statements", "with sign-in and scope"];
  return {
    goals,
    text: `SQL time of each chart and table of an overview, as PostgreSQL logs it (parse, bind and execute of the figure's statements; the middle of ${asked}
once warm, the sizes asked in turn; --questions sqlTime)\n${table(head, rows.map((row) => [row.level, row.chart, ...row.each, figure(row.growth), String(row.statements), row.allMs]))}`,
  };
}
