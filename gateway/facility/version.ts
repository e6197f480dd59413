import { listVersions } from "../../db/state.ts";
import type { Context } from "../context.ts";
import { isVersion } from "../input/version.rules.ts";
import { isOldVersion, newestVersion } from "./state.rules.ts";

/** The library versions that latest assessments name: those older than the newest, and the newest as it is spelt. What is no version is neither. */
export async function readVersions(context: Context): Promise<{ old: string[]; newest: string[] }> {
  const named = await listVersions(context.db);
  const newest = newestVersion(named);
  const texts = [...new Set(named.map(({ libraryVersion }) => libraryVersion))].filter(isVersion);
  return { old: texts.filter((text) => isOldVersion(text, newest)), newest: texts.filter((text) => !isOldVersion(text, newest)) };
}
