import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { OtherRolloutsTable_RolloutFragment } from "../gql/graphql.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { RolloutControls } from "./RolloutControls.tsx";
import { scopeIn } from "./rolloutWords.ts";
import { type Places, usePlaces } from "./usePlaces.ts";

const fragment = graphql(`
  fragment OtherRolloutsTable_Rollout on Rollout {
    uuid version channel state provinceIds districtIds implementingPartnerIds facilities percentage startDay endedDate ...RolloutControls_Rollout
  }
`);
type Row = OtherRolloutsTable_RolloutFragment;

const columnsOf = (places: Places): Column<Row>[] => [
  { id: "version", header: "To version", rowHeader: true, cell: ({ version }) => version },
  { id: "scope", header: "For", phone: "line", cell: (rollout) => scopeIn(rollout, places) },
  { id: "start", header: "First day", oneLine: true, phone: "labelled", cell: ({ startDay }) => formatDate(startDay) },
  {
    id: "state",
    header: "State",
    oneLine: true,
    phone: "end",
    cell: ({ state, endedDate }) => (state === "ENDED" ? `Ended on ${formatDate(endedDate)}` : "Planned"),
  },
];
const controls = (onChange: () => void): Column<Row> => ({
  id: "actions",
  header: "Change",
  headerHidden: true,
  cell: (rollout) => (rollout.state === "PLANNED" ? <RolloutControls onChange={onChange} rollout={rollout} /> : null),
});

type OtherRolloutsTableProps = {
  rows: readonly FragmentType<typeof fragment>[];
  mayManage: boolean;
  onChange: () => void;
};

/** Rollouts that have not begun, and those that have ended. Nothing if there are none. */
export function OtherRolloutsTable({ rows, mayManage, onChange }: OtherRolloutsTableProps) {
  const columns = [...columnsOf(usePlaces()), ...(mayManage ? [controls(onChange)] : [])];
  const others = readFragment(fragment, rows).filter(({ state }) => state === "PLANNED" || state === "ENDED");
  if (others.length === 0) return null;
  return (
    <DataTable
      caption="Planned and ended rollouts"
      columns={columns}
      opensAs={({ version }) => `the rollout to ${version}`}
      rowKey={({ uuid }) => uuid}
      rows={others}
    />
  );
}
