import { Button, Callout, Intent } from "@blueprintjs/core";
import { DownloadIcon, KeyIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { counted } from "../ui/text/counted.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import type { IssuedFile } from "./IssueSiteCredentialsForm.tsx";

/** New credentials. They must be saved now, because they are stored nowhere. */
export function IssuedNotice({ issued: { count, csv }, onDone }: { issued: IssuedFile; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false);
  return (
    <Callout
      aria-labelledby="issued-heading"
      className="stack"
      icon={<KeyIcon />}
      intent={Intent.WARNING}
      role="status"
    >
      <h2 id="issued-heading">{counted(count, "credential")} issued</h2>
      <p>
        Save the file now. You will not see the secrets again. It lists each facility with its HMIS code, secret and
        last day.
      </p>
      <div className="row">
        <Button
          icon={<DownloadIcon />}
          intent={isSaved ? Intent.NONE : Intent.PRIMARY}
          onClick={() => {
            saveAsFile("site-credentials.csv", csv, "text/csv");
            setSaved(true);
          }}
          text={isSaved ? "Save again" : "Save as CSV"}
        />
        <Button disabled={!isSaved} intent={isSaved ? Intent.PRIMARY : Intent.NONE} onClick={onDone} text="Done" />
      </div>
    </Callout>
  );
}
