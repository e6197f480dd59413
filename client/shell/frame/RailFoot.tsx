import { Button } from "@blueprintjs/core";
import { useSavingData } from "../../ui/network/savingData.ts";
import { useViewer } from "../session/viewer.ts";
import { ThemeButton } from "../theme/ThemeButton.tsx";

/** Below the menu: the signed-in person with their partner, and the settings of this device. */
export function RailFoot() {
  const { user } = useViewer();
  const [isSaving, choose] = useSavingData();
  return (
    <div className="rail-foot stack">
      <p className="person">
        <span className="person-name">
          {user.firstName} {user.surname}
        </span>
        <span className="person-partner">{user.implementingPartner.implementingPartner}</span>
      </p>
      <div className="rail-settings">
        <ThemeButton />
        <Button
          aria-pressed={isSaving}
          onClick={() => choose(!isSaving)}
          text={isSaving ? "Data saver: on" : "Data saver: off"}
          title="When on, charts are loaded on request, and nothing is fetched before it is needed"
          variant="minimal"
        />
      </div>
    </div>
  );
}
