import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { stuckReasons, stuckStates } from "../../gateway/fleet/fleetState.rules.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FleetRolloutsTable_FleetRolloutFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { ShareBar } from "../ui/chart/small/ShareBar.tsx";
import { shareOf } from "../ui/chart/small/shares.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { RolloutControls } from "./RolloutControls.tsx";
import { scopeIn } from "./rolloutWords.ts";
import { type Places, usePlaces } from "./usePlaces.ts";

const fragment = graphql(`
  fragment FleetRolloutsTable_FleetRollout on FleetRollout {
    rollout { uuid version channel state provinceIds districtIds implementingPartnerIds facilities percentage startDay ...RolloutControls_Rollout }
    covered reached reported due paused stuck failed silent noPath
  }
`);
type Row = FleetRolloutsTable_FleetRolloutFragment;

/** A step of the funnel: how many of the rollout's sites are there. */
const step = (count: number, { covered }: Row) => (
  <ShareBar
    share={shareOf(count, covered) ?? 0}
    text={formatNumber(count)}
    title={`${formatNumber(count)} of ${formatNumber(covered)} sites`}
  />
);

const columnsOf = (places: Places): Column<Row>[] => [
  {
    id: "version",
    header: "To version",
    rowHeader: true,
    cell: ({ rollout }) => <Link to={routes.fleet({ rollout: rollout.uuid })}>{rollout.version}</Link>,
  },
  { id: "scope", header: "For", cell: ({ rollout }) => scopeIn(rollout, places) },
  { id: "start", header: "Since", oneLine: true, cell: ({ rollout }) => formatDate(rollout.startDay) },
  {
    id: "state",
    header: "State",
    phone: "end",
    cell: ({ rollout }) => (rollout.state === "PAUSED" ? "Paused" : "Running"),
  },
  { id: "covered", header: "Targeted", numeric: true, phone: "figure", cell: (row) => step(row.covered, row) },
  { id: "due", header: "Offered", numeric: true, phone: "figure", cell: (row) => step(row.due + row.paused, row) },
  { id: "reported", header: "Applied", numeric: true, phone: "figure", cell: (row) => step(row.reported, row) },
  { id: "reached", header: "Reached", numeric: true, cell: (row) => step(row.reached, row) },
  {
    id: "stuck",
    header: "Stuck",
    numeric: true,
    phone: "figure",
    cell: (row) =>
      row.stuck === 0 ? (
        step(0, row)
      ) : (
        <Link
          aria-label={`${row.stuck} sites of the rollout to ${row.rollout.version} are stuck`}
          to={routes.fleet({ rollout: row.rollout.uuid, state: "stuck" })}
        >
          {step(row.stuck, row)}
        </Link>
      ),
  },
  {
    id: "reasons",
    header: "Stuck by reason",
    oneLine: true,
    cell: (row) => (
      <ul className="stack is-close plain">
        {stuckStates
          .filter((state) => row[state] > 0)
          .map((state) => (
            <li key={state}>
              <Link to={routes.fleet({ rollout: row.rollout.uuid, state })}>
                {stuckReasons[state]}: {formatNumber(row[state])}
              </Link>
            </li>
          ))}
      </ul>
    ),
  },
];
const controls = (onChange: () => void): Column<Row> => ({
  id: "actions",
  header: "Change",
  headerHidden: true,
  oneLine: true,
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
      opensAs={({ rollout }) => `the rollout to ${rollout.version}`}
      rowKey={({ rollout }) => rollout.uuid}
      rows={rollouts}
    />
  );
}
