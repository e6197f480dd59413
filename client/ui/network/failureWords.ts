import type { CombinedError } from "urql";

/** What stood between the person and the server's answer: no connection, or a server that answered that it cannot just now. */
export function failureWords({ response }: Pick<CombinedError, "response">): string {
  const status = (response as Response | undefined)?.status;
  if (status === 503) return "The server is there, but cannot answer just now. Try again in a moment.";
  if (status !== undefined && status >= 500) return "The server could not answer. Try again in a moment.";
  return "The server cannot be reached. Check the connection and try again.";
}
