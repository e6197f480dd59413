import { AnchorButton, Button } from "@blueprintjs/core";
import { DownloadIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { partLabels } from "../../gateway/download/release.rules.ts";
import { DigestNote } from "../download/DigestNote.tsx";
import { graphql } from "../gql/gql.ts";
import type { DownloadPart, SiteUpdatesSectionQueryQuery, UpdateReason } from "../gql/graphql.ts";
import { useMay, useSystem } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { agoWords } from "../ui/text/ago.ts";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { useScreenQuery } from "../urql.ts";
import { ReportUpdateDialog } from "./ReportUpdateDialog.tsx";

const query = graphql(`
  query SiteUpdatesSectionQuery($facilityUuid: String!) {
    updates(facilityUuid: $facilityUuid) {
      presentVersion presentDate target dueDate reason
      updates { uuid name fileName version installs size sha256 address report { outcome why reportedDate } }
    }
    updateReports(facilityUuid: $facilityUuid, first: 10) { totalCount nodes { uuid name version outcome why reportedDate reportedTime } }
  }
`);

type Updates = NonNullable<SiteUpdatesSectionQueryQuery["updates"]>;
type Update = Updates["updates"][number] & { order: number };
type Report = NonNullable<SiteUpdatesSectionQueryQuery["updateReports"]>["nodes"][number];

const reasonWords: Record<UpdateReason, (target: string) => string> = {
  NO_ROLLOUT: () => "No running rollout is for this site.",
  PAUSED: (target) => `The rollout to ${target} is paused.`,
  REACHED: (target) => `The site runs ${target} or a newer version.`,
  REPORTED: (target) => `It reported the last file for ${target} as applied. No TDB or visit shows that version yet.`,
  NO_PATH: (target) => `It is to come to ${target}, but no files lead there from what it runs.`,
};

/** What the site has to fetch, or why there is nothing to fetch. */
function wayWords({ target, reason, dueDate, updates }: Updates, today: string): string {
  if (reason !== null) return reasonWords[reason](target ?? "");
  const [order, first] = updates.length === 1 ? ["", ""] : [" in this order", "the first "];
  const since = dueDate === null ? "" : `, ${first}due since ${formatDate(dueDate)} (${agoWords(dueDate, today)})`;
  return `To come to ${target} it has to fetch and apply ${counted(updates.length, "file")}${order}${since}.`;
}

const partsOf = (installs: readonly DownloadPart[]) =>
  installs.map((part) => (part === "LIBRARY" ? partLabels.library : partLabels.database)).join(", ");
const outcomeWords = ({ outcome, why }: Pick<Report, "outcome" | "why">) =>
  outcome === "FAILED" ? `Failed: ${why}` : "Applied";

/** The state of a file. If it was reported as applied but an older version was seen later, it must be applied again. */
function stateOf({ order, report }: Update): string {
  if (report === null) return order === 1 ? "Ready to install" : "To be applied after that";
  return `${outcomeWords(report)} (${formatDate(report.reportedDate)})${report.outcome === "FAILED" ? "" : ", but an older version was seen later"}`;
}

const columns: Column<Update>[] = [
  { id: "order", header: "Order", numeric: true, cell: ({ order }) => order },
  { id: "file", header: "File", rowHeader: true, cell: ({ name }) => name },
  { id: "version", header: "Version after it", phone: "end", cell: ({ version }) => version },
  { id: "installs", header: "Installs", cell: ({ installs }) => partsOf(installs) },
  { id: "size", header: "Size", numeric: true, cell: ({ size }) => formatFileSize(size) },
  { id: "digest", header: "SHA-256", cell: ({ name, sha256 }) => <DigestNote name={name} sha256={sha256} /> },
  { id: "state", header: "State", phone: "line", cell: stateOf },
];
/** The column with the actions that this person may do with a file. */
const actionsFor = (mayFetch: boolean, report: ((update: Update) => void) | undefined): Column<Update>[] =>
  mayFetch || report
    ? [
        {
          id: "actions",
          header: "Actions",
          headerHidden: true,
          cell: (update) => (
            <span className="row">
              {mayFetch ? (
                <AnchorButton
                  aria-label={`Download ${update.name}`}
                  download={update.fileName}
                  href={update.address}
                  icon={<DownloadIcon />}
                  text="Download"
                />
              ) : null}
              {report ? (
                <Button aria-label={`Report on ${update.name}`} onClick={() => report(update)} text="Report" />
              ) : null}
            </span>
          ),
        },
      ]
    : [];
const reportColumns: Column<Report>[] = [
  {
    id: "when",
    header: "Reported",
    rowHeader: true,
    oneLine: true,
    cell: ({ reportedDate, reportedTime }) => `${formatDate(reportedDate)} ${reportedTime}`,
  },
  { id: "file", header: "File", phone: "line", cell: ({ name }) => name },
  { id: "version", header: "Version", phone: "end", cell: ({ version }) => version ?? "–" },
  { id: "outcome", header: "Outcome", phone: "line", cell: outcomeWords },
];

/**
 * The files that a site has to fetch and apply, in order, to get to the version of its rollout, and its reports about
 * them.
 */
export function SiteUpdatesSection({ facilityUuid }: { facilityUuid: string }) {
  const { today } = useSystem();
  const mayFetch = useMay("accessDownloads");
  const mayReport = useMay("editFacility");
  const [reported, setReported] = useState<Update>();
  const answer = useScreenQuery(query, { facilityUuid });
  return (
    <QueryState query={answer} what="list of updates">
      {({ updates, updateReports }) =>
        updates ? (
          <div className="stack is-close">
            <p>
              {updates.presentVersion === null
                ? "No TDB or visit has named what it runs."
                : `The site runs ${updates.presentVersion}, as its latest TDB or visit showed on ${formatDate(updates.presentDate)}.`}{" "}
              {wayWords(updates, today)}
            </p>
            {updates.updates.length > 0 ? (
              <DataTable
                caption="Files to fetch and apply, in this order"
                captionHidden
                columns={[...columns, ...actionsFor(mayFetch, mayReport ? setReported : undefined)]}
                opensAs={({ name }) => name}
                rowKey={({ uuid }) => uuid}
                rows={updates.updates.map((update, at) => ({ ...update, order: at + 1 }))}
              />
            ) : null}
            {updateReports && updateReports.totalCount > 0 ? (
              <DataTable
                caption={
                  updateReports.totalCount > updateReports.nodes.length
                    ? `The last ${updateReports.nodes.length} of ${updateReports.totalCount} reports`
                    : counted(updateReports.totalCount, "report")
                }
                columns={reportColumns}
                opensAs={({ name, reportedDate }) => `the report of ${formatDate(reportedDate)} on ${name}`}
                rowKey={({ uuid }) => uuid}
                rows={updateReports.nodes}
              />
            ) : null}
            {reported ? (
              <ReportUpdateDialog
                facilityUuid={facilityUuid}
                file={reported}
                onClose={() => setReported(undefined)}
                onReported={() => {
                  setReported(undefined);
                  showSuccess(`Reported on ${reported.name}`);
                  answer.reload();
                }}
              />
            ) : null}
          </div>
        ) : null
      }
    </QueryState>
  );
}
