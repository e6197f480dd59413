import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

import { insertAuditEvent } from "../../db/audit/audit.ts";
import { everyRow } from "../../db/list/page.ts";
import type { Database } from "../../db/engine/connect.ts";
import { listFindings } from "../../db/registry/reconciliation.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { readSettings } from "../env.ts";
import { parse } from "../input/parse.ts";
import { Problem } from "../problem.ts";
import { operator, withDatabase } from "../system/command.ts";
import { keepComparison, readReconciliationOf, type Reconciliation } from "./reconciliation.ts";
import { sourceRules } from "./reconciliation.rules.ts";

/**
 * `npm run reconcile -- …`. Exit codes: 0 nothing open, 2 open findings, 1 the list or the database cannot be read, 3
 * wrongly called.
 */

const usage = `npm run reconcile -- --source NAME --file FILE [--level N] [--list] [--json]

Compares the registry with another list of facilities, keeps the result for the screen Registry, Reconciliation, and prints it. No facility
is changed.

--source   whose list it is, for example DHIS2: it is compared with the previous one of the same source
--file     CSV with the columns of npm run load -- --help, or DHIS2's organisation units as CSV or as the JSON of its API; - reads stdin
--level    the level of the organisation units that are facilities; without it the deepest
--list     prints each open finding too
--json     prints the counts as JSON

Ends with 0 when nothing is open, with 2 when findings are open (what is ignored is not), with 1 when the list or the database cannot be
read, and with 3 when it is wrongly called. For a daily run:

  curl --fail --silent --user reader:… "https://dhis2.example/api/organisationUnits.json?paging=false&fields=id,code,name,level,path,geometry,closedDate" |
    npm run reconcile -- --source DHIS2 --file -`;

const titles = { onlyHere: "only here", onlyThere: "only there", differs: "differing", unclear: "unclear" };

function say({ source, rows, here, equal, notes, kinds, fields, previousUuid }: Reconciliation): void {
  console.log(
    `${source}: ${rows} facilities in the list, ${here} open ones in the registry, ${equal} the same in both.`,
  );
  for (const note of notes) console.log(`  ${note}`);
  const trend = previousUuid === null ? "" : "  (new, changed, still, gone)";
  for (const { kind, found, open, done, ignored, ...beside } of kinds)
    console.log(
      `  ${titles[kind].padEnd(12)}${String(found).padStart(7)}  open ${open}, done ${done}, ignored ${ignored}${trend === "" ? "" : `; new ${beside.new}, changed ${beside.changed}, still ${beside.still}, gone ${beside.gone}`}`,
    );
  if (fields.length > 0)
    console.log(`  differing in ${fields.map(({ field, found }) => `${field} ${found}`).join(", ")}`);
}

async function list(db: Database, reconciliationUuid: string): Promise<void> {
  for await (const { kind, facilityName, place, reason, differences } of everyRow((page) =>
    listFindings(db, { reconciliationUuid, state: "open", page }),
  ))
    console.log(
      `  ${titles[kind]}: ${facilityName} (${place}): ${differences.length > 0 ? differences.map(({ field, ours, theirs }) => `${field} '${ours ?? ""}' there '${theirs ?? ""}'`).join("; ") : reason}`,
    );
}

function refused(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof Problem && error.code === "INVALID")
    for (const { path, message } of error.extra.errors ?? []) console.error(`  ${path}: ${message}`);
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      source: { type: "string" },
      file: { type: "string" },
      level: { type: "string" },
      list: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const asked = parse(sourceRules, { source: values.source, level: values.level });
  const { file } = values;
  if (file === undefined) throw new Problem("MALFORMED", "--file is missing.");
  return withDatabase(readSettings(), async (db) => {
    try {
      const content = file === "-" ? process.stdin : createReadStream(file);
      const by = operator();
      const uuid = await keepComparison(
        db,
        { ...asked, fileName: file === "-" ? "stdin" : basename(file), content },
        { userUuid: null, operator: by },
        (act) =>
          db.transaction().execute(async (transaction) => {
            const { uuid: id, details } = await act(transaction);
            const action: AuditAction = "registry.reconcile";
            await insertAuditEvent(transaction, {
              action,
              outcome: "done",
              subjectType: "Reconciliation",
              subjectId: id,
              details: JSON.stringify({ by, ...details }),
            });
          }),
      );
      const result = await readReconciliationOf(db, uuid);
      if (values.json) console.log(JSON.stringify(result, null, 2));
      else say(result);
      if (values.list) await list(db, uuid);
      return result.open > 0 ? 2 : 0;
    } catch (error) {
      refused(error);
      return 1;
    }
  });
}

try {
  process.exitCode = await run();
} catch (error) {
  const isWronglyCalled = error instanceof Problem || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  refused(error);
  if (isWronglyCalled) console.error(usage);
  process.exitCode = isWronglyCalled ? 3 : 1;
}
