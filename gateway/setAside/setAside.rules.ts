import { z } from "zod";

import { reasonRule } from "../input/reason.rules.ts";

/** What setting a record aside, or restoring it, needs. */
export const setAsideRules = z.strictObject({ reason: reasonRule });

/** What the acts do, as both interfaces describe them. */
export const setAsideAbout = {
  stays: "It stays in lists, exports and the feed, shown as set aside, and leaves every figure. Needs administrator.",
  counts: "Figures count it again. Needs administrator.",
} as const;
