import { personForm, passwordForm } from "../input/identity.rules.ts";
import { isStorable } from "../input/text.rules.ts";

/**
 * Checks what somebody types to sign in, without a library: a device fetches the sign-in page first, and zod would be a
 * fifth of its size. `auth.rules.ts` makes the rules of the server from the same functions.
 */

export const shortestPassword = 6;
export const longestPassword = 256;
export const longestLogin = 128;

export const passwordsDiffer = "Passwords do not match";

const notStorable = "Holds a character that cannot be stored";

const faultOfText = (name: string, text: string, least: number, most: number): string | undefined => {
  if (text === "") return `${name} is required`;
  if (text.length < least) return `${name} must have at least ${least} characters`;
  if (text.length > most) return `${name} may have at most ${most} characters`;
  return isStorable(text) ? undefined : notStorable;
};

/** What is wrong with a user name or e-mail address at sign-in; undefined when nothing is. */
export const faultOfLogin = (login: string): string | undefined =>
  faultOfText("Username or email", personForm(login), 1, longestLogin);

/** What is wrong with the form of a password, right or not. `name` is the label of its field. */
export const faultOfPassword = (name: string, password: string): string | undefined =>
  faultOfText(name, passwordForm(password), shortestPassword, longestPassword);

type Typed = { login: string; password: string; confirmPassword: string };

/**
 * What is wrong with the sign-in form, by field; where a temporary password is replaced, the new one is typed twice.
 */
export function faultsOfSignIn({ login, password, confirmPassword }: Typed, isReplacing: boolean): Partial<Typed> {
  const faults: Partial<Typed> = {};
  const loginFault = faultOfLogin(login);
  if (loginFault) faults.login = loginFault;
  const passwordFault = faultOfPassword("Password", password);
  if (passwordFault) faults.password = passwordFault;
  if (!isReplacing) return faults;
  const confirmFault =
    confirmPassword !== "" && passwordForm(confirmPassword) !== passwordForm(password)
      ? passwordsDiffer
      : faultOfPassword("Confirm password", confirmPassword);
  if (confirmFault) faults.confirmPassword = confirmFault;
  return faults;
}
