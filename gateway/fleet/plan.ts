import * as fleet from "../../db/fleet/fleet.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { listRunningRollouts, type RolloutRow } from "../../db/fleet/rollout.ts";
import type { Scope } from "../../db/list/scope.ts";
import { inChoice, listReleasedFiles, pathOf, type ReleasedFile } from "../download/releasePath.ts";

/** The plan of the running rollouts: for each version that sites run, the files to apply. */

/** The plan rows of one version in one rollout. */
function planOf(files: readonly ReleasedFile[], rollout: RolloutRow, version: string | null): fleet.PlanRow[] {
  const of = { rolloutUuid: rollout.uuid, version };
  const path = pathOf(files, version, rollout);
  if (path === null) return [{ ...of, position: 0, downloadUuid: null, reach: "noPath" }];
  if (path.length === 0) return [{ ...of, position: 0, downloadUuid: null, reach: "reached" }];
  return path.map(({ uuid }, at) => ({ ...of, position: at + 1, downloadUuid: uuid, reach: "step" }));
}

/** The plan for a part of the country. */
export async function readPlan(handle: Handle, scope: Scope) {
  const [files, running] = await Promise.all([listReleasedFiles(handle), listRunningRollouts(handle)]);
  const rollouts = inChoice(running);
  const asked = { scope, rollouts: rollouts.map(({ uuid }) => uuid) };
  const present = await fleet.countRunning(handle, asked);
  const pairs = new Map(
    present.filter(({ rolloutUuid }) => rolloutUuid !== null).map((row) => [`${row.rolloutUuid} ${row.version}`, row]),
  );
  const plan = [...pairs.values()].flatMap(({ rolloutUuid, version }) =>
    planOf(
      files,
      rollouts.find(({ uuid }) => uuid === rolloutUuid)!,
      version,
    ),
  );
  return { files, rollouts, present, asked: { ...asked, plan } };
}
