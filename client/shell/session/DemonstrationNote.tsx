import { demonstrationText } from "./demonstration.ts";
import { useSystem } from "./viewer.ts";
import "./DemonstrationNote.css";

/**
 * Not Blueprint's Callout: the page has the same element before any script has run. In a demonstration, says on every
 * screen that the data is made up.
 */
export function DemonstrationNote() {
  const { demonstration } = useSystem();
  if (!demonstration) return null;
  return (
    <aside className="demonstration-note" aria-label="Demonstration">
      {demonstrationText}
    </aside>
  );
}
