import { Callout, Intent } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { holdsOthersWork } from "../store/store.ts";

/** Says, when nobody is signed in, that this device stores unsent work and how it gets sent, and nothing else about it. */
export function SealedNote() {
  const [isSealed, setSealed] = useState(false);
  useEffect(() => {
    void holdsOthersWork().then(setSealed);
  }, []);
  if (!isSealed) return null;
  return (
    <Callout className="login-form" intent={Intent.WARNING} role="status">
      Sealed work waits on this device. It is sent when the person who saved it signs in here.
    </Callout>
  );
}
