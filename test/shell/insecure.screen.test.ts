import { readFile } from "node:fs/promises";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { axe, screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { fillComments, fillRequired } from "../support/visitForm.ts";

/** Plain http from another host: the browser stores nothing for the page, and the screens say so. */

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await testGateway();
  browser = await openBrowser(["--host-resolver-rules=MAP platform.test 127.0.0.1"]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test("without a secure connection the screens say that nothing is stored; a save without network keeps the form and offers a file", async () => {
  const facility = await sampleFacility(gateway.db);
  const url = gateway.url.replace("127.0.0.1", "platform.test");
  const screen = await screenAs(browser, { as: gateway.as, url }, null);
  const { page } = screen;
  await page.goto(url);
  await expect.poll(() => page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByLabel("Username or email").fill("assessor");
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign-out" }).waitFor();

  await page.goto(`${url}/#/field`);
  await page.getByText(/points? to look at$/).click();
  await page
    .getByText(
      "This browser keeps no files of the application here: it needs a secure connection (https) and no private window.",
    )
    .waitFor();
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByText("This address has no secure connection (https), so the browser keeps nothing here.").waitFor();
  expect(await axe(page)).toEqual([]);

  await page.goto(`${url}/#/assessment/facility/${facility.facilityUuid}`);
  await page
    .getByText("Nothing is kept on this device, because the connection is not secure: save before you leave")
    .waitFor();
  await fillRequired(page);
  await fillComments(page, "Over plain http");
  await page.context().setOffline(true);
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await page
    .getByText("This assessment is not saved: nothing is kept on this device, because the connection is not secure")
    .waitFor();
  const fetched = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  expect(JSON.parse(await readFile(await (await fetched).path(), "utf8"))).toMatchObject({
    closingComments: "Over plain http",
    facilityUuid: facility.facilityUuid,
  });
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe("Over plain http");
  await page.context().setOffline(false);
  await save.click();
  await page.getByText("Saved the assessment").waitFor();
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("assessment"))))
    .toEqual([]);
  screen.expectClean(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Cross-Origin-Opener-Policy|untrustworthy/);
});
