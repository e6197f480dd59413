import { expect, test } from "vitest";

import { axe, hasFocus, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** What the terms of the trade mean, one key away from where they stand. */

const [browser, gateway] = await screensOfFile("demo");

test("the question mark beside a title tells what its term means, Escape closes it, and all terms are one page", async () => {
  const { page, open, expectClean } = await screenAs(browser, gateway, "uploader", { width: 360 });
  await open("/tdb");
  const mark = page.getByRole("button", { name: "What does “TDB” mean?" });
  await mark.press("Enter");
  await page.getByText("Transport database: the data of a facility").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("link", { name: "All terms" }).focus();
  await page.keyboard.press("Escape");
  await page.getByText("Transport database").waitFor({ state: "detached" });
  expect(await mark.evaluate((button) => button === document.activeElement)).toBe(true);
  await mark.press("Enter");
  await page.getByRole("link", { name: "All terms" }).click();
  await page.getByRole("heading", { level: 1, name: "Glossary" }).waitFor();
  await open("/glossary");
  await page.getByText("Transport database: the data of a facility").waitFor();

  // Find knows the terms.
  await page.keyboard.press("Control+k");
  await hasFocus(page.getByRole("combobox", { name: /^Find/ }));
  await page.keyboard.type("works");
  await page.getByRole("option", { name: "Works", exact: true }).click();
  await expect.poll(() => page.url()).toMatch(/glossary\?term=works$/);
  await page.locator("dl > div:first-child mark", { hasText: /^Works$/ }).waitFor();
  expectClean();
});
