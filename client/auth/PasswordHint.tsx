import { passwordStrength } from "../../gateway/auth/password.rules.ts";

const words = { weak: "easy to guess", fair: "fair", good: "good", strong: "strong" };

/** What a new password needs, and how hard the typed one is to guess. */
export function PasswordHint({ password }: { password: string | undefined }) {
  return password ? (
    <>
      Strength: <strong>{words[passwordStrength(password)]}</strong>
    </>
  ) : (
    "Choose a new password of at least 6 characters; longer is safer."
  );
}
