import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { readSettings } from "../../gateway/env.ts";
import { openTracing } from "../../gateway/tracing/openTelemetry.ts";
import { startObjectStore } from "../storage/objectStore.ts";
import { testDatabase } from "../support/database.ts";
import { stranger, testGateway } from "../support/gateway.ts";
import { startProcess } from "../support/process.ts";
import { formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/** What a trace collector receives: the spans of each request, in OpenTelemetry's protocol over HTTP. */

type Span = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  attributes: Record<string, unknown>;
  status: { code?: number };
  start: bigint;
  end: bigint;
};
type Attribute = { key: string; value: Record<string, unknown> };
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<Span, "attributes"> & {
        attributes: Attribute[];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      })[];
    }[];
  }[];
};

const factsOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A trace collector that can be made to refuse everything (`setUp(false)`). */
async function startCollector() {
  const spans: Span[] = [];
  const resources: Record<string, unknown>[] = [];
  const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  let isUp = true;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += String(part);
    requests.push({ url: request.url!, headers: request.headers });
    if (!isUp) return void response.writeHead(400).end();
    for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
      resources.push(factsOf(resource.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          attributes: factsOf(span.attributes),
          start: BigInt(span.startTimeUnixNano),
          end: BigInt(span.endTimeUnixNano),
        });
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, spans, resources, requests, setUp: (up: boolean) => void (isUp = up), stop: () => server.close() };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector?.stop());

const usual = {
  service: "platform",
  version: "1.0.0",
  sampler: "parentbased_always_on",
  ratio: 1,
  headers: {},
  onFault: () => {},
};
const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

/** Runs an act at a gateway that sends to the collector. Returns the spans that the collector received. */
async function spansOf(
  settings: Partial<Parameters<typeof openTracing>[0]>,
  act: (gateway: Awaited<ReturnType<typeof testGateway>>) => Promise<void>,
  options: Parameters<typeof testGateway>[1] = {},
): Promise<Span[]> {
  const tracing = openTracing({ ...usual, endpoint: collector.endpoint, ...settings });
  const gateway = await testGateway("demo", { tracing, ...options });
  const before = collector.spans.length;
  try {
    await act(gateway);
  } finally {
    await gateway.stop();
    await tracing.close();
  }
  return collector.spans.slice(before);
}

test("a request is a span in its caller's trace, with its operation below it and the statements below these", async () => {
  let answered: string | null = null;
  const spans = await spansOf({}, async (gateway) => {
    const admin = await gateway.as("admin");
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: "vendor=1", "x-request-id": "traced" };
    const query = 'query Look { facilities(first: 1, search: "Chipembi") { totalCount } }';
    answered = (await admin.call("POST", "/graphql", { query, operationName: "Look" }, headers)).headers.get(
      "traceresponse",
    );
    await gateway.as("plain").then((plain) => plain.get("/api/v1/facility/search/args/Chipembi?limit=2"));
    await admin.get("/healthz");
  });
  const ours = spans.filter((span) => span.traceId === traceId);
  const request = ours.find(({ kind }) => kind === 2)!;
  expect(request).toMatchObject({
    name: "POST /graphql",
    parentSpanId: spanId,
    traceState: "vendor=1",
    attributes: {
      "http.request.method": "POST",
      "http.route": "/graphql",
      "http.response.status_code": 200,
      "platform.request_id": "traced",
    },
  });
  expect(answered).toBe(`00-${traceId}-${request.spanId}-01`);
  const operation = ours.find(({ name }) => name === "query Look")!;
  expect(operation).toMatchObject({
    kind: 1,
    parentSpanId: request.spanId,
    attributes: { "graphql.operation.name": "Look", "graphql.operation.type": "query" },
  });
  const statements = ours.filter(({ kind }) => kind === 3);
  const [ofSession, ofOperation] = [request, operation].map((parent) =>
    statements.filter(({ parentSpanId }) => parentSpanId === parent.spanId),
  );
  expect(ofSession!.length).toBeGreaterThan(0);
  expect(ofOperation!.map(({ name }) => name)).toContain("select facility");
  expect(ofSession!.length + ofOperation!.length).toBe(statements.length);
  for (const { start, end, attributes } of statements) {
    expect([start >= request.start, end <= request.end, start <= end]).toEqual([true, true, true]);
    expect(attributes).toMatchObject({ "db.system.name": "postgresql", "db.query.text": expect.stringMatching(/\w/) });
  }
  // A REST call without a `traceparent` has its own trace. Probes have none, and no span contains the search text.
  const byRest = spans.find(({ name }) => name === "GET /api/v1/facility/search/args/:text")!;
  expect(byRest.parentSpanId).toBeFalsy();
  expect(byRest.traceId).not.toBe(traceId);
  expect(spans.filter(({ traceId: id, kind }) => id === byRest.traceId && kind === 3).length).toBeGreaterThan(0);
  expect(spans.filter(({ name }) => name.includes("healthz"))).toEqual([]);
  expect(JSON.stringify(spans, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toMatch(
    /Chipembi|demo-password/,
  );
});

test("a request to object storage continues the trace", async () => {
  const seen: unknown[] = [];
  const store = await startObjectStore(({ headers }) => seen.push(headers["traceparent"]));
  const spans = await spansOf(
    {},
    async (gateway) => {
      const { facilityUuid } = await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
      const uploader = await gateway.as("uploader");
      seen.length = 0;
      expect(
        (
          await sendForm(
            gateway.url,
            "/api/v1/tdb",
            uploader,
            formOf([{ name: "a.tdbx", content: tdbxOf(facilityUuid) }]),
          )
        ).status,
      ).toBe(200);
    },
    { objects: store.settings },
  );
  await store.stop();
  const upload = spans.find(({ name }) => name === "POST /api/v1/tdb")!;
  expect(new Set(seen)).toEqual(new Set([`00-${upload.traceId}-${upload.spanId}-01`]));
});

test.each([
  ["always_off", 1, "01", 0],
  ["always_on", 1, "00", 1],
  ["parentbased_always_on", 1, "00", 0],
  ["parentbased_always_off", 1, "01", 1],
  ["traceidratio", 0, "01", 0],
  ["parentbased_traceidratio", 0, "01", 1],
])(
  "the sampler decides which traces are kept: %s %s, for a caller with flags %s",
  async (sampler, ratio, flags, count) => {
    const spans = await spansOf({ sampler, ratio }, async (gateway) => {
      const { headers } = await stranger(gateway.url).get("/api/v1/system", {
        traceparent: `00-${traceId}-${spanId}-${flags}`,
      });
      expect(headers.get("traceresponse")).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-0${count}$`));
    });
    expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(count);
  },
);

test("a collector that refuses everything is reported once, and requests are still answered", async () => {
  const faults: (string | null)[] = [];
  collector.setUp(false);
  const spans = await spansOf({ onFault: (fault) => faults.push(fault) }, async (gateway) => {
    expect((await stranger(gateway.url).get("/api/v1/system")).status).toBe(200);
  });
  collector.setUp(true);
  expect([spans, faults]).toEqual([[], [expect.stringMatching(/Bad Request|400/)]]);
});

test("the standard settings turn tracing on, and remaining spans are sent at the end; without them nothing is sent", async () => {
  const database = await testDatabase("demo");
  const dataDir = await mkdtemp(join(tmpdir(), "platform-traces-"));
  await mkdir(join(dataDir, "files"));
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO: "0", LOG_LEVEL: "fatal" };
  try {
    const before = collector.spans.length;
    const otel = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
      OTEL_SERVICE_NAME: "moh",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=trial",
    };
    for (const more of [{}, otel]) {
      const gateway = await startProcess({ ...settings, ...more });
      const { headers } = await stranger(gateway.url).get("/api/v1/system");
      gateway.child.kill("SIGTERM");
      await gateway.ended;
      expect([headers.has("traceresponse"), collector.spans.length > before]).toEqual(
        more === otel ? [true, true] : [false, false],
      );
    }
    expect(collector.resources.at(-1)).toMatchObject({ "service.name": "moh", "deployment.environment.name": "trial" });
    expect(collector.requests.at(-1)).toMatchObject({ url: "/v1/traces", headers: { authorization: "Bearer abc" } });
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /OTEL_EXPORTER_OTLP_ENDPOINT: must be an address/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "authorization" }, /OTEL_EXPORTER_OTLP_HEADERS: must be pairs/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "authorization=100%" }, /OTEL_EXPORTER_OTLP_HEADERS: must be pairs/],
  [{ OTEL_TRACES_SAMPLER: "sometimes" }, /OTEL_TRACES_SAMPLER: must be one of always_on/],
  [{ OTEL_TRACES_SAMPLER_ARG: "2" }, /OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1/],
])("refused: %o", (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});
