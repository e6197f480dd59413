import type { CombinedError } from "urql";
import { unreachedWords } from "./reach.ts";

/** A query was not answered because the session ended, and this device does not store the answer. */
export class SessionEnded extends Error {}

/** Why there is no answer, in words: the session ended, there is no connection, or the server cannot answer now. */
export function failureWords(failure: Pick<CombinedError, "response" | "networkError"> | undefined): string {
  if (failure?.networkError instanceof SessionEnded) return "Your session ended. Sign in to see this.";
  const status = (failure?.response as Response | undefined)?.status;
  if (status === 503) return "The server is there, but cannot answer just now. Try again in a moment.";
  if (status !== undefined && status >= 500) return "The server could not answer. Try again in a moment.";
  return unreachedWords(failure?.networkError);
}

/** Why a query or mutation failed, in words for the person: the server's message, or why there is no answer. */
export const reasonOf = (error: CombinedError): string =>
  error.networkError ? failureWords(error) : (error.graphQLErrors[0]?.message ?? "Something went wrong.");

/** Whether a failed query failed for this reason (an `extensions.code` of the gateway). */
export function failedWith(error: CombinedError | undefined, code: string): boolean {
  return error?.graphQLErrors.some((one) => one.extensions?.["code"] === code) ?? false;
}
