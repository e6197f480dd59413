import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { axe, hasFocus, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { changedBy, saveView } from "../support/mutations.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * The lists of people, of a person's assessments and of the audit in a real browser: filters, chips, orders, page
 * sizes, CSV links, saved views.
 */

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");

const search = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
const chips = (page: Page) => page.getByRole("list", { name: "Filters of this list" }).getByRole("listitem");
const file = (page: Page) => page.getByRole("button", { name: /^Export CSV/ }).getAttribute("href");
const table = (page: Page, noun: string) => page.getByRole("table", { name: new RegExp(noun) });

test("people are filtered by partner, account, privilege and last sign-in; chips remove the filters, and the CSV link has the same filters", async () => {
  const { userUuid } = await gateway.db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "assessor")
    .executeTakeFirstOrThrow();
  await admin.call("POST", `/api/v1/user/${userUuid}/deactivate`);
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/users/directory");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Partner", { exact: true }).selectOption({ label: "Partner A" });
  await page.getByLabel("Account", { exact: true }).selectOption({ label: "Active" });
  await page.getByLabel("Privilege", { exact: true }).selectOption({ label: "View assessments" });
  const since = page.getByRole("textbox", { name: "No sign-in since" });
  await since.fill("2099-01-01");
  await since.press("Enter");
  await expect.poll(() => search(page).get("unseenSince")).toBe("2099-01-01");
  await page.getByRole("button", { name: "Show the list" }).click();
  await screen.settled();
  const partner = search(page).get("partner")!;
  const others = "role=VIEW_ASSESSMENTS&lastLoginBefore=2099-01-01";
  const query = `implementingPartnerId=${partner}&active=true&${others}`;
  const countOf = async (filters: string) => bodyOf<unknown[]>(await admin.get(`/api/v1/user?${filters}`)).length;
  const found = await countOf(query);
  expect(found).toBeGreaterThan(0);
  expect(await countOf(`implementingPartnerId=${partner}&${others}`)).toBe(found + 1);
  await table(page, `^${found} users?$`).waitFor();
  await expect
    .poll(() => chips(page).allInnerTexts())
    .toEqual([
      "Partner: Partner A",
      "Account: Active",
      "Privilege: View assessments",
      "No sign-in since: 01 Jan 2099",
      "Remove all",
    ]);
  expect(await file(page)).toBe(`/api/v1/user/csv?${query}`);
  await page.getByRole("button", { name: "Remove the filter Privilege: View assessments" }).click();
  await expect.poll(() => search(page).has("role")).toBe(false);
  await hasFocus(page.getByRole("button", { name: "Filters (3)" }));
  await screen.open("/users/directory?search=nobody-of-this-name");
  await page.getByText("Nobody matches “Name or e-mail: nobody-of-this-name”.").waitFor();
  await page.getByRole("button", { name: "Remove the filter Name or e-mail: nobody-of-this-name" }).click();
  const total = await countOf("");
  await table(page, `^${total} users$`).waitFor();
  await screen.open("/users/directory?partner=99999");
  await page.getByText("Implementing partner not found", { exact: true }).waitFor();
  screen.troubles();
  await page.getByRole("button", { name: "Remove the filter Partner: 99999" }).click();
  await table(page, `^${total} users$`).waitFor();
});

test("a person's assessments are filtered, sorted and saved as a view on a phone", async () => {
  const rows = await gateway.sql<{ userUuid: string; start: string; end: string }>`
    select user_uuid, min(assessed_at)::date as start, max(assessed_at)::date as "end" from assessment group by user_uuid order by count(*) desc limit 1`;
  const { userUuid, start, end } = rows[0]!;
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  await screen.open(`/user/${userUuid}?start=${start}&end=${end}`);
  await page.getByRole("button", { name: "Filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Filters" });
  await dialog.getByText("E-First", { exact: true }).click();
  await dialog.getByLabel("SmartCare", { exact: true }).selectOption({ label: "Works" });
  await dialog.getByRole("button", { name: "Show the list" }).click();
  await page.getByLabel("Sort by").selectOption("facility");
  await page.getByRole("button", { name: "More for this list" }).click();
  await expect
    .poll(() => ["modes", "functional", "sort"].map((name) => search(page).get(name)))
    .toEqual(["EFirst", "yes", "facility"]);
  await screen.settled();
  const query = "modes=EFirst&smartCareFunctional=true&sort=facility";
  const found = bodyOf<unknown[]>(
    await admin.get(`/api/v1/assessment/list/user/${userUuid}/start/${start}/end/${end}?${query}`),
  );
  expect(found.length).toBeGreaterThan(0);
  await table(page, `^${found.length} assessments?$`).waitFor();
  expect(await file(page)).toBe(`/api/v1/assessment/csv/${start}/${end}?${query}&userUuid=${userUuid}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.getByRole("button", { name: "Views" }).click();
  const views = page.getByRole("dialog", { name: "Saved views" });
  await views.getByLabel("Name of this view").fill("Works with E-First");
  await views.getByRole("button", { name: "Save this view" }).click();
  await views.getByRole("link", { name: "Works with E-First" }).waitFor();
  await views.getByRole("button", { name: "Close" }).click();
  await screen.open(`/user/${userUuid}?start=${start}&end=${end}&search=zzzzzz`);
  await page.getByText("No assessment of this list matches “In a note: zzzzzz”.").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await views.getByRole("link", { name: "Works with E-First" }).click();
  await table(page, `^${found.length} assessments?$`).waitFor();
  screen.expectClean();
});

test("filters and order of the audit are in the URL; a filter keeps order and page size, the CSV link has both, and a wrong filter is named and removed", async () => {
  await gateway.sql`insert into audit_event (occurred_at, action, outcome, login, address)
    select timestamptz '2025-03-02T10:00:00+02' + n * interval '1 minute', 'session.sign-in', 'failed', 'guess-' || n % 30, '10.0.0.1' from generate_series(1, 30) as n`;
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/audit?start=2025-03-01&end=2025-03-31&rows=25&page=2");
  await table(page, "^30 events$").waitFor();
  const header = page.getByRole("columnheader", { name: "Who" });
  await header.getByRole("button").click();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("ascending");
  await screen.settled();
  expect([search(page).get("sort"), search(page).has("page"), await page.getByRole("row").count()]).toEqual([
    "who",
    false,
    26,
  ]);
  await page.getByRole("button", { name: "Filters (2)" }).click();
  const form = page.getByRole("dialog", { name: "Filters" });
  await form.getByLabel("Outcome", { exact: true }).selectOption({ label: "Failed" });
  await form.getByLabel("What", { exact: true }).selectOption({ label: "Signed in" });
  await expect
    .poll(() => ["outcome", "action", "sort", "rows"].map((name) => search(page).get(name)))
    .toEqual(["failed", "session.sign-in", "who", "25"]);
  await expect
    .poll(() => chips(page).allInnerTexts())
    .toEqual(["What: Signed in", "Outcome: Failed", "From: 01 Mar 2025", "To: 31 Mar 2025", "Remove all"]);
  await table(page, "^30 events$").waitFor();
  expect(await page.getByRole("row").nth(1).innerText()).toContain("“guess-0”");
  expect(await file(page)).toBe(
    "/api/v1/audit/csv?action=session.sign-in&outcome=failed&start=2025-03-01&end=2025-03-31&sort=who",
  );
  await form.getByRole("button", { name: "Show the list" }).click();
  await page.getByRole("button", { name: "Remove the filter From: 01 Mar 2025" }).click();
  await expect.poll(() => [search(page).has("start"), search(page).get("sort")]).toEqual([false, "who"]);
  for (const [wrong, filter] of [
    ["outcome=perhaps", "outcome=perhaps"],
    ["action=user.fly", "action=user.fly"],
    ["start=2025-04-01&end=2025-03-31", "end=2025-03-31"],
  ] as const) {
    await screen.open(`/audit?who=nobody-at-all&sort=-who&${wrong}`);
    await page.getByText(`There is no filter “${filter}”.`).waitFor();
    await page.getByRole("link", { name: "Show the list without it" }).click();
    await page.getByText("No event matches “Who: nobody-at-all”").waitFor();
    expect([search(page).get("who"), search(page).get("sort")]).toEqual(["nobody-at-all", "-who"]);
  }
  screen.expectClean();
});

test("a view whose province was closed says so, and an audit without matches names its filters", async () => {
  const { provinceId } = await gateway.db
    .selectFrom("province")
    .select("provinceId")
    .orderBy("provinceId", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  await changedBy(saveView(admin, { name: "Of the closed", address: `/user/me?tab=allTdbs&provinceId=${provinceId}` }));
  await gateway.sql`update province set closed_on = '2026-01-01' where province_id = ${provinceId}`;
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/audit?who=nobody-at-all");
  await page.getByText("No event matches “Who: nobody-at-all”.").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("dialog", { name: "Saved views" }).getByText("Private · Its province was closed").waitFor();
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
});
