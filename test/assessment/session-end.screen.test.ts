import { randomUUID } from "node:crypto";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { hashToken } from "../../gateway/auth/auth.ts";
import { sampleFacility } from "../support/assessment-data.ts";
import {
  applicationState,
  axe,
  layoutFaults,
  networkBack,
  type Screen,
  type ScreenOptions,
  screenAs,
} from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillVisit, saveVisit, sentBy, signOutUnsent } from "../support/visitForm.ts";
import { keptRecords, passDays } from "./kept-records.ts";

/**
 * A session that ended by time stops sending, never working. A session that somebody ended closes what the device
 * stores.
 */

const [browser, gateway] = await screensOfFile();
const facility = await sampleFacility(gateway.db);

/** A page of somebody who has just signed in. */
async function signedIn(login: string, options: ScreenOptions = {}): Promise<Screen> {
  const screen = await screenAs(browser, gateway, null, options);
  await screen.page.goto(gateway.url);
  await signInAs(screen.page, login);
  await screen.page.getByRole("heading", { level: 1 }).first().waitFor();
  await expect.poll(() => screen.page.getByLabel("Username or email").count()).toBe(0);
  return screen;
}

/** A night passes: this page's session was last used 13 hours ago. */
async function sleep(page: Page): Promise<void> {
  const { value } = (await page.context().cookies()).find(({ name }) => name === "session")!;
  await gateway.sql`update session set last_seen_at = now() - interval '13 hours' where token_hash = ${hashToken(value)}`;
}

const openForm = async (page: Page) => {
  await page.goto(`${gateway.url}/#/assessment/facility/${facility.facilityUuid}`);
  await page.getByLabel("Primary power", { exact: true }).waitFor();
};

async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or email").fill(login);
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in", exact: true }).last().click();
}

async function countVisits(comments: string): Promise<number> {
  const admin = await gateway.as("admin");
  const list = bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`));
  const visits = await Promise.all(list.map(async ({ uuid }) => bodyOf(await admin.get(`/api/v1/assessment/${uuid}`))));
  return visits.filter(({ closingComments }) => closingComments === comments).length;
}

test("after a night without network, an answer of the server ends neither the form nor the draft; the visit is sent after the next sign-in", async () => {
  const comments = `Night ${randomUUID()}`;
  const screen = await signedIn("assessor", { width: 390 });
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  await page.context().setOffline(true);
  await sleep(page);
  // A second of signal: an answer says that nobody is signed in.
  await networkBack(page);
  await screen.open("/provinces");
  await page.getByText("Your session ended. Sign in to see what is new.").waitFor();
  await page.context().setOffline(true);
  await page.getByText(/^No network\. What is on this device opens/).waitFor();

  await screen.open(`/assessment/facility/${facility.facilityUuid}`);
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe(comments);
  await saveVisit(page);
  const line = page.getByLabel("Connection");
  await line.getByText(/^1 assessment waits on this device to be sent: .*\. No network\.$/).waitFor();
  await networkBack(page);
  await screen.settled();
  // One line says what waits and why, and nothing else is said in red.
  await expect
    .poll(() => page.locator(".notification, .frame-note").allInnerTexts())
    .toEqual([
      expect.stringMatching(
        /^1 assessment waits on this device to be sent: .*\. Your session ended\. Sign in to send your visit\.\s*Sign in$/,
      ),
    ]);
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  expect(await countVisits(comments)).toBe(0);

  await page.getByLabel("Connection").getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Username or email").waitFor();
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await sentBy(page, () => signInAs(page, "assessor"));
  await expect.poll(() => page.getByText("Your session ended.").count()).toBe(0);
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  expect(await countVisits(comments)).toBe(1);
});

test("with network, a visit saved after the session ended waits on the device, and the application can be opened again", async () => {
  const comments = `Ended ${randomUUID()}`;
  const screen = await signedIn("assessor");
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  await sleep(page);
  await saveVisit(page);
  const told = page.getByText(/^1 assessment waits .*Your session ended\. Sign in to send your visit\.$/);
  await told.waitFor();
  await page.waitForURL(/#\/facility\//);
  await page.reload();
  await told.waitFor();
  // A screen that the device does not store says what is needed.
  await screen.open("/user/me");
  await page.getByText("Your session ended. Sign in to see this.").first().waitFor();

  // Another person signs in on this device: what waits is closed to them.
  await page.getByLabel("Connection").getByRole("button", { name: "Sign in" }).click();
  await signInAs(page, "viewer");
  await page.getByText("Sealed work waits on this device.").waitFor();
  expect(await page.getByText("1 assessment waits").count()).toBe(0);
  expect(await countVisits(comments)).toBe(0);
  await page.getByRole("button", { name: "Sign-out" }).click();
  await page.getByLabel("Username or email").waitFor();
  await signInAs(page, "assessor");
  await expect.poll(() => countVisits(comments)).toBe(1);
});

test("14 days after the server's last answer the store is sealed, and the password opens it without network; a sign-out deletes that way too", async () => {
  const comments = `Two weeks ${randomUUID()}`;
  const screen = await signedIn("assessor", { keepsApplication: true });
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: true });
  await page.context().setOffline(true);
  await passDays(page, 13);
  await page.reload();
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe(comments);

  await passDays(page, 2);
  await page.reload();
  await page.getByText("The server has not answered for 14 days").waitFor();
  expect(await axe(page)).toEqual([]);
  const password = page.getByLabel("Your password");
  await password.fill("another-password");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByText("This is not the password with which you last signed in on this device.").waitFor();
  await password.fill("demo-password");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe(comments);
  await saveVisit(page);
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await page.reload();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();

  await signOutUnsent(page);
  await page.getByText("Sealed work waits on this device.").waitFor();
  await page.reload();
  await page.getByLabel("Username or email").waitFor();
  expect(await page.getByLabel("Your password").count()).toBe(0);
  await networkBack(page);
  await signInAs(page, "assessor");
  await expect.poll(() => countVisits(comments)).toBe(1);
});

test("when an administrator ends everything of a person, also after the session ended by time, the device closes what it stores", async () => {
  const comments = `Revoked ${randomUUID()}`;
  const screen = await signedIn("assessor");
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  await sleep(page);
  await page.reload();
  await page.getByText("Your session ended. Sign in to see what is new.").waitFor();
  const admin = await gateway.as("admin");
  const { uuid } = bodyOf(await (await gateway.as("assessor")).get("/api/v1/user/me"));
  expect((await admin.call("POST", `/api/v1/user/${uuid}/endEverything`)).status).toBe(200);
  await page.reload();
  await page.getByLabel("Username or email").waitFor();
  await expect.poll(() => keptRecords(page, "answer")).toEqual([]);
  await page.getByText("Sealed work waits on this device.").waitFor();
});
