import { z } from "zod";

import { storable } from "./text.rules.ts";

/** Versions of the software of sites: how they are compared, and what is a valid version. */

const segments = (version: string): (number | string)[] =>
  (
    version
      .toLowerCase()
      .replace(/^\D+/, "")
      .match(/\d+|[a-z]+/g) ?? []
  ).map((part) => (/\d/.test(part) ? Number(part) : part));
/**
 * The order of segments: a word (beta, rc) comes before the end of the version, and the end comes before a number:
 * 4.5-rc, 4.5, 4.5.1.
 */
const rankOf = (segment: number | string | undefined): number =>
  typeof segment === "string" ? 0 : segment === undefined || segment === 0 ? 1 : 2;

/** Compares two versions for sorting: 4.9 comes before 4.10, and 4.5 equals 4.5.0. */
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

/** Whether a text is a version: it has a digit, so "unknown" is not. */
export const isVersion = (text: string): boolean => /\d/.test(text);

const mostOfVersion = 64;

/** A version as input: a short text with a digit. */
export const versionRule = z
  .string("must be a version, such as 4.10.2")
  .trim()
  .min(1, { error: "must be a version, such as 4.10.2", abort: true })
  .max(mostOfVersion, `may have at most ${mostOfVersion} characters`)
  .refine(isVersion, "must be a version, such as 4.10.2")
  .refine(...storable);

/** Whether a version is in a range. Both ends are included; a missing end leaves that side open. */
export const isInRange = (version: string, { from, to }: { from: string | null; to: string | null }): boolean =>
  (from === null || compareVersions(version, from) >= 0) && (to === null || compareVersions(version, to) <= 0);
