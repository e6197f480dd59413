/** Why no figure counts a record: it was set aside, or it is held. Empty if it is counted. */
export const notCountedText = (setAsideReason?: string | null, held?: string | null): string =>
  setAsideReason != null ? `Set aside: ${setAsideReason}` : held ? `Held: ${held}` : "";
