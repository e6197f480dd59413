import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility, type SampleFacility, visit } from "./assessment-data.ts";
import { axe, openBrowser, screenAs } from "./browser.ts";
import { testGateway, type TestGateway } from "./gateway.ts";

/** The assessment screen in a real browser: nothing that was typed is lost, and two people do not overwrite each other. */

let browser: Browser;
let gateway: TestGateway;
let facility: SampleFacility;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  facility = await sampleFacility(gateway.db);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/;
const past = async () => {
  const assessor = await gateway.as("assessor");
  return (await assessor.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`)).body as { uuid: string }[];
};
const stored = async (uuid: string) => (await (await gateway.as("assessor")).get(`/api/v1/assessment/${uuid}`)).body as any;

test("a draft outlives a reload, a save waits for the network and arrives once", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open, settled } = screen;
  const before = (await past()).length;
  await open(`/facility/${facility.facilityUuid}`);
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await settled();
  expect(await page.locator("h1").innerText()).toBe("Assessment");
  for (const title of ["Power Infrastructure", "SmartCare Assessment", "Contact Person - Primary", "Contact Person - Secondary", "Closing Comments"])
    expect(await page.getByRole("region", { name: title }).count(), title).toBe(1);
  expect(await axe(page)).toEqual([]);

  const works = page.getByLabel("Primary power working");
  expect(await works.isDisabled()).toBe(true);
  await page.getByLabel("Primary power", { exact: true }).check();
  await works.check();
  await page.getByLabel("Primary power", { exact: true }).uncheck();
  expect([await works.isChecked(), await works.isDisabled()]).toEqual([false, true]);

  await page.getByLabel("General comments on setup").fill("Typed half-way");
  await page.getByText("Kept on this device as a draft").waitFor();
  await page.reload();
  await settled();
  expect(await page.getByLabel("General comments on setup").inputValue()).toBe("Typed half-way");

  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("is required").first().waitFor();
  expect(await page.getByLabel("Deployment Mode").evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByLabel("Deployment Mode").selectOption("EFirst");
  await page.getByLabel("Date of last upgrade").fill("2025-01-31");
  await page.getByLabel("Number of staff trained").fill("5");
  await page.getByRole("region", { name: "Contact Person - Primary" }).getByLabel("Primary phone").fill("1".repeat(16));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("may have at most 15 characters").waitFor();
  await page.getByRole("region", { name: "Contact Person - Primary" }).getByLabel("Primary phone").fill("+260971");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await (await caches.open("application")).keys()).length > 20);
  screen.expectClean();

  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await page.waitForURL(`**/#/facility/${facility.facilityUuid}`);
  await page.reload();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await page.getByLabel("Deployment Mode").waitFor();
  expect((await past()).length).toBe(before);

  await page.context().setOffline(false);
  await page.getByText(/^The assessment of .* was sent$/).waitFor();
  const list = await past();
  expect(list.length).toBe(before + 1);
  expect(await stored(list[0]!.uuid)).toMatchObject({ otherIssues: "Typed half-way", contactAPrimaryPhone: "+260971", primaryPowerWorking: false, version: 1 });
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("assessment:")))).toEqual([]);
  screen.expectClean(offline);
  await screen.close();
});

test("of two who edit the same state, the second sees both, field by field, and chooses", async () => {
  const assessor = await gateway.as("assessor");
  const { body } = await assessor.call("POST", "/api/v1/assessment", visit(facility));
  const { assessmentUuid } = body as { assessmentUuid: string };
  const screen = await screenAs(browser, gateway, "admin");
  const { page, open, settled } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}/${assessmentUuid}`);
  await page.getByLabel("Closing comments").last().fill("Mine");
  await page.getByLabel("Number of staff trained").fill("8");
  await assessor.call("PATCH", "/api/v1/assessment", { assessmentUuid, version: 1, numberOfStaffTrainedInSmartCare: 9, otherIssues: "Theirs" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "This assessment was changed meanwhile" }).waitFor();
  const field = page.getByRole("group", { name: "Number of staff trained" });
  expect(await field.getByRole("radio", { name: "Yours 8" }).isChecked()).toBe(true);
  await field.getByRole("radio", { name: "Stored now 9" }).check();
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Save with these choices" }).click();
  await page.getByText("Saved the assessment").waitFor();
  expect(await stored(assessmentUuid)).toMatchObject({ version: 3, closingComments: "Mine", numberOfStaffTrainedInSmartCare: 9, otherIssues: "Theirs" });

  await open(`/assessment/facility/${facility.facilityUuid}/${assessmentUuid}`);
  await settled();
  const history = page.getByRole("region", { name: "History" });
  expect(await history.innerText()).toContain("Closing comments from Seen by the test to Mine");
  screen.expectClean();
  await screen.close();
});

test("who may only view sees the assessment read-only, without Save and Export", async () => {
  const [{ uuid }] = (await past()) as [{ uuid: string }];
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  await screen.open(`/assessment/facility/${facility.facilityUuid}/${uuid}`);
  expect(await screen.page.getByLabel("Deployment Mode").isDisabled()).toBe(true);
  expect(await screen.page.getByRole("button", { name: "Save" }).count()).toBe(0);
  expect(await screen.page.getByRole("button", { name: "Export" }).count()).toBe(0);
  expect(await screen.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await screen.open(`/facility/${facility.facilityUuid}`);
  expect(await screen.page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  expect(await screen.page.getByRole("link", { name: "Add new assessment" }).count()).toBe(0);
  screen.expectClean();
  await screen.close();
});

test("the facility's configuration is edited in its dialog, with both messages", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open(`/facility/${facility.facilityUuid}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Implementing partner").waitFor();
  expect(await axe(page)).toEqual([]);
  await dialog.getByLabel("Present").check();
  await dialog.getByLabel("Details").fill("Fibre to the clinic");
  await dialog.getByLabel("Mobile coverage").uncheck();
  expect(await dialog.getByLabel("Mobile provider").isDisabled()).toBe(true);
  const area = dialog.getByRole("switch").first();
  const was = await area.innerText();
  await area.click();
  expect(await area.innerText()).toBe(was === "Active" ? "Inactive" : "Active");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Updated site settings").waitFor();
  await page.getByText("Updated connectivity properties").waitFor();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Fibre to the clinic").waitFor();
  screen.expectClean();
  await screen.close();
});
