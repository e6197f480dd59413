import { currentSession } from "../shell/session/session.ts";
import { learnServerTime } from "../shell/clock/clock.ts";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { busyWith } from "../ui/network/idle.ts";
import { PortalAnswered, portalWords } from "../ui/network/reach.ts";

/** A failed call. The message is for the person. */
export class AskFailure extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** An answer. It has no body if it is the one that the ETag names. */
type Answer<Body> = { body?: Body; etag: string | null };

/** Fetches an address of the REST interface, unless it is unchanged since the ETag. @throws AskFailure */
export async function ask<Body>(path: string, etag: string | null = null): Promise<Answer<Body>> {
  let response: Response;
  try {
    const session = currentSession();
    const headers = new Headers(etag ? { "If-None-Match": etag } : {});
    if (session.state === "signedIn") headers.set("X-Person", session.viewer.user.uuid);
    // The browser's cache must not hold these answers: only the person's encrypted store may.
    response = await busyWith(heardFetch(path, { credentials: "same-origin", cache: "no-store", headers }));
    learnServerTime(response);
    if (response.status === 304) return { etag };
    if (response.ok) return { body: (await response.json()) as Body, etag: response.headers.get("ETag") };
  } catch (error) {
    if (error instanceof PortalAnswered) throw new AskFailure(portalWords);
    throw new AskFailure("The connection was lost. What has come is kept: try again to go on from there.");
  }
  if (response.status === 401) throw new AskFailure("Your session has ended. Sign in again to go on.", 401);
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new AskFailure(problem.detail ?? "Something went wrong.", response.status);
}
