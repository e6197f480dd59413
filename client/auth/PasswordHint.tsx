import { useWatch } from "react-hook-form";
import type { Control } from "react-hook-form";
import { passwordStrength } from "../../gateway/auth/auth.rules.ts";

const words = { weak: "easy to guess", fair: "fair", good: "good", strong: "strong" };

/** What a new password needs, and how hard the typed one is to guess. */
export function PasswordHint({ control }: { control: Control<{ login: string; password: string; confirmPassword?: string | null }> }) {
  const password = useWatch({ control, name: "password" });
  return password ? (
    <>
      Strength: <strong>{words[passwordStrength(password)]}</strong>
    </>
  ) : (
    "Choose a new password of at least 6 characters; longer is safer."
  );
}
