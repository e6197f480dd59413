import { Card } from "@blueprintjs/core";
import { useId } from "react";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { labelOf, valueText } from "./fieldLabels.ts";
import { receivedText } from "./receivedText.ts";
import type { StoredAssessment } from "./saveAssessment.ts";

type RevisionsSectionProps = { assessment: StoredAssessment; areaName: (serviceAreaId: number) => string };

const Value = ({ field, value }: { field: string; value: string | null | undefined }) => {
  const text = valueText(field.split(".").at(-1)!, value);
  return text ? <span>{text}</span> : <span className="note">nothing</span>;
};

/** Who changed what in an assessment, the last change first. */
export function RevisionsSection({ assessment, areaName }: RevisionsSectionProps) {
  const id = useId();
  const { userName, assessmentDate, assessmentTime, revisions } = assessment;
  const received = receivedText(assessment);
  return (
    <Card aria-labelledby={id} className="stack" role="region">
      <h2 id={id}>History</h2>
      <ol className="stack plain">
        {revisions.map((revision) => (
          <li key={revision.version}>
            <p>
              <strong>
                {formatDate(revision.revisionDate)}, {formatTime(revision.revisionTime)}: changed by {revision.userName}
              </strong>
            </p>
            <ul>
              {revision.changes.map(({ field, from, to }) => (
                <li key={field}>
                  <span>{labelOf(field, areaName)}</span> from <Value field={field} value={from} /> to{" "}
                  <Value field={field} value={to} />
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <p>
            <strong>
              {formatDate(assessmentDate)}, {formatTime(assessmentTime)}: assessed by {userName}
              {received ? `, ${received} at ${formatTime(assessment.receivedTime)}` : null}
            </strong>
          </p>
        </li>
      </ol>
    </Card>
  );
}
