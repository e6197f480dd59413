export type PasswordStrength = "weak" | "fair" | "good" | "strong";

/** A hint, no gate: how hard a password is to guess, by its length and the kinds of characters in it. */
export function passwordStrength(text: string): PasswordStrength {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(text)).length;
  const distinct = new Set(text).size;
  if (text.length < 8 || distinct < 5) return "weak";
  if (text.length >= 16 || (text.length >= 12 && kinds >= 3)) return "strong";
  return text.length >= 12 || kinds >= 3 ? "good" : "fair";
}
