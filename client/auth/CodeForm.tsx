import { SecretForm } from "./SecretForm.tsx";
import { signIn, type SignInOutcome } from "./signIn.ts";

type CodeFormProps = {
  /** The login and password that were accepted before. */
  login: string;
  password: string;
  /** called when a code was accepted, or when none is needed any more */
  onAnswer: (answer: SignInOutcome) => Promise<void>;
  onBack: () => void;
};

/**
 * The second step of a sign-in: a code of the authenticator app, or a recovery code. Its code is fetched when it is
 * needed.
 */
export function CodeForm({ login, password, onAnswer, onBack }: CodeFormProps) {
  const send = async (code: string) => {
    const answer = await signIn({ login, password, code });
    const message =
      answer.kind === "codeWanted"
        ? answer.error
        : answer.kind === "invalid"
          ? answer.errors.find(({ path }) => path === "code")?.message
          : undefined;
    if (message) return { path: "code", message };
    if (answer.kind === "failed") return { path: "", message: answer.message };
    await onAnswer(answer);
    return undefined;
  };

  return (
    <SecretForm
      help="Enter the code of your authenticator app, or one of your recovery codes."
      isSignIn
      name="code"
      onSend={send}
      text="Sign in"
      wayOut={{ text: "Back", onClick: onBack }}
    />
  );
}
