import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** A device whose clock is wrong: the screen says so, with and without network. One of another zone is told the ministry's time. */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** A page of a device whose clock is so far ahead of the server's. */
async function screenOfDevice(ahead: number) {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  await screen.page.context().addInitScript((shift) => {
    const Right = Date;
    globalThis.Date = class extends Right {
      constructor(...given: [] | [number]) {
        if (given.length) super(...given);
        else super(Right.now() + shift);
      }
      static override now = () => Right.now() + shift;
    } as DateConstructor;
  }, ahead);
  return screen;
}

const minute = 60_000;

test.each([
  ["three years ahead", 3 * 365.25 * 24 * 60 * minute, "The clock of this device is 3 years ahead."],
  ["two hours behind", -2 * 60 * minute, "The clock of this device is 2 hours behind."],
])("a clock that is %s is told of, also when the server is away", async (_, ahead, text) => {
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

test("four minutes are no matter", async () => {
  const screen = await screenOfDevice(4 * minute);
  await screen.open("/about");
  await expect.poll(() => screen.page.getByText("The clock of this device").count()).toBe(0);
  await screen.close();
});

test.each(["Pacific/Kiritimati", "America/Los_Angeles"])("a device in %s is told the ministry's time: on Home, in a report, of changes, on paper and in a picture", async (timezoneId) => {
  const screen = await screenAs(browser, gateway, "viewer", { timezoneId });
  const { page } = screen;
  /** How far the moment in such a text is from now, read by the clocks of Lusaka (two hours ahead of UTC all year). */
  const away = (text: string | null | undefined) => Math.abs(Date.parse(`${/\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d/.exec(text ?? "")?.[0]} GMT+0200`) - Date.now());
  const told: [path: string, selector: string][] = [
    ["/", ".situation"],
    ["/report", ".report-cover"],
    ["/report", ".situation"],
    ["/changes", ".page-subtitle"],
  ];
  for (const [path, selector] of told) {
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
