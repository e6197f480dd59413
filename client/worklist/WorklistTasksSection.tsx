import { Link, useSearchParams } from "react-router-dom";
import { dueWords, responsibleWords } from "../action/actionWords.ts";
import { graphql } from "../gql/gql.ts";
import type { WorklistTasksSectionQueryQuery } from "../gql/graphql.ts";
import { placesIn } from "../reference/placeFilter.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { StalePart } from "../ui/notice/StalePart.tsx";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { useRowKeys } from "./useRowKeys.ts";
import { viewIn } from "./worklistAddress.ts";

const query = graphql(`
  query WorklistTasksSectionQuery(
    $mine: Boolean, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int = 10, $offset: Int
  ) {
    actions(
      state: OPEN, isAboutEntry: false, mine: $mine, first: $first, offset: $offset
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      totalCount
      nodes {
        id text responsible dueDay overdueDays agreedBy agreedDate
        implementingPartner { id implementingPartner }
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

type Task = NonNullable<WorklistTasksSectionQueryQuery["actions"]>["nodes"][number];
const read = (url: URLSearchParams) => ({
  ...placesIn(url),
  mine: viewIn(url).isMine || undefined,
  offset: offsetOf(url),
});
export const loader = screenLoader(query, ({ url }) => read(url));

const columns: Column<Task>[] = [
  {
    id: "facility",
    header: "Facility",
    rowHeader: true,
    cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
  },
  {
    id: "place",
    header: "District",
    cell: ({ facility }) => `${facility.district.name}, ${facility.province.name}`,
  },
  { id: "text", header: "What is to be done", phone: "line", cell: ({ text }) => text },
  { id: "responsible", header: "Responsible", cell: responsibleWords },
  {
    id: "due",
    header: "Due",
    phone: "end",
    cell: (task) => <span className={task.overdueDays ? "warn" : undefined}>{dueWords(task)}</span>,
  },
  {
    id: "agreed",
    header: "Agreed",
    cell: ({ agreedBy, agreedDate }) => `${agreedBy}, ${formatDate(agreedDate)}`,
  },
];

/** Open actions that people wrote, at a visit or by hand: those due first come first. The facility's page closes them. */
export function WorklistTasksSection() {
  const [url] = useSearchParams();
  const variables = read(url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ actions }) => actions?.nodes);
  const place = useRowKeys<HTMLDivElement>(undefined);
  return (
    <QueryState hasStalePart query={answer} what="list of tasks">
      {({ actions }) => (
        <StalePart isStale={answer.stale}>
          <div className="is-counted" ref={place}>
            <PagedList
              empty="No task is open here. Tasks are agreed at a visit, on a facility's page, or for selected facilities."
              fetchFrom={fetchFrom}
              label="Pages of tasks"
              list={actions}
            >
              {(rows, total) => (
                <DataTable caption={counted(total, "task")} columns={columns} rowKey={({ id }) => id} rows={rows} />
              )}
            </PagedList>
          </div>
        </StalePart>
      )}
    </QueryState>
  );
}
