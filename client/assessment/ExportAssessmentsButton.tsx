import { Button } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";
import { useState } from "react";
import type { AssessmentScope } from "../routes.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";

/** The code of forms is fetched when somebody exports. */
const dialog = fetchedPart(() => import("./ExportAssessmentsDialog.tsx"));

/** Opens the export of these facilities' assessments as a CSV file. Shown to people who may view assessments. */
export function ExportAssessmentsButton({ scope }: { scope: AssessmentScope }) {
  const mayView = useMay("viewAssessments");
  const [isOpen, setOpen] = useState(false);
  if (!mayView) return null;
  const unfetched = (message: string) => {
    setOpen(false);
    showError(message);
  };
  return (
    <>
      <Button icon={<ImportIcon />} onClick={() => setOpen(true)} text="Export assessments" />
      <FetchedDialog isOpen={isOpen} onFailure={unfetched} part={dialog}>
        {({ ExportAssessmentsDialog }) => (
          <ExportAssessmentsDialog isOpen={isOpen} onClose={() => setOpen(false)} scope={scope} />
        )}
      </FetchedDialog>
    </>
  );
}
