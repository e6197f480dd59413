import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { visit } from "../support/assessment-data.ts";
import { axe, layoutFaults, networkBack, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The facility's page as the site's story: alerts, state, people, map, timeline, details. */

/** A site that stopped working, runs an old version and is overdue. */
let troubled: { facilityUuid: string; facilityName: string; district: string };
/** A site with nothing wrong. */
let sound: string;

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const viewer = await gateway.as("viewer");
  const listed = async (kind: string) =>
    bodyOf<(typeof troubled)[]>(await viewer.get(`/api/v1/worklist/${kind}?show=all`));
  const [stopped, silent, old] = await Promise.all([listed("stopped"), listed("silent"), listed("oldVersion")]);
  const isIn = (list: (typeof troubled)[], uuid: string) => list.some(({ facilityUuid }) => facilityUuid === uuid);
  troubled = stopped.find(({ facilityUuid }) => isIn(silent, facilityUuid) && isIn(old, facilityUuid))!;
  const rows = await gateway.sql<{ facilityUuid: string }>`
    select facility_uuid from facility join facility_state using (facility_uuid) join tdb_silence using (facility_uuid)
    where "until" is null and facility.latitude is not null and facility.implementing_partner_id is not null and due_day >= current_date and smart_care_functional and power_working
    order by facility_uuid limit 1`;
  sound = rows[0]!.facilityUuid;
  // The manager's partner is that of this site; somebody who cannot sign in is not to be called.
  await gateway.sql`update app_user set implementing_partner_id = (select implementing_partner_id from facility where facility_uuid = ${sound}),
    manage_users = true, active = user_name = 'manager' where user_name in ('manager', 'newcomer')`;
  const areas = await gateway.sql<{ serviceAreaId: number }>`
    select service_area_id from facility_service_area where facility_uuid = ${sound} order by 1`;
  const found = visit({
    facilityUuid: sound,
    serviceAreas: areas.map(({ serviceAreaId }) => serviceAreaId),
    otherArea: 0,
  });
  const saved = await (
    await gateway.as("assessor")
  ).call("POST", "/api/v1/assessment", {
    ...found,
    libraryVersion: "99.1",
  });
  if (saved.status !== 200) throw new Error(saved.text);
});

const offline = /ERR_INTERNET_DISCONNECTED|Failed to load resource/;
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const alerts = (page: Page) => page.getByRole("list", { name: "Needs attention" }).getByRole("link");
const expectWhole = async (page: Page) => expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);

test("what is wrong opens its list in the district, with this site", async () => {
  const { page, open, settled, expectClean, close } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open(`/facility/${troubled.facilityUuid}`);
  await page.getByRole("link", { name: troubled.district }).first().waitFor();
  const words = await alerts(page).allInnerTexts();
  expect(words.join("\n")).toMatch(/^Stopped working \d\d \w{3} \d{4}$/m);
  expect(words.join("\n")).toMatch(/^No data (yet|for [\d,]+ days?, due \d\d \w{3} \d{4})$/m);
  expect(words.join("\n")).toMatch(/^Version [\d.]+, newest [\d.]+$/m);
  await expectWhole(page);
  for (const [index, title] of ["Stopped working", "Data overdue", "Old version"].entries()) {
    const link = alerts(page).filter({ hasText: [/^Stopped/, /^No data/, /^Version/][index]! });
    await link.click();
    await page.getByRole("heading", { level: 1, name: new RegExp(`Work list: ${title}`) }).waitFor();
    await settled();
    await page.getByRole("link", { name: troubled.facilityName, exact: true }).first().waitFor();
    await page.goBack();
    await settled();
  }
  expectClean();
  await close();
});

test("a site with nothing wrong has no alert; state, people and map are three cards", async () => {
  const { page, open, expectClean, close } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open(`/facility/${sound}`);
  const state = part(page, "State");
  await state.getByText("Works", { exact: true }).first().waitFor();
  await expect.poll(() => alerts(page).count()).toBe(0);
  await expect.poll(() => state.getByText(/^since \d\d \w{3} \d{4}$/).count()).toBeGreaterThanOrEqual(3);
  await state.getByText("99.1", { exact: true }).waitFor();
  const people = part(page, "People to call");
  const phone = people.getByRole("link", { name: "+260900012345" });
  expect(await phone.getAttribute("href")).toBe("tel:+260900012345");
  expect(await people.getByRole("link", { name: "ruth@example.org" }).getAttribute("href")).toBe(
    "mailto:ruth@example.org",
  );
  const partner = people.getByRole("list", { name: "People of the partner" });
  expect((await partner.innerText()).split(/\n+/)).toEqual([
    "Namasiku Lifwoli",
    "+260900000005",
    "manager@demo.example",
  ]);
  await part(page, "Map")
    .getByRole("link", { name: /^Directions/ })
    .waitFor();
  await part(page, "Map")
    .getByText(/^Registered position\./)
    .waitFor();
  await part(page, "Map").getByRole("img").waitFor();
  const [of, called] = [(await state.boundingBox())!, (await phone.boundingBox())!];
  expect(called.y + called.height).toBeLessThan(844);
  expect(called.y > of.y + of.height).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await phone.boundingBox())!.y < of.y + of.height).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(called.height).toBeGreaterThanOrEqual(44);
  await expectWhole(page);
  expectClean();
  await close();
});

test("contacts are for people who may see visits; the state is for everybody", async () => {
  const { page, open, expectClean, close } = await screenAs(browser, gateway, "plain");
  await open(`/facility/${sound}`);
  await part(page, "People to call").getByText("Contacts are shown to people who may see assessments.").waitFor();
  await expect.poll(() => page.locator("a[href^='tel:']").count()).toBe(0);
  const { data } = await (
    await gateway.as("plain")
  ).graphql<{ facility: object }>(
    `{ facility(facilityUuid: "${sound}") { partnerPeople { name } state { contactName contactPhone } } }`,
  );
  expect(data.facility).toEqual({ partnerPeople: null, state: { contactName: null, contactPhone: null } });
  await part(page, "State").getByText("99.1", { exact: true }).waitFor();
  await part(page, "Timeline").getByText("Version changed").first().waitFor();
  expect(await part(page, "Timeline").getByRole("combobox").locator("option").allInnerTexts()).toEqual([
    "Everything",
    "Visits",
    "Upgrades",
  ]);
  expectClean();
  await close();
});

test("the timeline is filtered by kind in the address", async () => {
  const { page, open, settled, expectClean, close } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open(`/facility/${sound}`);
  const timeline = part(page, "Timeline");
  await timeline.getByText(/Library version: .+ → 99\.1/).waitFor();
  await timeline.getByRole("combobox").selectOption("upgrade");
  await page.waitForURL(/[?&]kind=upgrade/);
  await settled();
  await expect.poll(() => timeline.getByText("Visit", { exact: true }).count()).toBe(0);
  await timeline.getByText(/→ 99\.1/).waitFor();
  await expectWhole(page);
  await page.reload();
  await settled();
  await expect.poll(() => timeline.getByRole("combobox").inputValue()).toBe("upgrade");
  await timeline.getByRole("combobox").selectOption("visit");
  await settled();
  await timeline.getByRole("link", { name: "Visit", exact: true }).first().click();
  await page.waitForURL(/\/assessment\/facility\//);
  expectClean();
  await close();
});

test("the details are folded on a phone and open on a wide screen", async () => {
  for (const width of [390, 1440] as const) {
    const { page, open, expectClean, close } = await screenAs(browser, gateway, "viewer", { width });
    await open(`/facility/${sound}`);
    const details = part(page, "Facility details");
    await details.waitFor();
    await expect.poll(() => details.getByText("HMIS code", { exact: true }).isVisible()).toBe(width === 1440);
    await details.getByText("Registry, connectivity, identifiers").click();
    await expect.poll(() => details.getByText("HMIS code", { exact: true }).isVisible()).toBe(width === 390);
    await expectWhole(page);
    expectClean();
    await close();
  }
});

test("without network the page shows what the device has, and the timeline says that it needs the network", async () => {
  const { page, open, settled, expectClean, close } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open(`/facility/${sound}`);
  await part(page, "Timeline").getByText("Version changed").first().waitFor();
  await page.context().setOffline(true);
  await part(page, "Timeline").getByRole("combobox").selectOption("note");
  await part(page, "Timeline").getByText("The timeline needs the network").waitFor();
  await part(page, "State").getByText("99.1", { exact: true }).waitFor();
  await page.context().setOffline(false);
  await networkBack(page);
  await part(page, "Timeline").getByText("Nothing of this kind is recorded.").waitFor();
  await expect.poll(() => part(page, "Timeline").getByText("The timeline needs the network").count()).toBe(0);
  await settled();
  expectClean(offline);
  await close();
});
