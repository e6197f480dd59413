import { v7 as uuidv7 } from "uuid";

import { countRunning } from "../../db/fleet/fleet.ts";
import { transact } from "../../db/engine/transaction.ts";
import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import * as db from "../../db/fleet/rollout.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context, Viewer } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { compareVersions, isVersion } from "../input/version.rules.ts";
import { type InputError, invalid, notFound, Problem } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { listReleasedFiles, pathOf } from "../download/releasePath.ts";
import type { NewRollout, RolloutChange, RolloutState } from "./rollout.rules.ts";

/** Acts on rollouts: administrators create, pause, resume and end them; people who may see the fleet may see them. */

export type Rollout = Omit<db.RolloutRow, "paused" | "started" | "byList" | "listed"> & {
  state: RolloutState | "planned";
  /** the number of facilities that it names; null if it names none */
  facilities: number | null;
};

/** A rollout with its state, as REST and GraphQL return it. */
export function shownRollout({ paused, started, byList, listed, ...row }: db.RolloutRow): Rollout {
  const state = row.endedDate !== null ? "ended" : paused ? "paused" : started ? "running" : "planned";
  return { ...row, state, facilities: byList ? listed : null };
}

/** All rollouts, the newest first. @throws Problem FORBIDDEN */
export async function listRollouts(context: Context, { page }: { page: PageInput }): Promise<Page<Rollout>> {
  requireRight(context, "viewFleet", "somewhere");
  return mapPage(await db.listRollouts(context.db, { page }), shownRollout);
}

/** @throws Problem FORBIDDEN or NOT_FOUND */
export async function readRollout(context: Context, uuid: string): Promise<Rollout> {
  requireRight(context, "viewFleet", "somewhere");
  const row = isUuid(uuid) ? await db.findRollout(context.db, { uuid }) : undefined;
  if (!row) throw notFound("rollout", "uuid");
  return shownRollout(row);
}

/** Several rollouts by uuid; unknown ones are left out. @throws Problem FORBIDDEN */
export async function loadRollouts(context: Context, uuids: readonly string[]): Promise<Map<string, Rollout>> {
  if (uuids.length === 0) return new Map();
  requireRight(context, "viewFleet", "somewhere");
  return new Map((await db.listRolloutsByUuid(context.db, { uuids })).map((row) => [row.uuid, shownRollout(row)]));
}

/**
 * Refuses a scope with unknown places, partners or facilities; the errors name their fields.
 *
 * @throws Problem INVALID
 */
async function checkPlaces(
  context: Context,
  { provinceIds, districtIds, implementingPartnerIds, facilityUuids }: NewRollout,
): Promise<void> {
  const named = { provinceId: provinceIds, districtId: districtIds, implementingPartnerId: implementingPartnerIds };
  const errors: InputError[] = [];
  for (const [name, ids] of Object.entries(named))
    for (const [at, id] of ids.entries())
      await checkScope(context, { [name]: id }).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.code !== "NOT_FOUND") throw error;
        errors.push({ path: `${name}s.${at}`, message: `${id} is not there` });
      });
  const unknown = facilityUuids ? new Set(await db.listUnknownFacilities(context.db, { facilityUuids })) : new Set();
  for (const [at, uuid] of (facilityUuids ?? []).entries())
    if (unknown.has(uuid)) errors.push({ path: `facilityUuids.${at}`, message: `${uuid} is no facility` });
  if (facilityUuids?.length === 0)
    errors.push({ path: "facilityUuids", message: "must name a facility, or be left out" });
  if (errors.length > 0) throw invalid(errors);
}

const mostListed = 8;
/** A text that lists versions and how many sites run each. */
const inWords = (versions: readonly { version: string; facilities: number }[]): string => {
  const words = versions
    .slice(0, mostListed)
    .map(({ version, facilities }) => `${version} (${facilities} ${facilities === 1 ? "site" : "sites"})`);
  return [...words, ...(versions.length > mostListed ? [`${versions.length - mostListed} more versions`] : [])].join(
    ", ",
  );
};

/** Refuses a rollout if there is no path from the versions of its sites to its own version. @throws Problem INVALID */
async function checkPaths(
  handle: Context["db"],
  { version, channel, leaveBehind }: NewRollout,
  uuid: string,
): Promise<{ leftBehind: number }> {
  const [files, running] = await Promise.all([
    listReleasedFiles(handle),
    countRunning(handle, { scope: {}, rollouts: [uuid] }),
  ]);
  const covered = running.filter(({ rolloutUuid }) => rolloutUuid !== null);
  const counts = new Map<string, number>();
  for (const { presentVersion, facilities } of covered)
    if (presentVersion !== null && isVersion(presentVersion))
      counts.set(presentVersion, (counts.get(presentVersion) ?? 0) + facilities);
  const known = [...counts]
    .map(([name, facilities]) => ({ version: name, facilities }))
    .toSorted((one, other) => compareVersions(one.version, other.version));
  const refuse = (message: string) => invalid([{ path: "version", message }]);
  const isThere = files.some(
    (file) =>
      compareVersions(file.version, version) === 0 &&
      file.installs.includes("library") &&
      (channel === "pilot" || file.channel === "general"),
  );
  if (!isThere)
    throw refuse(
      `No path reaches ${version}: no file of the ${channel} channel brings a site to it.${known.length > 0 ? ` The sites run ${inWords(known)}.` : ""}`,
    );
  const without = known.filter((each) => pathOf(files, each.version, { version, channel }) === null);
  const older = known.filter((each) => compareVersions(each.version, version) < 0);
  if (without.length > 0 && (!leaveBehind || without.length === older.length))
    throw refuse(
      `No path reaches ${version} from ${inWords(without)}. Add files that apply to ${without.length === 1 ? "it" : "them"}${without.length < older.length ? ", or leave these sites behind" : ""}.`,
    );
  return { leftBehind: without.reduce((sum, { facilities }) => sum + facilities, 0) };
}

const subjectOf = (uuid: string) => ({ type: "Rollout", id: uuid });

/** Checks the right before the input is read. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export const checkMayManageRollouts = (context: Context): Viewer => requireRight(context, "manageRollouts");

/** Creates a rollout. @throws Problem FORBIDDEN or INVALID */
export async function createRollout(context: Context, input: NewRollout): Promise<Rollout> {
  const { userUuid } = checkMayManageRollouts(context);
  await checkPlaces(context, input);
  const uuid = uuidv7();
  const { facilityUuids, leaveBehind: _leaveBehind, ...rollout } = input;
  return transact(context.db, async (transaction) => {
    await db.insertRollout(transaction, {
      uuid,
      userUuid,
      ...rollout,
      byList: facilityUuids != null,
      facilityUuids: facilityUuids ?? [],
    });
    const { leftBehind } = await checkPaths(transaction, input, uuid);
    const details = { ...rollout, facilities: facilityUuids?.length ?? null, leftBehind };
    await recordAudit(
      context,
      { action: "rollout.create", outcome: "done", subject: subjectOf(uuid), details },
      transaction,
    );
    return shownRollout((await db.findRollout(transaction, { uuid }))!);
  });
}

/**
 * Pauses, resumes or ends a rollout, or changes its share of the sites.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND or CONFLICT
 */
export async function changeRollout(
  context: Context,
  uuid: string,
  { state, percentage }: RolloutChange,
): Promise<Rollout> {
  checkMayManageRollouts(context);
  if (!isUuid(uuid)) throw notFound("rollout", "uuid");
  return transact(context.db, async (transaction) => {
    const row = await db.lockRollout(transaction, { uuid });
    if (!row) throw notFound("rollout", "uuid");
    const before = shownRollout(row);
    if (before.state === "ended")
      throw new Problem("CONFLICT", `The rollout to ${before.version} has ended: make another one.`);
    if (percentage != null) await db.updateRollout(transaction, { uuid, percentage });
    if (state === "paused" && before.state !== "paused") await db.updateRollout(transaction, { uuid, change: "pause" });
    if (state === "running" && before.state === "paused")
      await db.updateRollout(transaction, { uuid, change: "resume" });
    if (state === "ended") await db.updateRollout(transaction, { uuid, change: "end" });
    const details = {
      version: before.version,
      before: { state: before.state, percentage: before.percentage },
      ...(state == null ? {} : { state }),
      ...(percentage == null ? {} : { percentage }),
    };
    await recordAudit(
      context,
      { action: "rollout.change", outcome: "done", subject: subjectOf(uuid), details },
      transaction,
    );
    return shownRollout((await db.findRollout(transaction, { uuid }))!);
  });
}
