import { z } from "zod";

import { storable } from "./text.rules.ts";

/** Why somebody did something, in their words. */
export const reasonRule = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(512, "may have at most 512 characters")
  .refine(...storable);
