import { Classes } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { Link, type LoaderFunction, type Params, useParams, useSearchParams } from "react-router-dom";
import { listParameterNames } from "../../gateway/facility/listFilter.rules.ts";
import { ExportAssessmentsButton } from "../assessment/ExportAssessmentsButton.tsx";
import { BulkDoneNotice } from "../bulk/BulkDoneNotice.tsx";
import { useBulk } from "../bulk/bulkAsking.ts";
import { BulkSection } from "../bulk/BulkSection.tsx";
import { graphql } from "../gql/gql.ts";
import type { FacilitiesScreenQueryQuery } from "../gql/graphql.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { counted } from "../ui/text/counted.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { ColumnsButton } from "../ui/columns/ColumnsButton.tsx";
import { ListBar } from "../ui/filter/ListBar.tsx";
import { useSorting } from "../ui/filter/listSort.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { useSelection } from "../bulk/useSelection.ts";
import { files, routes } from "../routes.ts";
import { useMay } from "../shell/session/viewer.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { NotFoundScreen } from "../system/NotFoundScreen.tsx";
import { useIsPhone, useIsWide } from "../ui/form/useIsWide.ts";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { StalePart } from "../ui/notice/StalePart.tsx";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { columnVariables, FacilitiesTable, facilityColumnsIn } from "./FacilitiesTable.tsx";
import { chipsOf, exportQuery, readFilter, readVariables, facilityOrders, wrongIn } from "./facilityFilter.ts";
import type { ListFilter } from "./facilityFilter.ts";
import { FacilityFilterForm } from "./FacilityFilterForm.tsx";
import { FacilityLinks } from "./FacilityLinks.tsx";
import { FacilityTextForm } from "./FacilityTextForm.tsx";
import { FieldListNote } from "./FieldListNote.tsx";
import { ModeNote } from "./ModeNote.tsx";
import { OftenAskedControls } from "./OftenAskedControls.tsx";
import { PartnerSplitSection } from "./PartnerSplitSection.tsx";
import { searchTextIn } from "./searchAddress.ts";
import { WrongFilterNotice } from "../ui/notice/WrongFilterNotice.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const query = graphql(`
  query FacilitiesScreenQuery(
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $mode: FunctionalityStatusMode, $year: Int, $quarter: Int, $month: Int, $search: String
    $filter: FacilityFilter, $sort: FacilitySort, $first: Int = 10, $offset: Int
    $inProvince: Boolean!, $namedProvince: Int = 0
    $inDistrict: Boolean!, $namedDistrict: Int = 0
    $ofPartner: Boolean!, $namedPartner: Int = 0
    $onFieldList: Boolean! = false, $namedFieldList: String = ""
    $withContact: Boolean! = false, $withActions: Boolean! = true
  ) {
    province(provinceId: $namedProvince) @include(if: $inProvince) { id provinceId name }
    district(districtId: $namedDistrict) @include(if: $inDistrict) { id name province { id provinceId name } }
    implementingPartner(implementingPartnerId: $namedPartner) @include(if: $ofPartner) { id implementingPartnerId implementingPartner }
    fieldList(uuid: $namedFieldList) @include(if: $onFieldList) { id uuid name changeable ...FieldListSection_FieldList }
    facilities(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      mode: $mode, year: $year, quarter: $quarter, month: $month, search: $search
      filter: $filter, sort: $sort, first: $first, offset: $offset
    ) {
      totalCount
      nodes { id ...FacilitiesTable_Facility ...FacilityLinks_Facility }
    }
  }
`);

/** Only the lists of a place have an overview. */
const overview = fetchedPart(() => import("../dash/WithOverview.tsx"));
const hasOverview = ({ districtId, provinceId, mode }: Params) => (districtId ?? provinceId) !== undefined && !mode;

/** Who may use field lists sees above one what can be done with it. */
const fieldListPart = fetchedPart(() => import("../fieldList/FieldListSection.tsx"));

/** On a phone the overview is below the list. */
function goToOverview(): void {
  const heading = document.querySelector<HTMLElement>(".overview h2");
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** Says that the list is empty, and by which filters. */
function emptyWords(chips: readonly Chip[], hasText: boolean): string {
  if (chips.length > 0)
    return `No facility of this list matches ${hasText ? "the text and " : ""}${chips.map(({ words }) => `“${words}”`).join(" and ")}. Remove a filter above to see more.`;
  return hasText ? "No facility of this list has such a name or code." : "This list has no facilities.";
}

const variablesOf = (params: Params, filter: ListFilter, url: URLSearchParams) => ({
  ...readVariables(params, filter, url),
  ...columnVariables(url),
});
const start = screenLoader(query, ({ params, url }) => variablesOf(params, readFilter(params, url) ?? {}, url));
export const loader: LoaderFunction = (args) => {
  const url = new URL(args.request.url).searchParams;
  const filter = wrongIn(url) ? undefined : readFilter(args.params, url);
  if (filter && hasOverview(args.params)) overview.load().catch(() => {});
  return filter ? start(args) : null;
};

type Answer = FacilitiesScreenQueryQuery;

/** The subject of "… not found" when the server knows no such list. */
function whatOf({ districtId, provinceId, implementingPartnerId }: ListFilter, url: URLSearchParams): string {
  if (url.has("fieldList")) return "field list";
  if (districtId != null) return "district";
  if (provinceId != null) return "province";
  return implementingPartnerId == null ? "list of facilities" : "implementing partner";
}

/** The place or partner that the path names: the part of the title before " - ", and the link above the list. */
function ownerOf(
  { province, district, implementingPartner }: Answer,
  params: Params,
): { name: string; up: ReactNode } | undefined {
  if (district && params["districtId"])
    return {
      name: district.name,
      up: <ScopeLink to={routes.districts(district.province.provinceId)}>{district.province.name} Province</ScopeLink>,
    };
  if (province && params["provinceId"])
    return {
      name: `${province.name} Province`,
      up: <ScopeLink to={routes.districts(province.provinceId)}>Districts of the province</ScopeLink>,
    };
  if (implementingPartner && params["implementingPartnerId"])
    return {
      name: implementingPartner.implementingPartner,
      up: <ScopeLink to={routes.partner(implementingPartner.implementingPartnerId)}>The partner's page</ScopeLink>,
    };
  return undefined;
}

/**
 * The list. Its whole state is the address: place, partner and mode in the path; text, filters, order and page as
 * parameters (facilityFilter.ts). The columns are in FacilitiesTable.tsx; those of the CSV are the server's.
 */
function Facilities({ filter }: { filter: ListFilter }) {
  const [url] = useSearchParams();
  const params = useParams();
  const variables = variablesOf(params, filter, url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ facilities }) => facilities.nodes);
  const mayAdd = useMay("editRegistry");
  const seesVisits = useMay("viewAssessments");
  const { mode, districtId, provinceId } = filter;
  const isPlace = districtId != null || provinceId != null;
  const text = searchTextIn(url, "search");
  const hasText = text !== undefined;
  const columns = facilityColumnsIn(url, {
    without: [
      ...(params["districtId"] === undefined ? [] : ["place"]),
      ...(params["implementingPartnerId"] === undefined ? [] : ["partner"]),
    ],
    seesVisits,
    isFromDevice: answer.field !== undefined,
    isWide: useIsWide(1280),
  });
  // A chart's period counts other facilities than the groups of today; the narrow list of a place has no room for it.
  const isSplit =
    !hasOverview(params) &&
    !answer.field &&
    filter.year == null &&
    filter.implementingPartnerId == null &&
    !url.has("implementingPartnerId");
  const isPhone = useIsPhone();
  /** Where there is little room, the screen's actions are among those of the list. */
  const isFolded = isPhone || hasOverview(params);
  /** A list with filters has them in the drawer only; one with little room above it has the first of them. */
  const offersOftenAsked = !(isPhone && mode) && !listParameterNames.some((name) => url.has(name));
  const sorting = useSorting(facilityOrders, hasText ? undefined : "name");

  const all = {
    ...filter,
    ...{ search: variables.search, filter: variables.filter },
  };
  const selection = useSelection(JSON.stringify(all));
  const bulk = useBulk();
  const csvOf = (facilityUuids?: string[]) => files.facilitiesCsv(exportQuery(params, url, filter), facilityUuids);

  const actions = (
    <>
      {mayAdd ? (
        <Link className={Classes.BUTTON} to={routes.registryOf()}>
          Add facility
        </Link>
      ) : null}
      {mode ? null : <ExportAssessmentsButton scope={filter} />}
    </>
  );
  const often = offersOftenAsked ? <OftenAskedControls isNarrow={hasOverview(params)} /> : null;
  const chips = (data: Omit<Answer, "facilities">) => chipsOf(params, url, data);
  const fieldListOf = ({ fieldList }: Pick<Answer, "fieldList">) =>
    fieldList && !answer.field ? (
      <Fetched part={fieldListPart}>
        {({ FieldListSection }) => <FieldListSection fieldList={fieldList} key={fieldList.uuid} />}
      </Fetched>
    ) : null;
  const list = ({ facilities, ...data }: Answer) => (
    <div className={isSplit ? "facilities-list is-counted stack" : "facilities-list stack"}>
      <PrintedNote
        answer={answer.data}
        words={[...(hasText ? [`Name or code: ${text}`] : []), ...chips(data).map(({ words }) => words)]}
      />
      <ModeNote
        filter={filter}
        partnerName={isPlace && mode ? data.implementingPartner?.implementingPartner : undefined}
      />
      <FieldListNote query={answer} />
      {isPhone ? null : fieldListOf(data)}
      <ListBar
        chips={chips(data)}
        file={{ href: csvOf(), label: "of this list of facilities" }}
        form={<FacilityFilterForm hasOftenAsked={!offersOftenAsked || hasOverview(params)} />}
        often={hasOverview(params) ? null : often}
        isNarrow={hasOverview(params)}
        order={{ orders: facilityOrders, sorting }}
        search={<FacilityTextForm isLow isWaiting={answer.stale} label="Filter by name or code" name="search" />}
      >
        {hasOverview(params) ? null : <ColumnsButton {...columns} />}
        <ViewsButton />
        {isFolded ? actions : null}
      </ListBar>
      {isSplit ? <PartnerSplitSection total={facilities.totalCount} variables={variables} /> : null}
      {bulk.done ? (
        <BulkDoneNotice
          act={bulk.done.fieldList === data.fieldList?.uuid ? { ...bulk.done, fieldList: undefined } : bulk.done}
          key={bulk.done.bulkActUuid}
          onEnd={() => bulk.setDone(undefined)}
          onUndone={answer.reload}
        />
      ) : null}
      <StalePart isStale={answer.stale}>
        <PagedList
          fetchFrom={fetchFrom}
          list={facilities}
          label="Pages of facilities"
          isSized
          empty={answer.stale ? "Searching …" : emptyWords(chips(data), hasText)}
        >
          {(rows) =>
            hasOverview(params) ? (
              <FacilityLinks
                caption={counted(facilities.totalCount, "facility", "facilities")}
                rows={rows}
                often={often}
                withDistrict={districtId == null}
              />
            ) : (
              <FacilitiesTable
                added={columns.added}
                caption={counted(facilities.totalCount, "facility", "facilities")}
                rows={rows}
                selection={answer.field ? undefined : selection}
                sorting={sorting}
                shown={mode ? [...columns.shown, "mode"] : columns.shown}
              />
            )
          }
        </PagedList>
      </StalePart>
      <BulkSection
        all={{ facilities: all }}
        bulk={bulk}
        csvOf={csvOf}
        fieldList={data.fieldList?.changeable ? data.fieldList.uuid : undefined}
        onDone={answer.reload}
        selection={selection}
        total={facilities.totalCount}
      />
      {isPhone ? fieldListOf(data) : null}
    </div>
  );

  return (
    <QueryState hasStalePart query={answer} what={whatOf(filter, url)}>
      {(data) => (
        <Page
          title={
            [ownerOf(data, params)?.name, "All Facilities"].filter(Boolean).join(" - ") + (mode ? ` (${mode})` : "")
          }
          subtitle={
            hasOverview(params) && isPhone ? (
              <span className="row">
                {ownerOf(data, params)?.up}
                <button className="link-button" onClick={goToOverview} type="button">
                  {params["districtId"] === undefined ? "Provincial" : "District"} Overview ↓
                </button>
              </span>
            ) : (
              ownerOf(data, params)?.up
            )
          }
          actions={isFolded ? undefined : actions}
        >
          {hasOverview(params) ? (
            <Fetched part={overview}>
              {({ WithOverview }) => (
                <WithOverview
                  isListFirst
                  list={list(data)}
                  scope={params["districtId"] === undefined ? { provinceId: provinceId! } : { districtId: districtId! }}
                />
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

/** Facilities of the country, a place or a partner: all of them, or those of one mode. */
export function FacilitiesScreen() {
  const params = useParams();
  const [url] = useSearchParams();
  const wrong = wrongIn(url);
  if (wrong) return <WrongFilterNotice {...wrong} />;
  const filter = readFilter(params, url);
  return filter ? <Facilities filter={filter} /> : <NotFoundScreen />;
}
