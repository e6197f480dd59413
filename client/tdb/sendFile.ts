import { type DetailedError, Upload } from "tus-js-client";
import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";

/** One file on its way by tus: it goes on after a dropped link, a closed browser or a restarted server. */

const endpoint = "/api/v1/tdb/resumable";
const chunkBytes = 16 * 1024 * 1024;
const sampleBytes = 256 * 1024;
/** Tries again for about an hour without a byte going through; each byte begins it anew. */
const retryDelays = [0, 1000, 3000, 5000, 10_000, ...Array.from({ length: 120 }, () => 30_000)];

/** A hash of 64 bits, by the loop of cyrb53: to tell files apart, not to prove anything. */
function hashOf(bytes: Uint8Array): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 2654435761);
    low = Math.imul(low ^ byte, 1597334677);
  }
  return `${(high >>> 0).toString(16)}${(low >>> 0).toString(16)}`;
}

/**
 * A file by its content, whatever its name: its size, its beginning and its end. A ZIP archive ends in its directory, which holds
 * a checksum of every entry.
 */
async function fingerprintOf(file: File, userUuid: string): Promise<string> {
  const ends = new Blob([file.slice(0, sampleBytes), file.slice(Math.max(0, file.size - sampleBytes))]);
  return `tdb-${userUuid}-${file.size}-${hashOf(new Uint8Array(await ends.arrayBuffer()))}`;
}

type Answer = { status: number; receipt?: TdbReceipt; detail?: string };

async function askToFinish(url: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(`${url}/finish`, { method: "POST", credentials: "same-origin", signal });
  const body = (await response.json().catch(() => ({}))) as TdbReceipt & { detail?: string };
  return response.status === 200 ? { status: 200, receipt: body } : { status: response.status, detail: body.detail };
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("cancelled"));
    });
  });

/** Has the server check and keep a file that is there; asks again while it works or cannot be reached. */
async function finish(url: string, signal: AbortSignal): Promise<TdbReceipt> {
  for (;;) {
    const answer = await askToFinish(url, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return { status: 0 } as Answer;
    });
    if (answer.receipt) return answer.receipt;
    if (answer.status !== 202 && answer.status !== 0 && answer.status !== 429 && answer.status < 500)
      throw new Error(answer.detail ?? "The server did not take the file in.");
    if (answer.status === 507) throw new Error(answer.detail ?? "The server has no room left for files.");
    await wait(answer.status === 202 ? 0 : 3000, signal);
  }
}

export type Sending = {
  receipt: Promise<TdbReceipt>;
  pause: () => void;
  resume: () => void;
  /** Gives up; the server forgets what it has. */
  cancel: () => void;
};

/** What a refusal says, as a problem (RFC 9457) or, by a gateway of before, as a line of text. */
function detailOf(body: string): string {
  try {
    return (JSON.parse(body) as { detail?: string }).detail ?? "";
  } catch {
    return body.trim();
  }
}

function reasonOf(error: Error | DetailedError): string {
  const response = "originalResponse" in error ? error.originalResponse : null;
  if (response?.getStatus() === 401) return "Your session has ended. Sign in again and choose the file again: it goes on where it stopped.";
  return (response && detailOf(response.getBody())) || "The server cannot be reached. Choose the file again: it goes on where it stopped.";
}

/** Sends a file, from where an earlier attempt stopped. */
export function sendTdb(file: File, userUuid: string, onProgress: (sentBytes: number) => void): Sending {
  const stop = new AbortController();
  let pausing = false;
  let isReady = false;
  let settle: { resolve: (url: string) => void; reject: (error: Error) => void };
  const sent = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody waits for it yet where the sending is cancelled before it began.
  sent.catch(() => {});
  const upload = new Upload(file, {
    endpoint,
    chunkSize: chunkBytes,
    retryDelays,
    metadata: { filename: file.name },
    fingerprint: () => fingerprintOf(file, userUuid),
    removeFingerprintOnSuccess: false,
    onProgress,
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      return status === 0 || status === 409 || status === 423 || status === 429 || (status >= 500 && status !== 507);
    },
    onError: (error) => settle.reject(new Error(reasonOf(error))),
    onSuccess: () => settle.resolve(upload.url!),
  });
  const forget = async () => {
    for (const { urlStorageKey } of await upload.findPreviousUploads()) localStorage.removeItem(urlStorageKey);
  };
  const run = async (): Promise<TdbReceipt> => {
    const [former] = (await upload.findPreviousUploads()).toSorted((a, b) => b.creationTime.localeCompare(a.creationTime));
    if (former?.uploadUrl) {
      // It may be complete, or even received, with only the answer lost.
      const answer = await askToFinish(former.uploadUrl, stop.signal).catch((): Answer => ({ status: 0 }));
      if (answer.receipt) {
        await forget();
        if (answer.receipt.accepted) return answer.receipt;
      } else if (answer.status === 404) await forget();
      else upload.resumeFromPreviousUpload(former);
    }
    // Whoever cancelled or paused while that was asked did so before anything began.
    stop.signal.throwIfAborted();
    isReady = true;
    if (!pausing) upload.start();
    const url = await sent;
    const receipt = await finish(url, stop.signal);
    await forget();
    return receipt;
  };
  return {
    receipt: run(),
    pause: () => {
      pausing = true;
      void upload.abort();
    },
    resume: () => {
      pausing = false;
      if (isReady) upload.start();
    },
    cancel: () => {
      stop.abort();
      settle.reject(new Error("cancelled"));
      void upload.abort(true).catch(() => {});
    },
  };
}
