import { Link, useSearchParams } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { UserAssessmentsTabQueryQuery } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { files, routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { useScreenQuery } from "../urql.ts";
import { receivedText } from "./receivedText.ts";
import "./UserAssessmentsTab.css";

const query = graphql(`
  query UserAssessmentsTabQuery($userUuid: String!, $start: Date!, $end: Date!, $offset: Int) {
    assessments(userUuid: $userUuid, start: $start, end: $end, first: 10, offset: $offset) {
      totalCount
      nodes { id assessmentUuid facilityUuid assessmentDate assessmentTime receivedDate functionalityStatusMode facility { id facilityName } }
    }
  }
`);

const pageName = "page";

type Row = NonNullable<UserAssessmentsTabQueryQuery["assessments"]>["nodes"][number];

const when = (row: Row) => [formatDate(row.assessmentDate), formatTime(row.assessmentTime), receivedText(row)].filter(Boolean).join(", ");
const columns: Column<Row>[] = [
  { id: "when", header: "Date and Time", rowHeader: true, cell: when },
  { id: "facility", header: "Facility", cell: ({ facilityUuid, facility }) => <Link to={routes.facility(facilityUuid)}>{facility.facilityName}</Link> },
  { id: "mode", header: "Mode", cell: ({ functionalityStatusMode }) => modeLabels[functionalityStatusMode] },
  {
    id: "links",
    header: "Links",
    headerHidden: true,
    cell: (row) => (
      <span className="user-assessment-links">
        <Link to={routes.assessment(row.facilityUuid, row.assessmentUuid)}>View Assessment</Link>
        <a download href={files.assessmentCsv(row.assessmentUuid)}>
          Export Assessment (CSV)
        </a>
        <Link to={routes.facility(row.facilityUuid)}>View Facility</Link>
      </span>
    ),
  },
];

/** The assessments that a person made on a range of days, the newest first. */
export function UserAssessmentsTab({ userUuid }: { userUuid: string }) {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), [pageName]);
  const answer = useScreenQuery(query, { userUuid, ...range, offset: offsetOf(url, pageName) });
  return (
    <div className="user-assessments">
      <div className="card user-assessments-controls">
        <DateRangeForm
          isFetching={answer.fetching}
          range={range}
          onRefresh={(asked) => {
            setRange(asked);
            if (asked.start === range.start && asked.end === range.end) answer.reload();
          }}
        />
        <ExportButton
          href={files.assessmentsCsv(range, { userUuid })}
          label={`of this person's assessments, ${formatDate(range.start)} to ${formatDate(range.end)}`}
        />
      </div>
      <QueryState query={answer} what="list of assessments">
        {({ assessments }) =>
          assessments ? (
            <PagedList
              total={assessments.totalCount}
              shown={assessments.nodes.length}
              label="Pages of assessments"
              pageName={pageName}
              empty="No assessments were made on these days."
            >
              <DataTable
                caption={counted(assessments.totalCount, "assessment")}
                columns={columns}
                rowKey={({ id }) => id}
                rows={assessments.nodes}
              />
            </PagedList>
          ) : null
        }
      </QueryState>
    </div>
  );
}
