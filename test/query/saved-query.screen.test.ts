import { readFile } from "node:fs/promises";

import { beforeAll, expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { changedBy, saveQuery } from "../support/mutations.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The page of a saved query: its parameters as a form, its answer as a table, its address for a spreadsheet. */

let uuid: string;

const query = `query Staff($province: String, $mode: FunctionalityStatusMode, $assessed: Int = 0, $day: Date!) {
  facilityGroups(by: [DISTRICT], asOf: $day, mode: $mode, filter: { province: $province }, minimumSize: $assessed) { district { name } facilities efirst sumTrainedStaff }
}`;

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const viewer = await gateway.as("viewer");
  const input = {
    name: "Staff by district",
    description: "For the Monday meeting",
    query,
    variables: { province: "Southern", day: "2026-11-01" },
    shared: true,
  };
  ({ uuid } = await changedBy(saveQuery(viewer, input)));
});

test("the form has typed fields, the address has the chosen values, and the table and the CSV are of these values", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open(`/query/${uuid}`);
  await page.getByRole("heading", { name: "Staff by district" }).waitFor();
  expect(
    await Promise.all(
      ["province", "assessed", "day (required)"].map((name) => page.getByLabel(name).getAttribute("type")),
    ),
  ).toEqual(["text", "number", "text"]);
  expect(await page.getByLabel("day (required)").getAttribute("placeholder")).toBe("DD MMM YYYY");
  expect(await page.getByLabel("province").inputValue()).toBe("Southern");
  expect(await page.getByLabel("mode").locator("option").allTextContents()).toContain("EFirst");
  await page.getByLabel("day (required)").fill("2026-11-20");
  await page.getByRole("button", { name: "Answer" }).click();
  const rows = page.getByRole("region", { name: "Staff by district" }).locator("tbody tr");
  await expect.poll(() => page.url()).toContain(`#/query/${uuid}?day=2026-11-20`);
  await rows.filter({ hasText: "Choma" }).waitFor();
  expect(await axe(page)).toEqual([]);

  await page.getByLabel("province").fill("Central");
  await page.getByRole("button", { name: "Answer" }).click();
  await expect.poll(() => page.url()).toContain("province=Central");
  await rows.filter({ hasText: "Kabwe" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect([lines[0], lines.length]).toEqual([
    "district.name,facilities,efirst,sumTrainedStaff",
    (await rows.count()) + 1,
  ]);

  await page.getByRole("button", { name: "facilities" }).click();
  await expect.poll(() => page.url()).toContain("table.sort=facilities");
  await page.getByText("Refresh it from Excel").click();
  await page.getByText(`${gateway.url}/api/v1/query/${uuid}.csv?pages=all&`).waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  const address = new URL(page.url()).hash.slice(1);
  screen.expectClean();
  await screen.close();

  // Another person who opens the address sees the same, also on a phone, and also if it is of a version that drew
  // charts.
  const other = await screenAs(browser, gateway, "plain", { width: 390, colorScheme: "dark" });
  await other.open(`${address}&chart.kind=bar&chart.by=district.name&chart.of=facilities`);
  const others = other.page.getByRole("region", { name: "Staff by district" });
  await others.locator("tbody tr").first().waitFor();
  expect(await others.getByRole("columnheader", { name: "facilities" }).getAttribute("aria-sort")).toBe("ascending");
  expect(await other.page.getByLabel("province").inputValue()).toBe("Central");
  expect([await layoutFaults(other.page), await axe(other.page)]).toEqual([[], []]);
  other.expectClean();
});

test("a refused value and an unknown query are reported on the page", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  await screen.open(`/query/${uuid}?day=2026-02-31`);
  await screen.page
    .getByRole("alert")
    .getByText(/^day must be a date, YYYY-MM-DD \(asOf of \w+\)$/)
    .waitFor();
  await screen.open("/query/nonsense");
  await screen.page.getByRole("heading", { name: "Saved query not found" }).waitFor();
  expect(await axe(screen.page)).toEqual([]);
  screen.expectClean(/422|400/);
});
