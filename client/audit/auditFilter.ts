import { auditFilterRules } from "../../gateway/audit/audit.rules.ts";
import type { AuditFilter } from "../../gateway/audit/audit.rules.ts";

const names = ["who", "action", "outcome", "start", "end", "about"] as const;

/** The filter that search parameters hold; what is not proper in them counts for nothing. */
export function readFilter(url: URLSearchParams): AuditFilter {
  const given = Object.fromEntries(names.flatMap((name) => (url.get(name) ? [[name, url.get(name)]] : [])));
  const parsed = auditFilterRules.safeParse(given);
  return parsed.success ? parsed.data : {};
}

/** The same as search parameters. */
export function writeFilter(filter: AuditFilter): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
}

/** Where the events that match are to be had as a file. */
export function csvAddress(filter: AuditFilter): string {
  const query = writeFilter(filter).toString();
  return `/api/v1/audit/csv${query ? `?${query}` : ""}`;
}
