import { Checkbox, Classes } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import type { z } from "zod";
import { changePasswordRules } from "../../gateway/auth/account.rules.ts";
import { graphql } from "../gql/gql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { mutate } from "../urql.ts";
import { PasswordHint } from "./PasswordHint.tsx";

const changeMutation = graphql(`
  mutation PasswordForm_change($input: ChangeOwnPasswordInput!) {
    changeOwnPassword(input: $input) { errors { path message } }
  }
`);

type Fields = z.input<typeof changePasswordRules>;
const empty: Fields = { currentPassword: "", password: "", confirmPassword: "", endTokens: false };
const labels: Record<keyof Fields, string> = {
  currentPassword: "Current password",
  password: "New password",
  confirmPassword: "Confirm new password",
  endTokens: "End my access tokens too",
};
const isField = (path: string): path is keyof Fields => path in labels;

/** Replaces the signed-in person's password. */
export function PasswordForm() {
  const { register, handleSubmit, setError, reset, control, formState } = useForm<Fields>({
    defaultValues: empty,
    resolver: zodResolver(changePasswordRules),
  });
  const { errors, isSubmitting } = formState;
  const password = useWatch({ control, name: "password" });

  const submit = handleSubmit(async (input) => {
    const { data, failure } = await mutate(changeMutation, { input });
    const wrong = data?.changeOwnPassword.errors ?? [];
    if (data && wrong.length === 0) {
      reset(empty);
      showSuccess(
        `Your password is changed; your other sessions${input.endTokens ? " and your access tokens" : ""} have ended`,
      );
      return;
    }
    for (const { path, message } of wrong) setError(isField(path) ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
  });

  return (
    <form
      className={`${Classes.CARD} stack`}
      aria-labelledby="password-heading"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <h2 id="password-heading">Password</h2>
      <FormAlert message={errors.root?.message} />
      {(["currentPassword", "password", "confirmPassword"] as const).map((name) => (
        <TextField
          autoComplete={name === "currentPassword" ? "current-password" : "new-password"}
          error={errors[name]?.message}
          field={register(name)}
          help={name === "password" ? <PasswordHint password={password} /> : undefined}
          key={name}
          label={labels[name]}
          type="password"
        />
      ))}
      <Checkbox {...register("endTokens")} label={labels.endTokens} />
      <div>
        <BusyButton isBusy={isSubmitting} text="Change password" type="submit" />
      </div>
    </form>
  );
}
