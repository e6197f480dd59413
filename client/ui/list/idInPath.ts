/** The id in a path or search parameter; undefined if it is not a valid one. */
export function idInPath(text: string | null | undefined): number | undefined {
  return text && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647 ? Number(text) : undefined;
}
