import type { CombinedError } from "urql";

/** The part of a scope that does not exist, as the server names it: of a place and a partner only one may be unknown. Else `what`. */
export function missingPart({ graphQLErrors }: CombinedError, what: string): string {
  for (const { message } of graphQLErrors) {
    const [, named] = /^There is no such (province|district|implementing partner)\.$/.exec(message) ?? [];
    if (named) return named;
  }
  return what;
}
