import type { Page } from "playwright-core";

import { keptRecords } from "../assessment/kept-records.ts";
import type { Facility } from "./service.ts";
import { fillComments, fillRequired, saveVisit } from "../support/visitForm.ts";

/** What a person does on the screens of a trial, and what the screens say. */

const loginField = (page: Page) => page.getByLabel("Username or email");

export async function signIn(page: Page, login: string): Promise<void> {
  await loginField(page).fill(login);
  await page.getByLabel("Password", { exact: true }).fill("demo-password");
  await page.locator("form").getByRole("button", { name: "Sign in" }).click();
  await loginField(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Sign-out" }).waitFor();
}

/** Downloads the district of a facility, and all files of the application, on the screen for offline work. */
export async function prepare(page: Page, url: string, { district, province }: Facility): Promise<void> {
  await page.goto(`${url}/#/field`);
  await page.getByLabel("What to download").selectOption({ label: "A district" });
  await page.getByLabel("District", { exact: true }).selectOption({ label: `${district} (${province})` });
  await page.getByRole("button", { name: "Download" }).click();
  await page
    .getByRole("status")
    .filter({ hasText: /^Ready:/ })
    .waitFor();
}

/** Opens the form of a new visit. */
export async function openForm(page: Page, url: string, { facilityUuid }: Facility): Promise<void> {
  await page.goto(`${url}/#/assessment/facility/${encodeURIComponent(facilityUuid)}`);
  await page.getByLabel("Primary power", { exact: true }).waitFor();
}

export async function fill(page: Page, comments: string): Promise<void> {
  await fillRequired(page);
  await fillComments(page, comments);
  await page.getByText("Kept on this device as a draft").waitFor();
}

/** The text that this many visits wait on this device. */
export const saysWaiting = (page: Page, count: number) =>
  page.getByText(`${count} ${count === 1 ? "assessment waits" : "assessments wait"} on this device to be sent`);

/**
 * Presses Save. Returns whether the screen says that `count` visits wait here; otherwise it says that this one is not
 * saved, and the form stays.
 */
export async function save(page: Page, count: number): Promise<boolean> {
  await saveVisit(page);
  const waits = saysWaiting(page, count);
  const isNotSaved = page.getByText("This assessment is not saved:");
  await waits.or(isNotSaved).first().waitFor();
  if (await waits.isVisible()) return true;
  await page.getByRole("button", { name: "Save as a file" }).waitFor();
  return false;
}

export const words = (page: Page): Promise<string> => page.locator("body").innerText();

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Lets the application send what waits, and signs in if it asks for that, until at most `left` records of work are
 * here.
 */
export async function untilSent(page: Page, login: string, left = 0): Promise<void> {
  const end = Date.now() + 90_000;
  while (Date.now() < end) {
    // The browser may have lost its cookie: then the application continues, and offers the sign-in in a notice.
    const offer = page.getByLabel("Connection").getByRole("button", { name: "Sign in" });
    if ((await offer.isVisible()) && !(await loginField(page).isVisible())) {
      await offer.click();
      // Its form is fetched.
      await loginField(page).waitFor();
    }
    if (await loginField(page).isVisible()) await signIn(page, login);
    const isSignedIn = await page.getByRole("button", { name: "Sign-out" }).isVisible();
    if (isSignedIn && (await keptRecords(page, "work")).length <= left) return;
    await pause(300);
  }
  throw new Error(`Not sent in 90 s. The screen: ${(await words(page)).replaceAll(/\s+/g, " ").slice(0, 400)}`);
}
