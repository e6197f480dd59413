import { Button } from "@blueprintjs/core";
import { useState } from "react";
import type { ModeScope } from "../routes.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { type MeasureName, measures, type TargetAnswer, targetWords } from "./measures.ts";

const dialog = fetchedPart(() => import("./TargetDialog.tsx"));

type TargetsSectionProps = {
  targets: readonly TargetAnswer[];
  /** The sums that the chart shows. Targets can be set for these. */
  sums: readonly (string | undefined)[];
  /** Whose targets are set here; without ids, the whole country. */
  unit: ModeScope;
  unitName: string;
  year: number;
  onChange: () => void;
};

/** The targets of a chart and what was reached. Administrators set targets here. */
export function TargetsSection({ targets, sums, unit, unitName, year, onChange }: TargetsSectionProps) {
  const { privileges } = useViewer();
  const [isOpen, setOpen] = useState(false);
  const choices = (Object.keys(measures) as MeasureName[]).filter((name) => sums.includes(measures[name].sum));
  const shown = targets.filter(({ measure }) => choices.includes(measure));
  if (choices.length === 0 || (shown.length === 0 && !privileges.administrator)) return null;
  return (
    <div className="chart-card-targets row is-spread note">
      {shown.length > 0 ? (
        <ul aria-label="Targets" className="plain">
          {shown.map((target) => (
            <li key={target.targetUuid}>{targetWords(target)}</li>
          ))}
        </ul>
      ) : null}
      {privileges.administrator ? <Button onClick={() => setOpen(true)} text="Set targets" /> : null}
      {isOpen ? (
        <Fetched part={dialog}>
          {({ TargetDialog }) => (
            <TargetDialog
              choices={choices}
              onChange={onChange}
              onClose={() => setOpen(false)}
              targets={shown}
              unit={unit}
              unitName={unitName}
              year={year}
            />
          )}
        </Fetched>
      ) : null}
    </div>
  );
}
