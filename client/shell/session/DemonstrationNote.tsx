import { demonstrationText } from "./demonstration.ts";
import { useSystem } from "./viewer.ts";
import "./DemonstrationNote.css";

/** Says on every screen that the data is made up, where it is. */
export function DemonstrationNote() {
  const { demonstration } = useSystem();
  if (!demonstration) return null;
  return (
    <aside className="demonstration-note" aria-label="Demonstration">
      {demonstrationText}
    </aside>
  );
}
