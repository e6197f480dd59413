import { Button, Size } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { FrameNote } from "../shell/note/FrameNote.tsx";
import { holdsOthersWork } from "../store/store.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { DiscardButton } from "./DiscardButton.tsx";
import { discardUnreadable, textOfUnreadable, useUnreadableWork } from "./unreadableWork.ts";

/** Says that this device has somebody else's work and how it can be sent, and nothing else about it. It can be hidden until the screen is opened again. */
function OthersWork() {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    void holdsOthersWork().then(setThere);
  }, []);
  if (!isThere) return null;
  return (
    <FrameNote role="status">
      <span>Sealed work waits on this device. It is sent when the person who saved it signs in here.</span>
      <Button onClick={() => setThere(false)} size={Size.SMALL} text="Hide" />
    </FrameNote>
  );
}

/** Work on this device that cannot be read: other people's work, and damaged records of one's own. */
export function SealedWorkNotice() {
  const unreadable = useUnreadableWork();
  return (
    <>
      <OthersWork />
      {unreadable.map((record) => (
        <FrameNote key={record.id}>
          <span>An assessment that was kept on this device cannot be read. It was set aside; nothing else is affected.</span>
          <Button
            onClick={() => saveAsFile(`unreadable-${record.id.slice(0, 8)}.json`, textOfUnreadable(record))}
            size={Size.SMALL}
            text="Save as a file"
          />
          <DiscardButton about="what cannot be read" onDiscard={() => void discardUnreadable(record)} />
        </FrameNote>
      ))}
    </>
  );
}
