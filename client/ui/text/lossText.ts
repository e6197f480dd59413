type Lost = { missing?: string | null; closed?: string | null };

/**
 * What happened to the place or partner that a saved view is about: "Its district was closed". Undefined if it is still
 * there and open.
 */
export function lossText({ missing, closed }: Lost): string | undefined {
  if (missing) return `Its ${missing} is not there any more`;
  return closed ? `Its ${closed} was closed` : undefined;
}
