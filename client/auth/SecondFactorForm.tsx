import { useEffect, useState } from "react";
import { graphql } from "../gql/gql.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { QrCode } from "../ui/page/QrCode.tsx";
import { mutate } from "../urql.ts";
import { RecoveryCodesNotice } from "./RecoveryCodesNotice.tsx";
import { SecretForm } from "./SecretForm.tsx";
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

/** Requests a secret with the account's password. Returns the secret, or what is wrong. */
async function begin(
  password: string,
): Promise<{ begun: Begun; wrong?: undefined } | { begun?: undefined; wrong: { path: string; message: string } }> {
  const { data, failure } = await mutate(beginMutation, { input: { password } });
  const { secret, uri, errors } = data?.beginSecondFactor ?? {};
  if (secret && uri) return { begun: { secret, uri } };
  return { wrong: errors?.[0] ?? { path: "", message: failure ?? "The second factor could not be set up" } };
}

type SecondFactorFormProps = {
  /** the present password, if it was typed a moment ago */
  password?: string;
  onDone: () => void;
  onCancel?: () => void;
};

/** Sets up a second factor: the password, the secret for the app, a first code, and the recovery codes. */
export function SecondFactorForm({ password, onDone, onCancel }: SecondFactorFormProps) {
  const [begun, setBegun] = useState<Begun>();
  const [failure, setFailure] = useState<string>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();

  const [attempt, setAttempt] = useState(1);

  // Only once for each attempt, because a second secret would replace the first.
  useEffect(() => {
    if (password === undefined) return;
    void begin(password).then(({ begun: made, wrong }) => (made ? setBegun(made) : setFailure(wrong.message)));
  }, [password, attempt]);

  const beginWith = async (given: string) => {
    const { begun: made, wrong } = await begin(given);
    setBegun(made);
    return wrong;
  };

  const again = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };

  if (recoveryCodes) return <RecoveryCodesNotice codes={recoveryCodes} onDone={onDone} />;
  if (begun) return <FirstCode {...begun} onCancel={onCancel} onConfirmed={setRecoveryCodes} />;
  if (password === undefined)
    return (
      <SecretForm
        name="password"
        text="Continue"
        onSend={beginWith}
        wayOut={onCancel && { text: "Cancel", onClick: onCancel }}
      />
    );
  return failure ? <Failure message={failure} onRetry={again} /> : <Loading />;
}

type FirstCodeProps = Begun & {
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onCancel?: (() => void) | undefined;
};

function FirstCode({ secret, uri, onConfirmed, onCancel }: FirstCodeProps) {
  const send = async (code: string) => {
    const { data, failure } = await mutate(confirmMutation, { input: { code } });
    const { recoveryCodes, errors: wrong } = data?.confirmSecondFactor ?? {};
    if (recoveryCodes) onConfirmed(recoveryCodes);
    return recoveryCodes
      ? undefined
      : { path: wrong?.[0]?.path ?? "", message: failure ?? wrong?.[0]?.message ?? "The code could not be sent" };
  };

  return (
    <SecretForm
      help="The six digits that the app shows now."
      name="code"
      onSend={send}
      text="Switch on"
      wayOut={onCancel && { text: "Cancel", onClick: onCancel }}
    >
      <p>Scan this with an authenticator app, open it on this device, or type the key into the app.</p>
      <QrCode text={uri} label="QR code of the key, for an authenticator app" />
      <p>
        <a href={uri}>Open in an authenticator app</a>
      </p>
      <div className="factor-key">
        <FactList>
          <Fact isWide label="Key" unknown="">
            <code>{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
          </Fact>
        </FactList>
      </div>
    </SecretForm>
  );
}
