/** Why no figure counts a record: it was set aside, or it is held. Null if it is counted. */
export const notCounted = (setAsideReason?: string | null, held?: string | null) =>
  setAsideReason != null ? { word: "Set aside", reason: setAsideReason } : held ? { word: "Held", reason: held } : null;

/** The same as a line. Empty if the record is counted. */
export function notCountedText(setAsideReason?: string | null, held?: string | null): string {
  const why = notCounted(setAsideReason, held);
  return why ? `${why.word}: ${why.reason}` : "";
}
