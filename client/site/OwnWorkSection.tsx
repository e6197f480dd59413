import { Link } from "react-router-dom";
import { useKeptWork } from "../assessment/keptWork.ts";
import { routes } from "../routes.ts";

/** One's own visits that lie on this device: drafts, and those that wait to be sent. */
export function OwnWorkSection() {
  const work = useKeptWork();
  if (work.length === 0) return null;
  return (
    <section className="card" aria-labelledby="field-work-heading">
      <h2 id="field-work-heading">Your work on this device</h2>
      <ul className="field-districts">
        {work.map(({ workId, facilityUuid, facilityName, assessmentUuid, isNew, status }) => (
          <li key={workId}>
            <Link to={isNew ? routes.assessment(facilityUuid) : routes.assessment(facilityUuid, assessmentUuid)}>{facilityName}</Link>
            {status === "waiting" ? ": waits to be sent" : ": a draft"}
          </li>
        ))}
      </ul>
    </section>
  );
}
