import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { DistrictsScreenQueryQuery, DistrictsTable_FiguresQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { shareOf } from "../ui/chart/small/shares.ts";
import { useSorting } from "../ui/filter/listSort.ts";
import { SortSelect } from "../ui/filter/SortSelect.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { offsetOf, pageSize } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { counted } from "../ui/text/counted.ts";
import { useScreenQuery } from "../urql.ts";
import { siteColumns } from "./siteColumns.ts";

const figuresQuery = graphql(`
  query DistrictsTable_figures {
    facilityGroups(by: [DISTRICT]) {
      district { id districtId name province { id name } }
      facilities assessed sumSmartCareFunctional
    }
  }
`);

type Districts = DistrictsScreenQueryQuery["districts"];
type District = Districts["nodes"][number];
type Figures = NonNullable<DistrictsTable_FiguresQuery["facilityGroups"]>[number];
type DistrictsTableProps = {
  /** A page of the districts by name. */
  districts: Districts;
  fetchFrom: (offset: number) => Promise<readonly District[]>;
};

const headers = { name: "District", facilities: "Facilities", assessed: "Assessed", works: "Works" };
type Order = keyof typeof headers;
/** What a district is ordered by; unknown where nothing is counted, which comes last. */
const values: Record<Exclude<Order, "name">, (figures: Figures) => number | undefined> = {
  facilities: ({ facilities }) => facilities,
  assessed: ({ assessed, facilities }) => shareOf(assessed, facilities),
  works: ({ sumSmartCareFunctional, assessed }) => shareOf(sumSmartCareFunctional, assessed),
};

/** The districts of the groups in an order, without those by name from A to Z, which the server has in pages. */
function ordered(groups: readonly Figures[], key: Order, isFalling: boolean): District[] {
  const sign = isFalling ? -1 : 1;
  const found = groups.flatMap((figures) => (figures.district ? [{ figures, district: figures.district }] : []));
  const byName = (a: District, b: District) => a.name.localeCompare(b.name) || a.districtId - b.districtId;
  return found
    .toSorted(({ district: a, figures: of }, { district: b, figures: other }) => {
      if (key === "name") return sign * byName(a, b);
      const [one, two] = [values[key](of), values[key](other)];
      if (one === undefined || two === undefined)
        return Number(one === undefined) - Number(two === undefined) || byName(a, b);
      return sign * (one - two) || byName(a, b);
    })
    .map(({ district }) => district);
}

function columnsWith(figures: ReadonlyMap<string, Figures>): Column<District>[] {
  const { sites, assessed, works } = siteColumns<District>(figures);
  return [
    {
      id: "name",
      header: headers.name,
      sort: "name",
      rowHeader: true,
      cell: ({ districtId, name, province }) => (
        <>
          <ScopeLink to={routes.facilitiesOfDistrict(districtId)}>{name}</ScopeLink>
          <span className="note is-line wide-only">{province.name}</span>
        </>
      ),
    },
    { id: "province", header: "Province", phone: "line", isPhoneOnly: true, cell: ({ province }) => province.name },
    { ...sites, header: headers.facilities, sort: "facilities" },
    { ...assessed, sort: "assessed", phone: "labelled" },
    { ...works, sort: "works", phone: "end" },
  ];
}

/** All districts of the country, each with how many of its sites work today; the address has the order. */
export function DistrictsTable({ districts, fetchFrom }: DistrictsTableProps) {
  const [url] = useSearchParams();
  const sorting = useSorting(headers, "name");
  const groups = useScreenQuery(figuresQuery, {}).data?.facilityGroups ?? [];
  const figures = new Map(groups.flatMap((group) => (group.district ? [[group.district.id, group] as const] : [])));
  const by = sorting.by ?? "name";
  const key = by.replace(/^-/, "") as Order;
  // Until the figures are there, the districts are shown by name.
  const rows = groups.length === 0 || by === "name" ? undefined : ordered(groups, key, by.startsWith("-"));
  const offset = offsetOf(url);
  return (
    <PagedList
      empty="No districts have been loaded yet."
      fetchFrom={rows ? async (from) => rows.slice(from) : fetchFrom}
      label="Pages of districts"
      list={rows ? { totalCount: rows.length, nodes: rows.slice(offset, offset + pageSize) } : districts}
    >
      {(shown, total) => (
        <>
          <div className="only-narrow">
            <SortSelect orders={headers} sorting={sorting} />
          </div>
          <DataTable
            caption={`${counted(total, "district")}, today`}
            columns={columnsWith(figures)}
            rowKey={({ id }) => id}
            rows={shown}
            sorting={sorting}
          />
        </>
      )}
    </PagedList>
  );
}
