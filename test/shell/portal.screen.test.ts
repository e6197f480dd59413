import { randomUUID } from "node:crypto";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { axe, layoutFaults, networkBack, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { tdbxOf } from "../support/tdbx.ts";
import { fillVisit, saveVisit, sentBy } from "../support/visitForm.ts";

/** A network that answers in place of the server until somebody has signed in to it is named in words. */

const words = "This network wants you to sign in first. Open another website, sign in there, and come back here.";

const [browser, gateway] = await screensOfFile();
const facility = await sampleFacility(gateway.db);

const page200 = { status: 200, contentType: "text/html; charset=utf-8", body: "<h1>Guest house</h1>" };
const answers = {
  "a page": page200,
  "another address": { status: 302, headers: { location: "http://127.0.0.1:9/sign-in" } },
  "status 511": { ...page200, status: 511 },
};

/** Chromium sometimes reports the address of a redirection that it does not follow. */
const notFollowed = /request to another host: http:\/\/127\.0\.0\.1:9\/sign-in/;

const calls = /\/(?:graphql|api\/|healthz)/;

/** Lets such a network answer the calls to the server from now on. Returns a function that ends it. */
async function portalOn(page: Page, answer: keyof typeof answers): Promise<() => Promise<void>> {
  await page.route(calls, (route) => route.fulfill(answers[answer]));
  return () => page.unroute(calls);
}

test.each(["a page", "status 511"] as const)(
  "sign-in and a list name a network that answers with %s, and go on when it lets them through",
  async (answer) => {
    const screen = await screenAs(browser, gateway, null, { width: 390 });
    const { page } = screen;
    await screen.open("/");
    let through = await portalOn(page, answer);
    await page.getByLabel("Username or email").fill("viewer");
    await page.getByLabel("Password").fill("demo-password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("main").getByRole("alert").filter({ hasText: words }).waitFor();
    expect(await page.getByLabel("Password").inputValue()).toBe("demo-password");
    expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
    await through();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await screen.settled();

    through = await portalOn(page, answer);
    await page.evaluate(() => (location.hash = "#/provinces"));
    // Until the new screen is shown, a part of Home may fail too, and goes with it.
    await page.getByRole("heading", { level: 1, name: "Provinces" }).waitFor();
    await page.getByRole("alert").filter({ hasText: words }).first().waitFor();
    await through();
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByRole("link", { name: "Southern", exact: true }).first().waitFor();
    screen.expectClean(/status of 511/);
  },
);

test("a visit saved behind such a network waits, says why, also to Send now, and is sent once when it lets people through", async () => {
  const comments = `Portal ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  await screen.open(`/assessment/facility/${facility.facilityUuid}`);
  await fillVisit(page, comments);
  await portalOn(page, "a page");
  await saveVisit(page);
  const waiting = page.getByLabel("Connection").getByText("1 assessment waits on this device to be sent");
  await waiting.filter({ hasText: words }).waitFor();
  await page.getByRole("button", { name: "Send now" }).click();
  await waiting.filter({ hasText: words }).waitFor();
  // Without any network nothing is known of a sign-in.
  await page.context().setOffline(true);
  await page.unroute(calls);
  await waiting.filter({ hasNotText: words }).waitFor();
  await sentBy(page, () => networkBack(page));
  await waiting.waitFor({ state: "detached" });
  const admin = await gateway.as("admin");
  const list = bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`));
  const visits = await Promise.all(
    list.map(async ({ uuid }) => bodyOf<{ closingComments: string }>(await admin.get(`/api/v1/assessment/${uuid}`))),
  );
  expect(visits.filter((visit) => visit.closingComments === comments)).toHaveLength(1);
  screen.expectClean(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

test("a network that calls itself online and reaches nothing is named, and with the first answer the line goes and the screen is filled", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  await page.route(calls, (route) => route.abort());
  await page.evaluate(() => (location.hash = "#/provinces"));
  const line = page.getByLabel("Connection");
  await line.getByText(/^No network: the server does not answer\. What is on this device opens/).waitFor();
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  await page.unroute(calls);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.getByRole("link", { name: "Southern", exact: true }).first().waitFor();
  await expect.poll(() => line.innerText()).toBe("");
  screen.expectClean(/ERR_FAILED/);
});

test("an upload behind such a network names it, and arrives when it gets through", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open("/tdb");
  const through = await portalOn(page, "another address");
  await page.getByLabel("TDB files").setInputFiles({
    name: "portal.tdbx",
    mimeType: "application/octet-stream",
    buffer: tdbxOf(facility.facilityUuid),
  });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByText(`${words} It goes on by itself.`).waitFor();
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  await through();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.getByRole("button", { name: "1 file(s) uploaded, Click Browse to Add more..!", exact: true }).waitFor();
  screen.expectClean(notFollowed);
});
