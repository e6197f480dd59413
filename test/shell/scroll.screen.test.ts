import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The scroll position of a page when its address is opened, and after going back. */

const [browser, gateway] = await screensOfFile();

const scrolledTo = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const scrollTo = (page: Page, top: number) =>
  page.evaluate((to) => window.scrollTo({ top: to, behavior: "instant" }), top);
const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
/** Opens an address as if it was typed. */
const type = (page: Page, path: string) => page.evaluate((to) => (location.hash = to), path);

test("a typed address opens at the top; going back and reloading restore the scroll position", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  // So low that each list is longer than the window.
  await page.setViewportSize({ width: 1280, height: 480 });
  await screen.open("/districts");
  await title(page, "All Districts");
  await screen.settled();
  // Once it is gone, the next screen takes its room: otherwise the first scroll does, and the position becomes another
  // one.
  await page.getByText("Resuming session").waitFor({ state: "detached" });
  await type(page, "/facilities");
  await title(page, "All Facilities");
  await screen.settled();
  await scrollTo(page, 100);
  await expect.poll(() => scrolledTo(page)).toBe(100);

  await type(page, "/ips");
  await title(page, "Implementing Partners");
  await screen.settled();
  await expect.poll(() => scrolledTo(page)).toBe(0);

  await page.goBack();
  await title(page, "All Facilities");
  await expect.poll(() => scrolledTo(page)).toBe(100);
  await page.reload();
  await title(page, "All Facilities");
  await expect.poll(() => scrolledTo(page)).toBe(100);
  await page.goBack();
  await title(page, "All Districts");
  await expect.poll(() => scrolledTo(page)).toBe(0);
  screen.expectClean();
});
