import type { CombinedError } from "urql";
import { failedWith } from "../network/failureWords.ts";

/**
 * The part of a scope that the server says does not exist: of a place and a partner, only one may be unknown. If it
 * names none, `what`; undefined if nothing is missing.
 */
export function missingPart(error: CombinedError | undefined, what: string): string | undefined {
  if (!failedWith(error, "NOT_FOUND")) return undefined;
  for (const { message } of error!.graphQLErrors) {
    const [, named] = /^There is no such (province|district|implementing partner)\.$/.exec(message) ?? [];
    if (named) return named;
  }
  return what;
}
