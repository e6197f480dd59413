import { Callout, Intent } from "@blueprintjs/core";
import { useSystem } from "../shell/session/viewer.ts";
import { instantText } from "../ui/text/instants.ts";
import { isReturned, useKeptWork } from "./keptWork.ts";

/** The assessments of one facility that were saved on this device and wait to be sent. */
export function WaitingNotice({ facilityUuid }: { facilityUuid: string }) {
  const { timeZone } = useSystem();
  const work = useKeptWork();
  const waiting = work.filter(
    (one) => one.facilityUuid === facilityUuid && one.status === "waiting" && !isReturned(one),
  );
  if (waiting.length === 0) return null;
  return (
    <Callout intent={Intent.WARNING}>
      <ul className="plain">
        {waiting.map(({ workId, isNew, keptAt, savedAt }) => (
          <li key={workId}>
            {isNew ? "An assessment" : "The change of an assessment"} saved here on{" "}
            {instantText(savedAt ?? keptAt, timeZone)} waits on this device. It is sent when the network is back.
          </li>
        ))}
      </ul>
    </Callout>
  );
}
