import { Button, Intent } from "@blueprintjs/core";
import { type ChangeEvent, type SubmitEvent, useState } from "react";
import { faultsOfSignIn } from "../../gateway/auth/credentials.rules.ts";
import { beginSession, pleaseLogin } from "../shell/session/session.ts";
import { showMessage, withdrawMessage } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { PasswordHint } from "./PasswordHint.tsx";
import { refusedMessage, signIn, type SignInOutcome } from "./signIn.ts";
import "./LoginForm.css";

const fields = ["login", "password", "confirmPassword"] as const;
type Field = (typeof fields)[number];
/** The errors by field; under `root` those of no field. */
type Faults = Partial<Record<Field | "root", string>>;

/** Parts that few sign-ins need: the code, and setting up a second factor. */
const codeStep = fetchedPart(() => import("./CodeForm.tsx"));
const enrolStep = fetchedPart(() => import("./EnrolForm.tsx"));

const pleaseConfirm = "Please confirm your password";

/** The first fault of each field. */
function faultsOf(errors: readonly { path: string; message: string }[]): Faults {
  const faults: Faults = errors.length === 0 ? { root: "Bad Request" } : {};
  for (const { path, message } of errors) faults[fields.find((field) => field === path) ?? "root"] ??= message;
  return faults;
}

/**
 * Signs in. If the account has a second factor, a code is asked for in a second step. If the password was temporary, a
 * new one is asked for, typed twice.
 */
export function LoginForm() {
  const [isResetting, setResetting] = useState(false);
  const [second, setSecond] = useState<"code" | "enrol">();
  const [isSubmitting, setSubmitting] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [typed, setTyped] = useState({ login: "", password: "", confirmPassword: "" });

  const fieldOf = (name: Field) => ({
    name,
    value: typed[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      const { value } = currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
      setFaults((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== name)));
    },
  });

  const begin = (resetting: boolean) => {
    setResetting(resetting);
    setTyped(({ login }) => ({ login, password: "", confirmPassword: "" }));
  };

  const send = async (): Promise<Faults> => {
    const { login, password, confirmPassword } = typed;
    const wrong = faultsOfSignIn(typed, isResetting);
    if (Object.keys(wrong).length > 0) return wrong;
    withdrawMessage(pleaseLogin);
    return goOn(await signIn({ login, password, ...(isResetting ? { confirmPassword } : {}) }));
  };
  const goOn = async (answer: SignInOutcome): Promise<Faults> => {
    if (answer.kind !== "signedIn")
      setSecond(answer.kind === "codeWanted" ? "code" : answer.kind === "mustEnrol" ? "enrol" : undefined);
    switch (answer.kind) {
      case "signedIn":
        withdrawMessage(pleaseConfirm);
        if ((await beginSession(answer.sealKey, typed.password)).state === "signedIn") return {};
        setSecond(undefined);
        return { root: "The server did not keep you signed in. Please try again." };
      case "resetRequired":
        begin(true);
        showMessage(pleaseConfirm);
        return {};
      case "refused":
        if (isResetting) begin(false);
        return { root: refusedMessage };
      case "invalid":
        return faultsOf(answer.errors);
      case "failed":
        return { root: answer.message };
      default:
        return {};
    }
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSubmitting) return;
    const form = event.currentTarget;
    setSubmitting(true);
    const found = await send();
    setSubmitting(false);
    setFaults(found);
    const first = fields.find((field) => found[field]);
    if (first) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  const { login, password } = typed;
  const goOnWith = async (answer: SignInOutcome) => setFaults(await goOn(answer));
  if (second === "code")
    return (
      <Fetched part={codeStep}>
        {({ CodeForm }) => (
          <CodeForm login={login} password={password} onAnswer={goOnWith} onBack={() => setSecond(undefined)} />
        )}
      </Fetched>
    );
  if (second)
    return (
      <Fetched part={enrolStep}>
        {({ EnrolForm }) => (
          <EnrolForm password={password} onDone={() => goOnWith({ kind: "signedIn", sealKey: undefined })} />
        )}
      </Fetched>
    );

  return (
    <form className="stack login-form" noValidate onSubmit={(event) => void submit(event)}>
      <FormAlert message={faults.root} />
      <TextField
        label="Username or email"
        field={fieldOf("login")}
        error={faults.login}
        autoComplete="username"
        autoFocus
      />
      <TextField
        key={isResetting ? "new" : "present"}
        label={isResetting ? "New password" : "Password"}
        field={fieldOf("password")}
        type="password"
        error={faults.password}
        help={isResetting ? <PasswordHint password={typed.password} /> : undefined}
        autoFocus={isResetting}
        autoComplete={isResetting ? "new-password" : "current-password"}
      />
      {isResetting ? (
        <TextField
          label="Confirm password"
          field={fieldOf("confirmPassword")}
          type="password"
          error={faults.confirmPassword}
          autoComplete="new-password"
        />
      ) : null}
      <div className="login-buttons stack is-close">
        <BusyButton
          type="submit"
          intent={Intent.PRIMARY}
          isBusy={isSubmitting}
          text={isResetting ? "Save password and sign in" : "Sign in"}
          fill
        />
        <Button
          onClick={() => showMessage("Please contact your Facility administrator to reset your account details")}
          intent={Intent.PRIMARY}
          text="Forgot password"
          variant="minimal"
        />
      </div>
    </form>
  );
}
