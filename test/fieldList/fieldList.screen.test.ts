import { expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** A field list on the screens: made from selected rows, looked at, taken along, and used without network. */

const [browser, gateway] = await screensOfFile("demo");

test.each([1440, 390] as const)(
  "at %i px, selected sites become a list that is taken along and read without network",
  async (width) => {
    const { page, open, settled } = await screenAs(browser, gateway, "assessor", { width, keepsApplication: true });
    const faults = async () => [await axe(page), await layoutFaults(page)];
    await open("/facilities");
    const ticks = page.getByRole("checkbox", { name: /^Select / });
    const rows = page
      .getByRole("main")
      .getByRole("row")
      .filter({ has: page.getByRole("link") });
    const names = [0, 1, 2].map((place) => rows.nth(place).getByRole("link").first());
    const chosen = await Promise.all(names.map((name) => name.innerText()));
    for (const name of chosen) await ticks.and(page.getByLabel(`Select ${name}`)).check({ force: true });
    await page.getByRole("button", { name: "Add to a field list" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the new list").fill(`Week at ${width}`);
    expect(await faults()).toEqual([[], []]);
    await dialog.getByRole("button", { name: "Add to the list" }).click();
    await page.getByText("Added to the field list: 3 sites").waitFor();
    await page.getByRole("link", { name: "Open the list" }).click();
    await page.getByText(`Field list: Week at ${width}`).first().waitFor();
    await page.getByText("3 sites, only yours").waitFor();
    const list = new URL(page.url()).hash.slice(1);
    await settled();
    expect(await rows.count()).toBe(3);
    expect(await faults()).toEqual([[], []]);

    await ticks.and(page.getByLabel(`Select ${chosen[2]}`)).check({ force: true });
    await page.getByRole("button", { name: "Remove from the list" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Remove from the list/ })
      .click();
    await page.getByText("Removed from the field list: 1 site").waitFor();
    await page.getByText("2 sites, only yours").waitFor();

    await page.getByRole("link", { name: "Prepare for the field" }).and(page.locator(".bp6-button")).click();
    await page.getByRole("button", { name: "Download" }).waitFor();
    expect(await page.getByLabel("Field list").locator("option:checked").innerText()).toBe(`Week at ${width}`);
    await page.getByRole("button", { name: "Download" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: /^Ready:/ })
      .waitFor();
    await page.context().setOffline(true);
    await page.reload();
    for (const name of chosen.slice(0, 2)) await page.locator(".site-line").filter({ hasText: name }).waitFor();
    expect(await page.locator(".site-line").count()).toBe(2);
    expect(await faults()).toEqual([[], []]);
    // The list's page answers from what was taken along, not only as it was looked at before.
    await open(`${list}&search=${encodeURIComponent(chosen[0]!)}`);
    await page.getByRole("note").getByText(`of the field list “Week at ${width}”`).waitFor();
    await page.getByRole("button", { name: `Remove the filter Field list: Week at ${width}` }).waitFor();
    expect(await rows.filter({ hasText: chosen[0]! }).count()).toBe(1);
    expect(await faults()).toEqual([[], []]);
  },
);
