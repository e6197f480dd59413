const dayMs = 86_400_000;

/** Days from one day to another, both YYYY-MM-DD. */
export const daysBetween = (day: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(day)) / dayMs);

/** How long ago a day was: "today", "12 days ago", "5 months ago", "2 years ago". */
export function agoWords(day: string, today: string): string {
  const days = daysBetween(day, today);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 60) return `${days} days ago`;
  const months = Math.floor(days / 30.44);
  return months < 24 ? `${months} months ago` : `${Math.floor(months / 12)} years ago`;
}
