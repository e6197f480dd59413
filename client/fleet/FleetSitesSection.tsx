import { Button, HTMLSelect } from "@blueprintjs/core";
import { Link, useSearchParams } from "react-router-dom";
import { fleetStates, fleetStateWords } from "../../gateway/fleet/fleetState.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { FleetSitesSectionQueryQuery, FleetState } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { rowsFrom, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query FleetSitesSectionQuery(
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $state: FleetState, $stuck: Boolean, $rolloutUuid: String, $downloadUuid: String, $first: Int = 10, $offset: Int
  ) {
    fleetSites(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId, state: $state, stuck: $stuck
      rolloutUuid: $rolloutUuid, downloadUuid: $downloadUuid, first: $first, offset: $offset
    ) {
      totalCount
      nodes {
        facility { id facilityUuid facilityName district { id name } province { id name } implementingPartner { id implementingPartner } }
        presentVersion presentDate source target state days why
      }
    }
  }
`);
type Row = NonNullable<FleetSitesSectionQueryQuery["fleetSites"]>["nodes"][number];

const constantOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase() as FleetState;
const wordsOf = (state: FleetState) => fleetStateWords[fleetStates.find((name) => constantOf(name) === state)!];

const columns: Column<Row>[] = [
  {
    id: "facility",
    header: "Facility",
    rowHeader: true,
    cell: ({ facility }) => <Link to={routes.updatesOf(facility.facilityUuid)}>{facility.facilityName}</Link>,
  },
  {
    id: "place",
    header: "District",
    phone: "line",
    cell: ({ facility }) => `${facility.district.name}, ${facility.province.name}`,
  },
  { id: "partner", header: "IP", cell: ({ facility }) => facility.implementingPartner?.implementingPartner ?? "–" },
  { id: "runs", header: "Runs", phone: "end", cell: ({ presentVersion }) => presentVersion ?? "not known" },
  {
    id: "source",
    header: "Source",
    oneLine: true,
    cell: ({ source, presentDate }) =>
      source === null ? "–" : `${source === "TDB" ? "TDB" : "visit"}, ${formatDate(presentDate)}`,
  },
  { id: "target", header: "To", cell: ({ target }) => target },
  {
    id: "state",
    header: "State",
    phone: "line",
    cell: ({ state, why }) => `${wordsOf(state).label}${why !== null && state === "FAILED" ? `: ${why}` : ""}`,
  },
  {
    id: "days",
    header: "Days",
    numeric: true,
    cell: ({ state, days }) => (state === "REACHED" || state === "REPORTED" ? "–" : days),
  },
];

type FleetSitesSectionProps = { scope: { provinceId?: number; districtId?: number; implementingPartnerId?: number } };

/** The sites that rollouts cover, filtered by the address. */
export function FleetSitesSection({ scope }: FleetSitesSectionProps) {
  const [url] = useSearchParams();
  const change = useAddress();
  const given = url.get("state");
  const state = fleetStates.find((name) => name === given);
  const asked = {
    ...scope,
    state: state === undefined ? undefined : constantOf(state),
    stuck: given === "stuck" ? true : undefined,
    rolloutUuid: url.get("rollout") ?? undefined,
    downloadUuid: url.get("file") ?? undefined,
    offset: offsetOf(url),
  };
  const answer = useScreenQuery(query, asked);
  const fetchFrom = rowsFrom(query, asked, ({ fleetSites }) => fleetSites?.nodes);
  const set = (name: string, value: string) => change({ page: "", [name]: value });
  return (
    <section aria-labelledby="fleet-sites" className="stack">
      <h2 id="fleet-sites">Sites of the rollouts</h2>
      <div className="row screen-only">
        <HTMLSelect
          aria-label="State"
          onChange={(event) => set("state", event.currentTarget.value)}
          options={[
            { value: "", label: "All states" },
            { value: "stuck", label: "Stuck: failed, no report or no path" },
            ...fleetStates.map((name) => ({ value: name, label: fleetStateWords[name].label })),
          ]}
          value={given ?? ""}
        />
        {url.has("rollout") ? <Button onClick={() => set("rollout", "")} text="Sites of all rollouts" /> : null}
        {url.has("file") ? <Button onClick={() => set("file", "")} text="Sites of all files" /> : null}
      </div>
      <QueryState query={answer} what="list of sites">
        {({ fleetSites }) => (
          <PagedList
            empty="No rollout covers such sites."
            fetchFrom={fetchFrom}
            label="Pages of sites"
            list={fleetSites}
          >
            {(rows, total) => (
              <DataTable
                caption={counted(total, "site")}
                columns={columns}
                rowKey={({ facility }) => facility.id}
                rows={rows}
              />
            )}
          </PagedList>
        )}
      </QueryState>
    </section>
  );
}
