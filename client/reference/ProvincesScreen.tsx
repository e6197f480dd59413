import { FieldListNote } from "../facility/FieldListNote.tsx";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { counted } from "../ui/text/counted.ts";
import { LinkList } from "../ui/list/LinkList.tsx";
import { WithOverview } from "../dash/WithOverview.tsx";

const query = graphql(`
  query ProvincesScreenQuery {
    provinces(first: 100) {
      totalCount
      nodes { id provinceId name }
    }
  }
`);

export const loader = screenLoader(query, () => ({}));

/** Every province, and the overview of the whole country. */
export function ProvincesScreen() {
  const answer = useScreenQuery(query, {});
  return (
    <Page title="All Provinces">
      <div className="overview-to-come">
        <QueryState query={answer} what="list of provinces">
          {({ provinces: { totalCount, nodes } }) => (
            <WithOverview
              list={
                totalCount === 0 ? (
                  <Empty>No provinces have been loaded yet.</Empty>
                ) : answer.field ? (
                  <>
                    <FieldListNote query={answer} />
                    <LinkList
                      caption={counted(totalCount, "province")}
                      rows={nodes.map(({ id, provinceId, name }) => ({
                        id,
                        title: name,
                        to: routes.districts(provinceId),
                        aside: { title: "Facilities", to: routes.facilitiesOfProvince(provinceId) },
                      }))}
                    />
                  </>
                ) : undefined
              }
              scope={{}}
            />
          )}
        </QueryState>
      </div>
    </Page>
  );
}
