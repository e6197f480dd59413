import type { PageInput } from "../../db/page.ts";
import type { TdbRow } from "../../db/tdb.ts";
import * as db from "../../db/tdb.ts";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { readFacility } from "../facility/facility.ts";
import { notFound } from "../problem.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import type { TdbFilter } from "./tdb.rules.ts";

/** Acts on transport databases, shared by REST and GraphQL: their rows need the right to upload them. */

export type { TdbHistoryFacility, TdbRow } from "../../db/tdb.ts";

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws Problem FORBIDDEN or NOT_FOUND */
export async function readTdb(context: Context, uuid: string): Promise<TdbRow> {
  requireRight(context, "viewTdbs");
  const tdb = uuidPattern.test(uuid) ? await db.findTdb(context.db, { uuid }) : undefined;
  if (!tdb) throw notFound("TDB");
  return tdb;
}

/** TDBs of a facility or a scope, the latest received first. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listTdbs(context: Context, { page, ...filter }: TdbFilter & { page: PageInput }) {
  requireRight(context, "viewTdbs");
  await checkScope(context, filter);
  if (filter.facilityUuid != null) await readFacility(context, filter.facilityUuid);
  return db.listTdbs(context.db, { ...filter, page });
}

/** The facilities of a scope that sent a TDB on these days, each with its latest. @throws Problem FORBIDDEN or NOT_FOUND */
export async function listTdbHistoryFacilities(
  context: Context,
  { start, end, scope, page }: { start: string; end: string; scope: Scope; page: PageInput },
) {
  requireRight(context, "viewTdbs");
  await checkScope(context, scope);
  return db.listTdbHistoryFacilities(context.db, { days: { start, end }, scope, page });
}
