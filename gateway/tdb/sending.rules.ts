/** What a sender of resumable uploads and the gateway have agreed on, and how a sender goes about it: the browser's and the command line's. */

/** The longest that a gateway keeps the parts of an unfinished upload, unless it is told otherwise. */
export const usualKeepHours = 168;

/** How much of a file is hashed at one place, to tell whether it is the file of an upload. */
const pieceBytes = 256 * 1024;
const mostPieces = 16;

export type Place = { start: number; end: number };

/** The places of what is there whose hashes tell one file from another: the first, the last, and some between. */
export function placesIn(received: number): Place[] {
  if (received <= 0) return [];
  const last = Math.max(0, received - pieceBytes);
  const count = Math.min(mostPieces, Math.ceil(received / pieceBytes));
  const starts = Array.from({ length: count }, (_, index) => (count === 1 ? 0 : Math.floor((last * index) / (count - 1))));
  return starts.map((start) => ({ start, end: Math.min(start + pieceBytes, received) }));
}

/** The end of a whole file, whose hash a sender announces: a ZIP archive ends in its directory, with a checksum of every entry. */
export const endOf = (size: number): Place => ({ start: Math.max(0, size - pieceBytes), end: size });
