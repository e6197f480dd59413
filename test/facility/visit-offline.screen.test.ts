import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { axe, layoutFaults, networkBack, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillVisit, saveVisit, sentBy } from "../support/visitForm.ts";

/** A facility's page says when a visit can be recorded without network; from then on nothing is fetched for it. */

const [browser, gateway] = await screensOfFile();
const facility = await sampleFacility(gateway.db);

const offline = /ERR_INTERNET_DISCONNECTED|Failed to load resource/;
const ready = (page: Page) => page.getByText("Ready for a visit without network.", { exact: true });
const addLink = (page: Page) => page.getByRole("link", { name: "Add new assessment" });

/** Counts the requests of the page for files. The service worker stores files in the background. */
function countFiles(page: Page): () => string[] {
  let files: string[] = [];
  page.context().on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/") && !request.serviceWorker()) files.push(pathname);
  });
  return () => {
    const taken = files;
    files = [];
    return taken;
  };
}

test.each([false, true])(
  "a visit is recorded without network as soon as the facility's page says so (page loaded again without network: %s)",
  async (isReloaded) => {
    const screen = await screenAs(browser, gateway, null, { keepsApplication: true, width: 390 });
    const { page } = screen;
    const comments = `Recorded without network, ${isReloaded}`;
    await page.goto(gateway.url);
    await page.getByLabel("Username or email").fill("assessor");
    await page.getByLabel("Password", { exact: true }).fill("demo-password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.goto(`${gateway.url}/#/facility/${facility.facilityUuid}`);
    await ready(page).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    screen.expectClean();

    await page.context().setOffline(true);
    if (isReloaded) await page.reload();
    const files = countFiles(page);
    await addLink(page).click();
    await fillVisit(page, comments);
    await saveVisit(page);
    await page.getByText("1 assessment waits on this device to be sent").waitFor();
    await page.getByText(/^An assessment saved here on .* waits on this device/).waitFor();
    // A page that was loaded without network gets its files from this device.
    if (!isReloaded) expect(files()).toEqual([]);

    await sentBy(page, () => networkBack(page));
    const person = await gateway.as("assessor");
    const [latest] = bodyOf<{ uuid: string }[]>(
      await person.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`),
    );
    expect(bodyOf(await person.get(`/api/v1/assessment/${latest!.uuid}`))).toMatchObject({ closingComments: comments });
    screen.expectClean(offline);
  },
);

test("a facility's page whose form has not arrived says so, offers no form, and goes on by itself", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  await page.route(/\/assets\/NewAssessmentScreen-/, (route) => route.abort());
  await page.goto(`${gateway.url}/#/facility/${facility.facilityUuid}`);
  await page
    .getByText("Not ready for a visit: its form has not arrived. It is fetched as soon as there is network.")
    .waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Add new assessment" }).isDisabled()).toBe(true);
  expect(await addLink(page).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await page.unrouteAll();
  // This window may store no files, because its service worker is blocked.
  await page.getByText("Ready for a visit without network, as long as this window stays open.").waitFor();
  await addLink(page).waitFor();
  screen.expectClean(/ERR_FAILED|Failed to load resource/);
});

test("with data saving the files of a visit are fetched all the same", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page } = screen;
  await page.addInitScript(() => localStorage.setItem("saving-data", "on"));
  await page.goto(`${gateway.url}/#/facility/${facility.facilityUuid}`);
  await expect.poll(() => ready(page).count()).toBe(1);
  screen.expectClean();
});

test("people who may not record visits get no form, and no note about it", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page, open } = screen;
  const files = countFiles(page);
  await open(`/facility/${facility.facilityUuid}`);
  expect(await page.getByText(/visit without network/).count()).toBe(0);
  expect(files().filter((path) => path.includes("AssessmentScreen"))).toEqual([]);
  screen.expectClean();
});
