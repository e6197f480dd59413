import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** A device whose clock is wrong: the screen says so, with and without network. */

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
