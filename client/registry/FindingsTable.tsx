import { Button } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import type { ReconciliationScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { fieldTitle, findingStateTitles, trendTitles } from "./listWords.ts";

export type Finding = NonNullable<ReconciliationScreenQueryQuery["registryReconciliationFindings"]>["nodes"][number];
type State = Finding["state"];

function FacilityCell({ facilityName, facilityUuid, place, theirId }: Finding) {
  return (
    <>
      {facilityUuid ? <Link to={routes.registryOf(facilityUuid)}>{facilityName}</Link> : facilityName}
      <span className="note is-line">{place}</span>
      {theirId ? <span className="note is-line">There: {theirId}</span> : null}
    </>
  );
}

function FoundCell({ differences, reason, score, warnings }: Finding) {
  return (
    <div>
      {differences.length > 0 ? (
        <dl className="import-changes">
          {differences.map(({ field, ours, theirs }) => (
            <div key={field}>
              <dt>{fieldTitle(field)}</dt>
              <dd>
                {ours ?? <span className="soft">nothing</span>} <span className="note">here</span>,{" "}
                {theirs === null ? <span className="soft">nothing</span> : <ins>{theirs}</ins>}{" "}
                <span className="note">there</span>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <span className="note is-line">
        {score === null ? null : `${Math.round(score * 100)} % `}
        {reason}
      </span>
      {warnings.map(({ column, message }) => (
        <span className="note is-line" key={`${column} ${message}`}>
          Warning: {column === "row" ? "" : `${column}: `}
          {message}
        </span>
      ))}
    </div>
  );
}

function StateCell({ finding: { state, trend, note, decidedBy, decidedDate } }: { finding: Finding }) {
  return (
    <div>
      {findingStateTitles[state]}
      <span className="note is-line">{trendTitles[trend]}</span>
      {note === null ? null : <span className="note is-line">{note}</span>}
      {decidedDate === null ? null : (
        <span className="note is-line">{`${decidedBy ?? ""} ${formatDate(decidedDate)}`.trim()}</span>
      )}
    </div>
  );
}

type FindingsTableProps = {
  caption: string;
  findings: readonly Finding[];
  /** Whether decisions can be made here. */
  isOpen: boolean;
  isBusy: boolean;
  onDecide: (finding: Finding, state: State) => void;
  onNote: (finding: Finding) => void;
};

const columns: Column<Finding>[] = [
  { id: "facility", header: "Facility", rowHeader: true, cell: (finding) => <FacilityCell {...finding} /> },
  { id: "found", header: "Here and there", cell: (finding) => <FoundCell {...finding} /> },
  { id: "state", header: "State", cell: (finding) => <StateCell finding={finding} /> },
];
const deciding = ({ isBusy, onDecide, onNote }: FindingsTableProps): Column<Finding> => ({
  id: "act",
  header: "Decide",
  cell: (finding) => (
    <span className="row">
      {(["DONE", "IGNORED"] as const).map((state) => (
        <Button
          key={state}
          active={finding.state === state}
          aria-label={`${state === "DONE" ? "Done" : "Ignore"}: ${finding.facilityName}`}
          aria-pressed={finding.state === state}
          disabled={isBusy}
          onClick={() => onDecide(finding, finding.state === state ? "OPEN" : state)}
          text={state === "DONE" ? "Done" : "Ignore"}
        />
      ))}
      <Button
        aria-label={`Note: ${finding.facilityName}`}
        disabled={isBusy}
        onClick={() => onNote(finding)}
        text="Note"
      />
    </span>
  ),
});

/** The findings of a comparison: our value beside theirs, and the decision. */
export function FindingsTable(props: FindingsTableProps) {
  return (
    <DataTable
      caption={props.caption}
      captionHidden
      columns={props.isOpen ? [...columns, deciding(props)] : columns}
      rowKey={({ number }) => number}
      rows={props.findings}
    />
  );
}
