import type { Channel, DownloadPart } from "../../db/download/release.rules.ts";
import { compareVersions, isInRange, isVersion } from "../input/version.rules.ts";

/** Update paths: the files to apply, in order, to update a site from its version to another one. */

/** A released file, which can be a step of a path. */
export type Step = {
  uuid: string;
  version: string;
  installs: readonly DownloadPart[];
  appliesFrom: string | null;
  appliesTo: string | null;
  channel: Channel;
  size: number;
};

/** Whether a file can be applied to a site that runs this version; null: the version is not known. */
function appliesAt({ version, appliesFrom: from, appliesTo: to }: Step, present: string | null): boolean {
  if (present === null) return from === null && to === null;
  return compareVersions(present, version) < 0 && isInRange(present, { from, to });
}

const same = (one: string, other: string) => compareVersions(one, other) === 0;
/** Whether a path is better: fewer files, then fewer bytes, then by uuid, so that all sites get the same path. */
const isShorter = (one: readonly Step[], other: readonly Step[]): boolean => {
  const bytes = (steps: readonly Step[]) => steps.reduce((sum, { size }) => sum + size, 0);
  const order = one.length - other.length || bytes(one) - bytes(other);
  return order === 0 ? one.map(({ uuid }) => uuid).join() < other.map(({ uuid }) => uuid).join() : order < 0;
};

/**
 * Adds files that install only the database to a path of files that install the library. Such a file is applied before
 * the library file of its version: a site reports the version of its library, so the library must be the last file of a
 * step.
 */
function withDatabases(path: readonly Step[], start: string | null, files: readonly Step[]): Step[] {
  let present = start;
  return path.flatMap((step) => {
    const before = present;
    present = step.version;
    const databases = files.filter(
      (file) => !file.installs.includes("library") && same(file.version, step.version) && appliesAt(file, before),
    );
    return [...(step.installs.includes("database") ? [] : databases.slice(0, 1)), step];
  });
}

/**
 * The files from one version to another, in the order in which they are applied: the fewest files, and of these the
 * fewest bytes. Empty if the version is reached already; null if no path reaches it. Files of the pilot channel are
 * used only for rollouts of that channel. No step goes beyond the target.
 */
export function pathBetween(
  files: readonly Step[],
  from: string | null,
  target: string,
  channel: Channel,
): Step[] | null {
  const start = from !== null && isVersion(from) ? from : null;
  if (start !== null && compareVersions(start, target) >= 0) return [];
  const usable = files.filter(
    (file) => (channel === "pilot" || file.channel === "general") && compareVersions(file.version, target) <= 0,
  );
  const steps = usable.filter(({ installs }) => installs.includes("library"));
  // Each file leads to a newer version. So if the versions are visited from the oldest on, all paths to a version are
  // known when it is visited.
  const known = new Map<string | null, Step[]>([[start, []]]);
  const order = [
    start,
    ...steps
      .map(({ version }) => version)
      .toSorted(compareVersions)
      .filter((version, at, all) => at === 0 || !same(version, all[at - 1]!)),
  ];
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
