/** What the windows of this browser tell each other about what is kept. */

export type News =
  /** a record was kept or forgotten */
  | { of: "record"; kind: string; key: string }
  /** somebody signed in here */
  | { of: "opened"; owner: string }
  /** whoever was signed in here is not any more: they signed out, or the server ended it */
  | { of: "closed"; isSignOut: boolean };

const listeners = new Set<(news: News) => void>();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("kept") : undefined;
channel?.addEventListener("message", ({ data }: MessageEvent<News>) => listeners.forEach((listener) => listener(data)));

/** Tells the other windows. */
export function tellWindows(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin only
  channel?.postMessage(news);
}

/** Calls back with what other windows tell; returns how to stop. */
export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
