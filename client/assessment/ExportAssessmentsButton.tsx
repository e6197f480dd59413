import { Button } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";
import { lazy, Suspense, useState } from "react";
import type { AssessmentScope } from "../routes.ts";
import { useMay } from "../shell/viewer.ts";

/** What forms need is fetched when somebody exports. */
const Dialog = lazy(() => import("./ExportAssessmentsDialog.tsx").then((file) => ({ default: file.ExportAssessmentsDialog })));

/** Leads to the assessments of these facilities as a CSV file, for those who may view assessments. */
export function ExportAssessmentsButton({ scope }: { scope: AssessmentScope }) {
  const mayView = useMay("viewAssessments");
  const [isOpen, setOpen] = useState(false);
  if (!mayView) return null;
  return (
    <>
      <Button icon={<ImportIcon />} onClick={() => setOpen(true)} text="Export assessments" />
      {isOpen ? (
        <Suspense fallback={null}>
          <Dialog onClose={() => setOpen(false)} scope={scope} />
        </Suspense>
      ) : null}
    </>
  );
}
