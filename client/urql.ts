import { useDeferredValue } from "react";
import { Client, cacheExchange, createRequest, fetchExchange, mapExchange, useQuery } from "urql";
import type { AnyVariables, CombinedError, TypedDocumentNode } from "urql";
import type { LoaderFunction, Params } from "react-router-dom";
import { forgetAnswerTexts, sendOperation } from "./documents.ts";
import { answerTextsOf, forgetShown, withKeptAnswers } from "./keptAnswers.ts";
import type { FromField } from "./keptAnswers.ts";
import { learnServerTime } from "./shell/clock/clock.ts";
import { reasonOf } from "./ui/network/failureWords.ts";
import { mostRows } from "./ui/list/pageOffset.ts";
import { busyWith } from "./ui/network/idle.ts";

const freshForMs = 60_000;

/** Whether a failed query failed for this reason (an `extensions.code` of the gateway). */
export function failedWith(error: CombinedError | undefined, code: string): boolean {
  return error?.graphQLErrors.some((one) => one.extensions?.["code"] === code) ?? false;
}

let sessionEnded: () => void = () => {};

/** Sets the callback for answers that say that nobody is signed in any more. */
export function onSessionEnded(listener: () => void): void {
  sessionEnded = listener;
}

/** A request of the GraphQL client. Deferred work waits until it has ended. */
function ask(_: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const answer = sendOperation(init);
  void answer.then(learnServerTime, () => {});
  return busyWith(answer);
}

/** `person` names whose answers they are, by the end of their uuid. The server gives no answer if somebody else is signed in by now. */
function newClient(person?: string): Client {
  return new Client({
    url: "/graphql",
    preferGetMethod: false,
    fetch: ask,
    // urql would list five media types with each mutation.
    fetchOptions: { credentials: "same-origin", headers: { Accept: "application/graphql-response+json", ...(person ? { "X-Person": person.slice(-12) } : {}) } },
    exchanges: [
      cacheExchange,
      mapExchange({
        onError(error) {
          if (failedWith(error, "UNAUTHENTICATED") || failedWith(error, "ENROLMENT_NEEDED")) sessionEnded();
        },
        onResult: (result) => withKeptAnswers(result, person),
      }),
      fetchExchange,
    ],
  });
}

/** The GraphQL client of the present session; a new session gets a new one, so that no answer outlives its reader. */
export let client: Client = newClient();

const startedAt = new Map<number, number>();

/** Forgets every cached answer (on sign-in and sign-out); from now on they are this person's. */
export function forgetAnswers(person?: string): void {
  client = newClient(person);
  forgetAnswerTexts(person ? answerTextsOf(person) : undefined);
  forgetShown();
  startedAt.clear();
}

/** Makes every screen that is opened from now on ask again, after a change that was no mutation. */
export function askAnew(): void {
  startedAt.clear();
}

let openScreen: string | undefined;

/** Names the path of the screen that is open, each time the router has settled. */
export function settleOn(path: string): void {
  openScreen = path;
}

/**
 * A route's loader that starts the screen's query and does not wait for it. A cached answer is shown at once; opening the screen asks again
 * if the answer is older than a minute; a change of tab, view or page within the screen asks only for what is missing or was changed (`askAnew`).
 */
export function screenLoader<D, V extends AnyVariables>(
  query: TypedDocumentNode<D, V>,
  variables: (args: { params: Params; url: URLSearchParams }) => V,
): LoaderFunction {
  return ({ params, request }) => {
    const { pathname, searchParams } = new URL(request.url);
    const values = variables({ params, url: searchParams });
    const { key } = createRequest(query, values);
    const isOld = (pathname !== openScreen || !startedAt.has(key)) && Date.now() - (startedAt.get(key) ?? 0) > freshForMs;
    if (isOld) startedAt.set(key, Date.now());
    void client.query(query, values, { requestPolicy: isOld ? "cache-and-network" : "cache-first" }).toPromise();
    return null;
  };
}

/** Sends a mutation. `failure` is a sentence for the person if no payload came back. Wrong fields are in the payload's `errors`. */
export async function mutate<D, V extends AnyVariables>(
  mutation: TypedDocumentNode<D, V>,
  variables: V,
): Promise<{ data?: D; failure?: string }> {
  const { data, error } = await client.mutation(mutation, variables).toPromise();
  return error ? { failure: reasonOf(error) } : { data };
}

/** What a screen knows of its query. */
export type ScreenQuery<D> = {
  data?: D;
  error?: CombinedError;
  fetching: boolean;
  stale: boolean;
  /** set when the answer is not from the server but from the sites that this device keeps */
  field?: FromField;
  reload: () => void;
};

/** A screen's query; while the next page loads, the previous data stays, marked as stale. Where there is nothing to ask, `pause` asks nothing. */
export function useScreenQuery<D, V extends AnyVariables>(query: TypedDocumentNode<D, V>, variables: V, pause = false): ScreenQuery<D> {
  const [latest, execute] = useQuery<D, V>({ query, variables, pause } as Parameters<typeof useQuery<D, V>>[0]);
  // A large answer is rendered in small steps, between which the browser can react to the person. Until then it is the answer to another question.
  const result = useDeferredValue(latest);
  const isOwn = result.operation?.key === createRequest(query, variables).key;
  return {
    data: result.data,
    error: result.error,
    fetching: result.fetching,
    stale: result.stale || (result.data !== undefined && (result.fetching || !isOwn)),
    field: result.extensions?.["field"] as FromField | undefined,
    reload: () => execute({ requestPolicy: "network-only" }),
  };
}

/** Asks for more rows of a list than its page shows, from any one on: what paper needs. */
export function rowsFrom<D, V extends AnyVariables, Row>(query: TypedDocumentNode<D, V>, variables: V, rowsOf: (data: D) => readonly Row[] | undefined) {
  return async (offset: number): Promise<readonly Row[]> => {
    const { data } = await client.query(query, { ...variables, first: mostRows, offset }).toPromise();
    return (data && rowsOf(data)) ?? [];
  };
}
