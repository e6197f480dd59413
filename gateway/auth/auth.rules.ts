import { z } from "zod";

import {
  faultOfLogin,
  faultOfPassword,
  longestLogin,
  longestPassword,
  passwordsDiffer,
  shortestPassword,
} from "./credentials.rules.ts";
import { personForm, passwordForm } from "../input/identity.rules.ts";
import { codeRule } from "./secondFactor.rules.ts";

/** Makes a check for `superRefine` from a function that returns what is wrong with a text. */
const withFaultOf =
  (faultOf: (text: string) => string | undefined) =>
  (text: string, context: { addIssue: (message: string) => void }) => {
    const fault = faultOf(text);
    if (fault) context.addIssue(fault);
  };

const login = z
  .string("Username or email is required")
  .overwrite(personForm)
  .superRefine(withFaultOf(faultOfLogin))
  .meta({ minLength: 1, maxLength: longestLogin });

/** A password that replaces another. */
export const newPasswordRule = z
  .string("Password is required")
  .overwrite(passwordForm)
  .superRefine(withFaultOf((password) => faultOfPassword("Password", password)))
  .meta({ minLength: shortestPassword, maxLength: longestPassword });

/** The input of a sign-in. With `confirmPassword` it replaces a temporary password. Empty or null counts as absent. */
export const signInRules = z
  .strictObject({
    login,
    password: newPasswordRule,
    confirmPassword: z
      .string()
      .overwrite(passwordForm)
      .max(longestPassword, `Confirm password may have at most ${longestPassword} characters`)
      .nullish()
      .transform((text) => text || undefined),
    code: z
      .union([z.literal(""), codeRule])
      .nullish()
      .transform((code) => code || undefined)
      .describe(
        "Of the authenticator app, or a recovery code: where the answer wants one (401, urn:problem:code-wanted).",
      ),
  })
  .refine((input) => input.confirmPassword === undefined || input.confirmPassword === input.password, {
    path: ["confirmPassword"],
    error: passwordsDiffer,
  });
export type SignIn = z.output<typeof signInRules>;
