type Lost = { missing?: string | null; closed?: string | null };

/** What a saved view is about and is gone: "Its district was closed". Undefined where nothing is. */
export function lossText({ missing, closed }: Lost): string | undefined {
  if (missing) return `Its ${missing} is not there any more`;
  return closed ? `Its ${closed} was closed` : undefined;
}
