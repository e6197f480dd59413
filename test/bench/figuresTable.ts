import type { Result } from "./compare.ts";
import type { Figures } from "./measure.ts";
import { table } from "./table.ts";

/** The details of each question: every answerer at every number of connections. */

const head = [
  "",
  "conn.",
  "x floor",
  "x PG5",
  "req/s",
  "p50 ms",
  "p99 ms",
  "CPU ms/req",
  "PostgreSQL ms/req",
  "memory MB",
  "kB/answer",
  "errors",
];

export function figuresTable({ question, rows, differs }: Result): string {
  const title = `${question.title} (--questions ${question.name})`;
  if (differs) return `${title}\n  The answers differ, so nothing was measured: ${differs}`;
  const line = (name: string, connections: number, figures: Figures, ratios: [number, number]) => [
    name,
    String(connections),
    ...ratios,
    figures.perSecond,
    figures.p50,
    figures.p99,
    figures.cpu,
    figures.cpuOfPostgres,
    figures.memory,
    figures.bytes / 1000,
    String(figures.errors),
  ];
  const lines = rows.flatMap(({ connections, product, first, floor, postgraphile }) => [
    ...(
      [
        ["product", product],
        ["first reads", first],
      ] as const
    ).flatMap(([name, figures]) =>
      figures
        ? [
            line(name, connections, figures, [
              figures.perSecond / floor.perSecond,
              postgraphile ? figures.perSecond / postgraphile.perSecond : Number.NaN,
            ]),
          ]
        : [],
    ),
    line("floor", connections, floor, [1, Number.NaN]),
    ...(postgraphile
      ? [line("PostGraphile", connections, postgraphile, [postgraphile.perSecond / floor.perSecond, 1])]
      : []),
  ]);
  const found = rows
    .flatMap(({ product, first, floor, postgraphile }) => [product, first, floor, postgraphile])
    .find((figures) => figures?.error);
  return `${title}\n${table(head, lines)}${found ? `\n  the first error: ${found.error}` : ""}`;
}
