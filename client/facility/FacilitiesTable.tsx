import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FacilitiesTable_FacilityFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable, type Sorting } from "../ui/list/DataTable.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const fragment = graphql(`
  fragment FacilitiesTable_Facility on Facility {
    id
    facilityUuid
    facilityName
    hmisCode
    functionalityStatusMode
    implementingPartner { id implementingPartnerId implementingPartner }
    province { id provinceId name }
    district { id districtId name }
  }
`);

type Row = FacilitiesTable_FacilityFragment;

const columns: Column<Row>[] = [
  {
    id: "name",
    header: "Facility",
    sort: "name",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName }) => <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink>,
  },
  { id: "code", header: "HMIS code", sort: "hmisCode", cell: ({ hmisCode }) => hmisCode ?? "–" },
  { id: "district", header: "District", sort: "district", cell: ({ district }) => district.name },
  { id: "province", header: "Province", sort: "province", cell: ({ province }) => province.name },
  {
    id: "partner",
    header: "Implementing partner",
    sort: "implementingPartner",
    cell: ({ implementingPartner: partner }) => partner?.implementingPartner ?? "–",
  },
  {
    id: "mode",
    header: "Present mode",
    sort: "mode",
    cell: ({ functionalityStatusMode: mode }) => (mode ? modeLabels[mode] : "–"),
  },
];

type FacilitiesTableProps = {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  /** Columns to leave out, because they would say the same in every row. */
  without?: readonly ("district" | "province" | "partner" | "mode")[];
  sorting?: Sorting;
};

/** Facilities, each with its place, partner and present mode. */
export function FacilitiesTable({ caption, rows, sorting, without = [] }: FacilitiesTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columns.filter(({ id }) => !without.some((one) => one === id))}
      rowKey={({ id }) => id}
      rows={readFragment(fragment, rows)}
      sorting={sorting}
    />
  );
}
