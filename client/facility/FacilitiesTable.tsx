import { listParameterNames } from "../../gateway/facility/listFilter.rules.ts";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { headings, worksWords } from "../../gateway/facility/siteColumns.rules.ts";
import { facilityFields } from "../../db/facility/facilityFields.rules.ts";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import type { FacilitiesTable_FacilityFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { columnsIn } from "../ui/columns/listColumns.ts";
import { type Column, DataTable, type Sorting } from "../ui/list/DataTable.tsx";
import type { Selection } from "../bulk/useSelection.ts";
import { ContactWords } from "../ui/text/ContactWords.tsx";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { metresBetween } from "../../gateway/facility/distance.rules.ts";
import { distanceText } from "../ui/text/distance.ts";
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
    openActions @include(if: $withActions)
    state {
      smartCareFunctional powerWorking libraryVersion lastVisitDate lastTdbCreationDate daysSinceLastTdb overdue
      ... @include(if: $withContact) { contactName contactRole contactPhone }
    }
  }
`);

type Row = FacilitiesTable_FacilityFragment;
/** A column that sorts does so by an order that the list knows. */
type FacilityColumn = Column<Row> & { sort?: keyof typeof facilityOrders };

const marks = { good: "✓", bad: "✕", unknown: "?" } as const;

/** Whether something works by the latest visit: in words, with a mark and a colour. */
function WorksWords({ works, state }: { works: boolean | null | undefined; state: Row["state"] }) {
  if (state.lastVisitDate == null) return worksWords(works, state);
  const tone = works == null ? "unknown" : works ? "good" : "bad";
  return (
    <span className="facility-answer" data-tone={tone}>
      <span aria-hidden="true">{marks[tone]} </span>
      {worksWords(works, state)}
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
    header: headings.facilityName,
    sort: "name",
    rowHeader: true,
    cell: ({ facilityUuid, facilityName, hmisCode }) => (
      <>
        <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink>
        {hmisCode ? <span className="facility-code">{hmisCode}</span> : null}
      </>
    ),
  },
  {
    id: "code",
    header: headings.hmisCode,
    sort: "hmisCode",
    phone: "line",
    cell: ({ hmisCode }) => hmisCode ?? "No code",
  },
  {
    id: "place",
    header: headings.place,
    sort: "district",
    phone: "line",
    cell: ({ district, province }) => `${district.name}, ${province.name}`,
  },
  { id: "distance", header: "Distance", oneLine: true, cell: () => "–" },
  {
    id: "partner",
    header: headings.implementingPartner,
    sort: "implementingPartner",
    cell: ({ implementingPartner: partner }) => partner?.implementingPartner ?? "–",
  },
  {
    id: "works",
    header: headings.smartCareFunctional,
    phone: "end",
    cell: ({ state }) => <WorksWords state={state} works={state.smartCareFunctional} />,
  },
  {
    id: "power",
    header: headings.powerWorking,
    cell: ({ state }) => <WorksWords state={state} works={state.powerWorking} />,
  },
  { id: "version", header: headings.libraryVersion, cell: ({ state }) => state.libraryVersion ?? "–" },
  {
    id: "mode",
    header: headings.functionalityStatusMode,
    sort: "mode",
    cell: ({ functionalityStatusMode: mode }) => (mode ? modeLabels[mode] : "–"),
  },
  {
    id: "lastVisit",
    header: headings.lastVisitDate,
    sort: "lastAssessed",
    oneLine: true,
    cell: ({ state }) => (state.lastVisitDate ? formatDate(state.lastVisitDate) : "Never"),
  },
  {
    id: "lastData",
    header: headings.lastTdbCreationDate,
    cell: ({ state }) => (
      <>
        <span className="facility-day">
          {state.lastTdbCreationDate ? formatDate(state.lastTdbCreationDate) : "Never"}
          {state.overdue ? <span className="wide-only">,</span> : null}
        </span>
        {state.overdue ? <span className="warn wide-only"> overdue</span> : null}
      </>
    ),
  },
  {
    id: "days",
    header: headings.daysSinceLastTdb,
    numeric: true,
    cell: ({ state }) => (state.daysSinceLastTdb === null ? "–" : formatNumber(state.daysSinceLastTdb)),
  },
  {
    id: "contact",
    header: headings.contactName,
    cell: ({ state: { contactName, contactRole, contactPhone } }) => (
      <ContactWords name={contactName} phone={contactPhone} role={contactRole} />
    ),
  },
  { id: "actions", header: headings.openActions, numeric: true, cell: ({ openActions }) => openActions ?? "–" },
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
    cell: ({ catchmentPopulation: people }) => (people === null ? "–" : formatNumber(people)),
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

/** A cell with the distance from a position, given as latitude and longitude with more behind. */
const distanceFrom = (near: string | null) => {
  const [latitude, longitude] = (near ?? "").split(",").map(Number) as [number, number];
  return ({ latitude: north, longitude: east }: Row) =>
    north == null || east == null
      ? "–"
      : distanceText(metresBetween({ latitude, longitude }, { latitude: north, longitude: east }));
};

/** The columns that can be chosen: the site's name is always there. */
const choices = columns.slice(1).map(({ id, header }) => ({ id, header }));
const allIds = choices.map(({ id }) => id);
const usual = ["place", "partner", "works", "power", "version", "lastVisit", "lastData", "actions"];
/** Of these, those that a window between a phone's and a desk's width shows only if they were chosen. */
const ofWide = new Set(["partner", "version", "actions"]);

/** The columns that show what a filter is about, where they are not called like its field. */
const columnsOfFilter: Partial<Record<string, string[]>> = {
  assessed: ["lastVisit"],
  assessedBefore: ["lastVisit"],
  functional: ["works"],
  oldVersion: ["version"],
  libraryVersion: ["version"],
  modes: ["mode"],
  silent: ["lastData", "days"],
  noTdbSince: ["lastData", "days"],
  outside: ["position"],
  near: ["distance"],
  inARow: ["works", "power", "lastVisit"],
  catchmentPopulationFrom: ["catchmentPopulation"],
  catchmentPopulationTo: ["catchmentPopulation"],
};

/** For people who may see visits. */
const ofVisits = new Set(["contact", "actions"]);
/** What sites that were taken along do not have. */
const notOnDevice = new Set(["works", "power", "version", "lastVisit", "lastData", "days", "contact", "actions"]);

/** The columns that the filters of an address add. */
const addedIn = (url: URLSearchParams) =>
  listParameterNames
    .filter((name) => url.has(name))
    .flatMap((name) => columnsOfFilter[name] ?? name)
    .filter((id) => allIds.includes(id));

/** The variables of the table's fragment: personal data, and what is counted, is asked for only if it is shown. */
export function columnVariables(url: URLSearchParams) {
  const shown = columnsIn(url, allIds, usual, addedIn(url));
  return { withContact: shown.includes("contact"), withActions: shown.includes("actions") };
}

/**
 * The columns of a list: the usual ones or those chosen in the address, and those of its filters. `without`: those that
 * would say the same in every row. `isFromDevice`: the rows are sites taken along. `isWide`: there is room for all.
 */
export function facilityColumnsIn(
  url: URLSearchParams,
  {
    without,
    seesVisits,
    isFromDevice,
    isWide,
  }: { without: readonly string[]; seesVisits: boolean; isFromDevice: boolean; isWide: boolean },
) {
  const added = addedIn(url);
  const isOffered = (id: string) =>
    !without.includes(id) &&
    (id !== "distance" || added.includes(id)) &&
    !(isFromDevice && notOnDevice.has(id)) &&
    (seesVisits || !ofVisits.has(id));
  const ofList = usual.filter((id) => isOffered(id) && (isWide || !ofWide.has(id)));
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
  /** Of these, those that the filters ask about. */
  added?: readonly string[];
  sorting?: Sorting;
  selection?: Selection | undefined;
};

/**
 * A column as a phone shows it, which has room for two that the filters ask about: one in the place of "Works", below
 * its header, and one in that of code and province.
 */
function onPhone(column: FacilityColumn, [first, second]: readonly string[]): FacilityColumn {
  const { id, header, cell } = column;
  const { phone: _, ...hidden } = column;
  if (id === second) return { ...column, phone: "labelled" };
  if (id === "code" && second !== undefined) return hidden;
  if (id === "place" && second !== undefined)
    return {
      ...column,
      cell: ({ district, province }) => (
        <>
          {district.name}
          <span className="wide-only">, {province.name}</span>
        </>
      ),
    };
  if (first === undefined || first === "works") return column;
  if (id === "works") return hidden;
  if (id !== first) return column;
  return {
    ...column,
    phone: "end",
    cell: (row) => (
      <>
        <span className="facility-asked only-phone">{header}</span>
        {cell(row)}
      </>
    ),
  };
}

/** Facilities with their state. On a phone each is two lines: name and whether it works, code and place. */
export function FacilitiesTable({ caption, rows, shown, added = [], sorting, selection }: FacilitiesTableProps) {
  const [url] = useSearchParams();
  const asked = [...new Set(added)].filter((id) => shown.includes(id));
  return (
    <DataTable
      caption={caption}
      columns={columns.flatMap((each) => {
        const column = onPhone(each.id === "distance" ? { ...each, cell: distanceFrom(url.get("near")) } : each, asked);
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
