import { graphql } from "../gql/gql.ts";
import { client } from "../urql.ts";
import { formatDate } from "../ui/text/dates.ts";
import type { RegistryPlace } from "./registryCalls.ts";

const query = graphql(`
  query PlacePartsQuery($ofProvince: Boolean!, $districtId: Int, $implementingPartnerId: Int, $closed: Boolean, $after: String) {
    registryPlaces(kind: district) @include(if: $ofProvince) { place { placeId name provinceId isOpen closedOn } }
    facilities(first: 100, after: $after, districtId: $districtId, implementingPartnerId: $implementingPartnerId, filter: { closed: $closed }) @skip(if: $ofProvince) {
      nodes { id facilityUuid facilityName hmisCode closedOn district { id name } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A district of a province, or a facility of a district or partner. `about` distinguishes those with the same name. */
export type PlacePart = { key: string; name: string; about: string };

const words = (parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(", ");
const closing = (closedOn: string | null): string => (closedOn === null ? "" : `closed since ${formatDate(closedOn)}`);

async function listFacilities({ kind, id }: RegistryPlace, closed: boolean | null): Promise<PlacePart[]> {
  const scope = kind === "district" ? { districtId: id } : { implementingPartnerId: id };
  const found: PlacePart[] = [];
  let after: string | null = null;
  do {
    const { data, error }: Awaited<ReturnType<typeof ask>> = await ask({ ofProvince: false, ...scope, closed, after });
    if (!data?.facilities) throw error ?? new Error("no answer");
    for (const one of data.facilities.nodes)
      found.push({ key: one.facilityUuid, name: one.facilityName, about: words([one.hmisCode, kind === "district" ? "" : one.district.name, closing(one.closedOn)]) });
    const { hasNextPage, endCursor } = data.facilities.pageInfo;
    after = hasNextPage ? (endCursor ?? null) : null;
  } while (after !== null);
  return found;
}

const ask = (variables: { ofProvince: boolean; districtId?: number; implementingPartnerId?: number; closed?: boolean | null; after?: string | null }) =>
  client.query(query, variables, { requestPolicy: "network-only" }).toPromise();

/** The parts of a place or partner, the closed ones last. @throws if the server cannot be reached */
export async function listParts(place: RegistryPlace): Promise<PlacePart[]> {
  if (place.kind !== "province") return [...(await listFacilities(place, null)), ...(await listFacilities(place, true))];
  const { data, error } = await ask({ ofProvince: true });
  if (!data?.registryPlaces) throw error ?? new Error("no answer");
  return data.registryPlaces
    .filter(({ place: { provinceId } }) => provinceId === place.id)
    .map(({ place: { placeId, name, closedOn } }) => ({ key: String(placeId), name, about: closing(closedOn) }));
}
