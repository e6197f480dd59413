import type { Trace } from "./traceparent.rules.ts";

/**
 * The traces that the gateway sends to a collector, in the terms of OpenTelemetry. Used only if a setting asks for
 * traces.
 */

type Facts = Record<string, string | number | boolean | undefined>;

/** A part of the work, with its beginning and end. */
export type Span = {
  traceId: string;
  /** as `traceparent`, for requests to other servers */
  header: string;
  /** Ends the span. `fault`: why the work failed. */
  end: (facts?: Facts, fault?: string) => void;
};

type Beginning = {
  name: string;
  kind: "server" | "internal" | "client";
  facts?: Facts;
  /** the span of a caller that it belongs to; by default the current span */
  caller?: Trace | undefined;
  /** milliseconds since it began, for a span that is already over */
  lasted?: number;
};

export type Tracing = {
  begin: (beginning: Beginning) => Span;
  /** Runs the work with this span as the current one, also for what it starts and does not wait for. */
  within: <Result>(span: Span, work: () => Result) => Result;
  /** The headers with which a request to another server continues the trace. */
  headers: () => Record<string, string>;
  /** Sends the remaining spans, for a few seconds at most. */
  close: () => Promise<void>;
};
