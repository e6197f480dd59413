import type { CombinedError } from "urql";

/**
 * The part of a scope that the server says does not exist: of a place and a partner, only one may be unknown. If it
 * names none, `what`.
 */
export function missingPart({ graphQLErrors }: CombinedError, what: string): string {
  for (const { message } of graphQLErrors) {
    const [, named] = /^There is no such (province|district|implementing partner)\.$/.exec(message) ?? [];
    if (named) return named;
  }
  return what;
}
