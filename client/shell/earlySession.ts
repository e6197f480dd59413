import { graphql } from "../gql/gql.ts";
import { sendOperation } from "../documents.ts";
import { learnServerTime } from "./clock.ts";
import { findSignOut } from "./signedOut.ts";

/** The question who is signed in, and its first asking: while the application is still on its way. It imports next to nothing for that. */

export const sessionQuery = graphql(`
  query EarlySessionQuery {
    viewer {
      user { id uuid userName firstName middleName surname implementingPartner { id implementingPartnerId implementingPartner } }
      privileges { administrator editAssessments viewAssessments uploadTdbs accessDownloads manageUsers editSelf }
    }
    system { appName appVersion patchLevel javaVersion javaVendor demonstration timeZone today }
  }
`);

let early: Promise<Response> | undefined;
let sending: Promise<void> = Promise.resolve();

async function send(): Promise<void> {
  // Somebody signed out here, of which the server is told first.
  if (await findSignOut()) return;
  early = sendOperation({
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    // In development the query is no text yet (client/build/queryTexts.ts), and the server refuses this.
    body: JSON.stringify({ operationName: "EarlySessionQuery", query: sessionQuery }),
  });
  void early.then(learnServerTime, () => {});
}

/** Asks who is signed in, unless they signed out here; comes back when it is on its way. */
export function askEarly(): Promise<void> {
  sending = send();
  return sending;
}

/** Whether somebody is signed in, as it was asked early. Throws where the server does not say. */
export async function isSignedInEarly(): Promise<boolean> {
  if (!early) return false;
  const { data } = (await (await early).clone().json()) as { data: { viewer: unknown } };
  return data.viewer !== null;
}

/** The answer that was asked for early, in the place of one request of the GraphQL client's; nothing the second time. */
export async function takeEarlyAnswer(): Promise<{ fetch?: typeof fetch }> {
  await sending;
  const taken = early;
  early = undefined;
  return taken ? { fetch: () => taken } : {};
}
