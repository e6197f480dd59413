import { useEffect } from "react";
import { createRequest } from "urql";
import type { AnyVariables, TypedDocumentNode } from "urql";
import { useScreenQuery } from "../urql.ts";
import type { ScreenQuery } from "../urql.ts";

const freshForMs = 60_000;
const askedAt = new Map<number, number>();

/**
 * A query of figures: all of them or none, so that half an answer is never drawn as zeros, nor the last answer under new
 * controls. Figures that were fetched more than a minute ago are shown and asked for again.
 */
export function useFigures<D, V extends AnyVariables>(query: TypedDocumentNode<D, V>, variables: V): ScreenQuery<D> {
  const result = useScreenQuery(query, variables);
  const { key } = createRequest(query, variables);
  const { reload } = result;
  useEffect(() => {
    const before = askedAt.get(key);
    const isOld = before !== undefined && Date.now() - before > freshForMs;
    if (before === undefined || isOld) askedAt.set(key, Date.now());
    if (isOld) reload();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- asked again when other figures are shown, not on every render
  }, [key]);
  return result.error ? { ...result, data: undefined } : result;
}
