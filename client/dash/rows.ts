/**
 * Explains to people who may not read TDBs why some figures are not shown. `periods` are those that nobody else sees.
 */
export const suppressedNote = (periods: string): string =>
  `Not shown: fewer than 3 facilities, or so few that they could be worked out from other figures; ${periods}. TDB uploaders see them all.`;
export const smallGroupsNote = suppressedNote("days that are not one calendar month");
/** Explains to the same people why figures are rounded. */
export const roundedNote =
  "TDBs and clients are rounded: TDBs down, the clients of each facility to one digit. TDB uploaders see them exactly.";
