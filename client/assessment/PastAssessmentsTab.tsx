import { Link, useSearchParams } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { PastAssessmentsTabQueryQuery } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { NotCountedNote } from "../ui/notice/NotCountedNote.tsx";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { NeedsNetworkNote } from "../ui/notice/NeedsNetworkNote.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { ExportAssessmentsButton } from "./ExportAssessmentsButton.tsx";
import { receivedText } from "./receivedText.ts";
import { WaitingNotice } from "./WaitingNotice.tsx";

const query = graphql(`
  query PastAssessmentsTabQuery($facilityUuid: String!, $first: Int = 10, $offset: Int) {
    assessments(facilityUuid: $facilityUuid, first: $first, offset: $offset) {
      totalCount
      nodes { id assessmentUuid assessmentDate assessmentTime receivedDate userName functionalityStatusMode setAside { reason } held }
    }
  }
`);

const pageName = "assessmentPage";
const read = (facilityUuid: string, url: URLSearchParams) => ({ facilityUuid, offset: offsetOf(url, pageName) });

export const loader = screenLoader(query, ({ params, url }) => read(params.facilityUuid ?? "", url));

type Row = NonNullable<PastAssessmentsTabQueryQuery["assessments"]>["nodes"][number];

const columnsOf = (facilityUuid: string): Column<Row>[] => [
  {
    id: "date",
    header: "Date",
    rowHeader: true,
    oneLine: true,
    cell: (row) => (
      <>
        {formatDate(row.assessmentDate)}
        {receivedText(row) ? <span className="note is-line">{receivedText(row)}</span> : null}
        <NotCountedNote row={row} />
      </>
    ),
  },
  { id: "time", header: "Time", phone: "line", cell: ({ assessmentTime }) => formatTime(assessmentTime) },
  { id: "user", header: "User", phone: "line", cell: ({ userName }) => userName },
  {
    id: "mode",
    header: "Mode",
    phone: "line",
    cell: ({ functionalityStatusMode }) => modeLabels[functionalityStatusMode],
  },
  {
    id: "view",
    header: "View",
    headerHidden: true,
    phone: "end",
    cell: ({ assessmentUuid, assessmentDate }) => (
      <Link
        to={routes.assessment(facilityUuid, assessmentUuid)}
        aria-label={`View assessment of ${formatDate(assessmentDate)}`}
      >
        View
      </Link>
    ),
  },
];

/** A facility's past assessments, the newest first. */
export function PastAssessmentsTab({ facilityUuid }: { facilityUuid: string }) {
  const [url] = useSearchParams();
  const variables = read(facilityUuid, url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ assessments }) => assessments?.nodes);
  return (
    <div className="stack">
      <WaitingNotice facilityUuid={facilityUuid} />
      <QueryState
        query={answer}
        what="list of assessments"
        offline={
          <NeedsNetworkNote heading="Past assessments need the network" onRetry={answer.reload}>
            They are not kept on this device. A new assessment can be begun without them; they are shown here as soon as
            the network is back.
          </NeedsNetworkNote>
        }
      >
        {({ assessments }) => (
          <PagedList
            fetchFrom={fetchFrom}
            list={assessments}
            label="Pages of assessments"
            pageName={pageName}
            empty="This facility has not been assessed yet."
          >
            {(rows, total) => (
              <DataTable
                caption={counted(total, "past assessment")}
                columns={columnsOf(facilityUuid)}
                rowKey={({ id }) => id}
                rows={rows}
              />
            )}
          </PagedList>
        )}
      </QueryState>
      <div>
        <ExportAssessmentsButton scope={{ facilityUuid }} />
      </div>
    </div>
  );
}
