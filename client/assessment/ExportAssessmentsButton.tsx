import { Button } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";
import { useState } from "react";
import type { AssessmentScope } from "../routes.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart, unreachableMessage } from "../ui/network/fetchedPart.ts";

/** What forms need is fetched when somebody exports. */
const dialog = fetchedPart(() => import("./ExportAssessmentsDialog.tsx"));

/** Leads to the assessments of these facilities as a CSV file, for those who may view assessments. */
export function ExportAssessmentsButton({ scope }: { scope: AssessmentScope }) {
  const mayView = useMay("viewAssessments");
  const [isOpen, setOpen] = useState(false);
  if (!mayView) return null;
  const unfetched = () => {
    setOpen(false);
    showError(unreachableMessage);
  };
  return (
    <>
      <Button icon={<ImportIcon />} onClick={() => setOpen(true)} text="Export assessments" />
      <FetchedDialog isOpen={isOpen} onFailure={unfetched} part={dialog}>
        {({ ExportAssessmentsDialog }) => <ExportAssessmentsDialog isOpen={isOpen} onClose={() => setOpen(false)} scope={scope} />}
      </FetchedDialog>
    </>
  );
}
