import { readFile } from "node:fs/promises";

import { sql } from "kysely";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

import { codeOfStep, stepOf } from "../../gateway/auth/totp.ts";
import { sampleFacility } from "../support/assessment-data.ts";
import { axe, hasFocus, layoutFaults, screenAs, storedFiles } from "../support/browser.ts";
import { testGateway } from "../support/gateway.ts";
import { keptRecords } from "../assessment/kept-records.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, fillRequired, saveOffline, sentBy, signOutUnsent } from "../support/visitForm.ts";

/** The second factor in a real browser: set up on the profile or at the sign-in, asked for at the sign-in, removed. */

const [browser, gateway] = await screensOfFile();
const strict = await testGateway("empty", { db: gateway.db, secondFactorOf: "administrators" });
afterAll(async () => {
  await strict?.stop();
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page) => page.locator("h1");
const forgetSteps = () => sql`update second_factor set last_step = 0`.execute(gateway.db);

/** The code that an authenticator app shows for the key on the page. */
async function codeOf(page: Page): Promise<string> {
  const key = (await page.locator(".factor-key code").innerText()).replaceAll(" ", "");
  await expect
    .poll(() => page.getByRole("link", { name: "Open in an authenticator app" }).getAttribute("href"))
    .toContain(`?secret=${key}&`);
  const bits = [...key]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const secret = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  return codeOfStep(secret, stepOf(Date.now()));
}

async function signIn(page: Page, login: string, password = "demo-password"): Promise<void> {
  await field(page, "Username or email").fill(login);
  await field(page, "Password").fill(password);
  await button(page, "Sign in").click();
}

async function expectWell(page: Page): Promise<void> {
  expect(await layoutFaults(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
}

test("a person sets up a second factor on the profile, signs in with codes, and switches it off", async () => {
  const login = "viewer";
  const options = { width: 390, colorScheme: "dark" } as const;
  const screen = await screenAs(browser, gateway, login, options);
  const { page } = screen;
  await screen.open("/user/me");
  const section = page.getByRole("region", { name: "Second factor" });
  await section.getByRole("button", { name: "Set up" }).click();
  await field(page, "Your password").fill("wrong-password");
  await page.keyboard.press("Enter");
  await page.getByText("Your password is not your present password").waitFor();
  await expectWell(page);
  await field(page, "Your password").fill("demo-password");
  await page.keyboard.press("Enter");
  await section.getByRole("img", { name: "QR code of the key, for an authenticator app" }).waitFor();
  await hasFocus(field(page, "Code"));
  await expect.poll(() => field(page, "Code").getAttribute("autocomplete")).toBe("one-time-code");
  await expectWell(page);
  await field(page, "Code").fill("00");
  await page.keyboard.press("Enter");
  await page.getByText("Code is not the present code.").waitFor();
  await field(page, "Code").fill(await codeOf(page));
  await page.keyboard.press("Enter");
  await section.getByRole("heading", { name: "Recovery codes" }).waitFor();
  const codes = await section.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  await expectWell(page);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Download").click()]);
  expect(download.suggestedFilename()).toBe("recovery-codes.txt");
  const saved = await readFile((await download.path())!, "utf8");
  for (const code of codes) expect(saved).toContain(code);
  await button(page, "Done").click();
  await section.getByText("10 recovery codes left").waitFor();
  await expectWell(page);
  screen.expectClean();
  await screen.close();

  await forgetSteps();
  const visitor = await screenAs(browser, gateway, null, options);
  await visitor.open("/user/me");
  await signIn(visitor.page, login);
  await field(visitor.page, "Code").waitFor();
  await hasFocus(field(visitor.page, "Code"));
  await expectWell(visitor.page);
  await button(visitor.page, "Back").click();
  await expect.poll(() => field(visitor.page, "Username or email").inputValue()).toBe(login);
  await field(visitor.page, "Password").fill("demo-password");
  await visitor.page.keyboard.press("Enter");
  await field(visitor.page, "Code").fill("no-such-code");
  await visitor.page.keyboard.press("Enter");
  await visitor.page.getByText("Code is wrong, or was used already").waitFor();
  await expectWell(visitor.page);
  await field(visitor.page, "Code").fill(codes[0]!);
  await visitor.page.keyboard.press("Enter");
  await heading(visitor.page).filter({ hasText: "User Profile" }).waitFor();
  const own = visitor.page.getByRole("region", { name: "Second factor" });
  await own.getByText("9 recovery codes left").waitFor();
  await own.getByRole("button", { name: "New recovery codes" }).click();
  await field(visitor.page, "Your password").fill("demo-password");
  await button(visitor.page, "Make new recovery codes").click();
  await own.getByRole("listitem").nth(9).waitFor();
  await button(visitor.page, "Done").click();
  await own.getByText("10 recovery codes left").waitFor();
  await own.getByRole("button", { name: "Switch off" }).click();
  await field(visitor.page, "Your password").fill("demo-password");
  await button(visitor.page, "Switch off").click();
  await own.getByRole("button", { name: "Set up" }).waitFor();
  visitor.expectClean(/status of 401/);
});

test("an administrator who must have a second factor sets it up at the sign-in and continues; a manager removes one on the screen", async () => {
  const screen = await screenAs(browser, strict, null, { width: 390 });
  const { page } = screen;
  await screen.open("/about");
  await signIn(page, "admin");
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
  await field(page, "Code").waitFor();
  await expectWell(page);
  await field(page, "Code").fill(await codeOf(page));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
  await expectWell(page);
  await button(page, "Done").click();
  await heading(page).filter({ hasText: "About" }).waitFor();
  screen.expectClean();
  await screen.close();

  const rows = await gateway.sql<{ userUuid: string }>`select user_uuid from app_user where user_name = 'uploader'`;
  const { userUuid } = rows[0]!;
  await gateway.sql`insert into second_factor (user_uuid, secret, confirmed_at) values (${userUuid}, decode(repeat('ab', 20), 'hex'), now())`;
  const manager = await screenAs(browser, gateway, "manager");
  await manager.open(`/user/${userUuid}`);
  await button(manager.page, "Take away").click();
  await manager.page.getByRole("alertdialog").getByRole("button", { name: "Take away" }).click();
  await manager.page.getByText("uploader signs in by the password alone").first().waitFor();
  await manager.page.getByRole("region", { name: "Second factor" }).waitFor({ state: "detached" });
  expect(await gateway.sql`select 1 from second_factor where user_uuid = ${userUuid}`).toEqual([]);
  await expectWell(manager.page);
  manager.expectClean();
});

/** Gives a person a second factor with a known secret; returns a function for the current code. */
async function enrolled(login: string): Promise<() => Promise<string>> {
  await gateway.sql`insert into second_factor (user_uuid, secret, confirmed_at) select user_uuid, decode(repeat('ab', 20), 'hex'), now() from app_user where user_name = ${login}`;
  return async () => {
    await forgetSteps();
    return codeOfStep(Buffer.alloc(20, 0xab), stepOf(Date.now()));
  };
}

test("a person with a temporary password and a second factor enters the code, then a new password, and signs in with both", async () => {
  const codeNow = await enrolled("newcomer");
  const screen = await screenAs(browser, gateway, null, { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open("/about");
  await signIn(page, "newcomer", "temporary-1");
  await field(page, "Code").waitFor();
  await expectWell(page);
  await field(page, "Code").fill("000000");
  await page.keyboard.press("Enter");
  await page.getByText("Code is wrong, or was used already").waitFor();
  await field(page, "Code").fill(await codeNow());
  await page.keyboard.press("Enter");
  await field(page, "Confirm password").waitFor();
  await expectWell(page);
  await field(page, "New password").fill("marsh-otter-71");
  await field(page, "Confirm password").fill("marsh-otter-71");
  await page.keyboard.press("Enter");
  await heading(page).filter({ hasText: "About" }).waitFor();
  screen.expectClean(/status of 401/);
  await screen.close();

  const again = await screenAs(browser, gateway, null);
  await again.open("/about");
  await signIn(again.page, "newcomer", "marsh-otter-71");
  await field(again.page, "Code").fill(await codeNow());
  await again.page.keyboard.press("Enter");
  await heading(again.page).filter({ hasText: "About" }).waitFor();
  expect(
    await gateway.sql`select 1 from app_user where user_name = 'newcomer' and not password_temporary`,
  ).toHaveLength(1);
  again.expectClean(/status of 401/);
});

test("work that was sealed without network is opened by password and code together, not by the password alone", async () => {
  const codeNow = await enrolled("assessor");
  const facility = await sampleFacility(gateway.db);
  const saved = async () =>
    (
      await gateway.sql<{ n: number }>`
        select count(*)::int as n from assessment where closing_comments = 'Sealed with a second factor'`
    )[0]!.n;
  const screen = await screenAs(browser, gateway, null, { keepsApplication: true });
  const { page } = screen;
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await field(page, "Code").fill(await codeNow());
  await page.keyboard.press("Enter");
  await button(page, "Sign-out").waitFor();
  await page.goto(`${gateway.url}/#/assessment/facility/${facility.facilityUuid}`);
  await fillRequired(page);
  await fillComments(page, "Sealed with a second factor");
  await page.getByText("Kept on this device as a draft").waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => storedFiles(page)).toContainEqual(expect.stringMatching(/LoginScreen-.*\.js$/));
  await saveOffline(page);
  await signOutUnsent(page);
  const sealed = page.getByText("Sealed work waits on this device.");
  await sealed.waitFor();

  await page.context().setOffline(false);
  await page.reload();
  await signIn(page, "assessor");
  await field(page, "Code").waitFor();
  await expect.poll(() => keptRecords(page, "work")).toHaveLength(1);
  expect(await saved()).toBe(0);
  await field(page, "Code").fill(await codeNow());
  await sentBy(page, () => page.keyboard.press("Enter"));
  expect(await saved()).toBe(1);
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
});
