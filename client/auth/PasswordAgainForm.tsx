import { Button, Intent } from "@blueprintjs/core";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { BusyButton } from "../ui/BusyButton.tsx";
import { TextField } from "../ui/TextField.tsx";

type PasswordAgainFormProps = {
  /** The button that does it. */
  text: string;
  intent?: Intent;
  /** Answers what is wrong, if anything. */
  onPassword: (password: string) => Promise<{ path: string; message: string } | undefined>;
  onCancel?: (() => void) | undefined;
};

/** Asks for one's password again, before something of the account changes. */
export function PasswordAgainForm({ text, intent = Intent.PRIMARY, onPassword, onCancel }: PasswordAgainFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({ defaultValues: { password: "" } });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus("password"), [setFocus]);
  const submit = handleSubmit(async ({ password }) => {
    const wrong = await onPassword(password);
    if (wrong) setError(wrong.path === "password" ? "password" : "root", { message: wrong.message }, { shouldFocus: true });
  });

  return (
    <form className="factor" noValidate onSubmit={(event) => void submit(event)}>
      {errors.root?.message ? (
        <p className="form-alert" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <TextField
        label="Your password"
        field={register("password", { required: "is required" })}
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
      />
      <div className="factor-actions">
        <BusyButton type="submit" intent={intent} isBusy={isSubmitting} text={text} />
        {onCancel ? <Button onClick={onCancel} text="Cancel" /> : null}
      </div>
    </form>
  );
}
