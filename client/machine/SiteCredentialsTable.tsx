import { Checkbox } from "@blueprintjs/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { credentialStates } from "../../gateway/machine/siteCredential.rules.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { SiteCredentialsTable_SiteCredentialFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";

const fragment = graphql(`
  fragment SiteCredentialsTable_SiteCredential on SiteCredential {
    uuid
    state
    expiryDate
    daysLeft
    renewed
    lastUsedDate
    lastUsedTime
    lastUsedAddress
    facility { id facilityUuid facilityName hmisCode }
  }
`);

type Credential = SiteCredentialsTable_SiteCredentialFragment;

const nameOf = ({ facility }: Credential) => facility?.facilityName ?? "a facility";

type Choice = { chosen: readonly string[]; onChoose: (facilityUuid: string) => void };

const columnsOf = (
  busy: string | undefined,
  revoke: (credential: Credential) => Promise<void>,
  { chosen, onChoose }: Choice,
): Column<Credential>[] => [
  {
    id: "choose",
    header: "Choose",
    headerHidden: true,
    phone: "start",
    cell: ({ state, facility }) =>
      facility && state !== "revoked" ? (
        <Checkbox
          aria-label={`Choose ${facility.facilityName}`}
          checked={chosen.includes(facility.facilityUuid)}
          onChange={() => onChoose(facility.facilityUuid)}
        />
      ) : null,
  },
  {
    id: "facility",
    header: "Facility",
    rowHeader: true,
    cell: ({ facility }) =>
      facility ? <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link> : "—",
  },
  { id: "code", header: "HMIS code", phone: "line", cell: ({ facility }) => facility?.hmisCode ?? "—" },
  {
    id: "state",
    header: "State",
    phone: "end",
    cell: ({ state, renewed }) => (
      <span className={state === "working" || state === "unused" ? undefined : "warn"}>
        {credentialStates[state]}
        {renewed ? ", renewed" : ""}
      </span>
    ),
  },
  {
    id: "end",
    header: "Last day",
    oneLine: true,
    phone: "labelled",
    cell: ({ expiryDate, state, daysLeft }) =>
      `${formatDate(expiryDate)}${state === "expiring" ? ` (${daysLeft} days)` : ""}`,
  },
  {
    id: "used",
    header: "Last used",
    cell: ({ lastUsedDate, lastUsedTime }) => (lastUsedDate ? `${formatDate(lastUsedDate)}, ${lastUsedTime}` : "Never"),
  },
  { id: "address", header: "From", cell: ({ lastUsedAddress }) => lastUsedAddress ?? "—" },
  {
    id: "revoke",
    header: "Revoke",
    headerHidden: true,
    cell: (credential) =>
      credential.state === "revoked" ? null : (
        <BusyButton
          aria-label={`Revoke the credential of ${nameOf(credential)}`}
          isBusy={busy === credential.uuid}
          onClick={() => void revoke(credential)}
          text="Revoke"
        />
      ),
  },
];

type SiteCredentialsTableProps = Choice & {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  /** Revokes a site's credentials. Returns the reason if that failed. */
  onRevoke: (uuid: string) => Promise<string | undefined>;
};

/** Sites with a credential: its state, last use and expiry. */
export function SiteCredentialsTable({ caption, rows, onRevoke, ...choice }: SiteCredentialsTableProps) {
  const [busy, setBusy] = useState<string>();
  const revoke = async (credential: Credential) => {
    setBusy(credential.uuid);
    const failure = await onRevoke(credential.uuid);
    setBusy(undefined);
    if (failure === undefined) showSuccess(`The credential of ${nameOf(credential)} is revoked`);
    else showError(failure);
  };
  return (
    <DataTable
      caption={caption}
      columns={columnsOf(busy, revoke, choice)}
      opensAs={nameOf}
      rowKey={({ uuid }) => uuid}
      rows={readFragment(fragment, rows)}
    />
  );
}
