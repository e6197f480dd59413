import { auditParameters, type auditSortKeys } from "../../gateway/audit/listFilter.rules.ts";
import type { AuditScreenQueryQueryVariables, AuditSort } from "../gql/graphql.ts";
import { sortIn, sortValue } from "../ui/filter/listSort.ts";
import { textsOf, valuesOf, wrongTextOf } from "../ui/filter/listTexts.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";

/** The state of the audit list in its address: filters, order and page. */

export const auditOrders = {
  when: "When",
  who: "Who",
  what: "What",
  outcome: "Outcome",
  about: "About",
  address: "From",
} as const satisfies Record<(typeof auditSortKeys)[number], string>;

/** The first invalid filter, as it is in the address. */
export function wrongIn(url: URLSearchParams): { name: string; text: string } | undefined {
  const { start, end } = textsOf(auditParameters, url);
  return wrongTextOf(auditParameters, url) ?? (start && end && end < start ? { name: "end", text: end } : undefined);
}

/** The variables of the list's query. */
export function readAuditList(url: URLSearchParams): AuditScreenQueryQueryVariables {
  const by = sortIn(url, auditOrders);
  return {
    ...(valuesOf(auditParameters, url) as AuditScreenQueryQueryVariables),
    sort: by === undefined ? undefined : (sortValue(by) as AuditSort),
    first: rowsIn(url),
    offset: offsetOf(url, "page", rowsIn(url)),
  };
}

/** The address of the CSV file with this list. */
export function csvAddress(url: URLSearchParams): string {
  const sort = sortIn(url, auditOrders);
  const query = new URLSearchParams({ ...(textsOf(auditParameters, url) as Record<string, string>), ...(sort ? { sort } : {}) }).toString();
  return `/api/v1/audit/csv${query ? `?${query}` : ""}`;
}
