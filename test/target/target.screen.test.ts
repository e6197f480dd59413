import { expect, test } from "vitest";

import { axe, axeModerate, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** Targets in a real browser: set, shown as a line with what was reached, changed and removed. */

const [browser, gateway] = await screensOfFile();

test("a target is set by an administrator, shown with what was reached, changed, seen by another person and removed", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open("/provinces");
  await page.getByRole("button", { name: "Filters (0)" }).click();
  const year = Number(await page.getByLabel("Year", { exact: true }).inputValue());
  const item = page.getByRole("button", { name: "Set targets" });
  const set = async () => {
    await page.getByRole("button", { name: "Chart menu" }).click();
    await item.click();
  };
  const lines = page.locator(".chart-card-targets li");
  const drawn = () => page.locator(".chart-drawing .mark-rect path[fill='transparent'][stroke='var(--ink)']").count();
  await set();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Target: National" }).waitFor();
  await screen.settled();
  expect(await axeModerate(page)).toEqual([]);
  const save = async (share: string) => {
    await dialog.getByLabel("Share").fill(share);
    await dialog.getByRole("button", { name: "Save target" }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  const attained = async () =>
    bodyOf<{ percent: number; reached: number; attainment: number }[]>(
      await (await gateway.as("plain")).get(`/api/v1/dash/attainment/${year}/-1`),
    );
  const sentenceOf = ({ percent, reached, attainment }: { percent: number; reached: number; attainment: number }) =>
    `Functional facilities: target ${percent}% of those assessed in FY ${year} (National), reached ${reached}%, attainment ${attainment}%.`;
  await save("80");
  const [first] = await attained();
  expect(first!.percent).toBe(80);
  await expect.poll(() => lines.allInnerTexts()).toEqual([sentenceOf(first!)]);
  await page.locator(".chart-frame").scrollIntoViewIfNeeded();
  await expect.poll(drawn).toBeGreaterThan(0);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  await set();
  expect(await dialog.getByLabel("Share").inputValue()).toBe("80");
  await save("62.5");
  const changed = await attained();
  expect(changed).toMatchObject([{ percent: 62.5, reached: first!.reached }]);
  expect(changed[0]!.attainment).toBeGreaterThan(first!.attainment);
  await expect.poll(() => lines.allInnerTexts()).toEqual([sentenceOf(changed[0]!)]);

  const other = await screenAs(browser, gateway, "plain", { width: 390 });
  await other.open("/provinces?figures=shares");
  await expect
    .poll(() => other.page.locator(".chart-card-targets li").allInnerTexts())
    .toEqual([sentenceOf(changed[0]!)]);
  await other.page.getByRole("button", { name: "Chart menu" }).click();
  await other.page.getByRole("button", { name: "Show table" }).waitFor();
  expect(await other.page.getByRole("button", { name: "Set targets" }).count()).toBe(0);
  other.expectClean();
  await other.close();

  await set();
  expect(await dialog.getByLabel("Share").inputValue()).toBe("62.5");
  await dialog.getByRole("button", { name: "Remove target" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => lines.count()).toBe(0);
  await expect.poll(drawn).toBe(0);
  screen.expectClean();
});
