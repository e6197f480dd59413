import { Button } from "@blueprintjs/core";
import { OfflineIcon, RefreshIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import { resumeSession } from "../shell/session/session.ts";
import { findPasswordSeal, holdsOthersWork } from "../store/store.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Notice } from "../ui/notice/Notice.tsx";

const openPart = fetchedPart(() => import("./OpenForm.tsx"));

/**
 * Shown if the server cannot be reached and this device does not know who is signed in: nobody signed in here, the
 * store was sealed after 14 days without an answer, somebody ended the session, or a full device lost its keys. Says
 * what happens to stored work.
 */
export function AwayScreen({ words }: { words: string }) {
  const [isSealed, setSealed] = useState<boolean>();
  useEffect(() => {
    void holdsOthersWork().then(setSealed);
  }, []);
  const [opensWithPassword, setOpensWithPassword] = useState(false);
  useEffect(() => {
    void findPasswordSeal().then((seal) => setOpensWithPassword(seal !== undefined));
  }, []);
  const again = () => void resumeSession();
  if (isSealed === undefined) return null;
  return (
    <main className="app-waiting">
      {opensWithPassword ? (
        <Notice heading="Enter your password" icon={<OfflineIcon />} role="status">
          <p>
            The server has not answered for 14 days, so this device closed what it stores. Nothing is lost: your
            password opens it.
          </p>
          <Fetched part={openPart}>{({ OpenForm }) => <OpenForm />}</Fetched>
          <p>{words}</p>
          <Button icon={<RefreshIcon />} onClick={again} text="Try again" />
        </Notice>
      ) : isSealed ? (
        <Notice heading="A connection is needed" icon={<OfflineIcon />} role="status">
          <p>Sealed work waits on this device. It is sent when the person who saved it signs in here.</p>
          <p>
            This device cannot read its key now: somebody ended the session, or the device is full. Nothing is lost: it
            opens again when the server can be reached.
          </p>
          <p>{words}</p>
          <Button icon={<RefreshIcon />} onClick={again} text="Try again" />
        </Notice>
      ) : (
        <Failure message={words} onRetry={again} />
      )}
    </main>
  );
}
