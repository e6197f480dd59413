import { SegmentedControl } from "@blueprintjs/core";
import { Link, useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { VisitStandingControls } from "../assessment/VisitStandingControls.tsx";
import { graphql } from "../gql/gql.ts";
import type { ToCheckScreen_TdbsQuery, ToCheckScreen_VisitsQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { TdbStandingControls } from "../tdb/TdbStandingControls.tsx";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { notCountedText } from "../ui/text/notCountedText.ts";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import type { Standing } from "./StandingControls.tsx";

const visitsQuery = graphql(`
  query ToCheckScreen_visits($held: Boolean, $setAside: Boolean, $first: Int = 10, $offset: Int) {
    assessments(held: $held, setAside: $setAside, first: $first, offset: $offset) {
      totalCount
      nodes {
        id assessmentUuid assessmentDate userName setAside { reason } held
        facility { id facilityUuid facilityName district { id name } }
        ...VisitStandingControls_Assessment
      }
    }
  }
`);
const tdbsQuery = graphql(`
  query ToCheckScreen_tdbs($held: Boolean, $setAside: Boolean, $first: Int = 10, $offset: Int) {
    tdbs(held: $held, setAside: $setAside, first: $first, offset: $offset) {
      totalCount
      nodes {
        id uuid uploadDate userFirstName userSurname setAside { reason } held
        facility { id facilityUuid facilityName district { id name } }
      }
    }
  }
`);

type Visit = NonNullable<ToCheckScreen_VisitsQuery["assessments"]>["nodes"][number];
type Tdb = NonNullable<ToCheckScreen_TdbsQuery["tdbs"]>["nodes"][number];

const pages = { visits: "visitPage", tdbs: "tdbPage" };
/** In the address: what is shown, if it is not what is held. */
const shown = "show";
const isAside = (url: URLSearchParams) => url.get(shown) === "aside";
/** Held records, or those set aside. One that is both was decided about already. */
const read = (url: URLSearchParams, page: string) => ({
  ...(isAside(url) ? { setAside: true } : { held: true, setAside: false }),
  offset: offsetOf(url, page),
});

const startVisits = screenLoader(visitsQuery, ({ url }) => read(url, pages.visits));
const startTdbs = screenLoader(tdbsQuery, ({ url }) => read(url, pages.tdbs));
export const loader = guarded("setAside", (args) => {
  void startTdbs(args);
  return startVisits(args);
});

type Place = { facility: { facilityUuid: string; facilityName: string; district: { name: string } } };
const facilityColumn: Column<Place> = {
  id: "facility",
  header: "Facility",
  rowHeader: true,
  cell: ({ facility }) => (
    <>
      <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>
      <span className="note is-line wide-only">{facility.district.name}</span>
    </>
  ),
};
/** A phone shows the district in the second line. */
const districtColumn: Column<Place> = {
  id: "district",
  header: "District",
  phone: "line",
  isPhoneOnly: true,
  cell: ({ facility }) => facility.district.name,
};
const whyColumn: Column<Standing> = {
  id: "why",
  header: "Why",
  phone: "line",
  cell: ({ setAside, held }) => notCountedText(setAside?.reason, held),
};

const visitName = ({ assessmentDate, facility }: Visit) =>
  `the visit of ${formatDate(assessmentDate)} to ${facility.facilityName}`;
const visitColumns: Column<Visit>[] = [
  facilityColumn,
  districtColumn,
  {
    id: "visit",
    header: "Visit",
    phone: "end",
    cell: ({ assessmentUuid, assessmentDate, facility }) => (
      <Link to={routes.assessment(facility.facilityUuid, assessmentUuid)}>{formatDate(assessmentDate)}</Link>
    ),
  },
  { id: "user", header: "User", cell: ({ userName }) => userName },
  whyColumn,
  {
    id: "act",
    header: "Decide",
    headerHidden: true,
    cell: (visit) => <VisitStandingControls assessment={visit} />,
  },
];
const tdbName = ({ uploadDate, facility }: Tdb) =>
  `the TDB of ${facility.facilityName}, received ${formatDate(uploadDate)}`;
const tdbColumns: Column<Tdb>[] = [
  facilityColumn,
  districtColumn,
  { id: "received", header: "Received", phone: "end", cell: ({ uploadDate }) => formatDate(uploadDate) },
  {
    id: "user",
    header: "User",
    cell: ({ userFirstName, userSurname }) => `${userFirstName} ${userSurname}`,
  },
  whyColumn,
  { id: "act", header: "Decide", headerHidden: true, cell: (tdb) => <TdbStandingControls tdb={tdb} /> },
];

function VisitsSection() {
  const [url] = useSearchParams();
  const variables = read(url, pages.visits);
  const answer = useScreenQuery(visitsQuery, variables);
  const fetchFrom = rowsFrom(visitsQuery, variables, ({ assessments }) => assessments?.nodes);
  return (
    <section aria-labelledby="visits-to-check" className="stack is-close">
      <h2 id="visits-to-check">Visits</h2>
      <QueryState query={answer} what="list of visits">
        {({ assessments }) => (
          <PagedList
            empty={isAside(url) ? "No visit is set aside." : "No visit is held: there is nothing to check."}
            fetchFrom={fetchFrom}
            label="Pages of visits"
            list={assessments}
            pageName={pages.visits}
          >
            {(rows, total) => (
              <DataTable
                caption={counted(total, "visit")}
                columns={visitColumns}
                opensAs={visitName}
                rowKey={({ id }) => id}
                rows={rows}
              />
            )}
          </PagedList>
        )}
      </QueryState>
    </section>
  );
}

function TdbsSection() {
  const [url] = useSearchParams();
  const variables = read(url, pages.tdbs);
  const answer = useScreenQuery(tdbsQuery, variables);
  const fetchFrom = rowsFrom(tdbsQuery, variables, ({ tdbs }) => tdbs?.nodes);
  return (
    <section aria-labelledby="tdbs-to-check" className="stack is-close">
      <h2 id="tdbs-to-check">TDBs</h2>
      <QueryState query={answer} what="list of TDBs">
        {({ tdbs }) => (
          <PagedList
            empty={isAside(url) ? "No TDB is set aside." : "No TDB is held: there is nothing to check."}
            fetchFrom={fetchFrom}
            label="Pages of TDBs"
            list={tdbs}
            pageName={pages.tdbs}
          >
            {(rows, total) => (
              <DataTable
                caption={counted(total, "TDB")}
                columns={tdbColumns}
                opensAs={tdbName}
                rowKey={({ id }) => id}
                rows={rows}
              />
            )}
          </PagedList>
        )}
      </QueryState>
    </section>
  );
}

/** The visits and TDBs that no figure counts: those that are held, to be decided about, and those that were set aside. */
export function ToCheckScreen() {
  const [url] = useSearchParams();
  const change = useListAddress(pages.visits);
  return (
    <Page title="To check" help={<TermButton term="held" name="Held" />}>
      <div className="row is-spread">
        <p className="note">
          {isAside(url)
            ? "Set aside by an administrator: they stay, and no figure counts them."
            : "Held because a value is far from usual: no figure counts them until they are accepted."}
        </p>
        <SegmentedControl
          aria-label="Show"
          onValueChange={(value) => change({ [shown]: value === "aside" ? value : "", [pages.tdbs]: "" })}
          options={[
            { label: "Held", value: "held" },
            { label: "Set aside", value: "aside" },
          ]}
          value={isAside(url) ? "aside" : "held"}
        />
      </div>
      <VisitsSection />
      <TdbsSection />
    </Page>
  );
}
