import { listVersions } from "../../db/situation/state.ts";
import type { Context } from "../context.ts";
import { isVersion } from "../input/version.rules.ts";
import { isOldVersion, newestVersion } from "./state.rules.ts";

/**
 * Library versions as they are spelt in the latest assessments: those that are older than the newest version (`old`),
 * and the newest one. Texts that are not versions are in neither.
 */
export async function readVersions(context: Context): Promise<{ old: string[]; newest: string[] }> {
  const named = await listVersions(context.db);
  const newest = newestVersion(named);
  const texts = [...new Set(named.map(({ libraryVersion }) => libraryVersion))].filter(isVersion);
  return {
    old: texts.filter((text) => isOldVersion(text, newest)),
    newest: texts.filter((text) => !isOldVersion(text, newest)),
  };
}
