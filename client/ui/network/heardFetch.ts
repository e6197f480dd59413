import { fromServer, PortalAnswered, unanswered } from "./reach.ts";

/**
 * Requests that are aborted when nothing has arrived from the server for half a minute, however long they take: on a
 * slow line a request of a minute is normal. Every fetch of the client goes through here. The first script needs it, so it
 * imports hardly anything.
 */

const silenceMs = 30_000;

let lastHeard = 0;
/**
 * A file or answer that arrived completely shows that the line works, even if this request is still waiting for its
 * turn.
 */
if (typeof PerformanceObserver !== "undefined")
  new PerformanceObserver(() => (lastHeard = Date.now())).observe({ type: "resource" });

/** Calls back when nothing was heard for half a minute. `heard` restarts the time, `end` stops the watch. */
export function watchSilence(onSilence: () => void): { heard: () => void; end: () => void } {
  let last = Date.now();
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    const left = Math.max(last, lastHeard) + silenceMs - Date.now();
    if (left <= 0) onSilence();
    else timer = setTimeout(look, left);
  };
  timer = setTimeout(look, silenceMs);
  return { heard: () => (last = Date.now()), end: () => clearTimeout(timer) };
}

/** `fetch`, aborted only after silence. @throws PortalAnswered if a network answers in place of the server */
export async function heardFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const stop = new AbortController();
  const { signal } = init;
  const { heard, end } = watchSilence(() =>
    stop.abort(new DOMException("Nothing was heard of the server for 30 seconds.", "TimeoutError")),
  );
  const abort = () => {
    end();
    stop.abort(signal?.reason);
  };
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const response = fromServer(await fetch(input, { ...init, redirect: "manual", signal: stop.signal }));
    heard();
    // A Response with such a status must not be constructed with a body. Some browsers have an empty one here.
    if (!response.body || [204, 205, 304].includes(response.status)) {
      end();
      return response;
    }
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, into) {
          heard();
          into.enqueue(bytes);
        },
        flush: end,
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  } catch (error) {
    end();
    if (!signal?.aborted && !(error instanceof PortalAnswered)) unanswered();
    throw error;
  }
}
