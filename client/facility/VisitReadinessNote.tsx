import { useEffect, useState } from "react";
import { answersStored } from "../keptAnswers.ts";
import { storeVisitFiles } from "../shell/offline.ts";

/** Whether a visit to a facility can be recorded from here on without network. */
type VisitReadiness = {
  /** The form can be opened, filled in and saved. */
  hasForm: boolean;
  /**
   * `stored`: also after the browser was closed. `window`: as long as this window stays open, because the browser
   * stores no files of the application. `unkept`: it could not be kept, because the browser stores nothing at all.
   */
  state: "loading" | "missing" | "storing" | "unkept" | "window" | "stored";
};

const againMs = 5000;

async function storeVisit(): Promise<"unkept" | "window" | "stored"> {
  const [areFilesStored, areAnswersStored] = await Promise.all([storeVisitFiles(), answersStored()]);
  if (!isSecureContext || !areAnswersStored) return "unkept";
  return areFilesStored ? "stored" : "window";
}

/**
 * Brings everything that a visit needs onto the device, and tries again until it is there.
 * @param isWanted once the facility's page is shown, because its text comes first
 * @param hasAnswer whether the page's answer contains what the form shows
 * @param fetchForm fetches the form's file; the same function each time
 */
export function useVisitReadiness(
  isWanted: boolean,
  hasAnswer: boolean,
  fetchForm: () => Promise<unknown>,
): VisitReadiness {
  const [readiness, setReadiness] = useState<VisitReadiness>({ hasForm: false, state: "loading" });
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    let isUnderWay = false;
    let isStored = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const become = (next: VisitReadiness) => isOver || setReadiness(next);
    const prepare = async () => {
      clearTimeout(timer);
      if (isUnderWay || isStored) return;
      isUnderWay = true;
      const hasForm = await fetchForm().then(
        () => true,
        () => false,
      );
      become({ hasForm, state: hasForm ? "storing" : "missing" });
      if (hasForm) {
        const state = await storeVisit();
        isStored = state === "stored";
        become({ hasForm, state });
      }
      isUnderWay = false;
      if (!hasForm && !isOver) timer = setTimeout(() => void prepare(), againMs);
    };
    const again = () => void prepare();
    again();
    window.addEventListener("online", again);
    return () => {
      isOver = true;
      clearTimeout(timer);
      window.removeEventListener("online", again);
    };
  }, [isWanted, fetchForm]);
  return isWanted && !hasAnswer ? { hasForm: false, state: "missing" } : readiness;
}

const texts: Record<VisitReadiness["state"], string> = {
  loading: "Getting ready for a visit without network …",
  storing: "Getting ready for a visit without network …",
  missing: "Not ready for a visit: its form has not arrived. It is fetched as soon as there is network.",
  unkept:
    "Not ready for a visit without network: this browser keeps nothing here. It needs a secure connection (https), free space, and no private window.",
  window: "Ready for a visit without network, as long as this window stays open.",
  stored: "Ready for a visit without network.",
};

/** Says whether a visit to the facility can be recorded without network. */
export function VisitReadinessNote({ readiness: { state } }: { readiness: VisitReadiness }) {
  return (
    <p aria-busy={state === "loading" || state === "storing"} className="note" role="status">
      {texts[state]}
    </p>
  );
}
