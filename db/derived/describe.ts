import { allDerived, allTriggers } from "./all.ts";
import type { Derived } from "./derived.ts";

/** The documentation of everything derived, as Markdown: `npm run contracts` writes it to docs/derived.md. */
export function describeDerived(): string {
  return `${[
    "# Derived tables",
    "",
    "Written by `npm run contracts` from `db/derived/`. These tables hold what is computed from other rows; only their triggers, their recount and the `refresh…` of a save write them.",
    ...allDerived.flatMap(section),
    "",
    "## Triggers",
    "",
    `${allTriggers.length} triggers keep these tables. They are listed in the order in which they fire, and their steps in the order in which they run.`,
    "",
    "| tables | triggers of each, and what they keep |",
    "|---|---|",
    ...[...triggersOfTables()].map(([triggers, tables]) => `| ${tables.map(code).join(", ")} | ${triggers} |`),
  ].join("\n")}\n`;
}

/** Text as a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
const code = (name: string): string => `\`${name}\``;

/** The tables that have the same triggers, by the description of these. */
function triggersOfTables(): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const table of new Set(allTriggers.map((trigger) => trigger.table))) {
    const triggers = allTriggers
      .filter((trigger) => trigger.table === table)
      .map(({ when, transition, does }) => {
        const each = transition === null ? "row" : "statement";
        return `${when}, for each ${each}: ${[...new Set(does)].join(", ")}`;
      })
      .join("<br>");
    tables.set(triggers, [...(tables.get(triggers) ?? []), table]);
  }
  return tables;
}

function section({ name, purpose, sources, tables, recount }: Derived): string[] {
  return [
    "",
    `## ${name}`,
    "",
    purpose,
    "",
    recount ? `Computed from ${sources.map(code).join(", ")}. Recounted by ${recount.by}.` : "Never recounted.",
    "",
    "| table | a row for each | holds |",
    "|---|---|---|",
    ...Object.entries(tables).map(
      ([table, { keys, measures }]) =>
        `| ${code(table)} | ${keys.join(", ")} | ${Object.entries(measures)
          .map(([measure, what]) => `${measure}: ${cell(what)}`)
          .join("<br>")} |`,
    ),
  ];
}
