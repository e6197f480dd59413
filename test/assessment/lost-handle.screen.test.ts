import { randomUUID } from "node:crypto";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { networkBack, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, saveVisit, sentBy } from "../support/visitForm.ts";
import { keptRecords } from "./kept-records.ts";

/** A phone closes an application's handle of its database in the background. The client opens the database again. */

const [browser, gateway] = await screensOfFile();

/** Notes each handle that the page opens, so that `loseHandles` can close it. */
async function noteHandles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const handles: IDBDatabase[] = [];
    const open = Reflect.get(IDBFactory.prototype, "open") as (
      this: IDBFactory,
      ...args: unknown[]
    ) => IDBOpenDBRequest;
    IDBFactory.prototype.open = function (...args) {
      const asked = open.apply(this, args);
      asked.addEventListener("success", () => handles.push(asked.result));
      return asked;
    };
    Reflect.set(window, "loseHandles", () => handles.splice(0).map((handle) => handle.close()).length);
  });
}

/** Closes the handles without any event, as a phone does, as soon as there is one. */
async function loseHandles(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => (Reflect.get(window, "loseHandles") as () => number)()))
    .toBeGreaterThan(0);
}

test("a lost handle is opened again: the draft, the visit, kept answers and the sign-out do not notice it", async () => {
  const facility = await sampleFacility(gateway.db);
  const comments = `Lost handle ${randomUUID()}`;
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await noteHandles(page);
  await screen.open(`/assessment/facility/${facility.facilityUuid}`);
  await page.getByLabel("Deployment Mode").selectOption("EFirst");
  await page.getByText("Kept on this device as a draft").waitFor();

  await loseHandles(page);
  await page.getByLabel("Date of last upgrade").fill("2025-01-31");
  await page.getByLabel("Number of staff trained").fill("5");
  const [before] = await keptRecords(page, "work");
  await fillComments(page, comments);
  await expect.poll(async () => (await keptRecords(page, "work"))[0]!.bytes).toBeGreaterThan(before!.bytes);
  await page.getByText("Kept on this device as a draft").waitFor();

  await page.context().setOffline(true);
  await loseHandles(page);
  await saveVisit(page);
  await page.getByText("1 assessment waits on this device to be sent").waitFor();

  await loseHandles(page);
  await screen.open(`/facility/${facility.facilityUuid}`);
  await screen.open(`/assessment/facility/${facility.facilityUuid}`);
  await page.getByLabel("Deployment Mode").waitFor();
  await loseHandles(page);
  await sentBy(page, () => networkBack(page));
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);

  await loseHandles(page);
  await page.getByRole("button", { name: "Sign-out" }).click();
  await page.getByLabel("Username or email").waitFor();
  await expect.poll(() => keptRecords(page, "answer")).toEqual([]);
});
