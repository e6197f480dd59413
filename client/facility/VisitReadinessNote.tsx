import type { VisitReadiness } from "./visitReadiness.ts";

const texts: Record<VisitReadiness["state"], string> = {
  loading: "Getting ready for a visit without network …",
  storing: "Getting ready for a visit without network …",
  missing: "Not ready for a visit: its form has not arrived. It is fetched as soon as there is network.",
  unkept: "Not ready for a visit without network: this browser keeps nothing here. It needs a secure connection (https), free space, and no private window.",
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
