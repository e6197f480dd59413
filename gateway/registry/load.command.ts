import { parseArgs } from "node:util";

import { readSettings } from "../env.ts";
import { kinds } from "../reference/load/load.rules.ts";
import { operator, withDatabase } from "../system/command.ts";
import { loadLists, type Source } from "./load/load.ts";
import { formatReport, help, options } from "./load/report.ts";

/** `npm run load -- …`: loads lists from CSV files. Exit codes: 0 done, 1 nothing loaded, 2 wrongly called. */

const misused = (message: string): never => {
  console.error(`${message}\nnpm run load -- --help shows how to call this command.`);
  process.exit(2);
};

function readArguments(): {
  sources: Source[];
  boundaries: string[];
  addPlaces: boolean;
  mayChangeIdentifiers: boolean;
  dryRun: boolean;
} {
  const files = Object.fromEntries(
    kinds.map((kind) => [options[kind].option, { type: "string", multiple: true } as const]),
  );
  try {
    const { values } = parseArgs({
      options: {
        ...files,
        boundaries: { type: "string", multiple: true },
        "add-places": { type: "boolean" },
        "change-identifiers": { type: "boolean" },
        "dry-run": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) {
      console.log(help);
      process.exit(0);
    }
    const given = values as Record<string, string[] | undefined>;
    const sources = kinds.flatMap((kind) => (given[options[kind].option] ?? []).map((file) => ({ kind, file })));
    const boundaries = given["boundaries"] ?? [];
    if (sources.length + boundaries.length === 0) return misused("No file is named.");
    return {
      sources,
      boundaries,
      addPlaces: values["add-places"] === true,
      mayChangeIdentifiers: values["change-identifiers"] === true,
      dryRun: values["dry-run"] === true,
    };
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

async function run(): Promise<boolean> {
  const asked = readArguments();
  const load = await withDatabase(readSettings(), (db) => loadLists(db, { ...asked, by: operator() }), {
    upToDate: true,
  });
  const done = load.outcome !== "refused";
  (done ? console.log : console.error)(formatReport(load));
  return done;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  console.error(`Nothing was loaded: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
