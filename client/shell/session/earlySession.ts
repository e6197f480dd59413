import { graphql } from "../../gql/gql.ts";
import { sendOperation } from "../../documents.ts";
import { learnServerTime } from "../clock/clock.ts";
import { findSignOut } from "./signedOut.ts";

/** Asks who is signed in while the application is still loading. It is small because it imports almost nothing. */

export const sessionQuery = graphql(`
  query EarlySessionQuery {
    viewer {
      user { id uuid userName firstName middleName surname implementingPartner { id implementingPartnerId implementingPartner } }
      privileges { administrator editAssessments viewAssessments uploadTdbs accessDownloads manageUsers editSelf editRegistry }
    }
    system { appName appVersion patchLevel javaVersion javaVendor demonstration timeZone utcOffset today }
  }
`);

let early: Promise<Response> | undefined;
let sending: Promise<void> = Promise.resolve();

async function send(): Promise<void> {
  // Somebody signed out on this device, and the server must be notified of this first.
  if (await findSignOut()) return;
  early = sendOperation({
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    // In development the query is not a string (client/build/documents.ts), and the server would refuse it.
    body: JSON.stringify({ operationName: "EarlySessionQuery", query: sessionQuery }),
  });
  void early.then(learnServerTime, () => {});
}

/** Asks who is signed in, unless somebody signed out on this device. Resolves when the request is sent. */
export function askEarly(): Promise<void> {
  sending = send();
  return sending;
}

/** Whether somebody is signed in, by the early request. @throws if the server gave no answer */
export async function isSignedInEarly(): Promise<boolean> {
  if (!early) return false;
  const { data } = (await (await early).clone().json()) as { data: { viewer: unknown } };
  return data.viewer !== null;
}

/** The early answer, for one request of the GraphQL client. Undefined at the second call. */
export async function takeEarlyAnswer(): Promise<{ fetch?: typeof fetch }> {
  await sending;
  const taken = early;
  early = undefined;
  return taken ? { fetch: () => taken } : {};
}
