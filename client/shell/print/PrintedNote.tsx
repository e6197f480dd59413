import { useSystem } from "../session/viewer.ts";
import { useIsPrinting } from "../../ui/page/useIsPrinting.ts";
import { asAtWords } from "../clock/asAt.ts";
import { useReadAt } from "../clock/useReadAt.ts";

/** The filters of a printed list and the time of its data. Shown on paper only, which does not show the controls. */
export function PrintedNote({ words, answer }: { words: readonly (string | undefined)[]; answer: unknown }) {
  const { timeZone } = useSystem();
  const at = useReadAt(answer);
  return useIsPrinting() ? (
    <p className="print-only">{[...words, asAtWords(timeZone, at)].filter(Boolean).join(" · ")}</p>
  ) : null;
}
