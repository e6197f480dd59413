import { Card } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { isReturned, useKeptWork } from "../assessment/keptWork.ts";
import { routes } from "../routes.ts";

/** The viewer's visits on this device: drafts, and visits that wait to be sent. */
export function OwnWorkSection() {
  const work = useKeptWork();
  if (work.length === 0) return null;
  return (
    <Card aria-labelledby="field-work-heading" role="region">
      <h2 id="field-work-heading">Your work on this device</h2>
      <ul className="grid plain">
        {work.map((one) => (
          <li key={one.workId}>
            <Link to={routes.assessment(one.facilityUuid, one.isNew ? undefined : one.assessmentUuid, one.workId)}>{one.facilityName}</Link>
            {isReturned(one) ? ": was not stored, and waits to be corrected" : one.status === "waiting" ? ": waits to be sent" : ": a draft"}
          </li>
        ))}
      </ul>
    </Card>
  );
}
