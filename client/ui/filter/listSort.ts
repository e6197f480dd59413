import { useSearchParams } from "react-router-dom";
import type { Sorting } from "../list/DataTable.tsx";
import { offsetOf, rowsIn } from "../list/pageOffset.ts";
import { useListAddress } from "./listAddress.ts";

/** The keys by which a list can be sorted, each in words. */
export type Orders = Readonly<Record<string, string>>;

/** The order in an address (`sort`: a key, with a minus for descending order), if it is by one of these keys; any other is ignored. */
export function sortIn(url: URLSearchParams, orders: Orders): string | undefined {
  const by = url.get("sort") ?? "";
  return Object.hasOwn(orders, by.replace(/^-/, "")) ? by : undefined;
}

/** The order as a value of a GraphQL enum: `-hmisCode` is HMIS_CODE_DESC. */
export function sortValue(by: string): string {
  const word = by.replace(/^-/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `${word.toUpperCase()}_${by.startsWith("-") ? "DESC" : "ASC"}`;
}

/** The order, as a value of the GraphQL enum `Sort`, and the page of a list in its address. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each list has an enum of its own
export function orderAndPage<Sort>(url: URLSearchParams, orders: Orders, pageName?: string) {
  const by = sortIn(url, orders);
  const first = rowsIn(url);
  return {
    sort: by === undefined ? undefined : (sortValue(by) as Sort),
    first,
    offset: offsetOf(url, pageName, first),
  };
}

/** The order in a list's address, and a function that changes it. `usual` is the order if the address has none. */
export function useSorting(orders: Orders, usual: string | undefined, pageName?: string): Sorting {
  const [url] = useSearchParams();
  const change = useListAddress(pageName);
  return { by: sortIn(url, orders) ?? usual, onSort: (by) => change({ sort: by === usual ? "" : by }) };
}
