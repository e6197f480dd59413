import type { Database } from "../../db/engine/connect.ts";
import { everyRow } from "../../db/list/page.ts";
import { listSavedQueries } from "../../db/query/query.ts";
import { readSettings } from "../env.ts";
import { checkQuestion } from "../graphql/limits/check.ts";
import { schema } from "../schema.ts";
import { withDatabase } from "../system/command.ts";

/** `npm run queries`: lists saved queries that do not work with the present schema. */

const usage = `npm run queries

Checks every saved query of the database against this version's GraphQL schema and lists those that it would not answer any more,
each with its owner and what is wrong. Ends with 0 if there are none, with 1 if there are some, with 2 if they could not be checked. Changes
nothing: run it with the new version, before that is started.`;

/** Prints each broken query; returns their number and the number of all. */
async function listBroken(db: Database): Promise<{ broken: number; all: number }> {
  let [broken, all] = [0, 0];
  for await (const saved of everyRow((page) => listSavedQueries(db, { page: { ...page, first: 100 } }))) {
    all += 1;
    const errors = checkQuestion(schema, saved);
    if (errors.length === 0) continue;
    broken += 1;
    console.log(`${saved.name} (${saved.uuid}, ${saved.shared ? "shared by" : "of"} ${saved.ownerUserName})`);
    for (const { path, message } of errors) console.log(`  ${path}: ${message}`);
  }
  return { broken, all };
}

async function run(): Promise<void> {
  try {
    const { broken, all } = await withDatabase(readSettings(), listBroken);
    console.log(`${broken} of ${all} saved queries would break.`);
    process.exitCode = broken > 0 ? 1 : 0;
  } catch (error) {
    // The database is of a version without saved queries (42P01: unknown table).
    if ((error as { code?: string }).code !== "42P01") throw error;
    console.log("0 of 0 saved queries would break.");
  }
}

if (process.argv.length > 2) {
  console.log(usage);
  process.exitCode = process.argv[2] === "--help" ? 0 : 2;
} else {
  try {
    await run();
  } catch (error) {
    console.error(`The queries could not be checked: ${(error as Error).message}`);
    process.exitCode = 2;
  }
}
