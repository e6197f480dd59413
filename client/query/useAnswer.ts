import { useEffect, useState } from "react";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { unreachableWords } from "../ui/network/reach.ts";

/** The data of an answer, or why there is none. */
export type Answer = { data: unknown } | { failure: string };

/** Fetches the answer of an address. @throws DOMException if it is aborted */
export async function fetchAnswer(address: string, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await heardFetch(address, { signal, headers: { accept: "application/json" } });
    const body = (await response.json()) as {
      data?: unknown;
      detail?: string;
      errors?: { path?: unknown; message: string }[];
    };
    const [error] = body.errors ?? [];
    if (response.ok && !error) return { data: body.data };
    return {
      failure:
        body.errors
          ?.map(({ path, message }) => (typeof path === "string" ? `${path} ${message}` : message))
          .join("; ") ??
        body.detail ??
        `The platform answered ${response.status}.`,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: error instanceof TypeError ? unreachableWords : (error as Error).message };
  }
}

/**
 * The present answer of an address, and the former one while a new one is fetched; undefined before the first.
 * `isStale`: it is the former one. `of`: the address of which it is the answer.
 */
export function useAnswer(address: string): {
  answer: Answer | undefined;
  of: string;
  isStale: boolean;
  reload: () => void;
} {
  const [found, setFound] = useState<{ address: string; answer: Answer }>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    fetchAnswer(address, stop.signal).then(
      (answer) => setFound({ address, answer }),
      () => {},
    );
    return () => stop.abort();
  }, [address, turn]);
  const reload = () => {
    setFound(undefined);
    setTurn(turn + 1);
  };
  const of = found?.address ?? address;
  return { answer: found?.answer, of, isStale: of !== address, reload };
}
