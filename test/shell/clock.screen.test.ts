import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** A device with a wrong clock: the screen says so, online and offline. A device in another time zone shows the ministry's time. */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** A page on a device whose clock is `ahead` milliseconds ahead of the server's. */
async function screenOfDevice(ahead: number) {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  await screen.page.context().addInitScript((shift) => {
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...given: [] | [number]) {
        if (given.length) super(...given);
        else super(RealDate.now() + shift);
      }
      static override now = () => RealDate.now() + shift;
    } as DateConstructor;
  }, ahead);
  return screen;
}

const minute = 60_000;

test.each([
  ["three years ahead", 3 * 365.25 * 24 * 60 * minute, "The clock of this device is 3 years ahead."],
  ["two hours behind", -2 * 60 * minute, "The clock of this device is 2 hours behind."],
])("a clock that is %s is reported, also while the server cannot be reached", async (_, ahead, text) => {
  const screen = await screenOfDevice(ahead);
  const { page } = screen;
  await screen.open("/about");
  await page.getByText(text).waitFor();
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
  await page.route("**/graphql*", (route) => route.abort());
  await page.reload();
  await page.getByText(text).waitFor();
  await screen.close();
});

test("a clock that is four minutes ahead is not reported", async () => {
  const screen = await screenOfDevice(4 * minute);
  await screen.open("/about");
  await expect.poll(() => screen.page.getByText("The clock of this device").count()).toBe(0);
  await screen.close();
});

test.each(["Pacific/Kiritimati", "America/Los_Angeles"])("a device in %s shows the ministry's time on Home, in reports, on the screen of changes, on paper and in pictures", async (timezoneId) => {
  const screen = await screenAs(browser, gateway, "viewer", { timezoneId });
  const { page } = screen;
  /** Milliseconds between now and the time in a text, which is Lusaka's (UTC+2 all year). */
  const away = (text: string | null | undefined) => Math.abs(Date.parse(`${/\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d/.exec(text ?? "")?.[0]} GMT+0200`) - Date.now());
  const shown: [path: string, selector: string][] = [
    ["/", ".situation"],
    ["/report", ".report-cover"],
    ["/report", ".situation"],
    ["/changes", ".page-subtitle"],
  ];
  for (const [path, selector] of shown) {
    await screen.open(path);
    await expect.poll(async () => away(/as at\s(.*)/is.exec(await page.locator(selector).innerText())?.[1]), { message: `${path} ${selector}` }).toBeLessThan(30 * minute);
  }
  // A picture has the same words below its title.
  await screen.open("/provinces");
  await page.locator(".overview .chart-card-period").waitFor();
  expect(away(await page.locator(".overview .print-only").getAttribute("data-words"))).toBeLessThan(30 * minute);
  screen.expectClean();
  await screen.close();
});
