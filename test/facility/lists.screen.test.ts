import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, hasFocus, screenAs } from "../support/browser.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** Filters, chips, orders, page sizes and the file of the facility list, saved views, and a search that answers only what is typed. */

let browser: Browser;
let gateway: TestGateway;
let admin: Person;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  admin = await gateway.as("admin");
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const hash = (page: Page) => new URL(page.url()).hash;
const count = async (query: string) => bodyOf<unknown[]>(await admin.get(`/api/v1/facility?${query}`)).length;
const caption = (page: Page) => page.locator(".data-table caption").innerText();
const firstNames = (page: Page) => page.locator(".data-table tbody th").allInnerTexts();
const words = (total: number) => `${total} ${total === 1 ? "facility" : "facilities"}`;

test("filters narrow the list, stand in the address, survive a reload, and chips drop them one by one", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/facilities");
  const opener = page.getByRole("button", { name: "Filters" });
  await opener.click();
  const form = page.getByRole("region", { name: "Filters" });
  await form.getByLabel("Assessed", { exact: true }).selectOption({ label: "Assessed" });
  await screen.settled();
  await form.getByLabel("SmartCare", { exact: true }).selectOption({ label: "Does not work" });
  await screen.settled();
  await form.getByText("Partial Deployment", { exact: true }).click();
  await expect.poll(() => hash(page)).toBe("#/facilities?assessed=yes&functional=no&modes=Partial");
  await screen.settled();
  await expect.poll(() => caption(page)).toBe(words(await count("assessed=yes&functional=no&modes=Partial")));
  expect(await axe(page)).toEqual([]);

  await page.reload();
  await screen.settled();
  await expect.poll(() => caption(page)).toBe(words(await count("assessed=yes&functional=no&modes=Partial")));
  const chips = page.getByRole("list", { name: "Filters of this list" });
  await expect.poll(() => chips.getByRole("listitem").allInnerTexts()).toEqual(["Assessed: assessed", "SmartCare: does not work", "Present mode: Partial Deployment", "Remove all"]);
  await chips.getByRole("button", { name: "Remove the filter SmartCare: does not work" }).click();
  await expect.poll(() => hash(page)).toBe("#/facilities?assessed=yes&modes=Partial");
  await hasFocus(page.getByRole("button", { name: "Filters (2)" }));
  await expect.poll(() => caption(page)).toBe(words(await count("assessed=yes&modes=Partial")));
  await page.goBack();
  await expect.poll(() => hash(page)).toBe("#/facilities?assessed=yes&functional=no&modes=Partial");
  await page.getByRole("button", { name: "Remove all" }).click();
  await expect.poll(() => hash(page)).toBe("#/facilities");
  await expect.poll(() => caption(page)).toBe(words(await count("")));
  screen.expectClean();
  await screen.close();
});

test("headers sort, and say how; pages have 10, 25 or 100 rows; the file is exactly this list", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/facilities?modes=none");
  const header = page.getByRole("columnheader", { name: "District" });
  await expect.poll(() => page.getByRole("columnheader", { name: "Facility" }).getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("none");
  await header.getByRole("button").click();
  await screen.settled();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("ascending");
  await header.getByRole("button").click();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
  await expect.poll(() => hash(page)).toBe("#/facilities?modes=none&sort=-district");
  await screen.settled();
  const { data } = await admin.graphql("{ facilities(filter: { modes: [none] }, sort: DISTRICT_DESC, first: 100) { nodes { facilityName } } }");
  const wanted = (data.facilities.nodes as { facilityName: string }[]).map(({ facilityName }) => facilityName);
  await expect.poll(() => firstNames(page)).toEqual(wanted.slice(0, 10));
  await page.getByLabel("Rows").selectOption("25");
  await screen.settled();
  await expect.poll(() => firstNames(page)).toEqual(wanted.slice(0, 25));
  const href = await page.getByRole("button", { name: /^Export CSV/ }).getAttribute("href");
  expect(href).toBe("/api/v1/facility/csv?modes=none&sort=-district");
  screen.expectClean();
  await screen.close();
});

test("an empty list names its filters, a place that does not exist is not found, a wrong filter is named", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/facilities?facilityType=Castle");
  await page.getByText("No facility of this list matches “Facility type: Castle”.").waitFor();
  await page.getByRole("button", { name: "Remove the filter Facility type: Castle" }).click();
  await expect.poll(() => caption(page)).toBe(words(await count("")));
  await screen.open("/facilities?provinceId=99999");
  await page.getByRole("heading", { name: "Province not found" }).waitFor();
  screen.troubles();
  await screen.open("/facilities?assessed=maybe");
  await page.getByRole("heading", { name: "Filter not found" }).waitFor();
  await page.getByRole("link", { name: "Show the list without it" }).click();
  await expect.poll(() => caption(page)).toBe(words(await count("")));
  await screen.close();
});

test("on a phone the filters are a dialog, and the order a choice", async () => {
  const screen = await screenAs(browser, gateway, "plain", { width: 390 });
  const { page } = screen;
  await screen.open("/facilities");
  await page.getByRole("button", { name: "Filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Filters" });
  await dialog.getByText("None recorded", { exact: true }).click();
  expect(await axe(page)).toEqual([]);
  // What assessments found is not for somebody without that right.
  expect(await dialog.getByLabel("SmartCare", { exact: true }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Show the list" }).click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await expect.poll(() => hash(page)).toBe("#/facilities?modes=none");
  await page.getByLabel("Sort by").selectOption("-name");
  await expect.poll(() => hash(page)).toBe("#/facilities?modes=none&sort=-name");
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  screen.expectClean();
  await screen.close();
});

test("what is asked often is one press: not assessed this fiscal year, silent for 90 days; by right", async () => {
  const { today } = bodyOf<{ today: string }>(await admin.get("/api/v1/system"));
  const since = `${Number(today.slice(0, 4)) - (today.slice(5) < "10-01" ? 1 : 0)}-10-01`;
  const questions = (page: Page) => page.getByRole("group", { name: "Often asked" }).getByRole("button");
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  await screen.open("/facilities");
  await page.getByRole("button", { name: "Filters" }).click();
  await expect.poll(() => questions(page).allInnerTexts()).toEqual(["Not assessed this fiscal year", "Silent for 90 days"]);
  await questions(page).first().click();
  await expect.poll(() => hash(page)).toBe(`#/facilities?assessedBefore=${since}`);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Show the list" }).click();
  await expect.poll(() => caption(page)).toBe(words(await count(`assessedBefore=${since}`)));
  screen.expectClean();
  await screen.close();

  const uploader = await screenAs(browser, gateway, "uploader");
  await uploader.open("/facilities?provinceId=9");
  await uploader.page.getByRole("button", { name: /^Filters/ }).click();
  await expect.poll(() => questions(uploader.page).allInnerTexts()).toEqual(["Silent for 90 days"]);
  await questions(uploader.page).click();
  const day = new Date(Date.parse(today) - 89 * 86_400_000).toISOString().slice(0, 10);
  await expect.poll(() => hash(uploader.page)).toBe(`#/facilities?provinceId=9&silent=yes&noTdbSince=${day}`);
  await uploader.settled();
  const { data: sites } = await admin.graphql("{ silentSites(show: EXPECTED, provinceId: 9, first: 100) { nodes { daysSinceLastTdb } } }");
  // A site whose last TDB was made 90 days ago is silent for 90 days, one of 89 days ago is not.
  const wanted = (sites.silentSites.nodes as { daysSinceLastTdb: number | null }[]).filter(({ daysSinceLastTdb: days }) => days === null || days >= 90).length;
  expect(wanted).toBeGreaterThan(0);
  await expect.poll(() => caption(uploader.page)).toBe(words(wanted));
  const href = (await uploader.page.getByRole("button", { name: /^Export CSV/ }).getAttribute("href"))!;
  const lines = (await (await gateway.as("uploader")).get(href)).text.trim().split("\r\n");
  expect(lines.length - 1).toBe(wanted);
  uploader.expectClean();
  await uploader.close();

  const plain = await screenAs(browser, gateway, "plain");
  await plain.open("/facilities");
  await plain.page.getByRole("button", { name: "Filters" }).click();
  await plain.page.getByRole("region", { name: "Filters" }).waitFor();
  expect(await questions(plain.page).count()).toBe(0);
  await plain.close();
});

/** Days in which there are TDBs and assessments of the demonstration, and the words for them. */
const twoYears = `start=${new Date().getFullYear() - 2}-01-01&end=${new Date().getFullYear()}-12-31`;
const inWords = `01 Jan ${new Date().getFullYear() - 2} to 31 Dec ${new Date().getFullYear()}`;

test.each([
  ["/facilities?modes=Partial&assessed=yes", "Assessed: assessed · Present mode: Partial Deployment · figures as at "],
  ["/worklist/oldVersion", "Open · figures as at "],
  ["/provinces?chart=silent", "National · All IPs · figures as at "],
  [`/user/me?${twoYears}`, `${inWords} · figures as at `],
  [`/user/me?tab=allTdbs&${twoYears}&delta=yes`, `${inWords} · Delta TDB: yes · figures as at `],
  ["/ip/2?tab=tdbs&uploadedStart=2020-01-01", "Uploaded from: 01 Jan 2020 · figures as at "],
])("%s is printed whole, with what it is narrowed to and as at when", async (path, told) => {
  const screen = await screenAs(browser, gateway, "admin", { colorScheme: "dark" });
  const { page } = screen;
  await screen.open(path);
  const table = page.locator(".paged-list .data-table").last();
  const total = Number.parseInt((await table.locator("caption").innerText()).replace(",", ""), 10);
  expect(total).toBeGreaterThan(25);
  // The browser's own menu prints the page that is shown.
  await page.emulateMedia({ media: "print" });
  await page.locator(`[data-words="10 of ${total.toLocaleString("en")} rows. Ctrl P prints all of them."]`).waitFor();
  await expect.poll(() => page.locator("main").innerText()).toMatch(new RegExp(`${told}\\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d`));
  for (const control of [".list-bar-row", ".worklist-shows", ".pager"]) for (const one of await page.locator(control).all()) await expect.poll(() => one.isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => {
    window.print = () => Object.assign(window, { printed: [...document.querySelectorAll(".paged-list .data-table")].at(-1)!.querySelectorAll("tbody tr").length });
  });
  await page.keyboard.press("Control+p");
  await expect.poll(() => page.evaluate(() => (window as Window & { printed?: number }).printed)).toBe(total);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect.poll(() => table.locator("tbody tr").count()).toBe(10);
  screen.expectClean();
  await screen.close();
});

test.each([
  ["/ip/2", ".paged-list tbody tr", 100],
  ["/districts", ".link-list-row", 116],
  ["/districts/10", ".link-list-row", 16],
  ["/ips", ".paged-list tbody tr", 14],
])("what has no filters is printed whole too: %s", async (path, row, atLeast) => {
  const partners = Array.from({ length: 10 }, (_, index) => ({ name: `Paper Partner ${index}`, active: true }));
  if (path === "/ips") await gateway.db.insertInto("implementingPartner").values(partners).execute();
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open(path);
  const total = Number.parseInt(await page.locator(".paged-list :is(caption, .link-list-caption)").innerText(), 10);
  expect(total).toBeGreaterThanOrEqual(atLeast);
  await expect.poll(() => page.locator(row).count()).toBe(10);
  await page.evaluate((rows) => {
    window.print = () => Object.assign(window, { printed: document.querySelectorAll(rows).length });
  }, row);
  await page.keyboard.press("Control+p");
  await expect.poll(() => page.evaluate(() => (window as Window & { printed?: number }).printed)).toBe(total);
  screen.expectClean();
  await screen.close();
});

test("on paper a list's head stands on each page, and nothing that is pressed or folded away", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/facilities?rows=100");
  // Chromium repeats a head only without a button in it.
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".data-table-sort").evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).display))).toEqual(Array(6).fill("contents"));
  await page.emulateMedia({ media: "screen" });
  await screen.open("/user/me?tab=allTdbs");
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.locator(".date-range-card").isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await screen.open("/facilities/district/1");
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByText("Table and map").isVisible()).toBe(false);
  screen.expectClean();
  await screen.close();
});

test("on a phone the name of a row is as high as a finger", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  await screen.open("/facilities");
  const heights = await screen.page.locator(".data-table tbody th > a").evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
  expect(heights).toHaveLength(10);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(await axe(screen.page)).toEqual([]);
  await screen.close();
});

test("a search shows nothing of other words than those typed, and says that it is searching", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/search?text=zzqqxxyy");
  await page.getByText("No facility has a name or code like “zzqqxxyy”.").waitFor();
  const held: (() => void)[] = [];
  await page.route("**/graphql*", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.getByLabel("Search Parameters (at least 3 characters)").fill("clinic");
  await page.getByText("Searching …").waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await page.locator("main").innerText()).not.toMatch(/No facility|facilities found/);
  expect(await page.locator(".search-count").innerText()).toBe("Searching …");
  for (const release of held) release();
  await page.getByRole("table").waitFor();
  await expect.poll(() => page.locator(".search-count").innerText()).toMatch(/facilities found/);
  await screen.close();
});

test("a list is kept as a view, opened from there, and removed", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/facilities?functional=no&page=2");
  await page.getByRole("button", { name: "Views" }).click();
  const dialog = page.getByRole("dialog", { name: "Saved views" });
  await dialog.getByText("No views are saved yet.").waitFor();
  await dialog.getByLabel("Name of this view").fill("Does not work");
  await dialog.getByRole("button", { name: "Save this view" }).click();
  await dialog.getByRole("link", { name: "Does not work" }).waitFor();
  await dialog.getByLabel("Name of this view").fill("does not WORK");
  await dialog.getByRole("button", { name: "Save this view" }).click();
  await dialog.getByText(/The name is taken by another of your views/).waitFor();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await screen.open("/facilities");
  await page.getByRole("button", { name: "Views" }).click();
  await dialog.getByRole("link", { name: "Does not work" }).click();
  await expect.poll(() => hash(page)).toBe("#/facilities?functional=no");
  await page.getByRole("button", { name: "Views" }).click();
  await dialog.getByRole("button", { name: "Remove the view Does not work" }).click();
  await dialog.getByText("No views are saved yet.").waitFor();
  await screen.close();
});
