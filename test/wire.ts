import type { Browser, BrowserContext } from "playwright-core";

import { type Line, openLine } from "./line.ts";

/** What a visit costs on the line, counted as bytes that cross it: heads, answers and files, as compressed as they come. */

export type WireBytes = { name: string; down: number; up: number; requests: number };

/** An old phone, as people have it in the field. */
const phone = { viewport: { width: 390, height: 844 } };
/** Until nothing more comes by itself of what a screen begins with. */
const settleMs = 4000;

type Cookie = { name: string; value: string };

async function visit(context: BrowserContext, line: Line, path: string): Promise<Omit<WireBytes, "name">> {
  const page = await context.newPage();
  let requests = 0;
  context.on("request", () => (requests += 1));
  line.takeBytes();
  await page.goto(`${line.url}/#${path}`);
  await page.locator("h1").waitFor({ timeout: 120_000 });
  await page.waitForLoadState("networkidle", { timeout: 120_000 });
  await page.waitForTimeout(settleMs);
  await page.waitForLoadState("networkidle", { timeout: 120_000 });
  const bytes = line.takeBytes();
  await page.close();
  return { ...bytes, requests };
}

/** The paths whose first visit has a budget. */
export const budgetPaths = (facilityUuid: string) => ({
  "the way in": "/",
  "the first list": "/provinces",
  facilities: "/facilities",
  "an assessment": `/assessment/facility/${facilityUuid}`,
  "an upload": "/tdb",
});

/** Each screen on a device that has nothing yet, and again on one that was there. The way in is seen by nobody. */
export async function measureVisits(browser: Browser, target: string, cookies: Cookie[], facilityUuid: string): Promise<WireBytes[]> {
  const line = await openLine(target);
  const measured: WireBytes[] = [];
  try {
    for (const [name, path] of Object.entries(budgetPaths(facilityUuid))) {
      const context = await browser.newContext(phone);
      if (name !== "the way in") await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: line.url })));
      measured.push({ name, ...(await visit(context, line, path)) });
      measured.push({ name: `${name}, again`, ...(await visit(context, line, path)) });
      await context.close();
    }
  } finally {
    await line.close();
  }
  return measured;
}
