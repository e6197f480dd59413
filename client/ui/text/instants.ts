/** An instant (ISO 8601) as a date and a time of day in a zone: "22 Nov 2026, 11:15". */
export const instantText = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(instant));
