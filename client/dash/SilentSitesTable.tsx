import { headings } from "../../gateway/facility/siteColumns.rules.ts";
import { useSearchParams } from "react-router-dom";
import { irregularities, irregularityKinds, recentDays } from "../../gateway/tdb/silence.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { SilentSitesTableQueryQuery } from "../gql/graphql.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { files, routes } from "../routes.ts";
import { useMay } from "../shell/session/viewer.ts";
import { rowsFrom } from "../urql.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { overviewParams } from "./overviewParams.ts";
import { type OverviewScope, scopeVariables, scopeWhat } from "./scope.ts";
import { type SilentFilter, type SilentShow, silentShows } from "./silentFilter.ts";
import { useFigures } from "./useFigures.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const sitesQuery = graphql(`
  query SilentSitesTableQuery($show: SilentSiteSet!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int = 10, $offset: Int) {
    silentSites(
      show: $show, first: $first, offset: $offset
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      totalCount
      nodes {
        facility { id facilityUuid facilityName district { id name } province { id name } implementingPartner { id implementingPartner } }
        lastTdbCreationDate
        daysSinceLastTdb
        rhythmDays
        deltaWithoutBaseDate
        creationBackDate
        clientsBackDate
      }
    }
  }
`);

const shows = { overdue: "OVERDUE", neverSent: "NEVER_SENT", irregular: "IRREGULAR", expected: "EXPECTED" } as const;
type Row = NonNullable<SilentSitesTableQueryQuery["silentSites"]>["nodes"][number];

function Irregularities({ row }: { row: Row }) {
  const found = irregularityKinds.flatMap((kind) => {
    const day = row[`${kind}Date`];
    return day == null ? [] : [{ kind, text: `${irregularities[kind].words}, ${formatDate(day)}` }];
  });
  if (found.length === 0) return "–";
  return (
    <ul className="plain stack is-close">
      {found.map(({ kind, text }) => (
        <li key={kind}>{text}</li>
      ))}
    </ul>
  );
}

const columns: Column<Row>[] = [
  {
    id: "facility",
    header: headings.facilityName,
    rowHeader: true,
    cell: ({ facility }) => <ScopeLink to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</ScopeLink>,
  },
  {
    id: "place",
    header: headings.place,
    phone: "line",
    cell: ({ facility }) => `${facility.district.name}, ${facility.province.name}`,
  },
  {
    id: "partner",
    header: headings.implementingPartner,
    cell: ({ facility }) => facility.implementingPartner?.implementingPartner ?? "–",
  },
  {
    id: "last",
    header: headings.lastTdbCreationDate,
    phone: "labelled",
    cell: ({ lastTdbCreationDate }) => (
      <span className="is-one-line">
        {lastTdbCreationDate == null ? "Never sent" : formatDate(lastTdbCreationDate)}
      </span>
    ),
  },
  {
    id: "days",
    header: headings.daysSinceLastTdb,
    numeric: true,
    phone: "end",
    cell: ({ daysSinceLastTdb }) => (daysSinceLastTdb == null ? "–" : formatNumber(daysSinceLastTdb)),
  },
  { id: "rhythm", header: "Expected", cell: ({ rhythmDays }) => `Every ${counted(rhythmDays, "day")}` },
  { id: "irregular", header: "Irregular TDBs", cell: (row) => <Irregularities row={row} /> },
];

const captions: Record<SilentShow, string> = {
  overdue: "overdue",
  neverSent: "that never sent a TDB",
  irregular: "with irregular TDBs",
  expected: "that should send TDBs",
};
const options = (Object.keys(silentShows) as SilentShow[]).map((value) => ({ value, label: silentShows[value] }));
type SilentSitesTableProps = { scope: OverviewScope; filter: SilentFilter; onShow: (show: SilentShow) => void };

/** The silent facilities of a scope, longest silence first; for people who may see TDBs also the irregular ones. */
export function SilentSitesTable({ scope, filter: { show: chosen, partner }, onShow }: SilentSitesTableProps) {
  const seesTdbs = useMay("viewTdbs");
  const show = chosen === "irregular" && !seesTdbs ? "overdue" : chosen;
  const [url] = useSearchParams();
  const within = scopeVariables(scope, partner);
  const variables = { show: shows[show], ...within, offset: offsetOf(url, overviewParams.facilityPage) };
  const query = useFigures(sitesQuery, variables);
  const fetchFrom = rowsFrom(sitesQuery, variables, ({ silentSites }) => silentSites?.nodes);
  return (
    <div className="stack">
      <h3>Facilities</h3>
      <div className="row is-spread silent-list-controls">
        <ChoiceField
          label="Show"
          onChange={onShow}
          options={options.filter(({ value }) => seesTdbs || value !== "irregular")}
          value={show}
        />
        <ExportButton href={files.silentSitesCsv({ ...within, show })} label={`of facilities ${captions[show]}`} />
      </div>
      <QueryState query={query} what={scopeWhat(scope, partner)}>
        {({ silentSites }) => (
          <PagedList
            empty={`There is no facility ${captions[show]} here.`}
            label="Pages of overdue facilities"
            pageName={overviewParams.facilityPage}
            fetchFrom={fetchFrom}
            list={silentSites}
          >
            {(rows, total) => (
              <DataTable
                caption={`${counted(total, "facility", "facilities")} ${captions[show]}`}
                columns={columns.filter(({ id }) => seesTdbs || id !== "irregular")}
                rowKey={({ facility }) => facility.id}
                rows={rows}
              />
            )}
          </PagedList>
        )}
      </QueryState>
      <p className="soft">
        Those without data for the longest time are first, those that never sent one last.
        {seesTdbs ? ` Irregular TDBs are marked for ${recentDays} days from their receipt:` : null}
      </p>
      {seesTdbs ? (
        <ul className="soft">
          {irregularityKinds.map((kind) => (
            <li key={kind}>
              <strong>{irregularities[kind].words}.</strong> {irregularities[kind].meaning}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
