import type { Trace } from "./traceparent.rules.ts";

/** What the gateway tells a collector of traces, in the words of OpenTelemetry. Nothing of it is there unless a setting asks for traces. */

export type Facts = Record<string, string | number | boolean | undefined>;

/** A part of the work, from its beginning to its end. */
export type Span = {
  traceId: string;
  /** as `traceparent` for whoever is asked next */
  header: string;
  /** Tells of the end. `fault`: why it failed. */
  end: (facts?: Facts, fault?: string) => void;
};

type Beginning = {
  name: string;
  kind: "server" | "internal" | "client";
  facts?: Facts;
  /** below what a caller has begun; without it below the current span */
  caller?: Trace | undefined;
  /** milliseconds since it began, where it is over already */
  lasted?: number;
};

export type Tracing = {
  begin: (beginning: Beginning) => Span;
  /** Runs the work with this span as the current one, for everything that it begins. */
  within: <Result>(span: Span, work: () => Result) => Result;
  /** The headers by which a request to another server goes on with the trace. */
  headers: () => Record<string, string>;
  /** Sends what is left, for a few seconds at most. */
  close: () => Promise<void>;
};
