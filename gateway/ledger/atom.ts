import { Feed } from "feed";

import type { LedgerEntry } from "./ledger.ts";
import { changeWords } from "./ledgerWords.rules.ts";

/** Noon in UTC, which is the same day in Zambia: an entry has a day, and Atom wants an instant. */
const instantOf = (day: string) => new Date(`${day}T12:00:00Z`);

const product = "SmartCare Deployment Platform";

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Plain text as HTML: the library declares titles and summaries as HTML, and leaves signs as they are. */
const htmlOf = (text: string): string => text.replace(/[&<>]/g, (sign) => signs[sign]!);

/**
 * The feed of some entries of the ledger as Atom (RFC 4287).
 *
 * @param origin where the platform is reached, such as https://platform.example
 */
export function atomOf(
  { id, name, entries }: { id: string; name: string; entries: readonly LedgerEntry[] },
  origin: string,
): string {
  const feed = new Feed({
    id: `urn:uuid:${id}`,
    title: name,
    link: `${origin}/#/changes`,
    updated: instantOf(entries[0]?.day ?? "2000-01-01"),
    generator: product,
    // Atom wants an author of the feed, or of each entry: a change may have none.
    author: { name: product },
  });
  for (const entry of entries) {
    const { facilityUuid, facilityName, district, day, who, comment } = entry;
    feed.addItem({
      id: `urn:smartcare:ledger:${encodeURIComponent(entry.id)}`,
      title: htmlOf(`${facilityName}, ${district}: ${changeWords(entry)}`),
      link: `${origin}/#/facility/${encodeURIComponent(facilityUuid)}`,
      date: instantOf(day),
      description: htmlOf([comment, who].filter(Boolean).join(" · ") || changeWords(entry)),
    });
  }
  return feed.atom1();
}
