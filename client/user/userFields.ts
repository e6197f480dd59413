import type { z } from "zod";
import type { UserForm } from "../../gateway/user/user.rules.ts";

/** The values of the user form, and how they are sent. */
export type UserInput = z.input<UserForm>;
export type UserValues = z.output<UserForm>;

/** The labels of the form, in its order. */
export const userLabels = {
  userName: "User Name",
  firstName: "First Name",
  middleName: "Middle Name",
  surname: "Surname",
  gender: "Gender",
  primaryEmail: "Primary Email",
  secondaryEmail: "Alternate Email",
  primaryPhoneNumber: "Primary Phone",
  secondaryPhoneNumber: "Alternate Phone",
  implementingPartnerId: "Implementing Partner",
  bio: "Bio",
} as const satisfies Record<keyof UserInput, string>;

type Known = { gender?: UserInput["gender"] } & Partial<Record<keyof UserInput, string | number | null>>;
/** The values with which the form begins: those of a user, or of a new one. */
export const userInputOf = (user: Known = {}): UserInput => ({
  ...(Object.fromEntries(
    Object.keys(userLabels).map((name) => [name, String(user[name as keyof UserInput] ?? "")]),
  ) as UserInput),
  gender: user.gender ?? "U",
});

export const isUserField = (path: string): path is keyof UserInput => path in userLabels;
