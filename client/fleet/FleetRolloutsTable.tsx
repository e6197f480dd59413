import { Button, DialogBody, DialogFooter } from "@blueprintjs/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FleetRolloutsTable_FleetRolloutFragment, RolloutState } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";

const fragment = graphql(`
  fragment FleetRolloutsTable_FleetRollout on FleetRollout {
    rollout { uuid version channel state provinceIds districtIds implementingPartnerIds facilities percentage startDay }
    covered reached reported due paused stuck
  }
`);
const changeMutation = graphql(`
  mutation FleetRolloutsTable_change($input: ChangeRolloutInput!) {
    changeRollout(input: $input) { rollout { uuid state } errors { path message } }
  }
`);
type Row = FleetRolloutsTable_FleetRolloutFragment;

/** Whom a rollout is for, in words. */
function scopeIn({ provinceIds, districtIds, implementingPartnerIds, facilities, percentage }: Row["rollout"]): string {
  const parts = [
    percentage < 100 ? `${percentage} %` : "",
    facilities === null ? "" : counted(facilities, "named facility", "named facilities"),
    provinceIds.length > 0 ? counted(provinceIds.length, "province") : "",
    districtIds.length > 0 ? counted(districtIds.length, "district") : "",
    implementingPartnerIds.length > 0 ? counted(implementingPartnerIds.length, "partner") : "",
  ].filter(Boolean);
  return parts.join(", ") || "all sites";
}

const columns: Column<Row>[] = [
  {
    id: "version",
    header: "To version",
    rowHeader: true,
    cell: ({ rollout }) => <Link to={routes.fleet({ rollout: rollout.uuid })}>{rollout.version}</Link>,
  },
  { id: "scope", header: "For", cell: ({ rollout }) => `${scopeIn(rollout)}${rollout.channel === "PILOT" ? ", pilot" : ""}` },
  { id: "start", header: "Since", oneLine: true, cell: ({ rollout }) => formatDate(rollout.startDay) },
  { id: "state", header: "State", cell: ({ rollout }) => (rollout.state === "PAUSED" ? "Paused" : "Running") },
  { id: "covered", header: "Sites", numeric: true, cell: ({ covered }) => formatNumber(covered) },
  { id: "reached", header: "Reached", numeric: true, cell: ({ reached }) => formatNumber(reached) },
  { id: "reported", header: "Reported as applied", numeric: true, cell: ({ reported }) => formatNumber(reported) },
  { id: "due", header: "Due", numeric: true, cell: ({ due, paused }) => formatNumber(due + paused) },
  {
    id: "stuck",
    header: "Stuck",
    numeric: true,
    cell: ({ rollout, stuck }) =>
      stuck === 0 ? 0 : <Link aria-label={`${stuck} sites of the rollout to ${rollout.version} are stuck`} to={routes.fleet({ rollout: rollout.uuid, state: "stuck" })}>{formatNumber(stuck)}</Link>,
  },
];

/** Buttons to pause, resume and end a rollout. */
function actionsFor(onChange: (row: Row, state: RolloutState, done: string) => void, onEnd: (row: Row) => void): Column<Row> {
  return {
    id: "actions",
    header: "Change",
    headerHidden: true,
    cell: (row) => (
      <span className="fleet-actions">
        {row.rollout.state === "PAUSED" ? (
          <Button aria-label={`Resume the rollout to ${row.rollout.version}`} onClick={() => onChange(row, "RUNNING", "goes on")} text="Resume" />
        ) : (
          <Button aria-label={`Pause the rollout to ${row.rollout.version}`} onClick={() => onChange(row, "PAUSED", "is paused")} text="Pause" />
        )}
        <Button aria-label={`End the rollout to ${row.rollout.version}`} onClick={() => onEnd(row)} text="End" variant="minimal" />
      </span>
    ),
  };
}

type FleetRolloutsTableProps = { rows: readonly FragmentType<typeof fragment>[]; mayManage: boolean; onChange: () => void };

/** The running and paused rollouts with how far they are; administrators pause, resume and end them. */
export function FleetRolloutsTable({ rows, mayManage, onChange }: FleetRolloutsTableProps) {
  const rollouts = readFragment(fragment, rows);
  const [ending, setEnding] = useState<Row>();
  const [isBusy, setBusy] = useState(false);
  const change = async ({ rollout }: Row, state: RolloutState, done: string) => {
    setBusy(true);
    const { data, failure } = await mutate(changeMutation, { input: { uuid: rollout.uuid, state } });
    setBusy(false);
    const problem = failure ?? data?.changeRollout.errors[0]?.message;
    if (problem !== undefined) return showError(problem);
    showSuccess(`The rollout to ${rollout.version} ${done}`);
    setEnding(undefined);
    onChange();
  };
  if (rollouts.length === 0) return <p className="fleet-none">No rollout runs.</p>;
  return (
    <>
      <DataTable caption="Rollouts" captionHidden columns={mayManage ? [...columns, actionsFor((row, state, done) => void change(row, state, done), setEnding)] : columns} rowKey={({ rollout }) => rollout.uuid} rows={rollouts} />
      <ModalDialog isOpen={ending !== undefined} onClose={() => setEnding(undefined)} title="End rollout">
        <DialogBody>
          <p>Sites are told nothing more of the rollout to {ending?.rollout.version}. It cannot be begun again.</p>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button onClick={() => setEnding(undefined)} text="Close" />
              <BusyButton intent="danger" isBusy={isBusy} onClick={() => ending && void change(ending, "ENDED", "has ended")} text="End rollout" />
            </>
          }
        />
      </ModalDialog>
    </>
  );
}
