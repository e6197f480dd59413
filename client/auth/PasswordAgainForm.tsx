import { Button, Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { TextField } from "../ui/field/TextField.tsx";

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
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: "" } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ password }) => {
    const wrong = await onPassword(password);
    if (wrong) setError(wrong.path === "password" ? "password" : "root", { message: wrong.message }, { shouldFocus: true });
  });

  return (
    <form className="factor" noValidate onSubmit={(event) => void submit(event)}>
      <FormAlert message={errors.root?.message} />
      <TextField
        label="Your password"
        field={register("password", { required: "is required" })}
        type="password"
        autoComplete="current-password"
        autoFocus
        error={errors.password?.message}
      />
      <div className="factor-actions">
        <BusyButton type="submit" intent={intent} isBusy={isSubmitting} text={text} />
        {onCancel ? <Button onClick={onCancel} text="Cancel" /> : null}
      </div>
    </form>
  );
}
