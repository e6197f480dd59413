import { sql } from "kysely";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, screenAs } from "../support/browser.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** The fleet on its screen: its figures are those of the interface; a rollout is made for several places, changed, paused, ended. */

let browser: Browser;
let gateway: TestGateway;
let admin: Person;
const api = (path: string) => `/api/v1${path}`;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  admin = await gateway.as("admin");
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

type Rollout = { uuid: string; version: string; state: string; provinceIds: number[]; districtIds: number[]; percentage: number; startDay: string };
const rollouts = async () => bodyOf(await admin.get(api("/rollout"))) as Rollout[];

test.each([1440, 390] as const)("at %i: the figures are the interface's, each leads to its sites", async (width) => {
  const screen = await screenAs(browser, gateway, "viewer", { width });
  const { page } = screen;
  await screen.open("/fleet");
  const fleet = bodyOf(await admin.get(api("/fleet")));
  await page.getByText(`The version of ${fleet.known} of ${fleet.facilities} facilities is known`).waitFor();
  const [{ rollout, covered, reached, stuck, reported }] = fleet.rollouts;
  const row = page.getByRole("table", { name: "Rollouts" }).getByRole("row").filter({ has: page.getByRole("rowheader", { name: rollout.version }) });
  for (const [header, count] of [["Sites", covered], ["Reached", reached], ["Reported as applied", reported], ["Stuck", stuck]] as const) {
    const at = (await page.getByRole("table", { name: "Rollouts" }).getByRole("columnheader").allTextContents()).indexOf(header);
    expect([header, (await row.locator("th, td").nth(at).textContent())?.trim()]).toEqual([header, String(count)]);
  }
  // Its places are named, and who may only look changes nothing.
  const { rows } = await sql<{ name: string }>`select name from province where province_id = any(${rollout.provinceIds}::integer[]) order by name`.execute(gateway.db);
  for (const { name } of rows) await row.getByText(name).waitFor();
  expect(await page.getByRole("button", { name: /^(New rollout|Pause|End|Change)/ }).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await row.getByRole("link", { name: `${stuck} sites of the rollout to ${rollout.version} are stuck` }).click();
  await page.getByRole("table", { name: stuck === 1 ? "1 site" : `${stuck} sites` }).waitFor();
  screen.expectClean();
  await screen.close();
});

test.each([1440, 390] as const)("at %i: a rollout for several places is made, paused, given another share and ended", async (width) => {
  const screen = await screenAs(browser, gateway, "admin", { width });
  const { page } = screen;
  const dialog = page.getByRole("dialog");
  const told = (words: string) => page.locator(".notification", { hasText: words }).first().waitFor();
  const { rows } = await sql<{ tomorrow: string; today: string; province: string; provinceId: number; district: string; districtId: number; within: string }>`
    select current_date + 1 as tomorrow, current_date as today, first.name as province, first.province_id, district.name as district, district.district_id, second.name as within
    from province first cross join province second join district on district.province_id = second.province_id
    where first.name = 'Western' and second.name = 'Southern' order by district.name limit 1`.execute(gateway.db);
  const [{ tomorrow, province, provinceId, district, districtId, within } = { tomorrow: "", province: "", provinceId: 0, district: "", districtId: 0, within: "" }] = rows;
  await screen.open("/fleet");
  await page.getByRole("button", { name: "New rollout" }).click();
  await dialog.getByLabel("Version", { exact: true }).fill("97.5");
  await dialog.getByLabel("First day").fill(tomorrow);
  await dialog.getByText(province, { exact: true }).click();
  await dialog.getByLabel(`All of ${province}`).check();
  await dialog.getByText(within, { exact: true }).click();
  await dialog.getByLabel(district, { exact: true }).check();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Begin rollout" }).click();
  // No file leads there: nothing is made, and the words stand beside the version.
  await dialog.getByText(/No path reaches 97\.5: no file of the general channel brings a site to it/).waitFor();
  const { version } = (await rollouts()).find(({ state }) => state === "running")!;
  await dialog.getByLabel("Version", { exact: true }).fill(version);
  await dialog.getByLabel("Leave sites behind that no path leads from").check();
  await dialog.getByRole("button", { name: "Begin rollout" }).click();
  await told(`The rollout to ${version} is made`);
  await dialog.waitFor({ state: "detached" });
  const made = (await rollouts())[0]!;
  expect(made).toMatchObject({ version, state: "planned", provinceIds: [provinceId], districtIds: [districtId], percentage: 100, startDay: tomorrow });

  // It is planned: it stands below those that run, and its share can be changed before it begins.
  const planned = page.getByRole("table", { name: "Planned and ended rollouts" }).getByRole("row").filter({ hasText: "Planned" });
  await planned.getByText(`${province}, ${district}`).waitFor();
  await planned.getByRole("button", { name: `Change the share of the rollout to ${version}` }).click();
  await dialog.getByLabel("Share").fill("0");
  await dialog.getByRole("button", { name: "Change share" }).click();
  await dialog.getByText("Share must be 1 to 100").waitFor();
  await dialog.getByLabel("Share").fill("25");
  await page.keyboard.press("Enter");
  await told(`The rollout to ${version} is for 25 % of its sites`);
  await planned.getByText(`25 %, ${province}, ${district}`).waitFor();
  await planned.getByRole("button", { name: `End the rollout to ${version}` }).click();
  await dialog.getByRole("button", { name: "End rollout" }).click();
  await told(`The rollout to ${version} has ended`);
  await expect.poll(() => planned.count()).toBe(0);
  expect((await rollouts()).find(({ uuid }) => uuid === made.uuid)).toMatchObject({ state: "ended", percentage: 25 });

  // The one that runs is paused and goes on.
  await page.getByRole("button", { name: `Pause the rollout to ${version}` }).click();
  await told(`The rollout to ${version} is paused`);
  await page.getByRole("button", { name: `Resume the rollout to ${version}` }).click();
  await told(`The rollout to ${version} goes on`);
  await page.getByRole("button", { name: `Pause the rollout to ${version}` }).waitFor();
  screen.expectClean();
  await screen.close();
});
