import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { reasonOf } from "../network/failureWords.ts";
import { Failure } from "./Failure.tsx";
import { Loading } from "./Loading.tsx";
import { missingPart } from "./missingPart.ts";
import { NotFoundNotice } from "./NotFoundNotice.tsx";
import { StalePart } from "./StalePart.tsx";

type QueryStateProps<D> = {
  query: { data?: D; error?: CombinedError; fetching: boolean; stale?: boolean; reload?: () => void };
  /** What the query is about, for the message of a failure: "province", "list of facilities". */
  what: string;
  /** shown instead of a failure when there is no network and that is no error */
  offline?: ReactNode;
  /** The content says itself which part of it is stale. */
  hasStalePart?: boolean;
  children: (data: D) => ReactNode;
};

const isBlank = (data: unknown): boolean =>
  data === undefined ||
  data === null ||
  Object.entries(data).every(([name, value]) => name === "__typename" || value === null);

/**
 * Chooses among waiting, failure, "not found" and the content. An error beside useful data leaves the data in place.
 */
export function QueryState<D>({ query, what, offline, hasStalePart = false, children }: QueryStateProps<D>) {
  const { data, error, fetching, stale = false, reload } = query;
  if (error && !fetching) {
    const missing = missingPart(error, what);
    if (missing !== undefined) return <NotFoundNotice what={missing} />;
    if (offline && error.networkError && isBlank(data)) return offline;
    if (isBlank(data)) return <Failure message={reasonOf(error)} onRetry={reload} />;
  }
  if (data === undefined || data === null) return <Loading />;
  return <StalePart isStale={stale && !hasStalePart}>{children(data)}</StalePart>;
}
