import { listParameterNames } from "../../gateway/facility/listFilter.rules.ts";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { facilityFields } from "../../db/facility/facilityFields.rules.ts";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FacilitiesTable_FacilityFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { columnsIn } from "../ui/columns/listColumns.ts";
import { type Column, DataTable, type Sorting } from "../ui/list/DataTable.tsx";
import type { Selection } from "../bulk/useSelection.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatDate } from "../ui/text/dates.ts";
import type { facilityOrders } from "./facilityFilter.ts";
import "./FacilitiesTable.css";

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
    facilityOwner
    healthCenterType
    facilityType
    laboratoryLevel
    operationStatus
    catchmentPopulation
    latitude
    longitude
    closedOn
    connectivity { present }
    openActions
    state { smartCareFunctional powerWorking libraryVersion lastVisitDate lastTdbCreationDate overdue }
  }
`);

type Row = FacilitiesTable_FacilityFragment;
/** A column that sorts does so by an order that the list knows. */
type FacilityColumn = Column<Row> & { sort?: keyof typeof facilityOrders };

const marks = { good: "✓", bad: "✕", unknown: "?" } as const;

/** An answer of the latest visit: a word, with a mark and a colour. */
function answer(value: boolean | null | undefined, [yes, no]: readonly [string, string]) {
  const tone = value == null ? "unknown" : value ? "good" : "bad";
  return (
    <span className="facility-answer" data-tone={tone}>
      <span aria-hidden="true">{marks[tone]} </span>
      {value == null ? "Not recorded" : value ? yes : no}
    </span>
  );
}

const textColumn = (
  name: "facilityOwner" | "healthCenterType" | "facilityType" | "laboratoryLevel" | "operationStatus",
): FacilityColumn => ({ id: name, header: facilityFields[name].label, cell: (row) => row[name] ?? "–" });

/** All columns of facilities, in their order. */
const columns: FacilityColumn[] = [
  {
    id: "site",
    header: "Site",
    sort: "name",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName, hmisCode }) => (
      <>
        <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink>
        {hmisCode ? <span className="facility-code">{hmisCode}</span> : null}
      </>
    ),
  },
  { id: "code", header: "HMIS code", sort: "hmisCode", phone: "line", cell: ({ hmisCode }) => hmisCode ?? "No code" },
  {
    id: "place",
    header: "Place",
    sort: "district",
    phone: "line",
    cell: ({ district, province }) => `${district.name}, ${province.name}`,
  },
  {
    id: "partner",
    header: "Partner",
    sort: "implementingPartner",
    cell: ({ implementingPartner: partner }) => partner?.implementingPartner ?? "–",
  },
  {
    id: "works",
    header: "Works",
    phone: "end",
    cell: ({ state }) =>
      state.lastVisitDate == null ? "Never assessed" : answer(state.smartCareFunctional, ["Works", "Does not work"]),
  },
  {
    id: "power",
    header: "Power",
    cell: ({ state }) => (state.lastVisitDate == null ? "–" : answer(state.powerWorking, ["Yes", "No"])),
  },
  { id: "version", header: "Version", cell: ({ state }) => state.libraryVersion ?? "–" },
  {
    id: "mode",
    header: "Present mode",
    sort: "mode",
    cell: ({ functionalityStatusMode: mode }) => (mode ? modeLabels[mode] : "–"),
  },
  {
    id: "lastVisit",
    header: "Last visit",
    sort: "lastAssessed",
    oneLine: true,
    cell: ({ state }) => (state.lastVisitDate ? formatDate(state.lastVisitDate) : "Never"),
  },
  {
    id: "lastData",
    header: "Last data",
    cell: ({ state }) => (
      <>
        <span className="facility-day">
          {state.lastTdbCreationDate ? formatDate(state.lastTdbCreationDate) : "Never"}
          {state.overdue ? "," : ""}
        </span>
        {state.overdue ? <span className="warn"> overdue</span> : null}
      </>
    ),
  },
  { id: "actions", header: "Open actions", numeric: true, cell: ({ openActions }) => openActions ?? "–" },
  textColumn("facilityOwner"),
  textColumn("healthCenterType"),
  textColumn("facilityType"),
  textColumn("laboratoryLevel"),
  textColumn("operationStatus"),
  {
    id: "catchmentPopulation",
    header: facilityFields.catchmentPopulation.label,
    sort: "catchmentPopulation",
    numeric: true,
    cell: ({ catchmentPopulation: people }) => people?.toLocaleString("en-GB") ?? "–",
  },
  {
    id: "connected",
    header: "Network",
    cell: ({ connectivity: { present } }) =>
      present == null ? "Not recorded" : present ? "Connected" : "Not connected",
  },
  {
    id: "position",
    header: "Position",
    oneLine: true,
    cell: ({ latitude, longitude }) =>
      latitude == null || longitude == null ? "Not known" : `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`,
  },
  { id: "closed", header: "Closed", oneLine: true, cell: ({ closedOn }) => (closedOn ? formatDate(closedOn) : "–") },
];

/** The columns that can be chosen: the site's name is always there. */
const choices = columns.slice(1).map(({ id, header }) => ({ id, header }));
const allIds = choices.map(({ id }) => id);
const usual = ["place", "partner", "works", "power", "version", "lastVisit", "lastData", "actions"];

/** The column that shows what a filter is about, where it is not called like its field. */
const columnOfFilter: Partial<Record<string, string>> = {
  assessed: "lastVisit",
  assessedBefore: "lastVisit",
  functional: "works",
  oldVersion: "version",
  libraryVersion: "version",
  modes: "mode",
  silent: "lastData",
  noTdbSince: "lastData",
  outside: "position",
  catchmentPopulationFrom: "catchmentPopulation",
  catchmentPopulationTo: "catchmentPopulation",
};

/** What sites that were taken along do not have. */
const notOnDevice = new Set(["works", "power", "version", "lastVisit", "lastData", "actions"]);

/**
 * The columns of a list: the usual ones or those chosen in the address, and those of its filters. `without`: those that
 * would say the same in every row, or that the person may not see. `isFromDevice`: the rows are sites taken along.
 */
export function facilityColumnsIn(
  url: URLSearchParams,
  { without, isFromDevice }: { without: readonly string[]; isFromDevice: boolean },
) {
  const added = listParameterNames
    .filter((name) => url.has(name))
    .map((name) => columnOfFilter[name] ?? name)
    .filter((id) => allIds.includes(id));
  const isOffered = (id: string) => !without.includes(id) && !(isFromDevice && notOnDevice.has(id));
  const ofList = usual.filter(isOffered);
  return {
    choices: choices.filter(({ id }) => isOffered(id)),
    shown: columnsIn(url, allIds.filter(isOffered), ofList, added),
    usual: ofList,
    added,
  };
}

type FacilitiesTableProps = {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  /** The ids of the columns beside the site's name. */
  shown: readonly string[];
  sorting?: Sorting;
  selection?: Selection | undefined;
};

/** Facilities with their state. On a phone each is two lines: name and whether it works, code and place. */
export function FacilitiesTable({ caption, rows, shown, sorting, selection }: FacilitiesTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columns.flatMap((column) => {
        if (column.rowHeader || shown.includes(column.id)) return column;
        return column.phone ? { ...column, isPhoneOnly: true } : [];
      })}
      rowKey={({ id }) => id}
      rows={readFragment(fragment, rows)}
      selection={
        selection && {
          isSelected: ({ facilityUuid }) => selection.isSelected(facilityUuid),
          nameOf: ({ facilityName }) => facilityName,
          onSelect: (chosen, isSelected) =>
            selection.select(
              chosen.map(({ facilityUuid, facilityName }) => ({ key: facilityUuid, name: facilityName })),
              isSelected,
            ),
        }
      }
      sorting={sorting}
    />
  );
}
