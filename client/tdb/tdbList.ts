import { useSearchParams } from "react-router-dom";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { type TdbParameterName, tdbParameters } from "../../gateway/tdb/listFilter.rules.ts";
import type { ListParameter } from "../../gateway/input/listParameters.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { PresentMode, TdbListQueryQuery, TdbSort } from "../gql/graphql.ts";
import { placesIn, usePlaceChips, wrongPlaceIn } from "../reference/placeFilter.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { chipsOf, textsOf, valuesOf, wrongTextOf } from "../ui/filter/listTexts.ts";
import { orderAndPage, type Orders, sortIn, useSorting } from "../ui/filter/listSort.ts";
import type { Sorting } from "../ui/list/DataTable.tsx";
import { type ScreenQuery, rowsFrom, useScreenQuery } from "../urql.ts";

/** The state of a list of TDBs in its address: filters, order and page. */

/** The filters by day of receipt, for lists without a form for the days. */
const receivedParameters = {
  uploadedStart: { kind: "day", label: "Uploaded from", about: "First day of receipt." },
  uploadedEnd: { kind: "day", label: "Uploaded until", about: "Last day of receipt, included." },
} satisfies Record<string, ListParameter>;

/** The orders of every list of TDBs; some tabs add others. */
export const tdbOrders = { uploaded: "Uploaded", created: "Created" } as const;

/** What makes one list of TDBs different from another. */
export type TdbListKind = {
  /** The search parameter that holds the page. */
  pageName: string;
  orders: Orders;
  /** Whose TDBs it contains. Filters for that are left out. */
  of: "all" | "facility" | "partner" | "user";
};

type Name = TdbParameterName | keyof typeof receivedParameters;
/** The filters of a list. */
export function parametersOf({ of }: TdbListKind): Readonly<Record<string, ListParameter>> {
  const { sender, overdue, modes, ...plain } = tdbParameters;
  return {
    ...(of === "all" || of === "user" ? {} : receivedParameters),
    ...plain,
    ...(of === "user" ? {} : { sender }),
    ...(of === "facility" ? {} : { overdue, modes }),
  };
}

/** The search parameters of these lists, which another tab must not inherit. */
export const tdbListNames: readonly string[] = [
  ...Object.keys(tdbParameters),
  ...Object.keys(receivedParameters),
  "provinceId",
  "districtId",
  "implementingPartnerId",
  "sort",
  "rows",
];

type Match = Partial<Record<Exclude<Name, "modes">, never>> & { modes?: PresentMode[] };

type TdbsData<Row> = { tdbs?: { totalCount: number; nodes: Row[] } | null };
/** The answer of a list's query, and a function that fetches rows from any position. */
export type TdbsAnswer<Row> = ScreenQuery<TdbsData<Row>> & { fetchFrom: (offset: number) => Promise<readonly Row[]> };

/** Queries the TDBs of many facilities. */
export const tdbsQuery = graphql(`
  query TdbListQuery(
    $userUuid: String, $start: Date, $end: Date, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int
    $delta: Boolean, $createdStart: Date, $createdEnd: Date, $libraryVersion: String, $sender: String
    $overdue: Boolean, $modes: [PresentMode!], $sort: TdbSort, $first: Int = 10, $offset: Int
  ) {
    tdbs(
      userUuid: $userUuid, start: $start, end: $end, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      delta: $delta, createdStart: $createdStart, createdEnd: $createdEnd, libraryVersion: $libraryVersion, sender: $sender
      overdue: $overdue, modes: $modes, sort: $sort, first: $first, offset: $offset
    ) {
      totalCount
      nodes {
        id uuid uploadDate uploadTime deltaTdb tdbCreationDate totalPatients fileSize fileName sha256 contentRemoved receiptRemoved setAside { reason } held
        userFirstName userSurname
        implementingPartner { id implementingPartner }
        facility { id facilityUuid facilityName district { id name } province { id name } }
      }
    }
  }
`);

/** A row of a list of the TDBs of many facilities. */
export type TdbRow = NonNullable<TdbListQueryQuery["tdbs"]>["nodes"][number];

/** Queries a page of TDBs. */
export function useTdbs<Row, V extends NonNullable<AnyVariables>>(
  query: TypedDocumentNode<TdbsData<Row>, V>,
  variables: V,
): TdbsAnswer<Row> {
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ tdbs }) => tdbs?.nodes);
  return { ...answer, fetchFrom };
}

/** The variables of a list's query, from its address. */
export function readTdbList(url: URLSearchParams, kind: TdbListKind) {
  const places = kind.of === "facility" ? {} : placesIn(url);
  const { uploadedStart, uploadedEnd, ...match } = valuesOf(parametersOf(kind), url) as Match;
  return {
    ...match,
    start: uploadedStart,
    end: uploadedEnd,
    ...places,
    ...orderAndPage<TdbSort>(url, kind.orders, kind.pageName),
  };
}

/** The search parameters of the file with the whole list. */
export function tdbFileQuery(url: URLSearchParams, kind: TdbListKind) {
  const { uploadedStart: _start, uploadedEnd: _end, ...texts } = textsOf(parametersOf(kind), url);
  return { ...(kind.of === "facility" ? {} : placesIn(url)), ...texts, sort: sortIn(url, kind.orders) };
}

/** The days of receipt in the filter of a list; without one, all days until today. */
export const daysIn = (url: URLSearchParams, today: string) => {
  const { uploadedStart: start = "1900-01-01", uploadedEnd: end = today } = valuesOf(receivedParameters, url) as {
    uploadedStart?: string;
    uploadedEnd?: string;
  };
  return { start, end };
};

/** The filters, the order and the errors in a list's address. */
export function useTdbList(kind: TdbListKind): {
  chips: Chip[];
  sorting: Sorting;
  wrong: { name: string; text: string } | undefined;
  url: URLSearchParams;
} {
  const [url] = useSearchParams();
  const parameters = parametersOf(kind);
  const places = usePlaceChips(kind.of === "facility" ? none : url);
  return {
    url,
    chips: [...places, ...chipsOf(parameters, url)],
    sorting: useSorting(kind.orders, "-uploaded", kind.pageName),
    wrong: (kind.of === "facility" ? undefined : wrongPlaceIn(url)) ?? wrongTextOf(parameters, url),
  };
}
const none = new URLSearchParams();
