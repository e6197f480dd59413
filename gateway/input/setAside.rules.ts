import { z } from "zod";

/** What a visit or a TDB says about itself when it was set aside. */

export const SetAsideBody = z
  .object({
    at: z.string().describe("When, ISO 8601 in UTC"),
    reason: z.string(),
    userName: z.string().describe("Who set it aside"),
  })
  .meta({ id: "SetAside" })
  .nullable()
  .describe("Set aside by an administrator: it stays, and no figure counts it. null: it is counted");

const about = "true: only those that were set aside. false: only those that are counted. All without it.";
/** The filter of a list by query parameter, and by argument. */
export const setAsideQueryRule = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true")
  .optional()
  .describe(about);
export const setAsideArgument = { description: about };
