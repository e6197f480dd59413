import { Button, Intent } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Failure } from "../ui/Failure.tsx";
import { Loading } from "../ui/Loading.tsx";
import { QrCode } from "../ui/QrCode.tsx";
import { TextField } from "../ui/TextField.tsx";
import { mutate } from "../urql.ts";
import { PasswordAgainForm } from "./PasswordAgainForm.tsx";
import { RecoveryCodesNotice } from "./RecoveryCodesNotice.tsx";
import "./SecondFactor.css";

const beginMutation = graphql(`
  mutation SecondFactorForm_begin($input: BeginSecondFactorInput!) {
    beginSecondFactor(input: $input) { secret uri errors { path message } }
  }
`);

const confirmMutation = graphql(`
  mutation SecondFactorForm_confirm($input: ConfirmSecondFactorInput!) {
    confirmSecondFactor(input: $input) { recoveryCodes errors { path message } }
  }
`);

type Begun = { secret: string; uri: string };

type SecondFactorFormProps = {
  /** The present password, where it was typed a moment ago. */
  password?: string;
  onDone: () => void;
  onCancel?: () => void;
};

/** Sets up a second factor: the password, the secret for the app, a first code, and the recovery codes. */
export function SecondFactorForm({ password, onDone, onCancel }: SecondFactorFormProps) {
  const [begun, setBegun] = useState<Begun>();
  const [failure, setFailure] = useState<string>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();

  const begin = async (given: string) => {
    setFailure(undefined);
    const { data, failure: failed } = await mutate(beginMutation, { input: { password: given } });
    const { secret, uri, errors } = data?.beginSecondFactor ?? {};
    if (secret && uri) {
      setBegun({ secret, uri });
      return undefined;
    }
    return errors?.[0] ?? { path: "", message: failed ?? "The second factor could not be set up" };
  };
  const beginAtOnce = async (given: string) => setFailure((await begin(given))?.message);

  useEffect(() => {
    if (password !== undefined) void beginAtOnce(password);
    // Once: a second secret would replace the first.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [password]);

  if (recoveryCodes) return <RecoveryCodesNotice codes={recoveryCodes} onDone={onDone} />;
  if (begun) return <FirstCode {...begun} onCancel={onCancel} onConfirmed={setRecoveryCodes} />;
  if (password === undefined) return <PasswordAgainForm text="Continue" onPassword={begin} onCancel={onCancel} />;
  return failure ? <Failure message={failure} onRetry={() => void beginAtOnce(password)} /> : <Loading />;
}

type FirstCodeProps = Begun & { onConfirmed: (recoveryCodes: readonly string[]) => void; onCancel?: (() => void) | undefined };

function FirstCode({ secret, uri, onConfirmed, onCancel }: FirstCodeProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({ defaultValues: { code: "" } });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus("code"), [setFocus]);
  const submit = handleSubmit(async ({ code }) => {
    const { data, failure } = await mutate(confirmMutation, { input: { code } });
    const { recoveryCodes, errors: wrong } = data?.confirmSecondFactor ?? {};
    if (recoveryCodes) onConfirmed(recoveryCodes);
    else if (wrong?.[0]?.path === "code") setError("code", { message: wrong[0].message }, { shouldFocus: true });
    else setError("root", { message: failure ?? wrong?.[0]?.message ?? "The code could not be sent" });
  });

  return (
    <form className="factor" noValidate onSubmit={(event) => void submit(event)}>
      {errors.root?.message ? (
        <p className="form-alert" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <p>Scan this with an authenticator app, open it on this device, or type the key into the app.</p>
      <QrCode text={uri} label="QR code of the key, for an authenticator app" />
      <p>
        <a href={uri}>Open in an authenticator app</a>
      </p>
      <dl className="factor-key">
        <dt>Key</dt>
        <dd>
          <code>{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
        </dd>
      </dl>
      <TextField
        label="Code"
        field={register("code", { required: "is required" })}
        error={errors.code?.message}
        help="The six digits that the app shows now."
        autoComplete="one-time-code"
      />
      <div className="factor-actions">
        <BusyButton type="submit" intent={Intent.PRIMARY} isBusy={isSubmitting} text="Switch on" />
        {onCancel ? <Button onClick={onCancel} text="Cancel" /> : null}
      </div>
    </form>
  );
}
