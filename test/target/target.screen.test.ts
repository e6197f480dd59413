import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, axeModerate, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** Targets in a real browser: set, seen as a line with what was reached, changed and removed. */

let browser: Browser;
let gateway: TestGateway;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test.each([1440, 390] as const)("at %d pixels an administrator sets a target, everybody sees it and what was reached, and it is removed", async (width) => {
  const screen = await screenAs(browser, gateway, "admin", { width, colorScheme: width === 390 ? "dark" : "light" });
  const { page } = screen;
  await screen.open("/provinces");
  const year = Number(await page.getByLabel("Year", { exact: true }).inputValue());
  const set = page.getByRole("button", { name: "Set targets" });
  const lines = page.locator(".chart-card-targets li");
  const drawn = () => page.locator(".chart-drawing .mark-rect path[fill='transparent'][stroke='var(--ink)']").count();
  await set.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Target: National" }).waitFor();
  await screen.settled();
  expect(await axeModerate(page)).toEqual([]);
  await dialog.getByLabel("Share").fill("80");
  await dialog.getByRole("button", { name: "Save target" }).click();
  await dialog.waitFor({ state: "hidden" });
  const [attained] = bodyOf<{ reached: number; attainment: number }[]>(await (await gateway.as("plain")).get(`/api/v1/dash/attainment/${year}/-1`));
  await expect
    .poll(() => lines.allInnerTexts())
    .toEqual([`Functional facilities: target 80% of those assessed in FY ${year} (National), reached ${attained!.reached}%, attainment ${attained!.attainment}%.`]);
  await page.locator(".chart-frame").scrollIntoViewIfNeeded();
  await expect.poll(drawn).toBeGreaterThan(0);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  const other = await screenAs(browser, gateway, "plain", { width });
  await other.open("/provinces?figures=shares");
  await expect.poll(() => other.page.locator(".chart-card-targets li").count()).toBe(1);
  expect(await other.page.getByRole("button", { name: "Set targets" }).count()).toBe(0);
  other.expectClean();
  await other.close();

  await set.click();
  expect(await dialog.getByLabel("Share").inputValue()).toBe("80");
  await dialog.getByRole("button", { name: "Remove target" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => lines.count()).toBe(0);
  await expect.poll(drawn).toBe(0);
  screen.expectClean();
  await screen.close();
});
