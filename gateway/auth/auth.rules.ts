import { z } from "zod";

import { isStorable } from "../text.rules.ts";

const minPassword = 6;
const maxLogin = 128;
const maxPassword = 256;

export const passwordsDiffer = "Passwords do not match";

const storableMessage = "Holds a character that cannot be stored";

const login = z
  .string("Username or email is required")
  .trim()
  .min(1, "Username or email is required")
  .max(maxLogin, `Username or email may have at most ${maxLogin} characters`)
  .refine(isStorable, storableMessage);

const passwordNamed = (name: string) =>
  z
    .string(`${name} is required`)
    .min(1, { error: `${name} is required`, abort: true })
    .min(minPassword, `${name} must have at least ${minPassword} characters`)
    .max(maxPassword, `${name} may have at most ${maxPassword} characters`)
    .refine(isStorable, storableMessage);

/** A password that replaces another. */
export const newPasswordRule = passwordNamed("Password");

/** What signs somebody in; with `confirmPassword`, what replaces a temporary password. Empty or null counts as absent. */
export const signInRules = z
  .strictObject({
    login,
    password: passwordNamed("Password"),
    confirmPassword: z
      .string()
      .max(maxPassword, `Confirm password may have at most ${maxPassword} characters`)
      .nullish()
      .transform((text) => text || undefined),
  })
  .refine((input) => input.confirmPassword === undefined || input.confirmPassword === input.password, {
    path: ["confirmPassword"],
    error: passwordsDiffer,
  });
export type SignIn = z.output<typeof signInRules>;

/** The sign-in form while a temporary password is replaced: the new password is typed twice. */
export const resetRules = z
  .strictObject({ login, password: passwordNamed("Password"), confirmPassword: passwordNamed("Confirm password") })
  .refine((input) => input.confirmPassword === input.password, {
    path: ["confirmPassword"],
    error: passwordsDiffer,
    when: ({ value }) => {
      const { password, confirmPassword } = value as { password?: unknown; confirmPassword?: unknown };
      return typeof password === "string" && typeof confirmPassword === "string" && confirmPassword !== "";
    },
  });
