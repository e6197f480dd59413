import { Link, useSearchParams } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { PastAssessmentsTab_QueryFragment } from "../gql/graphql.ts";
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
import { rowsFrom, screenLoader, type ScreenQuery, useListWithin } from "../urql.ts";
import { ExportAssessmentsButton } from "./ExportAssessmentsButton.tsx";
import { receivedText } from "./receivedText.ts";
import { WaitingNotice } from "./WaitingNotice.tsx";

const fragment = graphql(`
  fragment PastAssessmentsTab_Query on Query {
    assessments(facilityUuid: $facilityUuid, first: $first, offset: $offset) {
      totalCount
      nodes { id assessmentUuid assessmentDate assessmentTime receivedDate userName functionalityStatusMode setAside { reason } held }
    }
  }
`);

const query = graphql(`
  query PastAssessmentsTabQuery($facilityUuid: String!, $first: Int = 10, $offset: Int) {
    ...PastAssessmentsTab_Query
  }
`);

const pageName = "assessmentPage";
/** For the tab's own query. The first page comes with the screen's answer. */
const read = (facilityUuid: string, url: URLSearchParams) => {
  const offset = offsetOf(url, pageName);
  return offset > 0 ? { facilityUuid, offset } : undefined;
};

export const loader = screenLoader(query, ({ params, url }) => read(params.facilityUuid ?? "", url));

type Data = FragmentType<typeof fragment>;
type Row = NonNullable<PastAssessmentsTab_QueryFragment["assessments"]>["nodes"][number];

const listOf = (data: Data) => readFragment(fragment, data).assessments;

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
        <NotCountedNote opens row={row} />
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

/** A facility's past assessments, the newest first. `first`: the screen's answer, which has the first page. */
export function PastAssessmentsTab({ first, facilityUuid }: { first: ScreenQuery<Data>; facilityUuid: string }) {
  const [url] = useSearchParams();
  const answer = useListWithin(first, query, read(facilityUuid, url), listOf);
  const fetchFrom = rowsFrom(query, { facilityUuid }, (data) => listOf(data)?.nodes);
  return (
    <div className="stack">
      <WaitingNotice facilityUuid={facilityUuid} />
      <QueryState
        query={answer}
        what="list of assessments"
        offline={
          <NeedsNetworkNote heading="Past assessments need the network" onRetry={answer.reload}>
            This device does not have them. A new assessment can be begun without them; they are shown here as soon as
            the network is back.
          </NeedsNetworkNote>
        }
      >
        {(list) => (
          <PagedList
            fetchFrom={fetchFrom}
            list={list}
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
