import type { Channel, DownloadPart } from "../../db/release.rules.ts";
import { compareVersions, isInRange, isVersion } from "../input/version.rules.ts";

/** The way from the version that a site runs to another one: the files to apply, in order. */

/** A file that a path can lead over. */
export type Step = {
  uuid: string;
  version: string;
  installs: readonly DownloadPart[];
  appliesFrom: string | null;
  appliesTo: string | null;
  channel: Channel;
  size: number;
};

/** Whether a file can be applied to a site that runs this version; null: nobody knows which. */
function appliesAt({ version, appliesFrom: from, appliesTo: to }: Step, present: string | null): boolean {
  if (present === null) return from === null && to === null;
  return compareVersions(present, version) < 0 && isInRange(present, { from, to });
}

const same = (one: string, other: string) => compareVersions(one, other) === 0;
/** Fewer files before fewer bytes; then the names decide, so that every site is told the same. */
const isShorter = (one: readonly Step[], other: readonly Step[]): boolean => {
  const bytes = (steps: readonly Step[]) => steps.reduce((sum, { size }) => sum + size, 0);
  const order = one.length - other.length || bytes(one) - bytes(other);
  return order === 0 ? one.map(({ uuid }) => uuid).join() < other.map(({ uuid }) => uuid).join() : order < 0;
};

/**
 * The files that install the library make the path. One of the database alone comes before the library of its version: the library tells what a site runs, so it
 * is the last of a step.
 */
function withDatabases(path: readonly Step[], start: string | null, files: readonly Step[]): Step[] {
  let present = start;
  return path.flatMap((step) => {
    const before = present;
    present = step.version;
    const databases = files.filter((file) => !file.installs.includes("library") && same(file.version, step.version) && appliesAt(file, before));
    return [...(step.installs.includes("database") ? [] : databases.slice(0, 1)), step];
  });
}

/**
 * The files from one version to another, in the order in which they are applied: the fewest, and of these the smallest. Nothing where the version is
 * reached already; null where no path reaches it. Files of the pilot channel are only for rollouts of that channel. A version is never passed.
 */
export function pathBetween(files: readonly Step[], from: string | null, target: string, channel: Channel): Step[] | null {
  const start = from !== null && isVersion(from) ? from : null;
  if (start !== null && compareVersions(start, target) >= 0) return [];
  const usable = files.filter((file) => (channel === "pilot" || file.channel === "general") && compareVersions(file.version, target) <= 0);
  const steps = usable.filter(({ installs }) => installs.includes("library"));
  // Each path ends in a newer version than the one before it, so from the oldest version on all that lead to a version are known when it is left.
  const known = new Map<string | null, Step[]>([[start, []]]);
  const order = [start, ...steps.map(({ version }) => version).toSorted(compareVersions).filter((version, at, all) => at === 0 || !same(version, all[at - 1]!))];
  const nameOf = (version: string) => order.find((each) => each !== null && same(each, version)) ?? version;
  for (const at of order) {
    const path = known.get(at);
    if (!path) continue;
    for (const step of steps) {
      if (!appliesAt(step, at)) continue;
      const longer = [...path, step];
      const name = nameOf(step.version);
      const present = known.get(name);
      if (!present || isShorter(longer, present)) known.set(name, longer);
    }
  }
  const found = known.get(nameOf(target));
  return found === undefined || found.length === 0 ? null : withDatabases(found, start, usable);
}
