import { Button } from "@blueprintjs/core";
import { useSystem } from "../shell/viewer.ts";
import type { KeptWork } from "./keptWork.ts";

/** Says that the form was filled from what this device had kept, and offers to begin anew. */
export function DraftNotice({ kept, onDiscard }: { kept: KeptWork; onDiscard: () => void }) {
  const { timeZone } = useSystem();
  const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(kept.keptAt));
  return (
    <div className="draft-notice" role="status">
      <p>
        {kept.status === "returned"
          ? `This assessment was not stored: ${kept.message ?? ""} What you typed is here.`
          : `Your draft of ${when} was brought back. It is not saved yet.`}
      </p>
      <Button onClick={onDiscard} text="Discard draft" />
    </div>
  );
}
