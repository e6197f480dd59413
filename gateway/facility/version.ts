import { listVersions } from "../../db/situation/state.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { isVersion } from "../input/version.rules.ts";
import { isOldVersion, newestVersion } from "./state.rules.ts";

/**
 * Library versions as they are spelt in the latest assessments: those that are older than the newest version (`old`),
 * and the others (`newest`). Texts that are not versions are in neither. `newestVersion` is the newest one itself.
 */
export async function readVersions(
  handle: Handle,
): Promise<{ old: string[]; newest: string[]; newestVersion: string | null }> {
  const named = await listVersions(handle);
  const newest = newestVersion(named);
  const texts = [...new Set(named.map(({ libraryVersion }) => libraryVersion))].filter(isVersion);
  return {
    old: texts.filter((text) => isOldVersion(text, newest)),
    newest: texts.filter((text) => !isOldVersion(text, newest)),
    newestVersion: newest,
  };
}
