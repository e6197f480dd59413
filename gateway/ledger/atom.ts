import { Feed } from "feed";

import type { LedgerEntry } from "./ledger.ts";
import { changeWords } from "./ledgerWords.rules.ts";

/** Noon in UTC, which is the same day in Zambia: an entry has a day, and Atom wants an instant. */
const instantOf = (day: string) => new Date(`${day}T12:00:00Z`);

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
    generator: "SmartCare Deployment Platform",
  });
  for (const entry of entries) {
    const { facilityUuid, facilityName, district, day, who, comment } = entry;
    feed.addItem({
      id: `urn:smartcare:ledger:${encodeURIComponent(entry.id)}`,
      title: `${facilityName}, ${district}: ${changeWords(entry)}`,
      link: `${origin}/#/facility/${encodeURIComponent(facilityUuid)}`,
      date: instantOf(day),
      description: [comment, who].filter(Boolean).join(" · ") || changeWords(entry),
    });
  }
  return feed.atom1();
}
