import type { ModeScope } from "../routes.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { type MeasureName, type TargetAnswer, targetWords } from "./measures.ts";

const dialog = fetchedPart(() => import("./TargetDialog.tsx"));

type TargetsSectionProps = {
  targets: readonly TargetAnswer[];
  /** The measures that the chart shows. Targets can be set for these. */
  choices: MeasureName[];
  /** Whose targets are set here; without ids, the whole country. */
  unit: ModeScope;
  unitName: string;
  year: number;
  onChange: () => void;
  /** Whether targets are being set. */
  isOpen: boolean;
  onClose: () => void;
};

/** The targets of a chart and what was reached. Administrators set targets in its dialog. */
export function TargetsSection({ targets, isOpen, onClose, ...dialogProps }: TargetsSectionProps) {
  const unfetched = (message: string) => {
    onClose();
    showError(message);
  };
  return (
    <>
      {targets.length > 0 ? (
        <ul aria-label="Targets" className="chart-card-targets plain note">
          {targets.map((target) => (
            <li key={target.targetUuid}>{targetWords(target)}</li>
          ))}
        </ul>
      ) : null}
      <FetchedDialog isOpen={isOpen} onFailure={unfetched} part={dialog}>
        {({ TargetDialog }) => <TargetDialog {...dialogProps} isOpen={isOpen} onClose={onClose} targets={targets} />}
      </FetchedDialog>
    </>
  );
}
