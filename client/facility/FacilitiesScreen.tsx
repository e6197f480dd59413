import type { ReactNode } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { ExportAssessmentsButton } from "../assessment/ExportAssessmentsButton.tsx";
import { graphql } from "../gql/gql.ts";
import type { FacilitiesScreenQueryQuery } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { FacilitiesTable } from "./FacilitiesTable.tsx";
import { readFilter, readVariables } from "./facilityFilter.ts";
import type { ListFilter } from "./facilityFilter.ts";
import { FacilityLinks } from "./FacilityLinks.tsx";
import { FacilityTextForm } from "./FacilityTextForm.tsx";
import { FieldListNote } from "./FieldListNote.tsx";
import { ModeNote } from "./ModeNote.tsx";
import "./FacilitiesScreen.css";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const query = graphql(`
  query FacilitiesScreenQuery(
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $mode: FunctionalityStatusMode, $year: Int, $quarter: Int, $month: Int, $search: String, $offset: Int
    $inProvince: Boolean!, $namedProvince: Int = 0
    $inDistrict: Boolean!, $namedDistrict: Int = 0
    $ofPartner: Boolean!, $namedPartner: Int = 0
  ) {
    province(provinceId: $namedProvince) @include(if: $inProvince) { id provinceId name }
    district(districtId: $namedDistrict) @include(if: $inDistrict) { id name province { id provinceId name } }
    implementingPartner(implementingPartnerId: $namedPartner) @include(if: $ofPartner) { id implementingPartnerId implementingPartner }
    facilities(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      mode: $mode, year: $year, quarter: $quarter, month: $month, search: $search, first: 10, offset: $offset
    ) {
      totalCount
      nodes { id ...FacilitiesTable_Facility ...FacilityLinks_Facility }
    }
  }
`);

/** Only the lists of a place have an overview. */
const overview = fetchedPart(() => import("../dash/WithOverview.tsx"));
const hasOverview = ({ districtId, provinceId, mode }: ListFilter) => (districtId != null || provinceId != null) && !mode;

const start = screenLoader(query, ({ params, url }) => readVariables(readFilter(params, url) ?? {}, url));
export const loader: LoaderFunction = (args) => {
  const filter = readFilter(args.params, new URL(args.request.url).searchParams);
  if (filter && hasOverview(filter)) overview.load().catch(() => {});
  return filter ? start(args) : null;
};

type Answer = FacilitiesScreenQueryQuery;

/** The subject of "… not found" when the server knows no such list. */
function whatOf({ districtId, provinceId, implementingPartnerId }: ListFilter): string {
  if (districtId != null) return "district";
  if (provinceId != null) return "province";
  return implementingPartnerId == null ? "list of facilities" : "implementing partner";
}

/** Whose facilities these are, before " - " in the title. */
function ownerOf({ province, district, implementingPartner }: Answer): string | undefined {
  if (district) return district.name;
  if (province) return `${province.name} Province`;
  return implementingPartner?.implementingPartner;
}

function wayUp({ province, district, implementingPartner }: Answer): ReactNode {
  if (district) return <ScopeLink to={routes.districts(district.province.provinceId)}>{district.province.name} Province</ScopeLink>;
  if (province) return <ScopeLink to={routes.districts(province.provinceId)}>Districts of the province</ScopeLink>;
  if (implementingPartner)
    return <ScopeLink to={routes.partner(implementingPartner.implementingPartnerId)}>The partner's page</ScopeLink>;
  return undefined;
}

const scopeOf = ({ provinceId, districtId, implementingPartnerId }: ListFilter) => ({
  provinceId: provinceId ?? undefined,
  districtId: districtId ?? undefined,
  implementingPartnerId: implementingPartnerId ?? undefined,
});

function Facilities({ filter }: { filter: ListFilter }) {
  const [url] = useSearchParams();
  const { stale, ...answer } = useScreenQuery(query, readVariables(filter, url));
  const { mode, districtId, provinceId, implementingPartnerId } = filter;
  const isPlace = districtId != null || provinceId != null;

  const list = ({ facilities: { totalCount, nodes }, implementingPartner }: Answer) => (
    <div className="facilities-list">
      <ModeNote filter={filter} partnerName={isPlace ? implementingPartner?.implementingPartner : undefined} />
      <FieldListNote query={answer} />
      <FacilityTextForm label="Filter by name or code" name="search" />
      <div className={stale ? "query-stale" : undefined} aria-busy={stale}>
        <PagedList
          total={totalCount}
          shown={nodes.length}
          label="Pages of facilities"
          empty={url.get("search") ? "No facility of this list has such a name or code." : "This list has no facilities."}
        >
          {hasOverview(filter) ? (
            <FacilityLinks caption={counted(totalCount, "facility", "facilities")} rows={nodes} withDistrict={districtId == null} />
          ) : (
            <FacilitiesTable
              caption={counted(totalCount, "facility", "facilities")}
              rows={nodes}
              without={[
                ...(districtId == null ? [] : (["district", "province"] as const)),
                ...(provinceId == null ? [] : (["province"] as const)),
                ...(implementingPartnerId == null ? [] : (["partner"] as const)),
                ...(mode && filter.year == null ? (["mode"] as const) : []),
              ]}
            />
          )}
        </PagedList>
      </div>
    </div>
  );

  return (
    <QueryState query={answer} what={whatOf(filter)}>
      {(data) => (
        <Page
          title={[ownerOf(data), "All Facilities"].filter(Boolean).join(" - ") + (mode ? ` (${mode})` : "")}
          subtitle={wayUp(data)}
          actions={mode ? undefined : <ExportAssessmentsButton scope={scopeOf(filter)} />}
        >
          {hasOverview(filter) ? (
            <Fetched part={overview}>
              {({ WithOverview }) => (
                <WithOverview scope={districtId == null ? { provinceId: provinceId! } : { districtId }}>{list(data)}</WithOverview>
              )}
            </Fetched>
          ) : (
            list(data)
          )}
        </Page>
      )}
    </QueryState>
  );
}

/** Facilities of the country, a place or a partner, all or those of one mode. */
export function FacilitiesScreen() {
  const params = useParams();
  const [url] = useSearchParams();
  const filter = readFilter(params, url);
  return filter ? <Facilities filter={filter} /> : <NotFoundNotice what="list of facilities" />;
}
