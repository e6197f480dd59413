import { Button, Intent } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";

const secrets = {
  password: { label: "Your password", type: "password", autoComplete: "current-password" },
  code: { label: "Code", type: "text", autoComplete: "one-time-code" },
} as const;

type SecretFormProps = {
  /** Which secret is asked for. */
  name: keyof typeof secrets;
  help?: string;
  /** The text of the button that sends it. */
  text: string;
  intent?: Intent;
  /** returns what is wrong with the field or with something else, if anything */
  onSend: (secret: string) => Promise<{ path: string; message: string } | undefined>;
  /** a second button that leaves the form, if there is one */
  wayOut?: { text: string; onClick: () => void } | undefined;
  /** Whether the form is a step of the sign-in, which has another layout. */
  isSignIn?: boolean;
  /** Shown above the field. */
  children?: ReactNode;
};

/** Asks for one secret: a password again, or a code of an authenticator app. */
export function SecretForm({
  name,
  help,
  text,
  intent = Intent.PRIMARY,
  onSend,
  wayOut,
  isSignIn = false,
  children,
}: SecretFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { [name]: "" } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ [name]: secret = "" }) => {
    const wrong = await onSend(secret);
    if (wrong) setError(wrong.path === name ? name : "root", { message: wrong.message }, { shouldFocus: true });
  });

  return (
    <form
      className={isSignIn ? "stack login-form" : "stack factor"}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FormAlert message={errors.root?.message} />
      {children}
      <TextField
        {...secrets[name]}
        autoFocus
        error={errors[name]?.message}
        field={register(name, { required: "is required" })}
        help={help}
      />
      <div className={isSignIn ? "login-buttons stack is-close" : "row"}>
        <BusyButton type="submit" intent={intent} isBusy={isSubmitting} text={text} fill={isSignIn} />
        {wayOut ? (
          <Button {...wayOut} {...(isSignIn ? { intent: Intent.PRIMARY, variant: "minimal" as const } : {})} />
        ) : null}
      </div>
    </form>
  );
}
