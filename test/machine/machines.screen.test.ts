import { readFile } from "node:fs/promises";

import { parse as parseCsv } from "csv-parse/sync";
import { expect, test } from "vitest";

import { axe, layoutFaults, type Screen, openRow, screenAs, type ScreenOptions } from "../support/browser.ts";
import { bearerAt } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** Machines in a real browser: an administrator issues, watches and revokes credentials and service accounts. */

const phone: ScreenOptions = { width: 390, colorScheme: "dark" };
const faults = async ({ page, troubles }: Screen) => {
  // At the top of the page the sticky header covers no field.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  return [...(await layoutFaults(page)), ...(await axe(page)), ...troubles()];
};

const [browser, gateway] = await screensOfFile();

test("credentials of a district's sites are issued as a file, and one is shown in use and revoked", async () => {
  const screen = await screenAs(browser, gateway, "admin", phone);
  const { page } = screen;
  await screen.open("/machines");
  await page.getByRole("button", { name: "Issue credentials" }).click();
  const form = page.getByRole("form", { name: "Issue credentials" });
  await form.getByLabel("Facilities", { exact: true }).fill("nowhere");
  await form.getByRole("button", { name: /^Issue for/ }).click();
  await form.getByText("there is no facility nowhere").waitFor();
  await form.getByLabel("Facilities", { exact: true }).fill("");
  await form.getByLabel("Add all of a district").selectOption({ index: 30 });
  const issue = form.getByRole("button", { name: /^Issue for [1-9]/ });
  await issue.waitFor();
  expect(await faults(screen)).toEqual([]);
  await issue.click();
  const notice = page.getByRole("status").filter({ hasText: "issued" });
  const saved = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Save as CSV" }).click();
  const rows = parseCsv(await readFile(await (await saved).path(), "utf8"), { bom: true, columns: true }) as {
    facility: string;
    secret: string;
  }[];
  expect(rows.length).toBeGreaterThan(0);
  const workbook = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Save as Excel" }).click();
  expect((await workbook).suggestedFilename()).toBe("site-credentials.xlsx");
  await notice.getByRole("button", { name: "Done" }).click();
  const [{ facility, secret }] = rows as [{ facility: string; secret: string }];
  expect((await bearerAt(gateway.url, secret).get("/api/v1/site/me")).status).toBe(200);
  await page.reload();
  const table = page.getByRole("table");
  const row = table.getByRole("row").filter({ hasText: facility }).filter({ hasText: "127.0.0.1" });
  await row.waitFor();
  expect(await faults(screen)).toEqual([]);
  await expect.poll(() => row.innerText()).toContain("Works");
  await openRow(row);
  await row.getByRole("button", { name: `Revoke the credential of ${facility}` }).click();
  await row.filter({ hasText: "Revoked" }).waitFor();
  expect((await bearerAt(gateway.url, secret).get("/api/v1/site/me")).status).toBe(401);
});

test("chosen credentials, then all of a district, are revoked together", async () => {
  const rows = await gateway.sql<{ districtId: number; n: number }>`
    select district_id, count(*)::int as n from facility group by 1 having count(*) between 4 and 9 order by 1`;
  const { districtId, n } = rows[1]!;
  const facilities = await gateway.sql<{ facilityUuid: string; facilityName: string }>`
    select facility_uuid, facility_name from facility where district_id = ${districtId} order by facility_name`;
  const days = await gateway.sql<{ day: string }>`select (current_date + 90)::text as day`;
  const admin = await gateway.as("admin");
  await admin.call("POST", "/api/v1/siteCredential", {
    facilities: facilities.map(({ facilityUuid }) => facilityUuid),
    expiryDate: days[0]!.day,
  });
  const screen = await screenAs(browser, gateway, "admin", phone);
  const { page } = screen;
  await screen.open(`/machines?place=district-${districtId}`);
  const row = (name: string) =>
    page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  const [first, second] = [facilities[0]!, facilities[1]!];
  for (const { facilityName } of [first, second]) await row(facilityName).getByRole("checkbox").press("Space");
  await page.getByRole("button", { name: "Revoke 2 chosen" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("The chosen sites cannot send").waitFor();
  expect(await faults(screen)).toEqual([]);
  await question.getByRole("button", { name: "Revoke for 2 sites" }).click();
  await page.getByText("The credentials of 2 sites are revoked").waitFor();
  await row(first.facilityName).filter({ hasText: "Revoked" }).waitFor();
  await row(second.facilityName).filter({ hasText: "Revoked" }).waitFor();
  await expect.poll(() => page.getByRole("checkbox").count()).toBe(n - 2);
  expect(await faults(screen)).toEqual([]);
  await page.getByRole("button", { name: `Revoke all ${n} found` }).click();
  await question.getByRole("button", { name: `Revoke for ${n} sites` }).click();
  await page.getByText(`The credentials of ${n - 2} sites are revoked; 2 sites had none any more`).waitFor();
  await page.getByRole("checkbox").first().waitFor({ state: "detached" });
  const left = await gateway.sql<{ n: number }>`
    select count(*)::int as n from access_token join site_account using (user_uuid) join facility using (facility_uuid)
    where district_id = ${districtId} and revoked_at is null`;
  expect(left[0]!.n).toBe(0);
});

test("a service account is created, given a token, changed and ended", async () => {
  const name = "sync-nightly";
  const screen = await screenAs(browser, gateway, "admin", phone);
  const { page } = screen;
  await screen.open("/machines?tab=accounts");
  await page.getByRole("button", { name: "New service account" }).click();
  await page.getByLabel("Account name").fill(name);
  await page.getByLabel("Owner").fill("nobody-there");
  await page.getByLabel("Upload TDBs").press("Space");
  await page.getByRole("button", { name: "Make account" }).click();
  await page.getByText("There is no active person with this user name or uuid").waitFor();
  await page.getByLabel("Owner").fill("manager");
  await page.getByLabel("Limited to").selectOption({ index: 2 });
  await page.getByRole("button", { name: "Make account" }).click();
  await page.getByRole("heading", { name }).waitFor();
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Token name").fill("Nightly");
  await page.getByRole("button", { name: "Make token" }).click();
  const secret = await page.getByRole("status").locator("code").innerText();
  const caller = bearerAt(gateway.url, secret);
  expect((await caller.get("/api/v1/privilege")).body).toMatchObject({ uploadTdbs: true, viewAssessments: false });
  await page.getByRole("button", { name: "Done" }).click();
  expect(await faults(screen)).toEqual([]);
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("View assessments").press("Space");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await openRow(page.getByRole("row").filter({ hasText: name }).first());
  await page.getByRole("row").filter({ hasText: name }).getByText("View assessments, Upload TDBs").waitFor();
  expect((await caller.get("/api/v1/privilege")).body).toMatchObject({ uploadTdbs: true, viewAssessments: true });
  await page.getByRole("button", { name: "End account" }).click();
  await page.getByRole("button", { name: `End ${name}` }).click();
  await page.getByRole("row").filter({ hasText: name }).getByRole("cell", { name: "Ended" }).waitFor();
  expect((await caller.get("/api/v1/privilege")).status).toBe(401);
  await screen.open(`/audit?about=${name}`);
  await page.getByRole("cell", { name: "Ended a service account", exact: true }).waitFor();
});
