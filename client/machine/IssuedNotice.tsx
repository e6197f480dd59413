import { Button, Callout, Intent } from "@blueprintjs/core";
import { DownloadIcon, KeyIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { showError } from "../shell/toast/toaster.tsx";
import { counted } from "../ui/text/counted.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import type { IssuedFile } from "./IssueSiteCredentialsForm.tsx";

/** New credentials. They must be saved now, because they are stored nowhere. */
export function IssuedNotice({ issued: { csv, table }, onDone }: { issued: IssuedFile; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false);
  return (
    <Callout
      aria-labelledby="issued-heading"
      className="stack"
      icon={<KeyIcon />}
      intent={Intent.WARNING}
      role="status"
    >
      <h2 id="issued-heading">{counted(table.length - 1, "credential")} issued</h2>
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
          text="Save as CSV"
        />
        <Button
          icon={<DownloadIcon />}
          onClick={() =>
            void import("../dash/saveWorkbook.ts")
              .then(({ saveWorkbook }) => saveWorkbook("site-credentials.xlsx", table))
              .then(() => setSaved(true))
              .catch(() => showError("The workbook could not be made"))
          }
          text="Save as Excel"
        />
        <Button disabled={!isSaved} intent={isSaved ? Intent.PRIMARY : Intent.NONE} onClick={onDone} text="Done" />
      </div>
    </Callout>
  );
}
