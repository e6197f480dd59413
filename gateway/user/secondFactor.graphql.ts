import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import { User, UserInput, Viewer } from "./user.graphql.ts";
import type { UserRow } from "./user.ts";
import * as others from "./userSecondFactor.ts";
import * as factor from "../auth/secondFactor.ts";
import { confirmRules, withPasswordRules } from "../auth/secondFactor.rules.ts";

/** The second factor of the viewer, and of people whom the viewer manages. */

type Errors = { errors: InputError[] };

const SecondFactor = builder.objectRef<factor.SecondFactor>("SecondFactor").implement({
  description: "The second factor of the viewer's sign-in: a code of an authenticator app, or a recovery code.",
  fields: (t) => ({
    on: t.exposeBoolean("on", { description: "Whether sign-ins ask for a code." }),
    sinceDate: t.field({
      type: "Date",
      nullable: true,
      description: "The day on which it was switched on.",
      resolve: ({ sinceDate }) => sinceDate,
    }),
    recoveryCodesLeft: t.exposeInt("recoveryCodesLeft", { description: "Recovery codes that were not used yet." }),
    required: t.exposeBoolean("required", { description: "Whether this installation asks the viewer for one." }),
  }),
});

builder.objectFields(Viewer, (t) => ({
  secondFactor: t.field({
    type: SecondFactor,
    nullable: true,
    description: "The state of the viewer's second factor; null with an error for a token.",
    resolve: (_, __, context) => factor.readOwnSecondFactor(context),
  }),
}));

builder.objectFields(User, (t) => ({
  hasSecondFactor: t.boolean({
    nullable: true,
    description: "Whether the person's sign-ins ask for a code: for who manages them; null with an error for others.",
    resolve: ({ userUuid }, _, context) => others.hasSecondFactor(context, userUuid),
  }),
}));

const password = { required: true, description: "The viewer's present password." } as const;
const BeginSecondFactorInput = builder.inputType("BeginSecondFactorInput", {
  description: "The viewer's password, asked for again before a second factor is set up.",
  fields: (t) => ({ password: t.string(password) }),
});
const ConfirmSecondFactorInput = builder.inputType("ConfirmSecondFactorInput", {
  description: "Shows that the app has the secret.",
  fields: (t) => ({ code: t.string({ required: true, description: "A code of the app that has the secret." }) }),
});
const EndSecondFactorInput = builder.inputType("EndSecondFactorInput", {
  description: "The viewer's password, asked for again before the second factor is switched off.",
  fields: (t) => ({ password: t.string(password) }),
});
const RenewRecoveryCodesInput = builder.inputType("RenewRecoveryCodesInput", {
  description: "The viewer's password, asked for again before new recovery codes are made.",
  fields: (t) => ({ password: t.string(password) }),
});

const BeginSecondFactorPayload = builder
  .objectRef<{ secret?: string; uri?: string } & Errors>("BeginSecondFactorPayload")
  .implement({
    fields: (t) => ({
      secret: t.exposeString("secret", { nullable: true, description: "For the authenticator app, in base 32." }),
      uri: t.exposeString("uri", {
        nullable: true,
        description: "The same as an otpauth: address, for a link or a QR code.",
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const codesPayload = (name: string) =>
  builder.objectRef<{ recoveryCodes?: string[] } & Errors>(name).implement({
    fields: (t) => ({
      recoveryCodes: t.exposeStringList("recoveryCodes", {
        nullable: true,
        description: "Each one replaces a code at one sign-in. They are returned only once.",
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const EndSecondFactorPayload = builder.objectRef<Errors>("EndSecondFactorPayload").implement({
  fields: (t) => ({ errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }) }),
});
const RemoveSecondFactorPayload = builder
  .objectRef<{ user?: UserRow } & Errors>("RemoveSecondFactorPayload")
  .implement({
    fields: (t) => ({
      user: t.field({ type: User, nullable: true, resolve: ({ user }) => user }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

builder.mutationFields((t) => ({
  beginSecondFactor: t.field({
    type: BeginSecondFactorPayload,
    description:
      "Makes the secret of a new second factor; a first code switches it on. Also for who must set one up before anything else.",
    args: { input: t.arg({ type: BeginSecondFactorInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => factor.beginSecondFactor(context, parse(withPasswordRules, input))),
  }),
  confirmSecondFactor: t.field({
    type: codesPayload("ConfirmSecondFactorPayload"),
    description: "Switches on the second factor that was begun; the viewer's other sessions end.",
    args: { input: t.arg({ type: ConfirmSecondFactorInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => factor.confirmSecondFactor(context, parse(confirmRules, input))),
  }),
  endSecondFactor: t.field({
    type: EndSecondFactorPayload,
    description: "Switches the viewer's second factor off.",
    args: { input: t.arg({ type: EndSecondFactorInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => {
        await factor.endSecondFactor(context, parse(withPasswordRules, input));
        return {};
      }),
  }),
  renewRecoveryCodes: t.field({
    type: codesPayload("RenewRecoveryCodesPayload"),
    description: "Makes new recovery codes; the former ones end.",
    args: { input: t.arg({ type: RenewRecoveryCodesInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => factor.renewRecoveryCodes(context, parse(withPasswordRules, input))),
  }),
  removeSecondFactorOfUser: t.field({
    type: RemoveSecondFactorPayload,
    description:
      "Removes the second factor of a person whom the viewer manages, for example after it was lost. The person's sessions end.",
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({ user: await others.removeSecondFactor(context, input.uuid) })),
  }),
}));
