import { Link, useSearchParams } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { UserAssessmentsTabQueryQuery } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { ListBar } from "../ui/filter/ListBar.tsx";
import { useSorting } from "../ui/filter/listSort.ts";
import { chipsOf, noneMatch, wrongTextOf } from "../ui/filter/listTexts.ts";
import { WrongFilterNotice } from "../ui/notice/WrongFilterNotice.tsx";
import { usePlaceChips, whatOfPlaces, wrongPlaceIn } from "../reference/placeFilter.ts";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { assessmentParameters } from "../../gateway/assessment/listFilter.rules.ts";
import { AssessmentFilterForm } from "./AssessmentFilterForm.tsx";
import { assessmentFileQuery, readAssessmentList, assessmentOrders } from "./assessmentList.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { files, routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { monthToDate, useDateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { NotCountedNote } from "../ui/notice/NotCountedNote.tsx";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { rowsFrom, useScreenQuery } from "../urql.ts";
import { receivedText } from "./receivedText.ts";

const query = graphql(`
  query UserAssessmentsTabQuery(
    $userUuid: String!, $start: Date!, $end: Date!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $modes: [FunctionalityStatusMode!], $smartCareFunctional: Boolean, $notRecorded: [FacilityAnswer!], $search: String, $sort: AssessmentSort, $first: Int = 10, $offset: Int
  ) {
    assessments(
      userUuid: $userUuid, start: $start, end: $end, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      modes: $modes, smartCareFunctional: $smartCareFunctional, notRecorded: $notRecorded, search: $search, sort: $sort, first: $first, offset: $offset
    ) {
      totalCount
      nodes { id assessmentUuid facilityUuid assessmentDate assessmentTime receivedDate functionalityStatusMode setAside { reason } held facility { id facilityName } }
    }
  }
`);

type Row = NonNullable<UserAssessmentsTabQueryQuery["assessments"]>["nodes"][number];

const when = (row: Row) =>
  [formatDate(row.assessmentDate), formatTime(row.assessmentTime), receivedText(row)].filter(Boolean).join(", ");
const columns: Column<Row>[] = [
  {
    id: "when",
    header: "Date and Time",
    sort: "assessed",
    rowHeader: true,
    cell: (row) => (
      <>
        {when(row)}
        <NotCountedNote opens row={row} />
      </>
    ),
  },
  {
    id: "facility",
    header: "Facility",
    sort: "facility",
    phone: "line",
    cell: ({ facilityUuid, facility }) => <Link to={routes.facility(facilityUuid)}>{facility.facilityName}</Link>,
  },
  {
    id: "mode",
    header: "Mode",
    sort: "mode",
    phone: "line",
    cell: ({ functionalityStatusMode }) => modeLabels[functionalityStatusMode],
  },
  {
    id: "view",
    header: "View",
    headerHidden: true,
    isPhoneOnly: true,
    phone: "end",
    cell: (row) => (
      <Link
        aria-label={`View assessment of ${formatDate(row.assessmentDate)}, ${row.facility.facilityName}`}
        to={routes.assessment(row.facilityUuid, row.assessmentUuid)}
      >
        View
      </Link>
    ),
  },
  {
    id: "links",
    header: "Links",
    headerHidden: true,
    cell: (row) => (
      <span className="row">
        <Link to={routes.assessment(row.facilityUuid, row.assessmentUuid)}>View Assessment</Link>
        <a download href={files.assessmentCsv(row.assessmentUuid)}>
          Export Assessment (CSV)
        </a>
        <Link to={routes.facility(row.facilityUuid)}>View Facility</Link>
      </span>
    ),
  },
];

/** The assessments that a person made on a range of days, the newest first unless sorted otherwise. */
export function UserAssessmentsTab({ userUuid }: { userUuid: string }) {
  const [url] = useSearchParams();
  const [range, setRange] = useDateRange(monthToDate(useSystem().today), ["page"]);
  const variables = { ...readAssessmentList(url), userUuid, ...range };
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ assessments }) => assessments?.nodes);
  const days = `${formatDate(range.start)} to ${formatDate(range.end)}`;
  const chips = [...usePlaceChips(url), ...chipsOf(assessmentParameters, url)];
  const sorting = useSorting(assessmentOrders, "-assessed");
  const wrong = wrongPlaceIn(url) ?? wrongTextOf(assessmentParameters, url);
  if (wrong) return <WrongFilterNotice {...wrong} />;
  return (
    <div className="stack">
      <PrintedNote answer={answer.data} words={[days, ...chips.map(({ words }) => words)]} />
      <DateRangeForm
        isFetching={answer.fetching}
        onChange={setRange}
        onReload={() => {
          setRange(range);
          answer.reload();
        }}
        range={range}
      />
      <ListBar
        chips={chips}
        file={{
          href: files.assessmentsCsv(range, { ...assessmentFileQuery(url), userUuid }),
          label: `of this person's assessments, ${days}`,
        }}
        form={<AssessmentFilterForm />}
        order={{ orders: assessmentOrders, sorting }}
      >
        <ViewsButton />
      </ListBar>
      <QueryState query={answer} what={whatOfPlaces(url, "list of assessments")}>
        {({ assessments }) => (
          <PagedList
            fetchFrom={fetchFrom}
            list={assessments}
            label="Pages of assessments"
            isSized
            empty={noneMatch("No assessment of this list", chips) ?? "No assessments were made on these days."}
          >
            {(rows, total) => (
              <DataTable
                caption={counted(total, "assessment")}
                columns={columns}
                rowKey={({ id }) => id}
                rows={rows}
                sorting={sorting}
              />
            )}
          </PagedList>
        )}
      </QueryState>
    </div>
  );
}
