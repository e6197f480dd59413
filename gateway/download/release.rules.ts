import { z } from "zod";

import { channels, downloadParts } from "../../db/download/release.rules.ts";
import { dateRule } from "../calendar/period.rules.ts";
import { sentBackRule } from "../input/page.rules.ts";
import { compareVersions, versionRule } from "../input/version.rules.ts";

/** The release of a file to download: which version a site runs after it, and to which versions it can be applied. */

export { type Channel, channels, type DownloadPart, downloadParts } from "../../db/download/release.rules.ts";
export const partLabels = { library: "Library", database: "Database" } as const;
export const channelLabels = { general: "General", pilot: "Pilot" } as const;

const withVersion = "is for a file with a version";

/** What may be sent back as the release was answered, but not changed here. */
export const echoedReleaseNames = ["uuid", "name", "fileType", "size", "sha256"] as const;

/** The input for setting a release. It replaces the whole release: a missing field is set to none. */
export const releaseRules = z
  .strictObject({
    version: versionRule
      .nullish()
      .describe("The version that a site runs after it; without one the file belongs to no release"),
    installs: z
      .array(z.enum(downloadParts, `must be one of ${downloadParts.join(", ")}`))
      .max(downloadParts.length, `may name at most ${downloadParts.length}`)
      .default([])
      .transform((parts) => downloadParts.filter((part) => parts.includes(part)))
      .describe("What it installs: library, database or both"),
    appliesFrom: versionRule.nullish().describe("The oldest version that it can be applied to; without one any"),
    appliesTo: versionRule
      .nullish()
      .describe("The newest version that it can be applied to; without one any older than its own"),
    channel: z
      .enum(channels, `must be one of ${channels.join(", ")}`)
      .default("general")
      .describe("pilot: only for rollouts of the pilot channel"),
    requiredSince: dateRule
      .nullish()
      .describe("Since this day sites with an older version count as having an old version"),
    ...{ uuid: sentBackRule, name: sentBackRule, fileType: sentBackRule, size: sentBackRule, sha256: sentBackRule },
  })
  .superRefine(({ version, installs, appliesFrom, appliesTo, channel, requiredSince }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (version == null) {
      const given = {
        installs: installs.length > 0,
        appliesFrom: appliesFrom != null,
        appliesTo: appliesTo != null,
        channel: channel !== "general",
        requiredSince: requiredSince != null,
      };
      for (const [path, isGiven] of Object.entries(given)) if (isGiven) refuse(path, withVersion);
      return;
    }
    if (installs.length === 0) refuse("installs", "must name library, database or both");
    if (appliesFrom != null && compareVersions(appliesFrom, version) >= 0)
      refuse("appliesFrom", `must be older than ${version}, which it installs`);
    if (appliesTo != null && compareVersions(appliesTo, version) > 0)
      refuse("appliesTo", `must not be newer than ${version}, which it installs`);
    if (appliesFrom != null && appliesTo != null && compareVersions(appliesFrom, appliesTo) > 0)
      refuse("appliesTo", `must not be older than ${appliesFrom}`);
    if (requiredSince != null && channel === "pilot") refuse("requiredSince", "is for files of the general channel");
    if (requiredSince != null && !installs.includes("library"))
      refuse("requiredSince", "is for files that install the library");
  })
  .transform(({ version, appliesFrom, appliesTo, requiredSince, ...rest }) => ({
    version: version ?? null,
    appliesFrom: appliesFrom ?? null,
    appliesTo: appliesTo ?? null,
    requiredSince: requiredSince ?? null,
    ...rest,
  }));
export type GivenRelease = z.output<typeof releaseRules>;
export type Release = Omit<GivenRelease, (typeof echoedReleaseNames)[number]>;
