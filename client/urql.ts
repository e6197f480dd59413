import { useDeferredValue, useEffect } from "react";
import { Client, cacheExchange, createRequest, fetchExchange, mapExchange, useQuery } from "urql";
import type { AnyVariables, CombinedError, TypedDocumentNode } from "urql";
import type { LoaderFunction, Params } from "react-router-dom";
import { forgetAnswerTexts, sendOperation } from "./documents.ts";
import { answerTextsOf, forgetShown, withKeptAnswers } from "./keptAnswers.ts";
import type { FromField } from "./keptAnswers.ts";
import { learnServerTime } from "./shell/clock/clock.ts";
import { failedWith, reasonOf } from "./ui/network/failureWords.ts";
import { mostRows } from "./ui/list/pageOffset.ts";
import { busyWith } from "./ui/network/idle.ts";

const freshForMs = 60_000;

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

/**
 * `person` is sent (the end of the uuid) so that the server refuses the request if somebody else is signed in by now.
 */
function newClient(person?: string): Client {
  return new Client({
    url: "/graphql",
    preferGetMethod: false,
    fetch: ask,
    // Otherwise urql would send a list of five media types.
    fetchOptions: {
      credentials: "same-origin",
      headers: { Accept: "application/graphql-response+json", ...(person ? { "X-Person": person.slice(-12) } : {}) },
    },
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

/**
 * The GraphQL client of the present session; a new session gets a new one, so that nobody sees answers of the previous
 * person.
 */
export let client: Client = newClient();

const startedAt = new Map<number, number>();

/** Forgets every cached answer, on sign-in and sign-out. From now on answers are stored for this person. */
export function forgetAnswers(person?: string): void {
  client = newClient(person);
  forgetAnswerTexts(person ? answerTextsOf(person) : undefined);
  forgetShown();
  startedAt.clear();
}

/** Makes every screen that is opened from now on query again. Called after a change that was not a mutation. */
export function askAgain(): void {
  startedAt.clear();
}

let openScreen: string | undefined;

/** Notes the path of the open screen. Called each time the router has settled. */
export function settleOn(path: string): void {
  openScreen = path;
}

/**
 * A route's loader that starts the screen's query and does not wait for it. A cached answer is shown at once. Opening
 * the screen queries again if the answer is older than a minute. A change of tab, view or page within the screen
 * queries only what is missing or was changed (`askAgain`). Without variables nothing is queried.
 */
export function screenLoader<D, V extends AnyVariables>(
  query: TypedDocumentNode<D, V>,
  variables: (args: { params: Params; url: URLSearchParams }) => V | undefined,
): LoaderFunction {
  return ({ params, request }) => {
    const { pathname, searchParams } = new URL(request.url);
    const values = variables({ params, url: searchParams });
    if (!values) return null;
    const { key } = createRequest(query, values);
    const isOld =
      (pathname !== openScreen || !startedAt.has(key)) && Date.now() - (startedAt.get(key) ?? 0) > freshForMs;
    if (isOld) startedAt.set(key, Date.now());
    void client.query(query, values, { requestPolicy: isOld ? "cache-and-network" : "cache-first" }).toPromise();
    return null;
  };
}

/**
 * Sends a mutation. `failure` is a sentence for the person if no payload came back. Wrong fields are in the payload's
 * `errors`. `additionalTypenames`: what it changes beside the types of its answer.
 */
export async function mutate<D, V extends AnyVariables>(
  mutation: TypedDocumentNode<D, V>,
  variables: V,
  context?: { additionalTypenames: string[] },
): Promise<{ data?: D; failure?: string }> {
  const { data, error } = await client.mutation(mutation, variables, context).toPromise();
  return error ? { failure: reasonOf(error) } : { data };
}

/** The state of a screen's query. */
export type ScreenQuery<D> = {
  data?: D;
  error?: CombinedError;
  fetching: boolean;
  stale: boolean;
  /** set when the answer is not from the server but from the sites that this device keeps */
  field?: FromField;
  reload: () => void;
};

/**
 * A screen's query; while the next page loads, the previous data stays, marked as stale. With `pause` nothing is
 * queried.
 */
export function useScreenQuery<D, V extends AnyVariables>(
  query: TypedDocumentNode<D, V>,
  variables: V,
  pause = false,
): ScreenQuery<D> {
  const [latest, execute] = useQuery<D, V>({ query, variables, pause } as Parameters<typeof useQuery<D, V>>[0]);
  // React renders a large answer in small steps, and meanwhile returns the previous one here.
  const result = useDeferredValue(latest);
  const isOwn = result.operation?.key === createRequest(query, variables).key;
  const field = result.extensions?.["field"] as FromField | undefined;
  const isMissing = result.error !== undefined || field !== undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    const resume = () => execute({ requestPolicy: "network-only" });
    resumes.add(resume);
    return () => void resumes.delete(resume);
  }, [isMissing, execute]);
  return {
    data: result.data,
    error: result.error,
    fetching: result.fetching,
    stale: result.stale || (result.data !== undefined && (result.fetching || !isOwn)),
    field,
    reload: () => execute({ requestPolicy: "network-only" }),
  };
}

/**
 * A list within a screen. Its first rows come with an answer of the screen (`first`), so that the screen needs few
 * requests; other rows by a query of its own, which the variables are for.
 */
export function useListWithin<D, V extends AnyVariables, List>(
  first: ScreenQuery<D>,
  query: TypedDocumentNode<D, V>,
  variables: V | undefined,
  listOf: (data: D) => List | null | undefined,
): ScreenQuery<List> {
  const own = useScreenQuery(query, variables ?? ({} as V), variables === undefined);
  const isWaiting = variables !== undefined && own.fetching && own.data === undefined;
  const { data, ...answer } = variables === undefined || isWaiting ? first : own;
  const list = data && listOf(data);
  return { ...answer, ...(list ? { data: list } : {}), stale: answer.stale || isWaiting };
}

const resumes = new Set<() => void>();

/**
 * Queries again what screens show without the server's answer. Called when a person whose session had ended has signed
 * in again.
 */
export function askMissing(): void {
  for (const resume of resumes) resume();
}

/** Returns a function that queries more rows of a list than its page shows, from any position, for printing. */
export function rowsFrom<D, V extends AnyVariables, Row>(
  query: TypedDocumentNode<D, V>,
  variables: V,
  rowsOf: (data: D) => readonly Row[] | undefined,
) {
  return async (offset: number): Promise<readonly Row[]> => {
    const { data } = await client.query(query, { ...variables, first: mostRows, offset }).toPromise();
    return (data && rowsOf(data)) ?? [];
  };
}
