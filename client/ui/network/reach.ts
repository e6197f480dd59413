/**
 * What is known of the way to the server: a network may answer nothing, or, such as a guest house's Wi-Fi, answer with a
 * page of its own until somebody has signed in to it. This file imports nothing, because the first script needs it.
 */

export const portalWords =
  "This network wants you to sign in first. Open another website, sign in there, and come back here.";

export const unreachableWords = "The server cannot be reached. Check the connection and try again.";

/** Something other than the server answered. */
export class PortalAnswered extends Error {
  constructor() {
    super(portalWords);
  }
}

/** Why a request got no answer of the server, in words. */
export const unreachedWords = (error: unknown): string =>
  error instanceof PortalAnswered ? portalWords : unreachableWords;

/** Who answered last: the server, a network that wants a sign-in, or nobody. */
export type Reach = "server" | "portal" | "nobody";

let reach: Reach = "server";
const listeners = new Set<() => void>();

export const presentReach = (): Reach => reach;
export const isBehindPortal = (): boolean => reach === "portal";

/** Calls back when that changes. Returns a function that stops it. */
export function subscribeToReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether an answer to a request that the server never answers with a page or another address is one. */
const isOfPortal = ({ type, status, headers }: Response): boolean =>
  type === "opaqueredirect" ||
  status === 511 ||
  (status < 400 && status !== 304 && (status >= 300 || /^text\/html/i.test(headers.get("content-type") ?? "")));

/** A request that is lost while one server replaces another is asked again, and answered, within this time. */
const doubtMs = 1500;
let doubt: ReturnType<typeof setTimeout> | undefined;

function setReach(next: Reach): void {
  clearTimeout(doubt);
  doubt = undefined;
  if (next === reach) return;
  reach = next;
  for (const listener of listeners) listener();
}

/** A request got no answer at all. Nobody answers, unless another request is answered soon. */
export function unanswered(): void {
  if (reach !== "nobody") doubt ??= setTimeout(() => setReach("nobody"), doubtMs);
}

/** Lets the server's answers through. The request must have `redirect: "manual"`. @throws PortalAnswered */
export function fromServer(response: Response): Response {
  const is = isOfPortal(response);
  setReach(is ? "portal" : "server");
  if (is) throw new PortalAnswered();
  return response;
}
