import { useEffect, useRef } from "react";
import { type AnyVariables, createRequest, type TypedDocumentNode } from "urql";
import { useReadAt } from "../shell/clock/useReadAt.ts";
import { type ScreenQuery, useScreenQuery } from "../urql.ts";

const freshForMs = 60_000;
const askedAt = new Map<number, number>();

/** Figures and the time at which they were read. */
export type Figures<D> = ScreenQuery<D> & { at: Date };

/**
 * A query of figures: all of them or none. Half an answer is never drawn as zeros, and an old answer never under new
 * controls. Figures fetched more than a minute ago, and all figures in a new `round`, are shown and asked for again.
 */
export function useFigures<D, V extends AnyVariables>(
  query: TypedDocumentNode<D, V>,
  variables: V,
  round = 0,
): Figures<D> {
  const result = useScreenQuery(query, variables);
  const { key } = createRequest(query, variables);
  const lastRound = useRef(round);
  const { reload } = result;
  useEffect(() => {
    const before = askedAt.get(key);
    const isDue = before === undefined || round !== lastRound.current || Date.now() - before > freshForMs;
    lastRound.current = round;
    if (!isDue) return;
    askedAt.set(key, Date.now());
    if (before !== undefined) reload();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only another question is a reason to ask again, not each render
  }, [key, round]);
  const at = useReadAt(result.data);
  return { ...result, at, ...(result.error ? { data: undefined } : {}) };
}
