import { z } from "zod";

import { reasonRule } from "../input/texts.rules.ts";

/** What setting a record aside, or restoring it, needs. */
export const setAsideRules = z.strictObject({ reason: reasonRule });
