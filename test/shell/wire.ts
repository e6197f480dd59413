import type { Browser, BrowserContext, Page } from "playwright-core";

import { measureBytes } from "./bytes.ts";
import { type Line, openLine } from "../support/line.ts";
import { patience } from "../support/patience.ts";
import { fillRequired, saveVisit } from "../support/visitForm.ts";

/** The bytes that a visit transfers: headers, answers and files, compressed as they are sent. */

type WireBytes = { name: string; down: number; up: number; requests: number };
type Cookie = { name: string; value: string };

/** The screen of an old phone, as used in the field. */
const phone = { viewport: { width: 390, height: 844 } };
/** How long there must be no request until a screen counts as loaded. */
const settleMs = 3000;

const cold = 244_000;
/** A chart's files and its figures, when it is seen. */
const chart = 300_000;
const again = 10_000;
const visits = ["the way in", "the first list with its chart", "a list without a chart", "an assessment", "an upload"];
const application = "the whole application for the field";
/** Limits of downloaded bytes. "The first list": the same visit as the one with its chart, without what the chart adds. */
export const budgets: Record<string, number> = {
  "the way in": cold,
  "the first list with its chart": cold + chart,
  "the first list": cold,
  "a list without a chart": cold,
  "an assessment": 320_000,
  "an upload": 320_000,
  ...Object.fromEntries(visits.map((name) => [`${name}, again`, again])),
  [application]: 900_000,
};

/** A first working day: a sign-in, this many facilities viewed, and visits recorded at some of them. */
const day = { facilities: 20, visits: 5 };
const dayName = `a day of ${day.facilities} facilities and ${day.visits} visits`;
budgets[dayName] = 600_000;
/** Limits of uploaded bytes. */
export const upBudgets: Record<string, number> = { [dayName]: 80_000 };

/** Limits of requests. */
export const requestBudgets: Record<string, number> = {
  "the way in": 20,
  "the first list": 20,
  "a list without a chart": 20,
};

/** How long there must be no request until a step of the day counts as done. */
const quietMs = 1000;

/** Whether an address is of what a chart adds to the first list: its files, and the query for its figures. */
function isOfChart(address: string): boolean {
  const { screens, onDemand } = measureBytes();
  const list = screens.find(({ name }) => name === "ProvincesScreen")!.files;
  const files = onDemand.find(({ name }) => name === "Chart")!.files.filter((file) => !list.includes(file));
  const { pathname, searchParams } = new URL(address);
  return files.includes(pathname.slice(1)) || searchParams.get("operationName") === "PeriodTabQuery";
}

type Received = { address: string; down: number };
type Watched = { received: () => Received[]; quiet: (ms: number) => Promise<void> };

/**
 * Notes the requests of a page that are answered by the network, with the bytes of headers and body. A file that was
 * fetched is read from the browser's cache when it is imported. `quiet` waits until none is under way and none began or
 * ended for `ms` milliseconds.
 */
async function watchRequests(page: Page): Promise<Watched> {
  const network = await page.context().newCDPSession(page);
  const cached = new Set<string>();
  const received = new Map<string, Received>();
  network.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId));
  network.on("Network.responseReceived", ({ requestId, response }) => {
    if (!cached.has(requestId) && !response.fromDiskCache && !response.fromServiceWorker)
      received.set(requestId, { address: response.url, down: response.encodedDataLength });
  });
  network.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const one = received.get(requestId);
    if (one) one.down += encodedDataLength;
  });
  await network.send("Network.enable");
  let underWay = 0;
  let changedAt = performance.now();
  const step = (by: number) => {
    underWay += by;
    changedAt = performance.now();
  };
  page.on("request", () => step(1));
  page.on("requestfinished", () => step(-1));
  page.on("requestfailed", () => step(-1));
  return {
    received: () => [...received.values()],
    quiet: async (ms) => {
      const from = performance.now();
      for (;;) {
        const left = Math.max(from, changedAt) + ms - performance.now();
        if (underWay <= 0 && left <= 0) return;
        await page.waitForTimeout(Math.max(left, 50));
      }
    },
  };
}

async function recordVisit(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await fillRequired(page, "ELast", "3");
  await saveVisit(page);
  await page.getByRole("link", { name: "Add new assessment" }).waitFor();
}

/** An assessor's first day, on a device that has nothing cached. */
async function measureDay(browser: Browser, line: Line, facilities: { uuid: string }[]): Promise<WireBytes> {
  const context = await browser.newContext(phone);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const { received, quiet } = await watchRequests(page);
  line.takeBytes();
  await page.goto(`${line.url}/`);
  await page.getByLabel("Username or email").fill("assessor");
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await quiet(quietMs);
  for (const [place, { uuid }] of facilities.entries()) {
    await page.goto(`${line.url}/#/facility/${uuid}`);
    await page.getByRole("link", { name: "Add new assessment" }).waitFor();
    await quiet(quietMs);
    if (place % (day.facilities / day.visits) !== 0) continue;
    await recordVisit(page);
    await quiet(quietMs);
  }
  const bytes = line.takeBytes();
  await context.close();
  return { name: dayName, ...bytes, requests: received().length };
}

/** All files with which the service worker opens the application, records visits and shows the sites of a download. */
async function measureApplication(line: Line): Promise<WireBytes> {
  const worker = await (await fetch(`${line.url}/sw.js`)).text();
  const { files } = JSON.parse(/const build = (\{.*\});/.exec(worker)![1]!) as { files: { path: string }[] };
  line.takeBytes();
  for (const { path } of files)
    await (await fetch(`${line.url}${path}`, { headers: { "accept-encoding": "br" } })).arrayBuffer();
  return { name: application, ...line.takeBytes(), requests: files.length };
}

/** The session cookies of a person with all rights. */
export async function signInAt(url: string): Promise<Cookie[]> {
  const answer = await fetch(`${url}/api/v1/auth`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: "admin", password: "demo-password" }),
  });
  return answer.headers.getSetCookie().flatMap((cookie) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    return name && value ? [{ name, value }] : [];
  });
}

async function visit(
  context: BrowserContext,
  line: Line,
  path: string,
): Promise<Omit<WireBytes, "name"> & { received: Received[] }> {
  const page = await context.newPage();
  const { received, quiet } = await watchRequests(page);
  line.takeBytes();
  await page.goto(`${line.url}/#${path}`);
  await page.locator("h1").waitFor();
  await quiet(settleMs);
  const bytes = line.takeBytes();
  await page.close();
  return { ...bytes, requests: received().length, received: received() };
}

/**
 * Measures each screen that has a budget, on a device that has nothing cached and again on the same device, and a
 * working day. "The way in" is the sign-in page: it is opened without a session. The gateway must serve the
 * demonstration.
 */
export async function measureVisits(browser: Browser, target: string, cookies: Cookie[]): Promise<WireBytes[]> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const facilities = (await (
    await fetch(`${target}/api/v1/facility?limit=${day.facilities}`, { headers: { cookie } })
  ).json()) as { uuid: string }[];
  const paths = ["/", "/provinces", "/search?text=hospital", `/assessment/facility/${facilities[0]?.uuid}`, "/tdb"];
  /** Measures on a separate connection. */
  const onLine = async <Result>(measure: (line: Line) => Promise<Result>): Promise<Result> => {
    const line = await openLine(target);
    try {
      return await measure(line);
    } finally {
      await line.close();
    }
  };
  const measurements = visits.map((name, at) =>
    onLine(async (line) => {
      const context = await browser.newContext(phone);
      context.setDefaultTimeout(patience);
      if (name !== "the way in") await context.addCookies(cookies.map((one) => ({ ...one, url: line.url })));
      const { received, ...first } = await visit(context, line, paths[at]!);
      const { received: _, ...second } = await visit(context, line, paths[at]!);
      await context.close();
      const ofChart = received.filter(({ address }) => isOfChart(address));
      const withoutChart = {
        name: "the first list",
        down: first.down - ofChart.reduce((sum, { down }) => sum + down, 0),
        up: first.up,
        requests: first.requests - ofChart.length,
      };
      return [{ name, ...first }, ...(ofChart.length > 0 ? [withoutChart] : []), { name: `${name}, again`, ...second }];
    }),
  );
  const [theDay, whole, ...measured] = await Promise.all([
    onLine((line) => measureDay(browser, line, facilities)),
    onLine(measureApplication),
    ...measurements,
  ]);
  return [...measured.flat(), theDay, whole];
}
