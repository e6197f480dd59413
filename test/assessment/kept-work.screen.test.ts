import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { hashToken } from "../../gateway/auth/auth.ts";
import { contentOfForm, toForm } from "../../client/assessment/formValues.ts";
import { formatDate } from "../../client/ui/text/dates.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { applicationState, axe, screenAs, storedFiles } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { cutRecords, keptRecords } from "./kept-records.ts";
import { openProfile } from "../support/openBrowser.ts";
import { screensOfFile } from "../support/perFile.ts";
import {
  fillComments,
  fillRequired,
  fillVisit,
  saveOffline,
  saveVisit,
  sentBy,
  signOutUnsent,
} from "../support/visitForm.ts";

/**
 * Work that a device keeps arrives once and for the right person, whatever happens to browser and session; nobody else
 * sees it.
 */

const [browser, gateway] = await screensOfFile();
const facility = await sampleFacility(gateway.db);

const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/;
const sealed = "Sealed work waits on this device. It is sent when the person who saved it signs in here.";

/** The visits of the facility with these closing comments, as an administrator finds them. */
async function visitsWith(comments: string): Promise<{ userUuid: string; assessedAt: string }[]> {
  const admin = await gateway.as("admin");
  const list = bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`));
  const visits = await Promise.all(list.map(async ({ uuid }) => bodyOf(await admin.get(`/api/v1/assessment/${uuid}`))));
  return visits.filter(({ closingComments }) => closingComments === comments);
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or email").fill(login);
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign-out" }).waitFor();
}

const openForm = async (page: Page) => {
  await page.goto(`${gateway.url}/#/assessment/facility/${facility.facilityUuid}`);
  await page.getByLabel("Deployment Mode").waitFor();
};

test("a visit with an action that an older gateway does not understand waits with the reason, and is sent when the newer one answers", async () => {
  const comments = `Upgrade ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  await page.getByRole("button", { name: "Add an action" }).click();
  await page.getByLabel("What is to be done").fill("Call the grid");
  await page.getByLabel("Responsible").fill("Ruth Kapwelo");
  await page.getByLabel("Due").fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
  // What an older gateway answers to a field that it does not know.
  await page.route(/graphql/, async (route) => {
    const sent = route.request().postData() ?? "";
    await route.continue({ postData: sent.replace('"actions":[', '"notKnownYet":[') });
  });
  await saveVisit(page);
  const notice = page.getByText(/^1 assessment waits on this device to be sent: .* another version runs here/);
  await notice.waitFor();
  expect(await axe(page)).toEqual([]);
  await page.reload();
  await notice.waitFor();
  expect(await page.getByText("Continue draft of").count()).toBe(0);
  expect(await visitsWith(comments)).toEqual([]);
  await page.unroute(/graphql/);
  await sentBy(page, () => page.getByRole("button", { name: "Send now" }).click());
  await notice.waitFor({ state: "detached" });
  expect(await visitsWith(comments)).toHaveLength(1);
  await page.getByText("Call the grid").first().waitFor();
  screen.expectClean(/400 \(Bad Request\)/);
});

test("a visit saved without network survives a kill of the browser, and arrives once, with the time of the visit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "platform-profile-"));
  const comments = `Killed ${randomUUID()}`;
  const first = await openProfile(folder);
  const page = await first.browser.contexts()[0]!.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await openForm(page);
  await fillVisit(page, comments);
  await saveOffline(page);
  const savedBy = Date.now();
  await first.kill();

  const second = await openProfile(folder);
  const again = await second.browser.contexts()[0]!.newPage();
  await again.setViewportSize({ width: 1440, height: 900 });
  await again.goto(gateway.url);
  // A browser stores cookies with a delay: they may be lost, and then the visit waits for the next sign-in.
  const ended = again.getByText("Your session ended. Sign in to send your visit.");
  await ended
    .or(again.getByText(/^The assessment of .* was sent$/))
    .first()
    .waitFor();
  if (await ended.isVisible()) {
    await again.getByLabel("Connection").getByRole("button", { name: "Sign in" }).click();
    await again.getByLabel("Username or email").fill("assessor");
    await again.getByLabel("Password").fill("demo-password");
    await again.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
  }
  await again.getByText(/^The assessment of .* was sent$/).waitFor();
  const visits = await visitsWith(comments);
  expect(visits).toHaveLength(1);
  expect(Math.abs(Date.parse(visits[0]!.assessedAt) - savedBy)).toBeLessThan(60_000);
  await expect.poll(() => keptRecords(again, "work")).toEqual([]);
  await second.kill();
  await rm(folder, { recursive: true, force: true });
});

test("the browser writes nothing to the stored files of the application: it deletes those to which it cannot write on a full disk", async () => {
  const folder = await mkdtemp(join(tmpdir(), "platform-profile-"));
  const { browser: device, kill } = await openProfile(folder);
  const page = await device.contexts()[0]!.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // Chromium compiles a script that it has run several times, and stores the result.
  for (let opened = 0; opened < 10; opened += 1) {
    await page.reload();
    await page.getByRole("button", { name: "Sign-out" }).waitFor();
    await page.evaluate(async () => (await fetch("/api/v1/auth")).text());
  }
  await kill();
  const stored = (await readdir(folder, { recursive: true })).filter((path) => path.includes("CacheStorage"));
  expect(stored.filter((path) => path.endsWith("_0")).length).toBeGreaterThan(10);
  // What was written to an entry later is in a file of its own, which begins with the address. A worker's installation
  // compiles before.js; the page opens without it too.
  const added = await Promise.all(
    stored.filter((path) => path.endsWith("_1")).map((path) => readFile(join(folder, path), "latin1")),
  );
  expect(added.map((text) => /http\S+\.js/.exec(text)![0]).filter((url) => url.includes("/assets/"))).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

test("a person who signs out without network stays signed out; the next person sees nothing of their work, and it is sent at their next sign-in", async () => {
  const comments = `Sealed ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, null, { keepsApplication: true });
  const { page } = screen;
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await openForm(page);
  const facilityName = await page.locator(".page-subtitle a").innerText();
  await fillVisit(page, comments);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => storedFiles(page)).toContainEqual(expect.stringMatching(/LoginScreen-.*\.js$/));
  await saveOffline(page);
  await signOutUnsent(page);
  await page.getByText(sealed).waitFor();
  expect(await page.locator("body").innerText()).not.toContain(facilityName);
  expect(await axe(page)).toEqual([]);
  await expect.poll(() => keptRecords(page, "answer")).toEqual([]);
  await page.reload();
  await page.getByLabel("Username or email").waitFor();

  screen.calls();
  await page.context().setOffline(false);
  await page.reload();
  await signIn(page, "admin");
  expect(screen.calls()[0]).toBe("/api/v1/auth/logout");
  await page.getByText(sealed).waitFor();
  expect(await page.locator("body").innerText()).not.toContain(facilityName);
  await page.getByRole("button", { name: "Sign-out" }).click();
  await sentBy(page, () => signIn(page, "assessor"));
  const { body } = await (await gateway.as("assessor")).get("/api/v1/user/me");
  expect((await visitsWith(comments)).map(({ userUuid }) => userUuid)).toEqual([(body as { uuid: string }).uuid]);
  screen.expectClean(offline, /401/);
});

test("a sign-out signs out another window at once", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await page.goto(gateway.url);
  await signIn(page, "plain");
  const other = await page.context().newPage();
  await other.goto(gateway.url);
  await other.getByRole("button", { name: "Sign-out" }).waitFor();
  await page.getByRole("button", { name: "Sign-out" }).click();
  await other.getByLabel("Username or email").waitFor();
  await expect.poll(() => keptRecords(other, "answer")).toEqual([]);
});

test("visits that were saved while the session ended are sent after the next sign-in, and none becomes a draft", async () => {
  const comments = `Expired ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  for (const one of [1, 2]) {
    await openForm(page);
    await fillVisit(page, comments);
    if (one === 1)
      await page.route(/graphql/, (route) =>
        /SaveAssessment_create/.test(route.request().postData() ?? "") ? route.abort() : route.continue(),
      );
    await saveVisit(page);
    await page.waitForURL(`**/#/facility/${facility.facilityUuid}`);
    await page.getByText(`${one} assessment${one === 1 ? " waits" : "s wait"} on this device to be sent`).waitFor();
  }
  const session = (await page.context().cookies()).find(({ name }) => name === "session")!;
  await gateway.db.deleteFrom("session").where("tokenHash", "=", hashToken(session.value)).execute();
  await page.unroute(/graphql/);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.getByText(sealed).waitFor();
  expect(await visitsWith(comments)).toEqual([]);
  await signIn(page, "assessor");
  await expect.poll(async () => (await visitsWith(comments)).length).toBe(2);
  await openForm(page);
  await expect.poll(() => page.getByText("It is not saved yet.").count()).toBe(0);
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
});

test("if the device is full, the form stays open, says so, and offers the work as a file", async () => {
  const comments = `Full ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: true });
  // The answers that the form shows are stored on the device too, and are deleted to make room for recorded work.
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("It is not saved yet.").waitFor();
  // A browser whose storage is full answers like this.
  await page.evaluate(() => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called on its table below
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function full(...given: Parameters<typeof put>) {
      if (this.name === "record") throw new DOMException("There is no room left.", "QuotaExceededError");
      return put.apply(this, given);
    };
  });
  await saveVisit(page);
  await page.getByText("This assessment is not saved: this device has no room left").waitFor();
  expect(await axe(page)).toEqual([]);
  const fetched = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  expect(JSON.parse(await readFile(await (await fetched).path(), "utf8"))).toMatchObject({ closingComments: comments });
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe(comments);
  await page.context().setOffline(false);
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  expect(await visitsWith(comments)).toHaveLength(1);
});

test("after the session ended, the application opened without network shows that work waits, and offers the sign-in when the network is back", async () => {
  const comments = `Ended ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, null, { keepsApplication: true });
  const { page } = screen;
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await openForm(page);
  await fillVisit(page, comments);
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: true });
  await saveOffline(page);
  const session = (await page.context().cookies()).find(({ name }) => name === "session")!;
  await gateway.db.deleteFrom("session").where("tokenHash", "=", hashToken(session.value)).execute();
  await page.context().setOffline(false);
  await page.getByLabel("Username or email").waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("The server cannot be reached.").waitFor();
  await page.getByText(sealed).waitFor();
  await page.getByText("Nothing is lost").waitFor();
  expect(await axe(page)).toEqual([]);
  await page.context().setOffline(false);
  await signIn(page, "assessor");
  await expect.poll(async () => (await visitsWith(comments)).length).toBe(1);
});

test("a waiting visit survives the deletion of the browser's database, and arrives once", async () => {
  const comments = `Copied ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  await saveOffline(page);
  // Requests are blocked, so that nothing is sent yet.
  await page.route(/\/(graphql|api)\b/, (route) => route.abort());
  await page.context().setOffline(false);
  // A browser deletes the database like this if it finds a damaged file in it: no page has it open.
  await page.goto(`${gateway.url}/favicon.svg`);
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const gone = indexedDB.deleteDatabase("kept");
        gone.addEventListener("success", () => resolve());
        gone.addEventListener("error", () => reject(gone.error as Error));
      }),
  );
  expect(await visitsWith(comments)).toEqual([]);
  await page.unrouteAll();
  await page.goto(gateway.url);
  await expect.poll(async () => (await visitsWith(comments)).length).toBe(1);
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  expect(await page.evaluate(async () => (await (await caches.open("work-copies")).keys()).length)).toBe(0);
});

test("a device that cannot read the key shows the work as sealed, and opens it for the same person once it can read the key", async () => {
  const comments = `Unreadable key ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page } = screen;
  await openForm(page);
  await fillVisit(page, comments);
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: true });
  await saveOffline(page);
  // On a device whose disk is full, the database does not open.
  await page.addInitScript(() => {
    const open = Reflect.get(IDBFactory.prototype, "open") as (
      this: IDBFactory,
      ...args: unknown[]
    ) => IDBOpenDBRequest;
    IDBFactory.prototype.open = function (...args) {
      if ("isFull" in sessionStorage) throw new DOMException("Internal error opening backing store.", "UnknownError");
      return open.apply(this, args);
    };
  });
  await page.evaluate(() => sessionStorage.setItem("isFull", ""));
  await page.goto(gateway.url);
  await page.reload();
  await page.getByText(sealed).waitFor();
  await page.getByText("Nothing is lost").waitFor();
  await page.evaluate(() => sessionStorage.removeItem("isFull"));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await page.context().setOffline(false);
  await expect.poll(async () => (await visitsWith(comments)).length).toBe(1);
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
});

test("a record that cannot be read is set aside, can be saved as a file, and does not block anything else", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await openForm(page);
  await fillRequired(page);
  await page.getByText("Kept on this device as a draft").waitFor();
  const [short] = await keptRecords(page, "work");
  // So long that the record cannot have grown so much by what was filled in before.
  const comments = `To be cut off: ${Array.from({ length: 6 }, () => randomUUID()).join("")}`;
  await fillComments(page, comments);
  await expect.poll(async () => (await keptRecords(page, "work"))[0]!.bytes).toBeGreaterThan(short!.bytes + 150);
  // Reloaded, the form has it, and writes nothing more.
  await page.reload();
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe(comments);
  await cutRecords(page, "work");
  await page.reload();
  await page.getByText("cannot be read. It was set aside").waitFor();
  expect(await axe(page)).toEqual([]);
  const fetched = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  expect(JSON.parse(await readFile(await (await fetched).path(), "utf8"))).toMatchObject({ kind: "work", format: 1 });
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe("");
  const notice = page.getByRole("complementary", { name: "Kept on this device" });
  await notice.getByRole("button", { name: "Discard" }).click();
  await notice.getByText("It will be gone.").waitFor();
  await notice.getByRole("button", { name: "Discard" }).click();
  await page.getByText("cannot be read. It was set aside").waitFor({ state: "detached" });
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  screen.expectClean();
});

test("work kept by an older client is taken over, and a visit that the server refuses waits with the reason", async () => {
  const recent = `Older client ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await page.goto(gateway.url);
  await page.getByRole("button", { name: "Sign-out" }).waitFor();
  const { uuid: userUuid } = bodyOf(await (await gateway.as("assessor")).get("/api/v1/user/me"));
  const work = (assessmentUuid: string, comments: string, days: number) => {
    const values = toForm(contentOfForm(toForm({ ...visit(facility), closingComments: comments })));
    const keptAt = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
    const { facilityUuid } = facility;
    return {
      userUuid,
      facilityUuid,
      facilityName: "Kept Clinic",
      assessmentUuid,
      isNew: true,
      values,
      base: null,
      status: "waiting",
      keptAt,
    };
  };
  const kept = [work(randomUUID(), recent, 3), work(randomUUID(), "Too old", 70)];
  await page.evaluate((all) => {
    for (const one of all)
      localStorage.setItem(`assessment:${one.userUuid}:${one.assessmentUuid}`, JSON.stringify(one));
  }, kept);
  await page.reload();
  await page.getByText("The assessment of Kept Clinic was not stored:").waitFor();
  await expect.poll(async () => (await visitsWith(recent)).length).toBe(1);
  expect(Date.parse((await visitsWith(recent))[0]!.assessedAt)).toBe(Date.parse(kept[0]!.keptAt));
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("assessment:"))))
    .toEqual([]);
  await page.reload();
  await page.getByText("The assessment of Kept Clinic was not stored:").waitFor();
  await expect.poll(() => keptRecords(page, "work")).toHaveLength(1);
  expect(await visitsWith("Too old")).toEqual([]);
  await page.getByRole("link", { name: "Open it" }).click();
  await page.getByText("It waits on this device. What you typed is here.").waitFor();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  screen.expectClean();
});

test("a waiting visit that is too old can be corrected, saved as a file or discarded", async () => {
  const names = ["corrected", "discarded"].map((what) => `To be ${what} ${randomUUID()}`);
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await page.goto(gateway.url);
  await page.getByRole("button", { name: "Sign-out" }).waitFor();
  const { uuid: userUuid } = bodyOf(await (await gateway.as("assessor")).get("/api/v1/user/me"));
  const keptAt = new Date(Date.now() - 70 * 24 * 60 * 60 * 1000).toISOString();
  const { facilityUuid } = facility;
  const kept = names.map((closingComments, place) => ({
    ...{
      userUuid,
      facilityUuid,
      facilityName: `Clinic ${place}`,
      assessmentUuid: randomUUID(),
      isNew: true,
      base: null,
      status: "waiting",
      keptAt,
    },
    values: toForm(contentOfForm(toForm({ ...visit(facility), dateOfLastUpgrade: "2024-01-31", closingComments }))),
  }));
  await page.evaluate((all) => {
    for (const one of all)
      localStorage.setItem(`assessment:${one.userUuid}:${one.assessmentUuid}`, JSON.stringify(one));
  }, kept);
  await page.reload();
  const line = (place: number) =>
    page
      .locator(".frame-note")
      .filter({ hasText: `The assessment of Clinic ${place} was not stored: Time of the visit cannot be` });
  await line(0).waitFor();
  await line(1).waitFor();
  expect(await axe(page)).toEqual([]);

  const fetched = page.waitForEvent("download");
  await line(1).getByRole("button", { name: "Save as a file" }).click();
  const file = JSON.parse(await readFile(await (await fetched).path(), "utf8")) as object;
  expect(file).toMatchObject({
    assessmentUuid: kept[1]!.assessmentUuid,
    assessedAt: keptAt,
    closingComments: names[1],
  });
  await line(1).getByRole("button", { name: "Discard" }).click();
  await line(1).getByRole("button", { name: "Keep" }).click();
  await line(1).getByRole("button", { name: "Discard" }).click();
  await line(1).getByText("It will be gone.").waitFor();
  await line(1).getByRole("button", { name: "Discard" }).click();
  await line(1).waitFor({ state: "detached" });

  await line(0).getByRole("link", { name: "Open it" }).click();
  const day = page.getByLabel("Day of the visit", { exact: true }).and(page.locator("input"));
  const inLusaka = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000 + 2 * 3_600_000).toISOString().slice(0, 10);
  await expect
    .poll(() => day.inputValue())
    .toBe(formatDate(new Date(Date.parse(keptAt) + 2 * 3_600_000).toISOString().slice(0, 10)));
  await page.getByText(/^Day of the visit cannot be/).waitFor();
  expect(await axe(page)).toEqual([]);
  // Still too old: the form stays open, with the server's new message.
  await day.fill(inLusaka(65));
  await saveVisit(page);
  await page.getByText(`Day of the visit cannot be ${inLusaka(65)}`).waitFor();
  await day.fill(inLusaka(7));
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  expect((await visitsWith(names[0]!)).map(({ assessedAt }) => assessedAt)).toEqual([
    new Date(Date.parse(keptAt) + 63 * 86_400_000).toISOString(),
  ]);
  expect(await visitsWith(names[1]!)).toEqual([]);
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  screen.expectClean();
});

test("visits saved without network in two windows of one person both arrive, each once", async () => {
  const names = [1, 2].map((one) => `Window ${one} ${randomUUID()}`);
  const screen = await screenAs(browser, gateway, "assessor");
  const windows = [screen.page, await screen.page.context().newPage()];
  // Opens both forms before typing: a form that is opened later would restore the draft of the first one.
  for (const window of windows) await openForm(window);
  for (const [place, window] of windows.entries()) {
    await fillVisit(window, names[place]!);
  }
  await screen.page.context().setOffline(true);
  await Promise.all(windows.map(saveVisit));
  for (const window of windows) await window.getByText("2 assessments wait on this device to be sent").waitFor();
  await screen.page.context().setOffline(false);
  for (const name of names) await expect.poll(async () => (await visitsWith(name)).length).toBe(1);
  await expect.poll(() => keptRecords(screen.page, "work")).toEqual([]);
  for (const name of names) expect(await visitsWith(name)).toHaveLength(1);
});
