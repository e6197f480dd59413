import { z } from "zod";

/** What a visit or a TDB says about itself when it was set aside, or is held. */

export const SetAsideBody = z
  .object({
    at: z.string().describe("When, ISO 8601 in UTC"),
    reason: z.string(),
    userName: z.string().describe("Who set it aside"),
  })
  .meta({ id: "SetAside" })
  .nullable()
  .describe("Set aside by an administrator: it stays, and no figure counts it. null: it is counted");

export const heldAbout =
  "Why it is held: a program sent a value far from usual, and no figure counts it until an administrator accepts it. null: it is not";
export const HeldBody = z.string().nullable().describe(heldAbout);

const about = "true: only those that were set aside. false: only those that are counted. All without it.";
const aboutHeld = "true: only those that are held. false: only the others. All without it.";
const yesOrNo = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true")
  .optional();
/** The filters of a list by query parameter, and by argument. */
export const setAsideQueryRule = yesOrNo.describe(about);
export const setAsideArgument = { description: about };
export const heldQueryRule = yesOrNo.describe(aboutHeld);
export const heldArgument = { description: aboutHeld };
