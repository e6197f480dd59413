import { z } from "zod";

import { storable } from "./text.rules.ts";

/** Versions of what a site runs: how they sort, and what may be given as one. */

const segments = (version: string): (number | string)[] => (version.toLowerCase().replace(/^\D+/, "").match(/\d+|[a-z]+/g) ?? []).map((part) => (/\d/.test(part) ? Number(part) : part));
/** Words in a version (beta, rc) come before the end of it, and that before numbers: 4.5-rc, 4.5, 4.5.1. */
const rankOf = (segment: number | string | undefined): number => (typeof segment === "string" ? 0 : segment === undefined || segment === 0 ? 1 : 2);

/** Compares as versions: 4.9 before 4.10, and 4.5 is 4.5.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [segments(a), segments(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    const ranks = rankOf(one) - rankOf(other);
    if (ranks !== 0) return ranks;
    if (typeof one === "number" && typeof other === "number" && one !== other) return one - other;
    if (typeof one === "string" && typeof other === "string" && one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** A text that names a version at all: "unknown" does not. */
export const isVersion = (text: string): boolean => /\d/.test(text);

const mostOfVersion = 64;

/** A version as it may be given: a short text with a digit. */
export const versionRule = z
  .string("must be a version, such as 4.10.2")
  .trim()
  .min(1, "must be a version, such as 4.10.2")
  .max(mostOfVersion, `may have at most ${mostOfVersion} characters`)
  .refine(isVersion, "must be a version, such as 4.10.2")
  .refine(...storable);

/** Whether a version lies in a range; both ends are included, and a missing one leaves that side open. */
export const isInRange = (version: string, { from, to }: { from: string | null; to: string | null }): boolean =>
  (from === null || compareVersions(version, from) >= 0) && (to === null || compareVersions(version, to) <= 0);
