import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { signOut } from "./auth.ts";
import { signInRules } from "./auth.rules.ts";
import { signIn, type SignInStep } from "./signIn.ts";

/** Sign-in and sign-out as mutations; the cookies are those of the REST calls. */

const SignInStatus = builder.enumType("SignInStatus", {
  values: {
    SIGNED_IN: { value: "signed-in" },
    RESET_REQUIRED: {
      value: "reset-required",
      description: "The password is temporary: call again with a new one and an equal confirmPassword.",
    },
    ENROLMENT_REQUIRED: {
      value: "enrolment-required",
      description:
        "Signed in, but a second factor must be set up (beginSecondFactor) before anything else is answered.",
    },
  } as const,
});

type SignInResult = { status?: SignInStep; errors: InputError[] };
const SignInPayload = builder.objectRef<SignInResult>("SignInPayload").implement({
  fields: (t) => ({
    status: t.field({ type: SignInStatus, nullable: true, resolve: ({ status }) => status }),
    errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
  }),
});

const SignOutPayload = builder.objectRef<{ errors: InputError[] }>("SignOutPayload").implement({
  fields: (t) => ({ errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }) }),
});

const SignInInput = builder.inputType("SignInInput", {
  fields: (t) => ({
    login: t.string({ required: true, description: "User name or primary e-mail address." }),
    password: t.string({ required: true }),
    confirmPassword: t.string({ description: "Equal to the new password, while a temporary one is replaced." }),
    code: t.string({
      description: "Of the authenticator app, or a recovery code: where `errors` has the path `code` without it.",
    }),
  }),
});

builder.mutationFields((t) => ({
  signIn: t.field({
    type: SignInPayload,
    args: { input: t.arg({ type: SignInInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(
        async () => ({ status: await signIn(context, parse(signInRules, input)) }),
        ["UNAUTHENTICATED", "CODE_WANTED"],
      ),
  }),
  signOut: t.field({
    type: SignOutPayload,
    resolve: async (_, __, context) => {
      await signOut(context);
      return { errors: [] };
    },
  }),
}));
