import { useEffect } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SearchResultsSectionQueryQuery } from "../gql/graphql.ts";
import { counted } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { FieldListNote } from "./FieldListNote.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query SearchResultsSectionQuery($text: String!, $offset: Int) {
    facilities(search: $text, first: 10, offset: $offset) {
      totalCount
      nodes {
        id
        facilityUuid
        facilityName
        hmisCode
        implementingPartner { id implementingPartner }
        province { id name }
        district { id name }
      }
    }
  }
`);

const read = (text: string, url: URLSearchParams) => ({ text: text.trim(), offset: offsetOf(url) });

export const loader = screenLoader(query, ({ url }) => read(url.get("text") ?? "", url));

type Found = SearchResultsSectionQueryQuery["facilities"]["nodes"][number];

const columns: Column<Found>[] = [
  {
    id: "name",
    header: "Facility name",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName }) => <Link to={routes.facility(facilityUuid)}>{facilityName}</Link>,
  },
  { id: "code", header: "HMIS code", phone: "line", cell: ({ hmisCode }) => hmisCode ?? "–" },
  {
    id: "partner",
    header: "IP",
    phone: "end",
    cell: ({ implementingPartner }) => implementingPartner?.implementingPartner ?? "–",
  },
  { id: "province", header: "Province", phone: "line", cell: ({ province }) => province.name },
  { id: "district", header: "District", phone: "line", cell: ({ district }) => district.name },
];

type SearchResultsSectionProps = {
  text: string;
  /** Called with the text and, in words, how much it found. */
  onFound: (found: { text: string; words: string }) => void;
};

/** The facilities that match a text, the best match first. */
export function SearchResultsSection({ text, onFound }: SearchResultsSectionProps) {
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, read(text, url));
  const total = answer.stale || answer.error ? undefined : answer.data?.facilities.totalCount;
  useEffect(() => {
    if (total !== undefined)
      onFound({ text, words: total === 0 ? "No facility found" : `${counted(total, "facility", "facilities")} found` });
    else if (answer.error) onFound({ text, words: "" });
  }, [text, total, answer.error, onFound]);

  return (
    <QueryState query={answer} what="search result">
      {({ facilities }) => (
        <>
          <FieldListNote query={answer} />
          <PagedList
            list={facilities}
            label="Pages of results"
            empty={`No facility has a name or code like “${text}”. Fewer letters, or a part of the name, may find more.`}
          >
            {(rows) => (
              <DataTable
                caption="Facilities found"
                captionHidden
                columns={columns}
                rowKey={({ id }) => id}
                rows={rows}
              />
            )}
          </PagedList>
        </>
      )}
    </QueryState>
  );
}
