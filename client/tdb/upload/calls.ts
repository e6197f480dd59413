import { silenceMs } from "../../../gateway/tdb/sending.rules.ts";
import { fromServer, PortalAnswered } from "../../ui/network/reach.ts";
import { Silent, Unreachable } from "./failures.ts";

/** Calls of a sender. A call without an answer for too long is aborted, and its connection closed. */

export type Bytes = Uint8Array<ArrayBuffer>;
export type Answer = { status: number; header: (name: string) => string | null; body: string };
export type Call = (
  method: string,
  path: string,
  options?: { headers?: Record<string, string>; body?: Bytes; signal?: AbortSignal },
) => Promise<Answer>;

/** Calls to this address ("": the page's own) with these headers. */
export function callerAt(address: string, fixed: Record<string, string> = {}, patienceMs = silenceMs): Call {
  return async (method, path, { headers, body, signal } = {}) => {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const end = () => stop.abort();
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      end();
    }, patienceMs);
    signal?.addEventListener("abort", end);
    try {
      const response = fromServer(
        await fetch(address + path, {
          ...{ method, body, signal: stop.signal, credentials: "same-origin", cache: "no-store" },
          // A program's own address may be one that redirects: that is no network that wants a sign-in.
          redirect: address ? "error" : "manual",
          headers: { ...fixed, ...headers },
        }),
      );
      return { status: response.status, header: (name) => response.headers.get(name), body: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      if (isSilent) throw new Silent(`The server has not answered for ${patienceMs / 1000} seconds.`);
      if (error instanceof PortalAnswered) throw new Unreachable(error.message);
      throw new Unreachable("The server cannot be reached.");
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  };
}
