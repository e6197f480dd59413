import { z } from "zod";

import { faultOfAnyFileName } from "../input/fileName.rules.ts";
import { lineForm } from "../input/identity.rules.ts";
import { filterTextRule } from "../input/page.rules.ts";
import { isStorable } from "../input/text.rules.ts";
import { endRule, inOrder, startRule } from "../calendar/period.rules.ts";

/** Rules for files to download: their kinds, and the fields for adding one. */

export const fileTypes = ["INSTALLER", "UPGRADER", "PATCH", "OTHER"] as const;
export type FileType = (typeof fileTypes)[number];
export const fileTypeLabels = { INSTALLER: "Installer", UPGRADER: "Upgrader", PATCH: "Patch", OTHER: "Other" } as const;
export const fileTypeHeadings = {
  INSTALLER: "Installers",
  UPGRADER: "Upgraders",
  PATCH: "Patches",
  OTHER: "Other files",
} as const;
export const needsDatabaseKey = (fileType: unknown): boolean => fileType === "INSTALLER" || fileType === "UPGRADER";

export const downloadExtensions = [
  ".tdbx",
  ".exe",
  ".msi",
  ".zip",
  ".7z",
  ".sql",
  ".txt",
  ".pdf",
  ".tar",
  ".tar.gz",
  ".bat",
] as const;

/** What is wrong with a chosen file's name; undefined if nothing is. */
export function faultOfDownload(name: string): string | undefined {
  const lower = name.toLowerCase();
  return (
    faultOfAnyFileName(name) ??
    (downloadExtensions.some((extension) => lower.endsWith(extension) && lower.length > extension.length)
      ? undefined
      : `Only files of these kinds can be added: ${downloadExtensions.join(", ")}`)
  );
}

const text = (what: string, least: number, most: number) =>
  z
    .string(`${what} is required`)
    .overwrite(lineForm)
    .min(1, `${what} is required`)
    .min(least, `${what} must have at least ${least} characters`)
    .max(most, `${what} may have at most ${most} characters`)
    .refine(isStorable, `${what} holds a character that cannot be stored`);

/** Filters of the list of files: the days are those on which a file was added, both included. */
export const downloadFilterRules = z
  .strictObject({
    fileType: z.enum(fileTypes).nullish(),
    search: filterTextRule,
    start: startRule.nullish(),
    end: endRule.nullish(),
  })
  .refine(...inOrder);

/** The fields of the form, without the file. */
export const downloadFormRules = z
  .strictObject({
    fileType: z.preprocess(
      (value) => (typeof value === "string" ? value.toUpperCase() : value),
      z.enum(fileTypes, {
        error: ({ input }) => (input ? `must be one of ${fileTypes.join(", ")}` : "File type is required"),
      }),
    ),
    fileName: text("File name", 6, 48),
    fileDescription: text("Description", 12, 128),
    dbKey: z.string().max(8, "Database key must have exactly 8 characters").nullish(),
  })
  .superRefine(({ fileType, dbKey }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", path: ["dbKey"], message });
    const key = dbKey ?? "";
    if (!needsDatabaseKey(fileType)) {
      if (key !== "") refuse("Database key is for installers and upgraders only");
    } else if (key.trim() === "") refuse("Database key is required");
    else if ([...key].length < 8 || !isStorable(key)) refuse("Database key must have exactly 8 characters");
  });
export type DownloadForm = z.output<typeof downloadFormRules>;
