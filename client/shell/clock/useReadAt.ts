import { useMemo } from "react";
import { now } from "./clock.ts";

/** The time at which an answer was read: each new answer has a new one. */
export function useReadAt(answer: unknown): Date {
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new answer has a new time
  return useMemo(() => now(), [answer]);
}
