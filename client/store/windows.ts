/** Messages between the windows of this browser about stored records. */

export type News =
  /** a record was stored or deleted */
  | { of: "record"; kind: string; key: string }
  /** somebody signed in here */
  | { of: "opened"; owner: string }
  /** the session ended: the person signed out, or the server ended it */
  | { of: "closed"; isSignOut: boolean };

const listeners = new Set<(news: News) => void>();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("kept") : undefined;
channel?.addEventListener("message", ({ data }: MessageEvent<News>) => listeners.forEach((listener) => listener(data)));

/** Sends a message to the other windows. */
export function notifyWindows(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin only
  channel?.postMessage(news);
}

/** Calls back with messages of other windows. Returns a function that unsubscribes. */
export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
