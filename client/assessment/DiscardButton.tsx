import { Button, Intent, Size } from "@blueprintjs/core";
import { useState } from "react";

/** Discards something that only this device has, after a confirmation. `about` names it for people who do not see what the button belongs to. */
export function DiscardButton({ about, onDiscard }: { about: string; onDiscard: () => void }) {
  const [isAsked, setAsked] = useState<boolean>();
  if (!isAsked)
    return <Button aria-label={`Discard ${about}`} autoFocus={isAsked === false} onClick={() => setAsked(true)} size={Size.SMALL} text="Discard" />;
  return (
    <>
      <span>It will be gone.</span>
      <Button autoFocus onClick={() => setAsked(false)} size={Size.SMALL} text="Keep" />
      <Button intent={Intent.DANGER} onClick={onDiscard} size={Size.SMALL} text="Discard" />
    </>
  );
}
