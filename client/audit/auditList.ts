import { auditParameters, type auditSortKeys } from "../../gateway/audit/listFilter.rules.ts";
import type { AuditScreenQueryQueryVariables, AuditSort } from "../gql/graphql.ts";
import { files } from "../routes.ts";
import { orderAndPage, sortIn } from "../ui/filter/listSort.ts";
import { filtersOf, textsOf, valuesOf } from "../ui/filter/listTexts.ts";
import { wrongFilterIn } from "../ui/filter/wrongFilter.ts";

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
  return (
    wrongFilterIn(url, filtersOf(auditParameters)) ??
    (start && end && end < start ? { name: "end", text: end } : undefined)
  );
}

/** The variables of the list's query. */
export function readAuditList(url: URLSearchParams): AuditScreenQueryQueryVariables {
  return {
    ...(valuesOf(auditParameters, url) as AuditScreenQueryQueryVariables),
    ...orderAndPage<AuditSort>(url, auditOrders),
  };
}

/** The address of the CSV file with this list. */
export const csvAddress = (url: URLSearchParams): string =>
  files.auditCsv({ ...textsOf(auditParameters, url), sort: sortIn(url, auditOrders) });
