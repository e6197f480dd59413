/** The protocol between the gateway and senders of resumable uploads (browser and command line), and how a sender chooses its parts. */

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

/** After this time without an acknowledgement a sender considers the connection dead and opens a new one. */
export const silenceMs = 20_000;

const leastPart = 32 * 1024;
const mostPart = 16 * 1024 * 1024;
/** How long a part should be on its way: short enough to lose little of, long enough that its answer costs little. */
const partSeconds = 7;

/** How much to send at once: what the line carried in some seconds, beginning with little. */
export function partSizes() {
  let size = 2 * leastPart;
  return {
    next: () => size,
    /** A part of this size was acknowledged after so long. */
    arrived: (bytes: number, ms: number) => {
      const wanted = (bytes / Math.max(ms, 1)) * 1000 * partSeconds;
      // The last part of a file says little about the line. After a fast part the size grows step by step.
      size = Math.round(Math.min(mostPart, Math.max(leastPart, Math.min(wanted, size * 8))));
    },
    failed: () => {
      size = Math.max(leastPart, Math.floor(size / 4));
    },
  };
}

const retrySeconds = [0, 1, 3, 5, 10, 20, 30];
/** How long to wait before the next attempt, after so many that failed one after another. */
export const retryDelayMs = (failures: number): number => retrySeconds[Math.min(failures, retrySeconds.length) - 1]! * 1000;

const windowMs = 30_000;
/** A shorter time gives no speed. */
const leastMs = 1000;
/** Acknowledgements come every few seconds: later than this, something is wrong. */
const quietMs = 12_000;

/** The speed of a line by what was acknowledged in the last seconds, also while nothing comes. Times are milliseconds of one clock. */
export function speedometer() {
  let begunAt: number | undefined;
  let lastAt = 0;
  let arrivals: { at: number; bytes: number }[] = [];
  const speedAt = (now: number): number | undefined => {
    if (begunAt === undefined) return undefined;
    arrivals = arrivals.filter(({ at }) => now - at < windowMs);
    const span = now - Math.max(begunAt, now - windowMs);
    if (arrivals.length === 0 || span < leastMs) return undefined;
    return (arrivals.reduce((sum, { bytes }) => sum + bytes, 0) / span) * 1000;
  };
  return {
    /** Bytes begin to go: at first, and after a pause. */
    begin: (now: number) => {
      begunAt = now;
      lastAt = now;
      arrivals = [];
    },
    arrived: (now: number, bytes: number) => {
      arrivals.push({ at: now, bytes });
      lastAt = now;
    },
    /** Bytes a second; undefined while too little is known. */
    speedAt,
    /** For how long nothing was acknowledged, where that is longer than usual. */
    quietFor: (now: number): number | undefined => (begunAt !== undefined && now - lastAt >= quietMs ? now - lastAt : undefined),
    /** Bytes that may have arrived since the last acknowledgement: no more than are on their way, and none that only silence speaks for. */
    plausible: (now: number, onTheWay: number): number =>
      Math.min((speedAt(now) ?? 0) * (Math.min(now - lastAt, quietMs) / 1000), onTheWay * 0.9),
  };
}
