import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";

import {
  type Context,
  createTraceState,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

import { type Trace, traceparentOf } from "./traceparent.rules.ts";
import type { Span, Tracing } from "./tracing.ts";

/**
 * Traces for a collector that takes OTLP over HTTP. This file alone imports OpenTelemetry, and it is loaded only where
 * traces are switched on. Nothing is registered for the whole process: several gateways can run in one.
 */

type TracingSettings = {
  service: string;
  version: string;
  sampler: string;
  /** the share of traces that a sampler by ratio keeps, from 0 to 1 */
  ratio: number;
  endpoint: string;
  headers: Record<string, string>;
  /** Called once if the collector accepts nothing, and once when it accepts spans again. */
  onFault: (fault: string | null) => void;
};

const closeWithinMs = 5000;
const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const name = sampler.replace("parentbased_", "");
  const root =
    name === "always_on"
      ? new AlwaysOnSampler()
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return name === sampler ? root : new ParentBasedSampler({ root });
}

/** The exporter, which reports when the collector stops or starts accepting spans. */
function exporterOf({ endpoint, headers, onFault }: TracingSettings): SpanExporter {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces`, headers });
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails !== isFailing) onFault(fails ? (result.error?.message ?? "it takes nothing") : null);
        isFailing = fails;
        // Reported already; the library would write it into its own log.
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function below({ traceId, spanId, isSampled, state }: Trace): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(state ? { traceState: createTraceState(state) } : {}),
  });
}

/**
 * Milliseconds since 1970 as a library's time: a plain number before the start of the process would be taken for one
 * since then.
 */
const timeOf = (ms: number): HrTime => [Math.trunc(ms / 1000), Math.round((ms % 1000) * 1e6)];

/** The time by a clock that is not set while a request is answered, so that its parts lie within it. */
type Clock = () => number;
function startClock(): Clock {
  const [wall, begun] = [Date.now(), performance.now()];
  return () => wall + performance.now() - begun;
}

/** Starts the export of spans to the collector. */
export function openTracing(settings: TracingSettings): Tracing {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": settings.service, "service.version": settings.version }))
    // OTEL_RESOURCE_ATTRIBUTES
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: exporterOf(settings) })],
  });
  const tracer = provider.getTracer(settings.service, settings.version);
  const places = new WeakMap<Span, { context: Context; clock: Clock }>();
  const current = new AsyncLocalStorage<Span>();

  const begin: Tracing["begin"] = ({ name, kind, facts = {}, caller, lasted }) => {
    const around = caller ? undefined : current.getStore();
    const place = around && places.get(around);
    const context = caller ? below(caller) : (place?.context ?? ROOT_CONTEXT);
    const clock = place?.clock ?? startClock();
    const now = clock();
    const own = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: facts, startTime: timeOf(now - (lasted ?? 0)) },
      context,
    );
    const { traceId, spanId, traceFlags } = own.spanContext();
    const span: Span = {
      traceId,
      header: traceparentOf({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
      end(more = {}, fault) {
        own.setAttributes(more);
        if (fault !== undefined) own.setStatus({ code: SpanStatusCode.ERROR, message: fault });
        if (kind === "server" && typeof more["http.route"] === "string")
          own.updateName(`${name} ${more["http.route"]}`);
        own.end(timeOf(lasted === undefined ? clock() : now));
      },
    };
    places.set(span, { context: trace.setSpan(context, own), clock });
    return span;
  };

  return {
    begin,
    within: (span, work) => current.run(span, work),
    headers() {
      const span = current.getStore();
      if (!span) return {};
      const state = trace.getSpan(places.get(span)!.context)?.spanContext().traceState?.serialize();
      return { traceparent: span.header, ...(state ? { tracestate: state } : {}) };
    },
    close: () =>
      Promise.race([provider.shutdown().catch(() => {}), setTimeout(closeWithinMs, undefined, { ref: false })]),
  };
}
