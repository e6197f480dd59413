import { Button, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { beginSession } from "../shell/session.ts";
import { showMessage, withdrawMessage } from "../shell/toaster.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import { useFetchedRules } from "../ui/fetchedRules.ts";
import { TextField } from "../ui/TextField.tsx";
import { PasswordHint } from "./PasswordHint.tsx";
import { refusedMessage, signIn } from "./signIn.ts";
import "./LoginForm.css";

export type LoginFields = { login: string; password: string; confirmPassword?: string | null };

const pleaseConfirm = "Please confirm your password";

const isField = (path: string): path is keyof LoginFields => ["login", "password", "confirmPassword"].includes(path);

/** Signs in; when the password was temporary, goes on to ask for a new one, typed twice. */
export function LoginForm() {
  const [isResetting, setResetting] = useState(false);
  const { register, handleSubmit, setError, resetField, control, formState } = useForm<LoginFields>({
    defaultValues: { login: "", password: "" },
    resolver: useFetchedRules(() => import("./loginRules.ts").then((rules) => (isResetting ? rules.resetResolver : rules.signInResolver))),
    shouldUnregister: true,
  });
  const { errors, isSubmitting } = formState;
  const password = useWatch({ control, name: "password" });

  const begin = (resetting: boolean) => {
    setResetting(resetting);
    resetField("password");
  };

  const submit = handleSubmit(async ({ login, password, confirmPassword }) => {
    const answer = await signIn({ login, password, ...(isResetting && confirmPassword ? { confirmPassword } : {}) });
    switch (answer.kind) {
      case "signedIn":
        withdrawMessage(pleaseConfirm);
        if ((await beginSession(answer.sealKey)).state !== "signedIn") setError("root", { message: "The server did not keep you signed in. Please try again." });
        return;
      case "resetRequired":
        begin(true);
        showMessage(pleaseConfirm);
        return;
      case "refused":
        if (isResetting) begin(false);
        setError("root", { message: refusedMessage });
        return;
      case "invalid":
        for (const { path, message } of answer.errors) setError(isField(path) ? path : "root", { message });
        if (answer.errors.length === 0) setError("root", { message: "Bad Request" });
        return;
      case "failed":
        setError("root", { message: answer.message });
    }
  });

  return (
    <form className="login-form" noValidate onSubmit={(event) => void submit(event)}>
      {errors.root?.message ? (
        <p className="login-alert" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <TextField label="Username or email" field={register("login")} error={errors.login?.message} autoComplete="username" autoFocus />
      <TextField
        key={isResetting ? "new" : "present"}
        label="Password"
        field={register("password")}
        type="password"
        error={errors.password?.message}
        help={isResetting ? <PasswordHint password={password} /> : undefined}
        autoFocus={isResetting}
        autoComplete={isResetting ? "new-password" : "current-password"}
      />
      {isResetting ? (
        <TextField
          label="Confirm password"
          field={register("confirmPassword")}
          type="password"
          error={errors.confirmPassword?.message}
          autoComplete="new-password"
        />
      ) : null}
      <div className="login-buttons">
        <BusyButton type="submit" intent={Intent.PRIMARY} isBusy={isSubmitting} text="Sign in" fill />
        <Button
          onClick={() => showMessage("Please contact your Facility administrator to reset your account details")}
          className="login-forgot"
          text="Forgot password"
          variant="minimal"
        />
      </div>
    </form>
  );
}
