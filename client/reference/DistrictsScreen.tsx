import { type LoaderFunction, type Params, useParams, useSearchParams } from "react-router-dom";
import { FieldListNote } from "../facility/FieldListNote.tsx";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { StalePart } from "../ui/notice/StalePart.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { counted } from "../ui/text/counted.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { LinkList } from "../ui/list/LinkList.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { DistrictsTable } from "./DistrictsTable.tsx";
import { WithOverview } from "../dash/WithOverview.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const query = graphql(`
  query DistrictsScreenQuery($provinceId: Int, $inProvince: Boolean!, $named: Int = 0, $first: Int = 10, $offset: Int) {
    province(provinceId: $named) @include(if: $inProvince) { id name }
    districts(provinceId: $provinceId, first: $first, offset: $offset) {
      totalCount
      nodes { id districtId name province { id name } }
    }
  }
`);

const isMistyped = ({ provinceId }: Params) => provinceId !== undefined && idInPath(provinceId) === undefined;

function read({ params, url }: { params: Params; url: URLSearchParams }) {
  const provinceId = idInPath(params.provinceId);
  return { provinceId, inProvince: provinceId !== undefined, named: provinceId, offset: offsetOf(url) };
}

const start = screenLoader(query, read);
export const loader: LoaderFunction = (args) => (isMistyped(args.params) ? null : start(args));

function Districts({ params }: { params: Params }) {
  const [url] = useSearchParams();
  const variables = read({ params, url });
  const { provinceId } = variables;
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ districts }) => districts.nodes);
  const isNational = provinceId === undefined;
  return (
    <QueryState hasStalePart query={answer} what={isNational ? "list of districts" : "province"}>
      {({ province, districts }) =>
        isNational || province ? (
          <Page
            title={province ? `${province.name} Province - All Districts` : "All Districts"}
            actions={
              isNational ? undefined : (
                <ScopeLink to={routes.facilitiesOfProvince(provinceId)}>Facilities of the province</ScopeLink>
              )
            }
          >
            <WithOverview
              list={
                isNational && !answer.field && districts.totalCount > 0 ? (
                  <StalePart isStale={answer.stale}>
                    <DistrictsTable districts={districts} fetchFrom={fetchFrom} />
                  </StalePart>
                ) : answer.field || districts.totalCount === 0 ? (
                  <StalePart isStale={answer.stale}>
                    <FieldListNote query={answer} />
                    <PagedList
                      fetchFrom={fetchFrom}
                      list={districts}
                      label="Pages of districts"
                      empty={isNational ? "No districts have been loaded yet." : "This province has no districts yet."}
                    >
                      {(rows) => (
                        <LinkList
                          caption={counted(districts.totalCount, "district")}
                          rows={rows.map((district) => ({
                            id: district.id,
                            title: district.name,
                            to: routes.facilitiesOfDistrict(district.districtId),
                            note: isNational ? district.province.name : undefined,
                          }))}
                        />
                      )}
                    </PagedList>
                  </StalePart>
                ) : undefined
              }
              scope={isNational ? {} : { provinceId }}
            />
          </Page>
        ) : (
          <NotFoundNotice what="province" />
        )
      }
    </QueryState>
  );
}

/** The districts of the country or of one province, with its overview. */
export function DistrictsScreen() {
  const params = useParams();
  return isMistyped(params) ? <NotFoundNotice what="province" /> : <Districts params={params} />;
}
