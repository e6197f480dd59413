import { Button } from "@blueprintjs/core";
import { OfflineIcon, RefreshIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import { resumeSession } from "../shell/session/session.ts";
import { holdsOthersWork } from "../store/store.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Notice } from "../ui/notice/Notice.tsx";

/**
 * Shown if the server cannot be reached and this device does not know who is signed in: nobody signed in here, the session ended, or a full device
 * lost its keys. Says what happens to stored work.
 */
export function AwayScreen({ words }: { words: string }) {
  const [isSealed, setSealed] = useState<boolean>();
  useEffect(() => {
    void holdsOthersWork().then(setSealed);
  }, []);
  const again = () => void resumeSession();
  if (isSealed === undefined) return null;
  return (
    <main className="app-waiting">
      {isSealed ? (
        <Notice heading="A connection is needed" icon={<OfflineIcon size={20} />} role="status">
          <p>Sealed work waits on this device. It is sent when the person who saved it signs in here.</p>
          <p>This device cannot read its key now: the session ended, or the device is full. Nothing is lost: it opens again when the server can be reached.</p>
          <p>{words}</p>
          <Button icon={<RefreshIcon />} onClick={again} text="Try again" />
        </Notice>
      ) : (
        <Failure message={words} onRetry={again} />
      )}
    </main>
  );
}
