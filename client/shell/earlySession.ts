import { graphql } from "../gql/gql.ts";
import { heardFetch } from "../ui/heardFetch.ts";
import { learnServerTime } from "./clock.ts";

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

/** Asks who is signed in; answers whether somebody is. Throws where the server does not say. */
export async function askEarly(): Promise<boolean> {
  early = heardFetch("/graphql", {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    // In development the query is no text yet (client/build/queryTexts.ts), and the server refuses this.
    body: JSON.stringify({ query: sessionQuery, operationName: "EarlySessionQuery" }),
  });
  void early.then(learnServerTime, () => {});
  const { data } = (await (await early).clone().json()) as { data: { viewer: unknown } };
  return data.viewer !== null;
}

/** The answer that was asked for early, in the place of one request of the GraphQL client's; nothing the second time. */
export function takeEarlyAnswer(): { fetch?: typeof fetch } {
  const taken = early;
  early = undefined;
  return taken ? { fetch: () => taken } : {};
}
