import { Button, Callout } from "@blueprintjs/core";
import { now } from "../shell/clock/clock.ts";
import type { Reason } from "../store/database.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { textOfWork } from "./formValues.ts";
import type { FormWork } from "./keptWork.ts";

const reasons: Record<Reason, string> = {
  full: "this device has no room left",
  refused: "this device does not let anything be kept",
  insecure: "nothing is kept on this device, because the connection is not secure",
  closed: "nobody is signed in on this device any more",
};

/** Shown in a form whose work neither the device nor the server has stored. Offers the work as a file. */
export function UnkeptNotice({ reason, work }: { reason: Reason; work: () => FormWork }) {
  const save = () => {
    const present = work();
    saveAsFile(`assessment-${present.assessmentUuid}.json`, textOfWork(present, now().toISOString()));
  };
  return (
    <Callout className="stack is-close" intent="danger" role="alert">
      <p>
        This assessment is not saved: {reasons[reason]}, and the server cannot be reached. What you typed is still here. Keep it as a file, or
        save again when there is a connection.
      </p>
      <Button onClick={save} text="Save as a file" />
    </Callout>
  );
}
