import { allDerived, allTriggers } from "./all.ts";
import type { Derived } from "./derived.ts";

/** The documentation of everything derived, as Markdown: `npm run contracts` writes it to docs/derived.md. */
export function describeDerived(): string {
  return `${[
    "# Derived tables",
    "",
    "Written by `npm run contracts` from the declarations in `db/derived/`. These tables hold what is computed from other rows. Nothing but their triggers and their",
    "recount writes them. CONTRIBUTING.md says how to add one.",
    ...allDerived.flatMap(section),
    "",
    "## Triggers",
    "",
    `${allTriggers.length} triggers keep these tables, each table's in the order in which they fire. A trigger does its steps in the order in which they stand here.`,
    "",
    "| table | trigger | for each | keeps |",
    "|---|---|---|---|",
    ...allTriggers.map(
      ({ table, when, transition, does }) =>
        `| ${code(table)} | ${when} | ${transition === null ? "row" : "statement"} | ${[...new Set(does)].join(", ")} |`,
    ),
  ].join("\n")}\n`;
}

/** Text as a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
const code = (name: string): string => `\`${name}\``;

function section({ name, purpose, sources, tables, recount }: Derived): string[] {
  return [
    "",
    `## ${name}`,
    "",
    purpose,
    "",
    `Computed from ${sources.map(code).join(", ")}. ${recount ? `Recounted by ${recount.by}.` : "Never recounted."}`,
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
