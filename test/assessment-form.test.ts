import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility, type SampleFacility } from "./assessment-data.ts";
import { axe, screenAs } from "./browser.ts";
import { bodyOf, testGateway, type TestGateway } from "./gateway.ts";
import { openBrowser } from "./openBrowser.ts";

/** The assessment's form in a real browser: what it begins with, what it tells while it is filled in, and what is saved. */

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

/** The facility's latest assessment, as it is stored. */
async function latest(facilityUuid: string) {
  const assessor = await gateway.as("assessor");
  const [{ uuid }] = (await assessor.get(`/api/v1/assessment/list/facility/${facilityUuid}`)).body as [{ uuid: string }];
  return bodyOf(await assessor.get(`/api/v1/assessment/${uuid}`));
}

test("the position is recorded from when it is allowed, and stays when a draft is discarded", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open, settled } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}`);
  const location = page.getByLabel("GPS location");
  await page.getByText(/allow the location for this site/).waitFor();
  expect(await page.getByRole("button", { name: "Look for the position again" }).count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  await page.context().setGeolocation({ latitude: -13.13373, longitude: 27.8493, accuracy: 12 });
  await page.context().grantPermissions(["geolocation"]);
  await page.getByText(/^Position found\.$/).waitFor();
  await page.getByText(/Accurate to 12 m, at \d\d:\d\d\./).waitFor();
  expect(await location.inputValue()).toBe("-13.1337, 27.8493");

  await page.getByLabel("Closing comments").last().fill("Typed half-way");
  await page.getByText("Kept on this device as a draft").waitFor();
  await page.reload();
  await settled();
  await page.getByText(/^Position found\.$/).waitFor();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe("");
  await expect.poll(() => location.inputValue()).toBe("-13.1337, 27.8493");

  await page.getByLabel("Deployment Mode").selectOption("EFirst");
  await page.getByLabel("Date of last upgrade").fill("2025-01-31");
  await page.getByLabel("Number of staff trained").fill("5");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved the assessment").waitFor();
  expect(await latest(facility.facilityUuid)).toMatchObject({ latitude: -13.13373, longitude: 27.8493 });
  screen.expectClean();
  await screen.close();
});
