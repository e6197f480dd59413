import { partSizes, retryDelayMs } from "../../../gateway/tdb/sending.rules.ts";
import type { TdbReceipt } from "../../../gateway/tdb/tdb.rules.ts";
import type { Call } from "./calls.ts";
import { Gone, Passing, Refused, refuse, SignedOut, Unreachable } from "./failures.ts";
import { askUnfinished, endHashOf, findUploadOf, pathOf, type Source, uploadsPath } from "./recognise.ts";

/**
 * One file on its way by tus, to its receipt. It goes on after a dropped or silent line, a restarted server, a closed browser or a
 * sender that was ended: what the server has is asked, never remembered. The browser and the command line send by it.
 */

/** Who wants to know how it goes. */
export type Told = {
  /** The server has so many bytes, of which so many came by this sender since it last said so. */
  there: (bytes: number, came: number) => void;
  /** So many bytes are on their way. */
  onTheWay: (bytes: number) => void;
  /** An attempt failed; the next one comes after so long. */
  trouble: (reason: string, delayMs: number) => void;
  /** All is there: the server checks it; told anew each time that it says so. */
  finalising: () => void;
};

export type Sending = {
  call: Call;
  source: Source;
  /** The upload to go on with, where it is known, and whether all of it was taken in before; kept up to date. */
  upload: { path?: string; wasTaken?: boolean };
  /** Who is believed to be signed in: in nobody else's name does an upload begin. */
  owner?: string;
  /** The file's SHA-256 as `Repr-Digest` has it, for who can tell. */
  digest?: () => Promise<string>;
  signal: AbortSignal;
  /** Waits for so long, or until there is hope. */
  pause: (ms: number) => Promise<void>;
  told: Told;
};

const tus = { "Tus-Resumable": "1.0.0" };
/** A hash in hexadecimal, as `Repr-Digest` has it. */
const digestOf = (sha256: string) => `sha-256=:${btoa(sha256.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))))}:`;
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The facility that the file's manifest names; of a file that cannot be read so, the server says what is wrong. */
async function facilityIn({ size, read }: Source): Promise<{ uuid?: string | undefined; hmisCode?: string | undefined }> {
  try {
    // With the rules of a manifest: only who has chosen a file needs it.
    const { readTdbx } = await import("../../../gateway/tdb/tdbxReader.rules.ts");
    return (await readTdbx({ size, read: (offset, length) => read(offset, offset + length) })).facility;
  } catch {
    return {};
  }
}

async function begin({ call, source, upload, owner, digest, signal }: Sending): Promise<string> {
  const unfinished = await askUnfinished(call, signal, source.size);
  // Who can tell the whole file's hash need not trust those of pieces.
  const whole = unfinished.some(({ sha256 }) => sha256) ? await digest?.() : undefined;
  const mayBe = unfinished.filter(({ sha256 }) => !sha256 || whole === undefined || whole === digestOf(sha256));
  const known = await findUploadOf(call, source, mayBe, signal);
  if (known?.sha256) upload.wasTaken = true;
  if (known) return pathOf(known);
  const { uuid: facilityUuid, hmisCode } = await facilityIn(source);
  const metadata = { filename: source.name, end: await endHashOf(source), owner, facilityUuid, hmisCode };
  const told = Object.entries(metadata).flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${base64(value)}`]));
  const answer = await call("POST", uploadsPath, { headers: { ...tus, "Upload-Length": String(source.size), "Upload-Metadata": told.join(",") }, signal });
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

async function sendPart({ call, source, signal, told }: Sending, path: string, { offset, end }: { offset: number; end: number }): Promise<number> {
  const body = await source.read(offset, end);
  told.onTheWay(body.length);
  try {
    const headers = { ...tus, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
    const answer = await call("PATCH", path, { headers, body, signal });
    const there = answer.header("Upload-Offset");
    if (answer.status !== 204 || there === null) refuse(answer);
    return Number(there);
  } finally {
    told.onTheWay(0);
  }
}

/** Has the server check and keep a file that is there; undefined while it works. */
async function finish({ call, digest, signal }: Sending, path: string): Promise<TdbReceipt | undefined> {
  const told = await digest?.();
  const answer = await call("POST", `${path}/finish`, { ...(told ? { headers: { "Repr-Digest": told } } : {}), signal });
  if (answer.status === 202) return undefined;
  if (answer.status !== 200) refuse(answer);
  return JSON.parse(answer.body) as TdbReceipt;
}

/** Sends a file from where it is, until something fails. */
async function attempt(sending: Sending, sizes: ReturnType<typeof partSizes>, onProgress: () => void, known?: number): Promise<TdbReceipt> {
  const { source, upload, told } = sending;
  const path = (upload.path ??= await begin(sending));
  let offset = await askOffset(sending, path);
  told.there(offset, known === undefined ? 0 : Math.max(0, offset - known));
  if (known !== undefined && offset > known) onProgress();
  while (offset < source.size) {
    const end = Math.min(offset + sizes.next(), source.size);
    const start = Date.now();
    const there = await sendPart(sending, path, { offset, end });
    sizes.arrived(there - offset, Date.now() - start);
    told.there(there, there - offset);
    offset = there;
    onProgress();
  }
  for (;;) {
    told.finalising();
    const receipt = await finish(sending, path);
    onProgress();
    if (receipt) return upload.wasTaken ? { ...receipt, duplicate: true } : receipt;
  }
}

/** How often an upload may be gone at the server, or the server fail over it, one time after the other. */
const mostFaults = 5;

/**
 * Sends a file, however often the line breaks.
 *
 * @throws Refused, SignedOut, Unreadable, and the signal's reason
 */
export async function sendFile(sending: Sending): Promise<TdbReceipt> {
  const { signal, told } = sending;
  const sizes = partSizes();
  let failures = 0;
  let faults = 0;
  let known: number | undefined;
  const watched: Sending = {
    ...sending,
    told: {
      ...told,
      there: (bytes, came) => {
        known = bytes;
        told.there(bytes, came);
      },
    },
  };
  for (;;) {
    try {
      return await attempt(watched, sizes, () => (failures = faults = 0), known);
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
      failures += 1;
      sizes.failed();
      // Others were told the same at the same moment: not all of them come again at one.
      const delay = Math.max(retryDelayMs(failures), error instanceof Passing ? error.afterMs * (1 + Math.random() / 4) : 0);
      told.trouble(error.message, delay);
      if (delay > 0) await sending.pause(delay);
      signal.throwIfAborted();
    }
  }
}
