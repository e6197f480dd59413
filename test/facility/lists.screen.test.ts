import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, hasFocus, screenAs } from "../support/browser.ts";
import { type Person, testGateway, type TestGateway } from "../support/gateway.ts";
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
const count = async (query: string) => ((await admin.get(`/api/v1/facility?${query}`)).body as unknown[]).length;
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
