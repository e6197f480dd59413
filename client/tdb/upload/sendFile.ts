import { partSizes, retryDelayMs } from "../../../gateway/tdb/sending.rules.ts";
import type { TdbReceipt } from "../../../gateway/tdb/tdb.rules.ts";
import type { Call } from "./calls.ts";
import { Gone, Passing, Refused, refuse, Silent, SignedOut, Unreachable } from "./failures.ts";
import { askUnfinished, endHashOf, findUploadOf, pathOf, type Source, uploadsPath } from "./recognise.ts";

/**
 * Sends one file by tus, up to its receipt. It resumes after a lost or silent connection, a restarted server, a closed
 * browser or a killed sender: it always asks the server what has arrived. The browser and the command line use it.
 */

/** Callbacks for the progress. */
type SendingEvents = {
  /** The server has so many bytes; so many of them came from this sender since the last call. */
  there: (bytes: number, came: number) => void;
  /** So many bytes are being sent. */
  onTheWay: (bytes: number) => void;
  /** An attempt failed; the next one follows after so long. */
  trouble: (reason: string, delayMs: number) => void;
  /** Everything has arrived and the server checks it. Called each time the server says so. */
  finalising: () => void;
};

type Sending = {
  call: Call;
  source: Source;
  /** The upload to resume, if it is known, and whether all of it was received before. It is kept up to date. */
  upload: { path?: string; wasTaken?: boolean };
  /** Who is believed to be signed in. The upload does not start in another person's name. */
  owner?: string;
  /** The file's SHA-256 in the form of `Repr-Digest`, if the sender can compute it. */
  digest?: () => Promise<string>;
  signal: AbortSignal;
  /** Waits for so long, or until the connection may be back. */
  pause: (ms: number) => Promise<void>;
  events: SendingEvents;
};

const tus = { "Tus-Resumable": "1.0.0" };
/** A hexadecimal hash in the form of `Repr-Digest`. */
const digestOf = (sha256: string) =>
  `sha-256=:${btoa(sha256.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))))}:`;
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

type Named = { uuid?: string | undefined; hmisCode?: string | undefined };

/**
 * The facility in the file's manifest. Undefined values if the rules of files cannot be fetched now: then the server
 * checks the file.
 *
 * @throws Refused for a damaged file, of which not a byte is sent; Unreadable
 */
async function facilityIn({ size, read }: Source): Promise<Named> {
  // They are fetched when a file is chosen.
  const rules = [
    import("../../../gateway/tdb/tdbxReader.rules.ts"),
    import("../../../gateway/tdb/tdbx.rules.ts"),
  ] as const;
  const fetched = await Promise.all(rules).catch(() => undefined);
  if (!fetched) return {};
  const [{ readTdbx }, { TdbxFault }] = fetched;
  try {
    return (await readTdbx({ size, read: (offset, length) => read(offset, offset + length) })).facility;
  } catch (error) {
    throw error instanceof TdbxFault ? new Refused(422, error.message) : error;
  }
}

async function begin({ call, source, upload, owner, digest, signal }: Sending, facility: Named): Promise<string> {
  const unfinished = await askUnfinished(call, signal, source.size);
  // With the hash of the whole file, those of its parts are not needed.
  const whole = unfinished.some(({ sha256 }) => sha256) ? await digest?.() : undefined;
  const mayBe = unfinished.filter(({ sha256 }) => !sha256 || whole === undefined || whole === digestOf(sha256));
  const known = await findUploadOf(call, source, mayBe, signal);
  if (known?.sha256) upload.wasTaken = true;
  if (known) return pathOf(known);
  const { uuid: facilityUuid, hmisCode } = facility;
  const metadata = { filename: source.name, end: await endHashOf(source), owner, facilityUuid, hmisCode };
  const pairs = Object.entries(metadata).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${base64(value)}`],
  );
  const answer = await call("POST", uploadsPath, {
    headers: { ...tus, "Upload-Length": String(source.size), "Upload-Metadata": pairs.join(",") },
    signal,
  });
  const path = answer.header("Location");
  if (answer.status === 409) throw new SignedOut("Somebody else is signed in now.");
  if (answer.status !== 201 || !path) refuse(answer);
  return new URL(path, "http://here").pathname;
}

async function askOffset({ call, signal }: Sending, path: string): Promise<number> {
  const answer = await call("HEAD", path, { headers: tus, signal });
  const offset = answer.header("Upload-Offset");
  if (answer.status !== 200 || offset === null) refuse(answer);
  return Number(offset);
}

async function sendPart(
  { call, source, signal, events }: Sending,
  path: string,
  { offset, end }: { offset: number; end: number },
): Promise<number> {
  const body = await source.read(offset, end);
  events.onTheWay(body.length);
  try {
    const headers = { ...tus, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
    const answer = await call("PATCH", path, { headers, body, signal });
    const there = answer.header("Upload-Offset");
    if (answer.status !== 204 || there === null) refuse(answer);
    return Number(there);
  } finally {
    events.onTheWay(0);
  }
}

/** Asks the server to check and store a complete file. Undefined while it works. */
async function finish({ call, digest, signal }: Sending, path: string): Promise<TdbReceipt | undefined> {
  const sum = await digest?.();
  const answer = await call("POST", `${path}/finish`, { ...(sum ? { headers: { "Repr-Digest": sum } } : {}), signal });
  if (answer.status === 202) return undefined;
  if (answer.status !== 200) refuse(answer);
  return JSON.parse(answer.body) as TdbReceipt;
}

/** As many as browsers open to one server. */
const mostConnections = 6;

/**
 * Finds a connection that works. A browser sends a new request on a connection that rests, and after a silence those
 * may all be dead. So as many requests ask at once as it may open connections: the first answer, whatever it says, ends
 * the others, and with them the dead connections.
 * @throws as `call`
 */
async function findConnection({ call, signal }: Sending): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end);
  const asked = Array.from({ length: mostConnections }, () => call("HEAD", uploadsPath, { signal: stop.signal }));
  try {
    await Promise.any(asked).catch(() => asked[0]);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Sends the rest of a file, until something fails. */
async function attempt(
  sending: Sending,
  {
    facility,
    sizes,
    onProgress,
    known,
  }: { facility: Named; sizes: ReturnType<typeof partSizes>; onProgress: () => void; known: number | undefined },
): Promise<TdbReceipt> {
  const { source, upload, events } = sending;
  const path = (upload.path ??= await begin(sending, facility));
  let offset = await askOffset(sending, path);
  events.there(offset, known === undefined ? 0 : Math.max(0, offset - known));
  if (known !== undefined && offset > known) onProgress();
  while (offset < source.size) {
    const end = Math.min(offset + sizes.next(), source.size);
    const start = Date.now();
    const there = await sendPart(sending, path, { offset, end });
    sizes.arrived(there - offset, Date.now() - start);
    events.there(there, there - offset);
    offset = there;
    onProgress();
  }
  for (;;) {
    events.finalising();
    const receipt = await finish(sending, path);
    onProgress();
    if (receipt) return upload.wasTaken ? { ...receipt, duplicate: true } : receipt;
  }
}

/** How often in a row the server may have lost an upload, or fail at it. */
const mostFaults = 5;

/**
 * Sends a file, however often the connection is lost. A damaged file is refused before the server is asked anything.
 *
 * @throws Refused, SignedOut, Unreadable, and the signal's reason
 */
export async function sendFile(sending: Sending): Promise<TdbReceipt> {
  const { signal, events, source } = sending;
  const facility = await facilityIn(source);
  const sizes = partSizes();
  let failures = 0;
  let faults = 0;
  let known: number | undefined;
  let wasSilent = false;
  const watched: Sending = {
    ...sending,
    events: {
      ...events,
      there: (bytes, came) => {
        known = bytes;
        events.there(bytes, came);
      },
    },
  };
  for (;;) {
    try {
      if (wasSilent) await findConnection(sending);
      return await attempt(watched, { facility, sizes, onProgress: () => (failures = faults = 0), known });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Gone || error instanceof Unreachable || error instanceof Passing)) throw error;
      if (error instanceof Gone || (error instanceof Passing && error.status === 500)) faults += 1;
      if (faults > mostFaults) throw new Refused(error instanceof Passing ? error.status : 404, error.message);
      if (error instanceof Gone) {
        delete sending.upload.path;
        delete sending.upload.wasTaken;
        known = undefined;
      }
      wasSilent = error instanceof Silent;
      failures += 1;
      sizes.failed();
      // Others got the same answer at the same moment: a random wait spreads them.
      const delay = Math.max(
        retryDelayMs(failures),
        error instanceof Passing ? error.afterMs * (1 + Math.random() / 4) : 0,
      );
      events.trouble(error.message, delay);
      if (delay > 0) await sending.pause(delay);
      signal.throwIfAborted();
    }
  }
}
