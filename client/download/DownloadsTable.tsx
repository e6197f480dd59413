import { AnchorButton, type AnchorButtonProps, Button, DialogBody } from "@blueprintjs/core";
import { DownloadIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { DownloadsTable_DownloadFragment } from "../gql/graphql.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import { DigestNote } from "./DigestNote.tsx";
import { ReleaseDialog } from "./ReleaseDialog.tsx";

const fragment = graphql(`
  fragment DownloadsTable_Download on Download {
    id uuid name description fileName size sha256 uploadDate databaseKey version installs appliesFrom appliesTo channel requiredSince
  }
`);

const withdrawMutation = graphql(`
  mutation DownloadsTable_withdraw($uuid: String!) {
    withdrawDownload(uuid: $uuid) { download { id } errors { path message } }
  }
`);

type Row = DownloadsTable_DownloadFragment;

const addressOf = ({ uuid }: Row): string => `/api/v1/download/${uuid}`;

/** Which versions a file can be applied to, in words. */
function appliesTo({ appliesFrom, appliesTo: to }: Row): string {
  if (appliesFrom !== null && to !== null) return appliesFrom === to ? `for ${to}` : `for ${appliesFrom} to ${to}`;
  if (appliesFrom !== null) return `from ${appliesFrom} on`;
  return to === null ? "for any older version" : `up to ${to}`;
}

const columns: Column<Row>[] = [
  { id: "name", header: "Name", rowHeader: true, cell: ({ name }) => name },
  { id: "description", header: "Description", phone: "line", cell: ({ description }) => description },
  { id: "date", header: "Uploaded", oneLine: true, cell: ({ uploadDate }) => formatDate(uploadDate) },
  { id: "size", header: "Size", numeric: true, cell: ({ size }) => formatFileSize(size) },
  {
    id: "hash",
    header: "SHA-256",
    cell: ({ name, sha256 }) => <DigestNote name={name} sha256={sha256} />,
  },
];
const versionColumn: Column<Row> = {
  id: "version",
  header: "Version",
  cell: (row) =>
    row.version === null ? (
      "–"
    ) : (
      <div>
        <strong>{row.version}</strong>
        {row.channel === "PILOT" ? <div className="note">Pilot</div> : null}
        <div className="note">{appliesTo(row)}</div>
        {row.requiredSince === null ? null : <div className="note">Required since {formatDate(row.requiredSince)}</div>}
      </div>
    ),
};
const keyColumn: Column<Row> = { id: "key", header: "Database key", cell: ({ databaseKey }) => databaseKey };

const downloadOf = (row: Row, look: AnchorButtonProps) => (
  <AnchorButton
    // Blueprint gives it the role of a button.
    role="link"
    aria-label={`Download ${row.name}`}
    href={addressOf(row)}
    download={row.fileName}
    icon={<DownloadIcon />}
    {...look}
  />
);
/** A wide screen has it among the other actions. */
const phoneColumn: Column<Row> = {
  id: "download",
  header: "Download",
  headerHidden: true,
  phone: "end",
  isPhoneOnly: true,
  cell: (row) => downloadOf(row, { title: "Download", variant: "minimal" }),
};

function actionsFor(
  onRelease: ((row: Row) => void) | undefined,
  onWithdraw: ((row: Row) => void) | undefined,
): Column<Row> {
  return {
    id: "actions",
    header: "Actions",
    headerHidden: true,
    cell: (row) => (
      <span className="download-actions row">
        {downloadOf(row, { className: "wide-only", text: "Download" })}
        {onRelease ? (
          <Button
            aria-label={`Version of ${row.name}`}
            onClick={() => onRelease(row)}
            text="Version"
            variant="minimal"
          />
        ) : null}
        {onWithdraw ? (
          <Button
            aria-label={`Withdraw ${row.name}`}
            onClick={() => onWithdraw(row)}
            text="Withdraw"
            variant="minimal"
          />
        ) : null}
      </span>
    ),
  };
}

type DownloadsTableProps = {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  /** Called when a file was changed or withdrawn. */
  onChange: () => void;
};

/** The files of one kind, with downloads and digests. Administrators can set a file's release and withdraw it. */
export function DownloadsTable({ caption, rows, onChange }: DownloadsTableProps) {
  const isAdministrator = useMay("addDownloads");
  const files = readFragment(fragment, rows);
  // Only installers and upgraders have a key, and only administrators get it.
  const keys = files.some(({ databaseKey }) => databaseKey !== null) ? [keyColumn] : [];
  const [leaving, setLeaving] = useState<Row>();
  const [releasing, setReleasing] = useState<Row>();
  const versions = files.some(({ version }) => version !== null) ? [versionColumn] : [];
  const [isWithdrawing, setWithdrawing] = useState(false);
  const confirm = async ({ uuid, name }: Row) => {
    setWithdrawing(true);
    const { data, failure } = await mutate(withdrawMutation, { uuid });
    setWithdrawing(false);
    const problem = failure ?? data?.withdrawDownload.errors[0]?.message;
    if (problem) return showError(problem);
    showSuccess(`${name} was withdrawn`);
    setLeaving(undefined);
    onChange();
  };
  return (
    <>
      <DataTable
        caption={caption}
        captionHidden
        opensAs={({ name }) => name}
        columns={[
          ...columns,
          ...versions,
          ...keys,
          phoneColumn,
          actionsFor(isAdministrator ? setReleasing : undefined, isAdministrator ? setLeaving : undefined),
        ]}
        rowKey={({ id }) => id}
        rows={files}
      />
      {releasing ? (
        <ReleaseDialog file={releasing} onChange={onChange} onClose={() => setReleasing(undefined)} />
      ) : null}
      <ModalDialog isOpen={leaving !== undefined} onClose={() => setLeaving(undefined)} title="Withdraw file">
        <DialogBody>
          <p>{leaving?.name} will no longer be listed or fetched. It is kept on the server.</p>
        </DialogBody>
        <DialogButtons onClose={() => setLeaving(undefined)}>
          <BusyButton
            intent="danger"
            isBusy={isWithdrawing}
            onClick={() => leaving && void confirm(leaving)}
            text="Withdraw"
          />
        </DialogButtons>
      </ModalDialog>
    </>
  );
}
