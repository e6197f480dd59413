import { atMost, type Goal } from "./goals.ts";
import { situation } from "./dashQuestions.ts";
import { type ChartTime, times as repetitions } from "./sqlTime.ts";
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
  const slowestOf = (some: typeof rows) => some.toSorted((one, other) => other.ms - one.ms)[0]!;
  const charts = rows.filter(({ chart }) => chart !== situation);
  const slowest = slowestOf(charts);
  const head = slowestOf(rows.filter(({ chart }) => chart === situation));
  const grown = rows.toSorted((one, other) => other.growth - one.growth)[0]!;
  const over = charts.filter(({ ms }) => ms > 1);
  const goals = [
    atMost(
      `situation: SQL of the slowest at ${last.assessments} assessments`,
      head.ms,
      3,
      " ms",
      `of the ${head.level}; its statements and those of the sign-in are ${head.statements}`,
    ),
    atMost(
      `dashboards: SQL of the slowest at ${last.assessments} assessments`,
      slowest.ms,
      1,
      " ms",
      `${slowest.chart} of the ${slowest.level}; ${over.length} of ${charts.length} take more than 1 ms`,
    ),
  ];
  if (sizes.length > 1)
    goals.push(
      atMost(
        `dashboards: SQL at ${last.assessments} against ${first.assessments}`,
        grown.growth,
        1.3,
        " x",
        `${grown.chart} of the ${grown.level}; ${rows.filter(({ growth }) => growth > 1.3).length} of ${rows.length} grew more`,
      ),
    );
  const titles = [
    "level",
    "chart",
    ...sizes.map(({ assessments }) => `ms at ${assessments}`),
    "growth",
    "statements",
    "with sign-in and scope",
  ];
  return {
    goals,
    text: `SQL time of the situation and of each chart and table of an overview, without kept answers, as PostgreSQL logs it (parse, bind and execute of the figure's statements; the middle of ${repetitions}
once warm, the sizes asked in turn; --questions sqlTime)\n${table(
      titles,
      rows.map((row) => [row.level, row.chart, ...row.each, figure(row.growth), String(row.statements), row.allMs]),
    )}`,
  };
}
