import { Button, Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { signIn, type SignInOutcome } from "./signIn.ts";

type CodeFormProps = {
  /** The login and password that were accepted before. */
  login: string;
  password: string;
  /** Called when a code was accepted, or when the code is no longer the question. */
  onAnswer: (answer: SignInOutcome) => Promise<void>;
  onBack: () => void;
};

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. Fetched when it is wanted. */
export function CodeForm({ login, password, onAnswer, onBack }: CodeFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: "" } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ code }) => {
    const answer = await signIn({ login, password, code });
    const message = answer.kind === "codeWanted" ? answer.error : answer.kind === "invalid" ? answer.errors.find(({ path }) => path === "code")?.message : undefined;
    if (message) setError("code", { message }, { shouldFocus: true });
    else if (answer.kind === "failed") setError("root", { message: answer.message });
    else await onAnswer(answer);
  });

  return (
    <form className="login-form" noValidate onSubmit={(event) => void submit(event)}>
      {errors.root?.message ? (
        <p className="login-alert" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <TextField
        label="Code"
        field={register("code", { required: "is required" })}
        error={errors.code?.message}
        help="Enter the code of your authenticator app, or one of your recovery codes."
        autoComplete="one-time-code"
        autoFocus
      />
      <div className="login-buttons">
        <BusyButton type="submit" intent={Intent.PRIMARY} isBusy={isSubmitting} text="Sign in" fill />
        <Button className="login-forgot" onClick={onBack} text="Back" variant="minimal" />
      </div>
    </form>
  );
}
