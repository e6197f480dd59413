import { Button } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import type { ImportScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { decisionTitles, fieldTitle, kindTitles } from "./listWords.ts";

type ImportRow = NonNullable<ImportScreenQueryQuery["registryImportRows"]>["nodes"][number];
type Decision = ImportRow["decision"];
type Decide = (row: ImportRow, decision: Decision) => void;

/** Whether the row adds a facility. */
const isAdding = ({ changes }: ImportRow): boolean =>
  changes.some(({ field, present }) => field === "facilityName" && present === null);

/** The row's facility, as a link if it exists: a new facility exists after its row was applied. */
function FacilityCell({ row, isOpen }: { row: ImportRow; isOpen: boolean }) {
  const { facilityName, facilityUuid, place, decision } = row;
  const isThere = !isAdding(row) || (!isOpen && decision === "ACCEPTED");
  return (
    <>
      {facilityUuid && isThere ? (
        <Link to={routes.facility(facilityUuid)}>{facilityName || facilityUuid}</Link>
      ) : (
        facilityName || "–"
      )}
      <span className="note is-line">{place}</span>
    </>
  );
}

function MatchCell({ score, reason, warnings }: ImportRow) {
  return (
    <span className="import-match">
      {score === null ? null : <span>{Math.round(score * 100)} %</span>} {reason}
      {warnings.map(({ column, message }) => (
        <span className="note is-line" key={`${column} ${message}`}>
          Warning: {column === "row" ? "" : `${column}: `}
          {message}
        </span>
      ))}
    </span>
  );
}

type Change = Omit<ImportRow["changes"][number], "__typename">;
const pair = (one: string | null, other: string | null) => (one === null || other === null ? null : `${one}, ${other}`);

/**
 * The changes as they are shown: both coordinates in one line; for a new facility without the values that the table
 * shows beside them.
 */
function shownChanges({ changes }: ImportRow, isNew: boolean): Change[] {
  const [latitude, longitude] = ["latitude", "longitude"].map((name) => changes.find(({ field }) => field === name));
  return changes.flatMap((change) => {
    if (isNew && (change.field === "facilityName" || change.field === "district")) return [];
    if (!latitude || !longitude || (change !== latitude && change !== longitude)) return [change];
    return change === latitude
      ? [
          {
            field: "position",
            present: pair(latitude.present, longitude.present),
            proposed: pair(latitude.proposed, longitude.proposed),
          },
        ]
      : [];
  });
}

function ChangesCell(row: ImportRow) {
  const isNew = isAdding(row);
  const changes = shownChanges(row, isNew);
  if (changes.length === 0) return isNew ? "Only its name and place" : "–";
  return (
    <dl className={isNew ? "import-changes row" : "import-changes"}>
      {changes.map(({ field, present, proposed }) => (
        <div key={field}>
          <dt>{fieldTitle(field)}</dt>
          <dd>
            {isNew ? null : (
              <>
                {present === null ? <span className="soft">nothing</span> : <del>{present}</del>}{" "}
                <span aria-label="becomes">→</span>{" "}
              </>
            )}
            {proposed === null ? <span className="soft">erased</span> : <ins>{proposed}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const columnsOf = ({
  isOpen,
  isBusy,
  namesKind,
  onDecide,
}: Omit<ImportRowsTableProps, "caption" | "rows">): Column<ImportRow>[] => [
  { id: "line", header: "Row", numeric: true, cell: ({ line }) => line },
  ...(namesKind ? [{ id: "kind", header: "Kind", cell: ({ kind }: ImportRow) => kindTitles[kind] }] : []),
  { id: "facility", header: "Facility", rowHeader: true, cell: (row) => <FacilityCell isOpen={isOpen} row={row} /> },
  { id: "match", header: "Match", cell: (row) => <MatchCell {...row} /> },
  { id: "changes", header: "Present and proposed", cell: (row) => <ChangesCell {...row} /> },
  {
    id: "decision",
    header: "Decision",
    cell: (row) =>
      !row.acceptable ? (
        "Cannot be accepted"
      ) : row.kind === "SAME" ? (
        "Nothing to decide"
      ) : !isOpen ? (
        decisionTitles[row.decision]
      ) : (
        <span className="row">
          {(["ACCEPTED", "REJECTED"] as const).map((decision) => (
            <Button
              key={decision}
              active={row.decision === decision}
              aria-label={`${decision === "ACCEPTED" ? "Accept" : "Reject"} row ${row.line}`}
              aria-pressed={row.decision === decision}
              disabled={isBusy}
              intent={row.decision !== decision ? "none" : decision === "ACCEPTED" ? "primary" : "danger"}
              onClick={() => onDecide(row, row.decision === decision ? "UNDECIDED" : decision)}
              text={decision === "ACCEPTED" ? "Accept" : "Reject"}
            />
          ))}
        </span>
      ),
  },
];

type ImportRowsTableProps = {
  caption: string;
  rows: readonly ImportRow[];
  isOpen: boolean;
  isBusy: boolean;
  namesKind: boolean;
  onDecide: Decide;
};

/** Rows of an import, each change beside the present value. */
export function ImportRowsTable({ caption, rows, ...given }: ImportRowsTableProps) {
  return (
    <DataTable caption={caption} captionHidden columns={columnsOf(given)} rowKey={({ line }) => line} rows={rows} />
  );
}
