import { z } from "zod";

import { lineForm, textForm } from "./identity.rules.ts";
import { numberText, storable } from "./text.rules.ts";

/** Kinds of texts that are stored or searched for: each has a form, a limit, and characters that can be stored. */

/** A text in this form. `wrong`: the message for a value that is no text. */
export const textIn = (form: (text: string) => string, most: number, wrong = "must be a text") =>
  z
    .string(wrong)
    .overwrite(form)
    .max(most, `may have at most ${numberText(most)} characters`)
    .refine(...storable);

/** A text of one or more lines, such as a note. */
export const textRule = (most: number, wrong?: string) => textIn(textForm, most, wrong);

/** A text of one line, such as the name of a list or a search. */
export const lineRule = (most: number, wrong?: string) => textIn(lineForm, most, wrong);

export const maximumReason = 512;
/** Why somebody did something, in their words. */
export const reasonRule = textRule(maximumReason).min(1, "must not be empty");
