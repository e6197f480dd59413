import { z } from "zod";

import { storable } from "./text.rules.ts";

export const maximumReason = 512;

/** Why somebody did something, in their words. */
export const reasonRule = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(maximumReason, `may have at most ${maximumReason} characters`)
  .refine(...storable);
