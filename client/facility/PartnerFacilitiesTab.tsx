import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { counted } from "../ui/text/counted.ts";
import { useIsWide } from "../ui/form/useIsWide.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { FieldListNote } from "./FieldListNote.tsx";
import { columnVariables, FacilitiesTable, facilityColumnsIn } from "./FacilitiesTable.tsx";

const query = graphql(`
  query PartnerFacilitiesTabQuery(
    $implementingPartnerId: Int!, $first: Int = 10, $offset: Int, $withContact: Boolean! = false, $withActions: Boolean! = true
  ) {
    facilities(implementingPartnerId: $implementingPartnerId, first: $first, offset: $offset) {
      totalCount
      nodes { id ...FacilitiesTable_Facility }
    }
  }
`);

const read = (implementingPartnerId: number, url: URLSearchParams) => ({
  implementingPartnerId,
  offset: offsetOf(url),
  ...columnVariables(url),
});

export const loader = screenLoader(query, ({ params, url }) => read(idInPath(params.implementingPartnerId) ?? 0, url));

/** The facilities that a partner supports. */
export function PartnerFacilitiesTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const variables = read(implementingPartnerId, url);
  const answer = useScreenQuery(query, variables);
  const seesVisits = useMay("viewAssessments");
  const fetchFrom = rowsFrom(query, variables, ({ facilities }) => facilities.nodes);
  const { shown } = facilityColumnsIn(url, {
    without: ["partner"],
    seesVisits,
    isFromDevice: answer.field !== undefined,
    isWide: useIsWide(1280),
  });
  return (
    <QueryState query={answer} what="list of facilities">
      {({ facilities }) => (
        <>
          <FieldListNote query={answer} />
          <PagedList
            fetchFrom={fetchFrom}
            list={facilities}
            label="Pages of facilities"
            empty="This partner supports no facility yet."
          >
            {(rows) => (
              <FacilitiesTable
                caption={counted(facilities.totalCount, "facility", "facilities")}
                rows={rows}
                shown={shown}
              />
            )}
          </PagedList>
        </>
      )}
    </QueryState>
  );
}
