import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { missingRightsMessage } from "../../gateway/access/access.rules.ts";
import { axe, layoutFaults, openRow, type Screen, screenAs, type ScreenOptions } from "../support/browser.ts";
import { stranger } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** People in a real browser: a manager creates and changes accounts; everybody manages their own account. */

let uuids: Map<string, string>;

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const rows = await gateway.db.selectFrom("appUser").select(["userName", "userUuid"]).execute();
  uuids = new Map(rows.map(({ userName, userUuid }) => [userName, userUuid]));
});

const notified = (page: Page, text: string) => page.locator(".notification", { hasText: text }).first().waitFor();
const faults = async ({ page, troubles }: Screen) => [
  ...(await layoutFaults(page)),
  ...(await axe(page)),
  ...troubles(),
];

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}

async function signIn(page: Page, login: string, password: string, replacement?: string): Promise<void> {
  await fill(page, { "Username or email": login, Password: password });
  await page.getByRole("button", { name: "Sign in" }).click();
  if (replacement === undefined) return;
  await notified(page, "Please confirm your password");
  await fill(page, { "New password": replacement, "Confirm password": replacement });
  await page.getByRole("button", { name: "Sign in" }).click();
}

const phone: ScreenOptions = { width: 390, colorScheme: "dark" };

test("a manager adds a colleague with a temporary password, then edits, resets, deactivates and reactivates the account", async () => {
  const name = "mwila";
  const manager = await screenAs(browser, gateway, "manager", phone);
  const { page } = manager;
  await manager.open("/user");
  await page.getByRole("link", { name: "Add new" }).click();
  await page.getByRole("heading", { level: 1, name: "Create new user" }).waitFor();
  await expect.poll(() => page.getByLabel("Implementing Partner").count()).toBe(0);

  await page.getByRole("button", { name: "Add new user" }).click();
  await page.getByText("User Name is required").waitFor();
  for (const label of ["First Name", "Surname", "Primary Email", "Primary Phone"])
    await expect.poll(() => page.getByText(`${label} is required`).count()).toBe(1);
  expect(await faults(manager)).toEqual([]);

  await fill(page, {
    "User Name": "viewer",
    "First Name": "Mwila",
    Surname: "Chanda",
    "Primary Email": `${name}@demo.example`,
    "Primary Phone": "0977123456",
  });
  await page.getByLabel("Gender").selectOption({ label: "Female" });
  await page.getByRole("button", { name: "Add new user" }).click();
  await page.getByText("This user name is taken").waitFor();
  await fill(page, { "User Name": name });
  await page.getByRole("button", { name: "Add new user" }).click();
  await notified(page, "Successfully created user");
  await page.waitForURL(/#\/user\/[0-9a-f-]{36}$/);
  await page.getByRole("heading", { name: `Temporary password of ${name}` }).waitFor();
  const password = await page.locator("code").innerText();
  expect(await faults(manager)).toEqual([]);
  await page.reload();
  await manager.settled();
  await expect.poll(() => page.locator("code").count()).toBe(0);

  await page
    .locator(".bp6-switch", {
      has: page.getByRole("switch", { name: "View assessments" }).or(page.getByLabel("View assessments")),
    })
    .click();
  await notified(page, "Successfully updated record");
  await manager.settled();
  await expect.poll(() => page.getByLabel("View assessments").isChecked()).toBe(true);

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `${name} - Settings` });
  await dialog.getByLabel("Middle Name").fill("Grace");
  expect(await faults(manager)).toEqual([]);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Grace", { exact: true }).waitFor();

  const colleague = await screenAs(browser, gateway, null, phone);
  await colleague.page.goto(gateway.url);
  await signIn(colleague.page, name, password, "my-own-password");
  await colleague.page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await colleague.open("/user/me");
  await colleague.page.getByRole("heading", { level: 1, name: "User Profile" }).waitFor();
  await expect.poll(() => colleague.page.getByRole("link", { name: "Add new" }).count()).toBe(0);
  await expect.poll(() => colleague.page.getByRole("table", { name: "Privileges" }).count()).toBe(0);
  expect(await faults(colleague)).toEqual([]);

  await page.getByRole("button", { name: "Reset password" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Reset password" }).click();
  await page.getByRole("heading", { name: `Temporary password of ${name}` }).waitFor();
  await expect.poll(() => page.locator("code").innerText()).not.toBe(password);
  await colleague.open("/provinces");
  await colleague.page.getByLabel("Username or email").waitFor();
  await signIn(colleague.page, name, "my-own-password");
  await colleague.page.getByText("Invalid Username or Password Entered").waitFor();

  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("This account is deactivated").waitFor();
  await page.getByRole("button", { name: "Reactivate" }).click();
  await page.getByText("This account is deactivated").waitFor({ state: "detached" });
  manager.expectClean();
});

test("a person manages their own settings, tokens, sessions and password, and cannot open screens without the right", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open("/user");
  await page.getByRole("tab", { name: "All Uploaded TDBs" }).waitFor();
  await expect
    .poll(() => page.getByRole("tab").allInnerTexts())
    .toEqual(["User Assessments", "User Uploaded TDBs", "All Uploaded TDBs"]);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "assessor - Settings" });
  await expect.poll(() => dialog.getByLabel("User Name").isDisabled()).toBe(true);
  await expect.poll(() => dialog.getByLabel("Implementing Partner").count()).toBe(0);
  await dialog.getByLabel("First Name").fill("Bw");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("First Name must have at least 3 characters").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "New token" }).click();
  const form = page.getByRole("form", { name: "New token" });
  await form.getByLabel("Token name").fill("Nightly figures");
  await expect.poll(() => form.getByRole("checkbox").count()).toBe(3);
  await form.getByLabel("View assessments").press("Space");
  expect(await faults(screen)).toEqual([]);
  await form.getByRole("button", { name: "Make token" }).click();
  const secret = await page.locator("code").innerText();
  await screen.settled();
  expect(await faults(screen)).toEqual([]);
  const use = () => fetch(`${gateway.url}/api/v1/privilege`, { headers: { authorization: `Bearer ${secret}` } });
  expect(await (await use()).json()).toMatchObject({ viewAssessments: true, editAssessments: false });
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke Nightly figures" }).click();
  await page.getByRole("cell", { name: "Revoked" }).waitFor();
  expect((await use()).status).toBe(401);

  const sessions = page.getByRole("region", { name: "Sessions" });
  const elsewhere = stranger(gateway.url);
  await elsewhere.call("POST", "/api/v1/auth", { login: "assessor", password: "demo-password" });
  await page.reload();
  await sessions.getByText("This session").waitFor();
  await expect.poll(() => sessions.getByRole("listitem").filter({ hasText: "From 127.0.0.1" }).count()).toBe(1);
  await sessions.getByRole("button", { name: "End other sessions" }).click();
  await notified(page, "1 other session ended");
  await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);
  expect([
    (await elsewhere.get("/api/v1/auth")).status,
    (await (await gateway.as("assessor")).get("/api/v1/auth")).status,
  ]).toEqual([401, 200]);

  await fill(page, {
    "Current password": "demo-passwort",
    "New password": "other-password",
    "Confirm new password": "other-password",
  });
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Current password is not your present password").waitFor();
  await fill(page, { "Confirm new password": "another-password" });
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Passwords do not match").waitFor();
  await fill(page, { "Current password": "demo-password", "Confirm new password": "other-password" });
  await page.getByRole("button", { name: "Change password" }).click();
  await notified(page, "Your password is changed");
  screen.expectClean();

  await screen.open("/user/add");
  await notified(page, missingRightsMessage);
  await expect.poll(() => new URL(page.url()).hash).toBe("#/");
  await screen.open(`/user/${uuids.get("viewer")}`);
  await page.getByRole("heading", { level: 1, name: "User not found" }).waitFor();
});

test("an administrator finds people in the directory and on the partner's page, and their actions in the audit", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await gateway.as("assessor");
  await screen.open("/users/directory");
  await page.getByLabel("Name or e-mail").fill("nyambeko");
  await page.getByRole("table", { name: "1 user" }).getByRole("link", { name: "View User assessor" }).click();
  await page.getByRole("heading", { level: 1, name: "User Profile" }).waitFor();
  await page.getByRole("link", { name: "what this person did" }).click();
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  await screen.settled();
  await page.getByRole("button", { name: "Filters (1)" }).click();
  await expect.poll(() => page.getByLabel("Who", { exact: true }).inputValue()).toBe("assessor");
  await page.getByLabel("What", { exact: true }).selectOption({ label: "Signed in" });
  await page.waitForURL(/who=assessor&action=session\.sign-in/);
  await page.getByRole("button", { name: "Show the list" }).click();
  await page.getByRole("cell", { name: "Signed in" }).first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("audit.csv");
  expect(await faults(screen)).toEqual([]);

  const partnerA = await gateway.db
    .selectFrom("implementingPartner")
    .select("implementingPartnerId as id")
    .where("name", "=", "Partner A")
    .executeTakeFirstOrThrow();
  await screen.open(`/ip/${partnerA.id}?tab=users`);
  await page.getByText("uploader (Kondwani Zulanga)").waitFor();
  await page.getByRole("link", { name: "View User uploader" }).click();
  await page.getByRole("heading", { level: 1, name: "User Profile" }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(1);
  screen.expectClean();
});

test("a manager sees a person's tokens, revokes one, and ends all sessions and tokens", async () => {
  const login = "viewer";
  const owner = await gateway.as(login);
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (const name of ["nightly", "spreadsheet"])
    await owner.call("POST", "/api/v1/token", { name, expiryDate, privileges: ["viewAssessments"] });
  const manager = await screenAs(browser, gateway, "manager", phone);
  const { page } = manager;
  await manager.open(`/user/${uuids.get(login)!}`);
  const tokens = page.getByRole("region", { name: "Access tokens" });
  const rows = tokens.locator("tbody tr");
  await expect.poll(() => rows.filter({ hasText: "Until" }).count()).toBe(2);
  expect(await faults(manager)).toEqual([]);
  await openRow(rows.filter({ hasText: "nightly" }));
  await tokens.getByRole("button", { name: "Revoke nightly" }).click();
  await notified(page, "nightly is revoked");
  await expect.poll(() => rows.filter({ hasText: "Until" }).count()).toBe(1);

  await page.getByRole("button", { name: "End everything" }).click();
  const question = page.getByRole("alertdialog", { name: "End everything" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "End everything" }).click();
  await question.getByRole("button", { name: "End everything" }).click();
  await notified(page, `Ended of ${login}`);
  await expect.poll(() => rows.filter({ hasText: "Until" }).count()).toBe(0);
  expect((await owner.get("/api/v1/auth")).status).toBe(401);
  await owner.call("POST", "/api/v1/auth", { login, password: "demo-password" });
  manager.expectClean();
});
