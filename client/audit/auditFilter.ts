import { auditFilterRules } from "../../gateway/audit/audit.rules.ts";
import { outcomes } from "../../gateway/audit/audit.rules.ts";
import type { AuditFilter } from "../../gateway/audit/audit.rules.ts";
import { wordsOf } from "../../gateway/audit/events.rules.ts";
import type { Chip } from "../ui/filter/Chips.tsx";
import { formatDate } from "../ui/text/dates.ts";

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

const labels = { who: "Who", action: "What", outcome: "Outcome", start: "From", end: "To", about: "Facility or user" };

/** What the events are narrowed by, in words. */
export function chipsOf(filter: AuditFilter): Chip[] {
  const { action, outcome, start, end } = filter;
  const words = { ...filter, action: action && wordsOf(action), outcome: outcome && outcomes[outcome], start: start && formatDate(start), end: end && formatDate(end) };
  return names.flatMap((name) => (filter[name] ? [{ name, words: `${labels[name]}: ${words[name]}` }] : []));
}
