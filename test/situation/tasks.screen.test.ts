import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** What people come for, from Home: in how many touches they have it. */

const [browser, gateway] = await screensOfFile();

test.each([1440, 390] as const)("at %i pixels the usual questions are answered in few touches", async (width) => {
  const screen = await screenAs(browser, gateway, "admin", { width });
  const { page } = screen;
  const isPhone = width === 390;
  let touches = 0;
  const touch = async (target: Locator) => {
    touches += 1;
    await target.first().click();
  };
  const find = async (text: string, found: RegExp) => {
    await touch(page.getByRole("button", { name: /^(Find|Search)/ }));
    await page.getByRole("combobox", { name: /^Find/ }).fill(text);
    await touch(page.getByRole("option").filter({ hasText: found }));
  };
  const walk = async (most: number, steps: () => Promise<unknown>) => {
    touches = 0;
    await screen.open("/");
    await steps();
    expect(touches).toBeLessThanOrEqual(most);
  };
  const units = page.locator(".situation-units tbody tr");

  await walk(0, () => units.first().getByText("worst", { exact: true }).waitFor());
  // Its sites without power, by partner.
  await walk(3, async () => {
    if (isPhone) await touch(units.first().getByRole("link"));
    const part = isPhone ? page.getByRole("group", { name: "Assessed sites with power" }) : units.first();
    await touch(part.getByRole("link", { name: /without power/ }));
    await page.getByRole("list", { name: "Facilities by partner" }).waitFor();
    await page.waitForURL(/provinceId=\d+&power=no|power=no&provinceId=\d+/);
  });
  // The file of a province's sites without data for 90 days.
  await walk(3, async () => {
    const southern = units.filter({ hasText: "Southern" });
    await touch(southern.getByRole("link", { name: /, Facilities, / }));
    await touch(page.getByRole("button", { name: "No data for 90 days" }));
    const file = page.getByRole("button", { name: "Export CSV" });
    await expect.poll(() => file.getAttribute("href")).toMatch(/provinceId=\d+.*noTdbSince=/);
    touches += 1;
    const head = (
      await (await page.request.get(new URL((await file.getAttribute("href"))!, gateway.url).href)).text()
    ).split("\r\n")[0]!;
    expect(head.split(",")).toEqual(
      expect.arrayContaining(["daysSinceLastTdb", "contactPhone", "smartCareFunctional"]),
    );
  });
  await walk(3, async () => {
    await find("Choma", /^Choma\s+District/);
    await touch(page.getByRole("button", { name: "Not assessed this fiscal year" }));
    await page.getByRole("button", { name: /^Remove the filter Not visited: in this fiscal year/ }).waitFor();
  });
  await walk(1, async () => {
    await touch(page.getByRole("link", { name: "What changed since Monday" }));
    await page.getByText(/ → /).first().waitFor();
  });
  await walk(3, async () => {
    if (isPhone) await touch(page.getByRole("button", { name: /menu/i }));
    await touch(page.getByRole("link", { name: "Reports", exact: true }));
    // Home stays until the screen of reports is there, and it has tables of its own.
    await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
    await touch(page.getByRole("table").getByRole("link"));
    await page.getByRole("heading", { level: 1, name: /^Quarterly report \d+$/ }).waitFor();
  });
  // The state of a site and whom to call, without scrolling.
  await walk(2, async () => {
    await find("Chisolingo District", /Chisolingo/);
    const phone = page.getByRole("region", { name: "People to call" }).getByRole("link", { name: /^\+/ }).first();
    const { y, height } = (await phone.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
  });
  screen.expectClean();
});
