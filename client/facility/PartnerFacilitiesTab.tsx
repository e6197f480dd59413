import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { FieldListNote } from "./FieldListNote.tsx";
import { FacilitiesTable } from "./FacilitiesTable.tsx";

const query = graphql(`
  query PartnerFacilitiesTabQuery($implementingPartnerId: Int!, $offset: Int) {
    facilities(implementingPartnerId: $implementingPartnerId, first: 10, offset: $offset) {
      totalCount
      nodes { id ...FacilitiesTable_Facility }
    }
  }
`);

const read = (implementingPartnerId: number, url: URLSearchParams) => ({ implementingPartnerId, offset: offsetOf(url) });

export const loader = screenLoader(query, ({ params, url }) => read(idInPath(params.implementingPartnerId) ?? 0, url));

/** The facilities that a partner supports. */
export function PartnerFacilitiesTab({ implementingPartnerId }: { implementingPartnerId: number }) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(implementingPartnerId, url));
  return (
    <QueryState query={answer} what="list of facilities">
      {({ facilities: { totalCount, nodes } }) => (
        <>
          <FieldListNote query={answer} />
          <PagedList total={totalCount} shown={nodes.length} label="Pages of facilities" empty="This partner supports no facility yet.">
            <FacilitiesTable caption={counted(totalCount, "facility", "facilities")} rows={nodes} without={["partner"]} />
          </PagedList>
        </>
      )}
    </QueryState>
  );
}
