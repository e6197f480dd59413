import { SecretNotice } from "../ui/notice/SecretNotice.tsx";

/** A token that was just made. */
export type MadeToken = { name: string; secret: string };

/** The secret of a new token, which is shown this once. */
export function MadeTokenNotice({ token: { name, secret }, onDone }: { token: MadeToken; onDone: () => void }) {
  return (
    <SecretNotice label={`Token ${name}`} secret={secret} onDone={onDone}>
      Copy it now: it is shown this once. A program sends it in the header “Authorization: Bearer …”.
    </SecretNotice>
  );
}
