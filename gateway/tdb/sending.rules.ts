/**
 * The protocol between the gateway and senders of resumable uploads (browser and command line), and how a sender
 * chooses its parts.
 */

/** How long a gateway keeps the parts of an unfinished upload, by default. */
export const usualKeepHours = 168;

/** The size of each piece of a file that is hashed to recognise the file of an upload. */
const pieceBytes = 256 * 1024;
const mostPieces = 16;

export type Place = { start: number; end: number };

/** The offsets of the pieces that are hashed: the first, the last, and some between. */
export function placesIn(received: number): Place[] {
  if (received <= 0) return [];
  const last = Math.max(0, received - pieceBytes);
  const count = Math.min(mostPieces, Math.ceil(received / pieceBytes));
  const starts = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.floor((last * index) / (count - 1)),
  );
  return starts.map((start) => ({ start, end: Math.min(start + pieceBytes, received) }));
}

/**
 * The end of a whole file, whose hash a sender announces: a ZIP archive ends in its directory, with a checksum of every
 * entry.
 */
export const endOf = (size: number): Place => ({ start: Math.max(0, size - pieceBytes), end: size });

/** After this time without an acknowledgement a sender considers the connection dead and opens a new one. */
export const silenceMs = 20_000;

const leastPart = 32 * 1024;
const mostPart = 16 * 1024 * 1024;
/** How long sending a part should take: short enough to lose little, long enough that the round trip costs little. */
const partSeconds = 7;

/** The size of the next part: what the connection carried in some seconds. The first part is small. */
export function partSizes() {
  let size = 2 * leastPart;
  return {
    next: () => size,
    /** Records that a part of this size was acknowledged after this time. */
    arrived: (bytes: number, ms: number) => {
      const wanted = (bytes / Math.max(ms, 1)) * 1000 * partSeconds;
      // A file's last part is too small to measure the connection. After a fast part the size grows step by step.
      size = Math.round(Math.min(mostPart, Math.max(leastPart, Math.min(wanted, size * 8))));
    },
    failed: () => {
      size = Math.max(leastPart, Math.floor(size / 4));
    },
  };
}

const retrySeconds = [0, 1, 3, 5, 10, 20, 30];
/** How long to wait before the next attempt, after this number of consecutive failures. */
export const retryDelayMs = (failures: number): number =>
  retrySeconds[Math.min(failures, retrySeconds.length) - 1]! * 1000;

const windowMs = 30_000;
/** A shorter time is not enough to measure a speed. */
const leastMs = 1000;
/** Acknowledgements come every few seconds: later than this, something is wrong. */
const quietMs = 12_000;

/**
 * The speed of a connection, from the bytes acknowledged in the last seconds. It also falls while nothing is
 * acknowledged. Times are milliseconds of one clock.
 */
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
    /** Begins measuring: at the start, and after a pause. */
    begin: (now: number) => {
      begunAt = now;
      lastAt = now;
      arrivals = [];
    },
    arrived: (now: number, bytes: number) => {
      arrivals.push({ at: now, bytes });
      lastAt = now;
    },
    /** Bytes per second; undefined while too little is known. */
    speedAt,
    /** How long nothing has been acknowledged, if that is unusually long. */
    quietFor: (now: number): number | undefined =>
      begunAt !== undefined && now - lastAt >= quietMs ? now - lastAt : undefined,
    /**
     * An estimate of the bytes that have arrived since the last acknowledgement: at most 90 % of those on the way. It
     * stops growing after an unusually long silence.
     */
    plausible: (now: number, onTheWay: number): number =>
      Math.min((speedAt(now) ?? 0) * (Math.min(now - lastAt, quietMs) / 1000), onTheWay * 0.9),
  };
}
