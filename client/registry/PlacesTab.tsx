import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { PlacesTabQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { SearchForm } from "../ui/filter/SearchForm.tsx";
import "../ui/filter/ListBar.css";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { PagedRows } from "../ui/list/PagedRows.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { NewPlaceDialog } from "./NewPlaceDialog.tsx";
import { placeNames, stateOf } from "./placeWords.ts";

const query = graphql(`
  query PlacesTabQuery($kind: RegistryPlaceKind!) {
    registryPlaces(kind: $kind) {
      place { kind placeId name province isOpen closedOn }
      districts openFacilities closedFacilities people
    }
  }
`);

/** Fetches the list of a kind when its tab is opened. */
export const placesLoader = (kind: PlaceKind) => screenLoader(query, () => ({ kind }));

type Row = NonNullable<PlacesTabQueryQuery["registryPlaces"]>[number];
const count = (id: "districts" | "openFacilities" | "closedFacilities" | "people", header: string): Column<Row> => ({
  id,
  header,
  numeric: true,
  phone: "labelled",
  cell: (row) => formatNumber(row[id]),
});
const columnsOf = (kind: PlaceKind): Column<Row>[] => [
  {
    id: "name",
    header: placeNames[kind].title,
    rowHeader: true,
    cell: ({ place }) => <Link to={routes.registryPlace(kind, place.placeId)}>{place.name}</Link>,
  },
  ...(kind === "district"
    ? [{ id: "province", header: "Province", phone: "line" as const, cell: ({ place }: Row) => place.province ?? "–" }]
    : []),
  { id: "state", header: "State", phone: "end", cell: ({ place }) => stateOf(place) },
  ...(kind === "province" ? [count("districts", "Districts")] : []),
  count("openFacilities", "Open facilities"),
  count("closedFacilities", "Closed facilities"),
  ...(kind === "implementingPartner" ? [count("people", "Users")] : []),
];

/** All provinces, districts or partners, the closed ones too, with what depends on each; and the way to add one. */
export function PlacesTab({ kind }: { kind: PlaceKind }) {
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const [url] = useSearchParams();
  const answer = useScreenQuery(query, { kind });
  const { one, many } = placeNames[kind];
  const named = url.get("named") ?? "";
  return (
    <div className="stack">
      <div className="list-bar is-one-row">
        <SearchForm label="Part of the name" name="named" />
        <div className="list-bar-row row">
          <Button onClick={() => setAdding(true)} text={`Add ${one}`} />
        </div>
        <NewPlaceDialog
          isOpen={isAdding}
          kind={kind}
          onAdded={(added) => {
            setAdding(false);
            showSuccess(`Added ${added.name}`);
            navigate(routes.registryPlace(kind, added.id));
          }}
          onClose={() => setAdding(false)}
        />
      </div>
      <QueryState query={answer} what={`list of ${many}`}>
        {({ registryPlaces }) => {
          const rows = (registryPlaces ?? []).filter(({ place }) =>
            place.name.toLowerCase().includes(named.toLowerCase()),
          );
          return (
            <PagedRows
              empty={named ? `No ${one} has this in its name.` : `There are no ${many} yet.`}
              label={`Pages of ${many}`}
              rows={rows}
            >
              {(shown) => (
                <DataTable
                  caption={placeNames[kind].titles}
                  captionHidden
                  columns={columnsOf(kind)}
                  rowKey={({ place }) => place.placeId}
                  rows={shown}
                />
              )}
            </PagedRows>
          );
        }}
      </QueryState>
    </div>
  );
}
