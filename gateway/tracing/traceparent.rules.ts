/** A trace that a caller has begun (W3C Trace Context). */
export type Trace = { traceId: string; spanId: string; isSampled: boolean; state?: string | undefined };

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const isNothing = (id: string): boolean => /^0+$/.test(id);

/** Reads `traceparent` and `tracestate`. A later version of the format may append further parts. */
export function traceOf(parent: unknown, state?: unknown): Trace | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    pattern.exec(typeof parent === "string" ? parent : "") ?? [];
  if (
    !version ||
    version === "ff" ||
    (version === "00" && more !== undefined) ||
    isNothing(traceId) ||
    isNothing(spanId)
  )
    return undefined;
  return {
    traceId,
    spanId,
    isSampled: (parseInt(flags, 16) & 1) === 1,
    ...(typeof state === "string" && state !== "" ? { state } : {}),
  };
}

/** The header `traceparent` for a span. */
export const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
