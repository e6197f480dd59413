import type { Browser, BrowserContext, Page } from "playwright-core";

import { type Line, openLine } from "../support/line.ts";

/** What a visit costs on the line, counted as bytes that cross it: heads, answers and files, as compressed as they come. */

type WireBytes = { name: string; down: number; up: number; requests: number };
type Cookie = { name: string; value: string };

/** An old phone, as people have it in the field. */
const phone = { viewport: { width: 390, height: 844 } };
/** Until nothing more comes by itself of what a screen begins with. */
const settleMs = 3000;
const patience = { timeout: 120_000 };

const cold = 130_000;
const again = 5_000;
/** What is wanted, in bytes that come down. */
export const budgets: Record<string, number> = {
  "the way in": cold,
  "the first list": cold,
  "an assessment": 150_000,
  "an upload": 150_000,
  ...Object.fromEntries(["the way in", "the first list", "an assessment", "an upload"].map((name) => [`${name}, again`, again])),
};

/** A first working day: one signs in, looks at so many facilities, and records visits at some of them. */
const day = { facilities: 20, visits: 5 };
const dayName = `a day of ${day.facilities} facilities and ${day.visits} visits`;
budgets[dayName] = 330_000;
/** What is wanted, in bytes that go up. */
export const upBudgets: Record<string, number> = { [dayName]: 80_000 };

const until = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle", patience);
  await page.waitForTimeout(1000);
  await page.waitForLoadState("networkidle", patience);
};

async function recordVisit(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await page.getByLabel("Deployment Mode").selectOption("ELast", patience);
  await page.getByLabel("Date of last upgrade").fill("2025-01-31");
  await page.getByLabel("Number of staff trained").fill("3");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: "Add new assessment" }).waitFor(patience);
}

/** A first day of somebody who assesses, on a device that has nothing yet. */
async function measureDay(browser: Browser, line: Line, facilities: { uuid: string }[]): Promise<WireBytes> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  let requests = 0;
  page.on("request", () => (requests += 1));
  line.takeBytes();
  await page.goto(`${line.url}/`);
  await page.getByLabel("Username or email").fill("assessor", patience);
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Welcome" }).or(page.getByRole("button", { name: "Menu" })).first().waitFor(patience);
  await until(page);
  for (const [place, { uuid }] of facilities.entries()) {
    await page.goto(`${line.url}/#/facility/${uuid}`);
    await page.getByRole("link", { name: "Add new assessment" }).waitFor(patience);
    await until(page);
    if (place % (day.facilities / day.visits) === 0) await recordVisit(page);
    await until(page);
  }
  const bytes = line.takeBytes();
  await context.close();
  return { name: dayName, ...bytes, requests };
}

/** The session of somebody who may do all of it. */
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

async function visit(context: BrowserContext, line: Line, path: string): Promise<Omit<WireBytes, "name">> {
  const page = await context.newPage();
  let requests = 0;
  page.on("request", () => (requests += 1));
  line.takeBytes();
  await page.goto(`${line.url}/#${path}`);
  await page.locator("h1").waitFor(patience);
  await page.waitForLoadState("networkidle", patience);
  await page.waitForTimeout(settleMs);
  await page.waitForLoadState("networkidle", patience);
  const bytes = line.takeBytes();
  await page.close();
  return { ...bytes, requests };
}

/**
 * Each screen that has a budget, on a device that has nothing yet, and again on one that was there; and a working day. The way in is
 * seen by nobody. The gateway holds the demonstration.
 */
export async function measureVisits(browser: Browser, target: string, cookies: Cookie[]): Promise<WireBytes[]> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const facilities = (await (await fetch(`${target}/api/v1/facility?limit=${day.facilities}`, { headers: { cookie } })).json()) as { uuid: string }[];
  const paths = { "the way in": "/", "the first list": "/provinces", "an assessment": `/assessment/facility/${facilities[0]?.uuid}`, "an upload": "/tdb" };
  const line = await openLine(target);
  const measured: WireBytes[] = [];
  try {
    for (const [name, path] of Object.entries(paths)) {
      const context = await browser.newContext(phone);
      if (name !== "the way in") await context.addCookies(cookies.map((one) => ({ ...one, url: line.url })));
      measured.push({ name, ...(await visit(context, line, path)) });
      measured.push({ name: `${name}, again`, ...(await visit(context, line, path)) });
      await context.close();
    }
    measured.push(await measureDay(browser, line, facilities));
  } finally {
    await line.close();
  }
  return measured;
}
