import type { z } from "zod";
import type { UserForm } from "../../gateway/user/user.rules.ts";

/** What is typed into the form of a user, and what becomes of it. */
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

export const isUserField = (path: string): path is keyof UserInput => path in userLabels;
