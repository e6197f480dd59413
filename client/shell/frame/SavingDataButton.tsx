import { Button } from "@blueprintjs/core";
import { useSavingData } from "../../ui/network/savingData.ts";

/** Shows whether data saving is on for this device, and switches it. */
export function SavingDataButton() {
  const [isSaving, choose] = useSavingData();
  return (
    <Button
      aria-pressed={isSaving}
      onClick={() => choose(!isSaving)}
      text={isSaving ? "Saving data: on" : "Saving data: off"}
      title="When on, charts are loaded on request, and nothing is fetched before it is needed"
      variant="minimal"
    />
  );
}
