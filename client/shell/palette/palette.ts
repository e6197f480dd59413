import { graphql } from "../../gql/gql.ts";
import type { PaletteQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { lossText } from "../../ui/text/lossText.ts";

/** The palette's results, in groups. */

export const query = graphql(`
  query PaletteQuery($text: String!, $named: Boolean!, $long: Boolean!, $people: Boolean!) {
    savedViews(search: $text, first: 5) { nodes { id name address missing closed } }
    savedQueries(search: $text, first: 5) { nodes { id uuid name ownerUserName own } }
    provinces(search: $text, first: 3) @include(if: $named) { nodes { id provinceId name } }
    districts(search: $text, first: 5) @include(if: $named) { nodes { id districtId name province { id name } } }
    implementingPartners(search: $text, active: null, first: 5) @include(if: $named) { nodes { id implementingPartnerId implementingPartner } }
    facilities(search: $text, first: 6) @include(if: $long) { nodes { id facilityUuid facilityName hmisCode district { id name } } }
    users(search: $text, first: 5) @include(if: $people) { nodes { id uuid userName firstName surname } }
  }
`);

export type Hit = { id: string; title: string; note?: string | undefined; to: string };
type HitGroup = { name: string; hits: Hit[] };

/** The answer as groups, with the screens first and the terms last, without empty ones. */
export function groupsOf(
  screens: readonly Hit[],
  answer: PaletteQueryQuery | undefined,
  terms: readonly Hit[] = [],
): HitGroup[] {
  const { provinces, districts, facilities, implementingPartners, users, savedViews, savedQueries } = answer ?? {};
  const groups: HitGroup[] = [
    { name: "Screens", hits: [...screens] },
    {
      name: "Facilities",
      hits: (facilities?.nodes ?? []).map((one) => ({
        ...{ id: one.id, title: one.facilityName, to: routes.facility(one.facilityUuid) },
        note: [one.district.name, one.hmisCode].filter(Boolean).join(" · "),
      })),
    },
    {
      name: "Places",
      hits: [
        ...(provinces?.nodes ?? []).map(({ id, provinceId, name }) => ({
          id,
          title: `${name} Province`,
          to: routes.facilitiesOfProvince(provinceId),
        })),
        ...(districts?.nodes ?? []).map((one) => ({
          id: one.id,
          title: `${one.name} District`,
          note: one.province.name,
          to: routes.facilitiesOfDistrict(one.districtId),
        })),
      ],
    },
    {
      name: "Partners",
      hits: (implementingPartners?.nodes ?? []).map((one) => ({
        id: one.id,
        title: one.implementingPartner,
        to: routes.partner(one.implementingPartnerId),
      })),
    },
    {
      name: "People",
      hits: (users?.nodes ?? []).map((one) => ({
        id: one.id,
        title: `${one.firstName} ${one.surname}`,
        note: one.userName,
        to: routes.user(one.uuid),
      })),
    },
    {
      name: "Saved questions",
      hits: (savedQueries?.nodes ?? []).map((one) => ({
        ...{ id: one.id, title: one.name, to: routes.savedQuery(one.uuid) },
        note: one.own ? undefined : `Shared by ${one.ownerUserName}`,
      })),
    },
    {
      name: "Saved views",
      hits: (savedViews?.nodes ?? []).map((one) => ({
        id: one.id,
        title: one.name,
        note: lossText(one),
        to: one.address,
      })),
    },
    { name: "Terms", hits: [...terms] },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

/** Whether each typed word is the beginning of a word of the title, ignoring case. */
export function isNamed(title: string, text: string): boolean {
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)));
}
