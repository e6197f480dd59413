import type { CombinedError } from "urql";

/** What stood between the person and the server's answer: no connection, or a server that answered that it cannot just now. */
export function failureWords(failure: Pick<CombinedError, "response"> | undefined): string {
  const status = (failure?.response as Response | undefined)?.status;
  if (status === 503) return "The server is there, but cannot answer just now. Try again in a moment.";
  if (status !== undefined && status >= 500) return "The server could not answer. Try again in a moment.";
  return "The server cannot be reached. Check the connection and try again.";
}

/** Why a question or change was not answered, for the person: what the server says of it, or what stood between. */
export const reasonOf = (error: CombinedError): string => (error.networkError ? failureWords(error) : (error.graphQLErrors[0]?.message ?? "Something went wrong."));
