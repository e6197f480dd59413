/**
 * A network, such as a guest house's Wi-Fi, that answers with a page of its own until somebody has signed in to it. It
 * imports nothing, because the first script needs it.
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

let isBetween = false;
const listeners = new Set<() => void>();

/** Whether the last answer came from such a network instead of the server. */
export const isBehindPortal = (): boolean => isBetween;

/** Calls back when that changes. Returns a function that stops it. */
export function subscribeToPortal(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether an answer to a request that the server never answers with a page or another address is one. */
const isOfPortal = ({ type, status, headers }: Response): boolean =>
  type === "opaqueredirect" ||
  status === 511 ||
  (status < 400 && status !== 304 && (status >= 300 || /^text\/html/i.test(headers.get("content-type") ?? "")));

function setBetween(is: boolean): void {
  if (is === isBetween) return;
  isBetween = is;
  for (const listener of listeners) listener();
}

/** A request got no answer at all: nothing is known of such a network any more. */
export const networkWentAway = (): void => setBetween(false);

/** Lets the server's answers through. The request must have `redirect: "manual"`. @throws PortalAnswered */
export function fromServer(response: Response): Response {
  const is = isOfPortal(response);
  setBetween(is);
  if (is) throw new PortalAnswered();
  return response;
}
