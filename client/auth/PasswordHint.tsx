import { fetchedPart, useFetchedPart } from "../ui/network/fetchedPart.ts";

const meter = fetchedPart(() => import("./passwordMeter.ts"));

/**
 * The rules for a new password, and how hard the typed one is to guess. The meter is fetched when something is typed.
 */
export function PasswordHint({ password }: { password: string | undefined }) {
  const { file } = useFetchedPart(meter, Boolean(password));
  if (!password || !file) return "Choose a new password of at least 6 characters; longer is safer.";
  const { strength, reason } = file.measurePassword(password);
  return (
    <>
      Strength: <strong>{strength}</strong>
      {reason ? ` (${reason})` : null}
    </>
  );
}
