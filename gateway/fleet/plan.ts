import * as downloads from "../../db/download.ts";
import * as fleet from "../../db/fleet.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { listRunningRollouts, type RolloutRow } from "../../db/rollout.ts";
import { compareVersions } from "../input/version.rules.ts";
import type { Scope } from "../../db/list/scope.ts";
import { pathBetween, type Step } from "./path.rules.ts";

/** What the running rollouts ask of the sites: for each version that they run, the files to apply. */

/** A released file, as paths need it. */
export type ReleasedFile = downloads.DownloadRow & { version: string };
const isReleased = (row: downloads.DownloadRow): row is ReleasedFile => row.version !== null;
const stepOf = ({ uuid, version, installs, appliesFrom, appliesTo, channel, size }: ReleasedFile): Step => ({ uuid, version, installs, appliesFrom, appliesTo, channel, size });

export const listReleasedFiles = async (handle: Handle): Promise<ReleasedFile[]> => (await downloads.listReleasedDownloads(handle)).filter(isReleased);

/** The rollouts in the order in which one is chosen for a site: the newest version first, and paused ones after all others. */
export const inChoice = (rollouts: readonly RolloutRow[]): RolloutRow[] =>
  rollouts.toSorted((one, other) => Number(one.paused) - Number(other.paused) || compareVersions(other.version, one.version) || (one.uuid < other.uuid ? -1 : 1));

/** The files that lead a site from a version to that of a rollout; null where none do. */
export function pathOf(files: readonly ReleasedFile[], from: string | null, { version, channel }: Pick<RolloutRow, "version" | "channel">): ReleasedFile[] | null {
  const path = pathBetween(files.map(stepOf), from, version, channel);
  return path && path.map(({ uuid }) => files.find((file) => file.uuid === uuid)!);
}

/** The plan rows of one version in one rollout. */
function planOf(files: readonly ReleasedFile[], rollout: RolloutRow, version: string | null): fleet.PlanRow[] {
  const of = { rolloutUuid: rollout.uuid, version };
  const path = pathOf(files, version, rollout);
  if (path === null) return [{ ...of, position: 0, downloadUuid: null, reach: "noPath" }];
  if (path.length === 0) return [{ ...of, position: 0, downloadUuid: null, reach: "reached" }];
  return path.map(({ uuid }, at) => ({ ...of, position: at + 1, downloadUuid: uuid, reach: "step" }));
}

/** All that is asked of a part of the country. */
export async function readPlan(handle: Handle, scope: Scope) {
  const [files, running] = await Promise.all([listReleasedFiles(handle), listRunningRollouts(handle)]);
  const rollouts = inChoice(running);
  const asked = { scope, rollouts: rollouts.map(({ uuid }) => uuid) };
  const present = await fleet.countRunning(handle, asked);
  const pairs = new Map(present.filter(({ rolloutUuid }) => rolloutUuid !== null).map((row) => [`${row.rolloutUuid} ${row.version}`, row]));
  const plan = [...pairs.values()].flatMap(({ rolloutUuid, version }) => planOf(files, rollouts.find(({ uuid }) => uuid === rolloutUuid)!, version));
  return { files, rollouts, present, asked: { ...asked, plan } };
}
