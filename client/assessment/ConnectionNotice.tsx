import { Button, Size } from "@blueprintjs/core";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { SignInDialog } from "../auth/SignInDialog.tsx";
import { subscribeToClock } from "../shell/clock/clock.ts";
import { clockText, visitTimeText } from "../shell/clock/clockText.ts";
import { FrameNote } from "../shell/note/FrameNote.tsx";
import { useHasEnded } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { portalWords, presentReach, subscribeToReach } from "../ui/network/reach.ts";
import { useIsOffline } from "../ui/network/useIsOffline.ts";
import { counted } from "../ui/text/counted.ts";
import { askMissing } from "../urql.ts";
import { isReturned, useKeptWork } from "./keptWork.ts";
import { tellOutcomes } from "./outboxMessages.ts";
import { sendWaiting } from "./saveAssessment.ts";

const againMs = 30_000;

/** What is sent within this time needs no notice, which would move the screen twice. */
const tellAfterMs = 1000;

/** Whether work waits, kept at this instant (ISO 8601), for long enough to be told. */
function useIsTold(keptAt: string | undefined): boolean {
  const [isTold, setTold] = useState(false);
  useEffect(() => {
    // A clock that was changed since then must not delay it further.
    const delayMs = keptAt ? Math.min(tellAfterMs, Date.parse(keptAt) + tellAfterMs - Date.now()) : 0;
    const timer = setTimeout(() => setTold(keptAt !== undefined), delayMs);
    return () => clearTimeout(timer);
  }, [keptAt]);
  return isTold;
}

/** Acts again and again while it is wanted, and when the network is back. */
function useAgain(act: () => void, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    // Not at once: a save that is being sent does not count as waiting yet.
    let soon = setTimeout(act, 1000);
    const again = setInterval(act, againMs);
    // The browser says that it is online before its first request gets through.
    const online = () => {
      act();
      clearTimeout(soon);
      soon = setTimeout(act, 3000);
    };
    window.addEventListener("online", online);
    return () => {
      clearTimeout(soon);
      clearInterval(again);
      window.removeEventListener("online", online);
    };
  }, [act, isWanted]);
}

/** Asks the server for hardly anything. Its answer is noted (reach.ts). */
function knock(): void {
  if (!navigator.onLine) return;
  // An answer that nobody reads does not end.
  void heardFetch("/healthz", { cache: "no-store" })
    .then((answer) => answer.text())
    .catch(() => {});
}

/**
 * The one line about the connection: what waits on this device to be sent, and the first thing that is in the way: no
 * network, a network that wants a sign-in, the ended session, the server; then a wrong clock. It sends what waits when
 * the way is free, and on request.
 */
export function ConnectionNotice() {
  const waiting = useKeptWork().filter((one) => one.status === "waiting" && !isReturned(one));
  const isWaiting = waiting.length > 0;
  const isLate = useIsTold(waiting[0]?.keptAt);
  const hasEnded = useHasEnded();
  const isOffline = useIsOffline();
  const reach = useSyncExternalStore(subscribeToReach, presentReach);
  const clock = useSyncExternalStore(subscribeToClock, clockText);
  const [isSending, setSending] = useState(false);
  const [isSigningIn, setSigningIn] = useState(false);

  const send = useCallback(async (all = false) => {
    setSending(true);
    await sendWaiting(all, tellOutcomes);
    setSending(false);
  }, []);
  const sendNow = useCallback(() => void send(), [send]);
  useAgain(sendNow, isWaiting && !hasEnded);
  const isCut = reach !== "server";
  useAgain(knock, isCut);
  useEffect(() => {
    return isCut ? askMissing : undefined;
  }, [isCut]);
  const isAway = isOffline || reach === "nobody";
  const wantsSignIn = hasEnded && !isAway && reach !== "portal";
  const purpose =
    waiting.length === 0
      ? "see what is new"
      : waiting.length === 1
        ? "send your visit"
        : `send your ${waiting.length} visits`;
  const refusal = waiting.find((one) => one.reason)?.reason?.message;
  const inTheWay = isOffline
    ? "No network."
    : isAway
      ? "No network: the server does not answer."
      : reach === "portal"
        ? portalWords
        : wantsSignIn
          ? `Your session ended. Sign in to ${purpose}.`
          : refusal
            ? `The server says: ${refusal}`
            : "";
  // What cannot be sent is told at once, in the place of the line that was there before.
  const isTold = isWaiting && (isLate || inTheWay !== "");
  // Several are named by My week: here they would be more than a line.
  const which = waiting.length === 1 ? `: ${waiting[0]!.facilityName}` : "";
  const texts = [
    isTold
      ? `${counted(waiting.length, "assessment")} ${waiting.length === 1 ? "waits" : "wait"} on this device to be sent${which}.`
      : "",
    inTheWay,
    isAway && !isWaiting ? "What is on this device opens, and a visit is kept here until it is back." : "",
  ].filter(Boolean);
  return (
    <aside aria-label="Connection">
      {texts.length || clock ? (
        <FrameNote role="status">
          {texts.length ? <span>{texts.join(" ")}</span> : null}
          {wantsSignIn ? (
            <Button onClick={() => setSigningIn(true)} size={Size.SMALL} text="Sign in" />
          ) : isTold && !hasEnded && !isOffline ? (
            <BusyButton isBusy={isSending} onClick={() => void send(true)} size={Size.SMALL} text="Send now" />
          ) : null}
          {clock ? <span>{`${clock} ${visitTimeText()}`}</span> : null}
        </FrameNote>
      ) : null}
      <SignInDialog isOpen={isSigningIn && hasEnded} onClose={() => setSigningIn(false)} />
    </aside>
  );
}
