import { Classes } from "@blueprintjs/core";
import { LogOutIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { countOwnWork } from "../../store/store.ts";
import { FetchedDialog } from "../../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../../ui/network/fetchedPart.ts";
import { signOut } from "../session/session.ts";
import { showError } from "../toast/toaster.tsx";

/** Fetched as soon as there is unsent work, because the network may be gone when the person signs out. */
export const signOutDialog = fetchedPart(() => import("./SignOutDialog.tsx"));

async function leave(): Promise<void> {
  if (!(await signOut())) showError("Signing out did not work. Check the connection and try again.");
}

/** Signs out; with unsent work, after a question. */
export function SignOutButton({ className }: { className: string }) {
  const [unsent, setUnsent] = useState<number>();
  const ask = async () => {
    const count = await countOwnWork();
    if (count === 0) return leave();
    setUnsent(count);
  };
  // A device without the dialog's file asks in the browser's own words.
  const askPlainly = () => {
    setUnsent(undefined);
    if (confirm("Work on this device was not sent. It stays here, sealed. Signing in again needs network. Sign out?"))
      void leave();
  };
  return (
    <>
      <button className={className} onClick={() => void ask()} type="button">
        <LogOutIcon />
        <span className={Classes.FILL}>Sign-out</span>
      </button>
      <FetchedDialog isOpen={unsent !== undefined} onFailure={askPlainly} part={signOutDialog}>
        {({ SignOutDialog }) => (
          <SignOutDialog onClose={() => setUnsent(undefined)} onConfirm={leave} unsent={unsent} />
        )}
      </FetchedDialog>
    </>
  );
}
