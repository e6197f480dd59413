import { z } from "zod";

import { facilityUuidRule } from "../facility/facility.rules.ts";
import { lineRule } from "../input/texts.rules.ts";

/**
 * The format of a TDBX file: a ZIP archive with a manifest. The layout is our own, because the real one is not public.
 */

export const manifestName = "manifest.json";
export const manifestLimitBytes = 1024 * 1024;
/** A TDBX file has few entries. The limit keeps reading the directory of any other archive cheap. */
export const entriesLimit = 10_000;
export const directoryLimitBytes = 4 * 1024 * 1024;

const required = (what: string) => (issue: { input?: unknown }) => (issue.input === undefined ? "is missing" : what);
const text = (most: number) => lineRule(most).min(1, "must not be empty");

/** The manifest of format tdbx/1. Unknown keys are ignored, because a later exporter may add some. */
export const manifestRules = z.object(
  {
    format: z.literal("tdbx/1", { error: required('must be "tdbx/1"') }),
    facility: z
      .object(
        { uuid: facilityUuidRule.optional(), hmisCode: text(32).optional() },
        { error: required("must be an object") },
      )
      .refine(({ uuid, hmisCode }) => uuid !== undefined || hmisCode !== undefined, "needs uuid or hmisCode"),
    createdAt: z.iso
      .datetime({ offset: true, error: required("must be an instant such as 2026-03-31T08:00:00Z") })
      .refine((instant) => instant >= "2000" && instant < "9998", "must be an instant from 2000 on"),
    delta: z.boolean({ error: required("must be true or false") }),
    totalPatients: z
      .number({ error: required("must be a whole number") })
      .int("must be a whole number")
      .min(0, "must not be negative")
      .max(20_000_000, "must be at most 20,000,000"),
    libraryVersion: text(128).optional(),
    databaseVersion: text(128).optional(),
    computers: z
      .array(
        z.object({
          cpuCores: z
            .number({ error: required("must be a whole number") })
            .int("must be a whole number")
            .min(1, "must be 1 or more")
            .max(1024, "is too large"),
          os64Bit: z.boolean({ error: required("must be true or false") }),
        }),
        { error: "must be a list" },
      )
      .max(1000, "may list at most 1,000 computers")
      .optional(),
  },
  { error: "must be an object" },
);
export type TdbxManifest = z.output<typeof manifestRules>;

/** The file is not a TDBX file. The message is a sentence for the person who sent it. */
export class TdbxFault extends Error {
  override name = "TdbxFault";
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Reads the manifest's bytes. @throws TdbxFault */
export function parseManifest(bytes: Uint8Array): TdbxManifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new TdbxFault(`Its ${manifestName} is not JSON text in UTF-8.`);
  }
  const result = manifestRules.safeParse(value);
  if (!result.success) {
    const faults = result.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join(".") || manifestName} ${message}`);
    throw new TdbxFault(`Its ${manifestName} cannot be used: ${faults.join("; ")}.`);
  }
  // One day of tolerance for clocks that run ahead.
  if (Date.parse(result.data.createdAt) > Date.now() + dayMilliseconds)
    throw new TdbxFault(
      `Its creation date ${result.data.createdAt} lies in the future. Check the clock of the computer that made it.`,
    );
  return result.data;
}
