import * as db from "../../db/download/download.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { findOwnSite } from "../../db/fleet/fleet.ts";
import { listRunningRollouts, type RolloutRow } from "../../db/fleet/rollout.ts";
import { compareVersions } from "../input/version.rules.ts";
import { pathBetween, type Step } from "./releasePath.rules.ts";

/** The released files, and the path that a rollout asks a site to take. */

/** A file with a version, which can be part of a path. */
export type ReleasedFile = db.DownloadRow & { version: string };
const isReleased = (row: db.DownloadRow): row is ReleasedFile => row.version !== null;
const stepOf = ({ uuid, version, installs, appliesFrom, appliesTo, channel, size }: ReleasedFile): Step => ({
  uuid,
  version,
  installs,
  appliesFrom,
  appliesTo,
  channel,
  size,
});

/** All files with a version that are not withdrawn. */
export const listReleasedFiles = async (handle: Handle): Promise<ReleasedFile[]> =>
  (await db.listReleasedDownloads(handle)).filter(isReleased);

/**
 * The rollouts in the order in which one is chosen for a site: the newest version first, and paused ones after all
 * others.
 */
export const inChoice = (rollouts: readonly RolloutRow[]): RolloutRow[] =>
  rollouts.toSorted(
    (one, other) =>
      Number(one.paused) - Number(other.paused) ||
      compareVersions(other.version, one.version) ||
      (one.uuid < other.uuid ? -1 : 1),
  );

/** The files that update a site from a version to that of a rollout; null if there is no path. */
export function pathOf(
  files: readonly ReleasedFile[],
  from: string | null,
  { version, channel }: Pick<RolloutRow, "version" | "channel">,
): ReleasedFile[] | null {
  const path = pathBetween(files.map(stepOf), from, version, channel);
  return path && path.map(({ uuid }) => files.find((file) => file.uuid === uuid)!);
}

/**
 * A facility with its version, the rollout that is chosen for it, and the files that update it to the rollout's version
 * (null: no path; empty without a rollout).
 */
export async function findWay(handle: Handle, facilityUuid: string) {
  const [files, running] = await Promise.all([listReleasedFiles(handle), listRunningRollouts(handle)]);
  const rollouts = inChoice(running);
  const site = await findOwnSite(handle, { scope: {}, rollouts: rollouts.map(({ uuid }) => uuid), facilityUuid });
  const rollout = rollouts.find(({ uuid }) => uuid === site?.rolloutUuid);
  return { site, rollout, path: rollout ? pathOf(files, site?.version ?? null, rollout) : [] };
}

/**
 * Whether a rollout asks a site to apply a file. A paused rollout counts too, so that a pause does not stop a download
 * that has begun.
 */
export async function isAskedToApply(
  handle: Handle,
  { facilityUuid, downloadUuid }: { facilityUuid: string; downloadUuid: string },
): Promise<boolean> {
  const { path } = await findWay(handle, facilityUuid);
  return path !== null && path.some(({ uuid }) => uuid === downloadUuid.toLowerCase());
}
