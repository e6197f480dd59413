import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { applicationState, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openOldestBrowser } from "../support/openBrowser.ts";
import { patience } from "../support/patience.ts";
import { fillComments, fillRequired, saveOffline, sentBy } from "../support/visitForm.ts";

/** The oldest supported Chromium can record a visit. Older browsers get a list of the supported ones. */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openOldestBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test("Chromium 106 signs in, records a visit without network and sends it", async () => {
  expect(browser.version()).toMatch(/^106\./);
  const { facilityUuid } = await sampleFacility(gateway.db);
  const screen = await screenAs(browser, gateway, null, { keepsApplication: true, width: 390 });
  const { page, open, settled } = screen;
  await open("/");
  await page.getByLabel("Username or email").fill("assessor");
  await page.getByLabel("Password", { exact: true }).fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await open(`/facility/${facilityUuid}`);
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await settled();
  await fillRequired(page);
  await fillComments(page, "From an old phone");
  // Fields and buttons have an edge, the field with the focus another one.
  const edge = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).boxShadow);
  const edges = await Promise.all(["input.bp6-input", "textarea", "select", "main .bp6-button", ":focus"].map(edge));
  expect(edges).not.toContain("none");
  expect(edges[4]).not.toBe(edges[1]);
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: true });
  screen.expectClean();

  await saveOffline(page);
  await page.reload();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await sentBy(page, () => page.context().setOffline(false));
  const assessor = await gateway.as("assessor");
  const [latest] = bodyOf<{ uuid: string }[]>(await assessor.get(`/api/v1/assessment/list/facility/${facilityUuid}`));
  expect(bodyOf(await assessor.get(`/api/v1/assessment/${latest!.uuid}`))).toMatchObject({
    closingComments: "From an old phone",
  });
  screen.expectClean(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
});

test.each([
  [
    "Chromium 105",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/105.0.0.0 Mobile Safari/537.36",
    true,
  ],
  ["Firefox 114", "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/114.0", true],
  [
    "Chromium 106",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/106.0.0.0 Mobile Safari/537.36",
    false,
  ],
  ["Firefox 115", "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0", false],
])("%s opens the application, or a page that lists the supported browsers", async (_, userAgent, isOld) => {
  const context = await browser.newContext({ userAgent, serviceWorkers: "block" });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(gateway.url);
  const heading = page.locator("h1");
  await heading.waitFor();
  await expect
    .poll(() => heading.innerText())
    .toBe(isOld ? "This browser is too old" : "SmartCare Deployment Platform");
  await context.close();
});

test("a browser that lacks a needed function gets the list of supported browsers, whatever its user agent", async () => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  // Safari before 15.4 does not have it.
  await page.addInitScript(() => delete (globalThis as { structuredClone?: unknown }).structuredClone);
  await page.goto(gateway.url);
  await page.waitForURL("**/browsers.html");
  await expect
    .poll(() => page.locator("li").allInnerTexts())
    .toEqual([
      expect.stringContaining("version 106"),
      expect.stringContaining("version 115"),
      expect.stringContaining("version 15.4"),
    ]);
  await context.close();
});
