import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FleetRolloutsTable_FleetRolloutFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { RolloutControls } from "./RolloutControls.tsx";
import { scopeIn } from "./rolloutWords.ts";
import { type Places, usePlaces } from "./usePlaces.ts";

const fragment = graphql(`
  fragment FleetRolloutsTable_FleetRollout on FleetRollout {
    rollout { uuid version channel state provinceIds districtIds implementingPartnerIds facilities percentage startDay ...RolloutControls_Rollout }
    covered reached reported due paused stuck
  }
`);
type Row = FleetRolloutsTable_FleetRolloutFragment;

const columnsOf = (places: Places): Column<Row>[] => [
  {
    id: "version",
    header: "To version",
    rowHeader: true,
    cell: ({ rollout }) => <Link to={routes.fleet({ rollout: rollout.uuid })}>{rollout.version}</Link>,
  },
  { id: "scope", header: "For", cell: ({ rollout }) => scopeIn(rollout, places) },
  { id: "start", header: "Since", oneLine: true, cell: ({ rollout }) => formatDate(rollout.startDay) },
  { id: "state", header: "State", cell: ({ rollout }) => (rollout.state === "PAUSED" ? "Paused" : "Running") },
  { id: "covered", header: "Sites", numeric: true, cell: ({ covered }) => formatNumber(covered) },
  { id: "reached", header: "Reached", numeric: true, cell: ({ reached }) => formatNumber(reached) },
  { id: "reported", header: "Reported as applied", numeric: true, cell: ({ reported }) => formatNumber(reported) },
  { id: "due", header: "Ready", numeric: true, cell: ({ due, paused }) => formatNumber(due + paused) },
  {
    id: "stuck",
    header: "Stuck",
    numeric: true,
    cell: ({ rollout, stuck }) =>
      stuck === 0 ? (
        0
      ) : (
        <Link
          aria-label={`${stuck} sites of the rollout to ${rollout.version} are stuck`}
          to={routes.fleet({ rollout: rollout.uuid, state: "stuck" })}
        >
          {formatNumber(stuck)}
        </Link>
      ),
  },
];
const controls = (onChange: () => void): Column<Row> => ({
  id: "actions",
  header: "Change",
  headerHidden: true,
  cell: ({ rollout }) => <RolloutControls onChange={onChange} rollout={rollout} />,
});

type FleetRolloutsTableProps = {
  rows: readonly FragmentType<typeof fragment>[];
  mayManage: boolean;
  onChange: () => void;
};

/**
 * The running and paused rollouts with their progress. Administrators pause, resume and end them, and change their
 * share.
 */
export function FleetRolloutsTable({ rows, mayManage, onChange }: FleetRolloutsTableProps) {
  const rollouts = readFragment(fragment, rows);
  const columns = [...columnsOf(usePlaces()), ...(mayManage ? [controls(onChange)] : [])];
  if (rollouts.length === 0) return <p className="soft">No rollout runs.</p>;
  return (
    <DataTable
      caption="Rollouts"
      captionHidden
      columns={columns}
      rowKey={({ rollout }) => rollout.uuid}
      rows={rollouts}
    />
  );
}
