import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";

import { parse } from "csv-parse/sync";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, hasFocus, screenAs, layoutFaults } from "../support/browser.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/**
 * The list of facilities: filters, chips, orders, page sizes, CSV, print and saved views. Also the search while it
 * waits for its answer.
 */

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
const firstNames = (page: Page) => page.locator(".data-table tbody th > a").allInnerTexts();
const words = (total: number) => `${total} ${total === 1 ? "facility" : "facilities"}`;

test("filters narrow the list, are kept in the address and over a reload, and are removed by chips, one or all", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/facilities");
  const opener = page.getByRole("button", { name: "Filters" });
  await opener.click();
  const form = page.getByRole("dialog", { name: "Filters" });
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
  await expect
    .poll(() => chips.getByRole("listitem").allInnerTexts())
    .toEqual(["Assessed: assessed", "SmartCare: does not work", "Present mode: Partial Deployment", "Remove all"]);
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

test("column headers sort and show the order, a page has 10, 25 or 100 rows, and the CSV file has all rows of the list in its order", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/facilities?modes=ELast");
  const header = page.getByRole("columnheader", { name: "Place" });
  await expect.poll(() => page.getByRole("columnheader", { name: "Site" }).getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("none");
  await header.getByRole("button").click();
  await screen.settled();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("ascending");
  await header.getByRole("button").click();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
  await expect.poll(() => hash(page)).toBe("#/facilities?modes=ELast&sort=-district");
  await screen.settled();
  const listed: { facilityUuid: string; facilityName: string }[] = [];
  for (let total = 101; listed.length < total;) {
    const { data } = await admin.graphql(
      `{ facilities(filter: { modes: [ELast] }, sort: DISTRICT_DESC, first: 100, offset: ${listed.length}) { totalCount nodes { facilityUuid facilityName } } }`,
    );
    total = data.facilities.totalCount as number;
    listed.push(...(data.facilities.nodes as typeof listed));
  }
  expect(listed.length).toBeGreaterThan(100);
  const wanted = listed.map(({ facilityName }) => facilityName);
  await expect.poll(() => firstNames(page)).toEqual(wanted.slice(0, 10));
  expect((await page.getByLabel("Rows").innerText()).split("\n")).toEqual(["10", "25", "100"]);
  for (const rows of [25, 100]) {
    await page.getByLabel("Rows").selectOption(String(rows));
    await screen.settled();
    await expect.poll(() => firstNames(page)).toEqual(wanted.slice(0, rows));
  }
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Export CSV/ }).click(),
  ]);
  const file = parse(await readFile(await download.path()), { bom: true, columns: true }) as { facilityUuid: string }[];
  expect(file.map(({ facilityUuid }) => facilityUuid)).toEqual(listed.map(({ facilityUuid }) => facilityUuid));
  screen.expectClean();
  await screen.close();
});

test("an empty list names its filters; an unknown place and a wrong filter show that they are not found", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/facilities?facilityType=Castle");
  // The form has the values that facilities have, and the present one. Districts can be chosen without a province.
  await page.getByRole("button", { name: "Filters (1)" }).click();
  const form = page.getByRole("dialog", { name: "Filters" });
  await expect.poll(() => form.getByLabel("Facility type").locator("option").count()).toBeGreaterThan(3);
  expect(await form.getByLabel("Facility type").inputValue()).toBe("Castle");
  await expect
    .poll(() => form.getByLabel("Library version", { exact: true }).locator("option").count())
    .toBeGreaterThan(2);
  await expect.poll(() => form.getByLabel("District").locator("option").count()).toBeGreaterThan(100);
  expect(await form.getByLabel("District").locator("option").nth(1).innerText()).toMatch(/^.+ \(.+\)$/);
  await page.keyboard.press("Escape");
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

test("each list says which part of its address it does not understand, instead of showing more than was asked for", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  for (const [path, part] of [
    ["/facilities?provinceId=abc&power=no", "provinceId=abc"],
    ["/facilities?colour=red", "colour=red"],
    ["/facilities?partner=some", "partner=some"],
    ["/worklist/stopped?provinceId=abc", "provinceId=abc"],
    ["/worklist/stopped?districtId=0", "districtId=0"],
    ["/worklist/stopped?province=3", "province=3"],
    ["/worklist/stopped?show=closed", "show=closed"],
    ["/worklist/tasks?mine=perhaps", "mine=perhaps"],
    ["/fleet?state=lost", "state=lost"],
    ["/fleet?rollout=abc", "rollout=abc"],
    ["/users/directory?role=king", "role=king"],
    ["/users/directory?partner=some", "partner=some"],
    ["/changes?since=2999-01-01", "since=2999-01-01"],
    ["/changes?kind=weather", "kind=weather"],
    ["/reports?provinceId=abc", "provinceId=abc"],
    ["/machines?place=village-1", "place=village-1"],
    ["/audit?colour=red", "colour=red"],
  ] as const) {
    await screen.open(path);
    await page.getByText(`There is no filter “${part}”.`).waitFor();
  }
  await screen.open("/worklist/stopped?mine=yes&districtId=abc&chart=mode");
  await page.getByRole("link", { name: "Show the list without it" }).click();
  await page.getByRole("heading", { level: 1, name: "Work list: Stopped working" }).waitFor();
  expect(hash(page)).toBe("#/worklist/stopped?mine=yes&chart=mode");
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
  await screen.close();
});

test("a place's list stays when the map, the tables or the charts beside it change the address", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  for (const [path, act, part] of [
    ["", page.getByRole("button", { name: "Show on the map: Assessed sites with power" }), "measure=power"],
    ["", page.locator(".situation .data-table-sort").last(), "units="],
    ["chart=silent", page.getByLabel("Show", { exact: true }), "silent=expected"],
  ] as const) {
    await screen.open(`/facilities/province/1?${path}`);
    if (path) await act.selectOption("expected");
    else await act.click();
    await expect.poll(() => hash(page)).toContain(part);
    await screen.settled();
    await page.reload();
    await screen.settled();
    await page
      .locator(".with-overview-list")
      .getByText(/^\d+ facilities$/)
      .first()
      .waitFor();
  }
  screen.expectClean();
});

test("on a phone the filters are in a dialog and the order is in a select box", async () => {
  const screen = await screenAs(browser, gateway, "plain", { width: 390 });
  const { page } = screen;
  await screen.open("/facilities");
  await page.getByRole("button", { name: "Filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Filters" });
  await dialog.getByText("None recorded", { exact: true }).click();
  expect(await axe(page)).toEqual([]);
  // How a facility stands is open: a person without rights has the filters by it too.
  expect(await dialog.getByLabel("SmartCare", { exact: true }).count()).toBe(1);
  await dialog.getByRole("button", { name: "Show the list" }).click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await expect.poll(() => hash(page)).toBe("#/facilities?modes=none");
  await page.getByLabel("Sort by").selectOption("-name");
  await expect.poll(() => hash(page)).toBe("#/facilities?modes=none&sort=-name");
  await screen.settled();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  screen.expectClean();
  await screen.close();
});

test("frequent filters are single buttons: not assessed this fiscal year, silent for 90 days, without power", async () => {
  const questions = (page: Page) => page.getByRole("group", { name: "Often asked" }).getByRole("button");
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  await screen.open("/facilities");
  await expect
    .poll(() => questions(page).allInnerTexts())
    .toEqual(["Not assessed this fiscal year", "No data for 90 days", "Without power"]);
  await questions(page).first().click();
  await expect.poll(() => hash(page)).toBe("#/facilities?assessedBefore=THIS_YEAR");
  await screen.settled();
  await expect.poll(() => caption(page)).toBe(words(await count("assessedBefore=THIS_YEAR")));
  screen.expectClean();
  await screen.close();

  const plain = await screenAs(browser, gateway, "plain");
  await plain.open("/facilities?provinceId=9");
  await questions(plain.page).nth(1).click();
  await expect.poll(() => hash(plain.page)).toBe("#/facilities?provinceId=9&silent=yes&noTdbSince=LAST_90_DAYS");
  await plain.settled();
  const { data: sites } = await admin.graphql(
    "{ silentSites(show: EXPECTED, provinceId: 9, first: 100) { nodes { daysSinceLastTdb } } }",
  );
  // A site whose last TDB was made 90 days ago is silent for 90 days, one of 89 days ago is not.
  const wanted = (sites.silentSites.nodes as { daysSinceLastTdb: number | null }[]).filter(
    ({ daysSinceLastTdb: days }) => days === null || days >= 90,
  ).length;
  expect(wanted).toBeGreaterThan(0);
  await expect.poll(() => caption(plain.page)).toBe(words(wanted));
  const href = (await plain.page.getByRole("button", { name: /^Export CSV/ }).getAttribute("href"))!;
  const lines = (await (await gateway.as("plain")).get(href)).text.trim().split("\r\n");
  expect(lines.length - 1).toBe(wanted);
  plain.expectClean();
  await plain.close();
});

/** A range of days that has TDBs and assessments of the demonstration, and its text on paper. */
const twoYears = `start=${new Date().getFullYear() - 2}-01-01&end=${new Date().getFullYear()}-12-31`;
const inWords = `01 Jan ${new Date().getFullYear() - 2} to 31 Dec ${new Date().getFullYear()}`;

test.each([
  ["/facilities?modes=Partial&assessed=yes", "Assessed: assessed · Present mode: Partial Deployment · figures as at "],
  [`/user/me?tab=allTdbs&${twoYears}&delta=yes`, `${inWords} · Delta TDB: yes · figures as at `],
])("%s is printed with all rows, its filters and the time of its figures", async (path, summary) => {
  const screen = await screenAs(browser, gateway, "admin", { colorScheme: "dark" });
  const { page } = screen;
  await screen.open(path);
  const table = page.locator(".paged-list .data-table").last();
  const total = Number.parseInt((await table.locator("caption").innerText()).replace(",", ""), 10);
  expect(total).toBeGreaterThan(25);
  // The browser's own menu prints only the rows that are shown.
  await page.emulateMedia({ media: "print" });
  await page.locator(`[data-words="10 of ${total.toLocaleString("en")} rows. Ctrl P prints all of them."]`).waitFor();
  await expect
    .poll(() => page.locator("main").innerText())
    .toMatch(new RegExp(`${summary}\\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d`));
  for (const control of [".list-bar-row", ".worklist-shows", ".pager"])
    for (const one of await page.locator(control).all()) await expect.poll(() => one.isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => {
    window.print = () =>
      Object.assign(window, {
        printed: [...document.querySelectorAll(".paged-list .data-table")].at(-1)!.querySelectorAll("tbody tr").length,
      });
  });
  await page.keyboard.press("Control+p");
  await expect.poll(() => page.evaluate(() => (window as Window & { printed?: number }).printed)).toBe(total);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect.poll(() => table.locator("tbody tr").count()).toBe(10);
  screen.expectClean();
  await screen.close();
});

test("the partners are printed with the time of their figures", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/ips");
  await page.emulateMedia({ media: "print" });
  await expect
    .poll(() => page.locator("main").innerText())
    .toMatch(/^figures as at \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d$/m);
  screen.expectClean();
  await screen.close();
});

test("a list without filters is printed with all rows", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/districts");
  await page.getByText("116 districts, today").waitFor();
  await expect.poll(() => page.locator(".data-table tbody tr").count()).toBe(10);
  await page.evaluate(() => {
    window.print = () => Object.assign(window, { printed: document.querySelectorAll(".data-table tbody tr").length });
  });
  await page.keyboard.press("Control+p");
  await expect.poll(() => page.evaluate(() => (window as Window & { printed?: number }).printed)).toBe(116);
  screen.expectClean();
});

/** What each page of a PDF draws, as operators of the PDF. Chromium writes the pages in their order. */
function pagesOf(pdf: Buffer): string[] {
  const text = pdf.toString("latin1");
  return [...text.matchAll(/\/Type \/Page\b(?!s)[^]*?\/Contents (\d+) 0 R/g)].map(([, id]) => {
    const head = new RegExp(`^${id} 0 obj\\s+<<[^>]*/Length (\\d+)[^>]*>>\\s+stream\\r?\\n`, "m").exec(text)!;
    const start = head.index + head[0].length;
    return inflateSync(pdf.subarray(start, start + Number(head[1]))).toString("latin1");
  });
}

test("the column headers of a list are on each printed page, and controls are hidden", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/facilities?rows=100");
  // The headers are found in the PDF by a colour that nothing else has.
  const headers = page.locator(".data-table thead th");
  await headers.evaluateAll((cells) => {
    for (const cell of cells) (cell as HTMLElement).style.setProperty("background", "rgb(255, 0, 51)", "important");
  });
  const pages = pagesOf(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.map((operators) => /\b1 0 \.2 rg\b/.test(operators))).toEqual(pages.map(() => true));
  // Chromium repeats a table header on each page only if it contains no button.
  await page.emulateMedia({ media: "print" });
  expect(
    await page
      .locator(".data-table-sort")
      .evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).display)),
  ).toEqual(Array(5).fill("contents"));
  await page.emulateMedia({ media: "screen" });
  await screen.open("/user/me?tab=allTdbs");
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.locator(".date-range-card").isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await screen.open("/facilities/district/1");
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.locator(".scope-bar").isVisible()).toBe(false);
  screen.expectClean();
  await screen.close();
});

test("a list shows the state of its sites and what it was filtered by; its columns can be chosen and are kept in the address", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  // The boxes' header has no text.
  const headers = () => page.getByRole("columnheader").filter({ hasText: /\w/ }).allInnerTexts();
  const usual = ["Site", "Place", "Partner", "Works", "Power", "Version", "Last visit", "Last data", "Open actions"];
  await screen.open("/facilities?functional=no&laboratoryLevel=Level%201&modes=EFirst,Partial");
  await page.getByText("No facility of this list matches").or(page.getByRole("table")).first().waitFor();
  await screen.open("/facilities?power=no&connected=no&modes=EFirst,Partial");
  await expect.poll(headers).toEqual([...usual.slice(0, 6), "Present mode", ...usual.slice(6), "Network"]);
  expect(new Set(await page.locator("td:has(.facility-answer)").last().allInnerTexts())).toEqual(
    new Set(["✕ Does not work"]),
  );
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Partner" }).uncheck();
  await page.getByRole("checkbox", { name: "Catchment population" }).check();
  expect(await page.getByRole("checkbox", { name: "Network" }).isDisabled()).toBe(true);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect
    .poll(headers)
    .toEqual([
      ...["Site", "Place", "Works", "Power", "Version", "Present mode", "Last visit", "Last data", "Open actions"],
      ...["Catchment population", "Network"],
    ]);
  const people = page.getByRole("columnheader", { name: "Catchment population" });
  await people.getByRole("button").click();
  await expect.poll(() => people.getAttribute("aria-sort")).toBe("ascending");
  const site = await gateway.db
    .selectFrom("facility")
    .select(["facilityName"])
    .where("latitude", "is not", null)
    .executeTakeFirstOrThrow();
  await screen.open("/facilities");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Near a place").fill(site.facilityName);
  await page.getByLabel("Near a place").press("Enter");
  await page.getByRole("button", { name: "Show the list" }).click();
  const chip = page.getByRole("button", { name: `within 20 km of ${site.facilityName}` });
  await expect.poll(headers).toEqual([...usual.slice(0, 2), "Distance", ...usual.slice(2)]);
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: site.facilityName, exact: true }) });
  await row.getByRole("cell", { name: "0 m", exact: true }).waitFor();
  await chip.click();
  await expect.poll(headers).toEqual(usual);
  await expect.poll(() => new URL(page.url()).hash).toBe("#/facilities");
  screen.expectClean();
  await screen.close();
  const plain = await screenAs(browser, gateway, "plain");
  await plain.open("/facilities");
  await expect
    .poll(() => plain.page.getByRole("columnheader").filter({ hasText: /\w/ }).allInnerTexts())
    .toEqual(usual.slice(0, -1));
  await plain.close();
});

test("a list says how many of its sites each partner supports; each number opens a list of as many", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/facilities?functional=no");
  const numberIn = (text: string) => Number(/[\d,]+$/.exec(text)![0].replace(",", ""));
  const split = page.getByRole("list", { name: "Facilities by partner" }).getByRole("link");
  await expect.poll(() => split.count()).toBeGreaterThan(2);
  const texts = await split.allInnerTexts();
  const total = texts.reduce((sum, text) => sum + numberIn(text), 0);
  await expect.poll(() => caption(page)).toBe(words(total));
  for (const name of [texts[0]!, "No partner"]) {
    const one = split.filter({ hasText: name });
    const count = numberIn(await one.innerText());
    await one.click();
    await expect.poll(() => caption(page)).toBe(words(count));
    await page.goBack();
    await expect.poll(() => caption(page)).toBe(words(total));
  }
  screen.expectClean();
  await screen.close();
});

test.each([390, 360] as const)(
  "on a phone each site is two lines with what the list is filtered by, at most 72 pixels high (%i px)",
  async (width) => {
    const screen = await screenAs(browser, gateway, "viewer", { width });
    const { page } = screen;
    for (const [filters, text] of [
      ["", /(Works|Does not work|Not recorded|Never assessed)$/m],
      ["&power=no", /Power\s+✕ Does not work/],
      ["&functional=no&power=no", /✕ Does not work\s+✕ Does not work$/],
      ["&silent=yes", /Last data\s(\d+ \w+ 20\d\d|Never)\s+(\d+|–)$/],
    ] as const) {
      await screen.open(`/facilities?rows=100${filters}`);
      const rows = page.locator(".data-table tbody tr");
      await expect.poll(() => rows.first().innerText()).toMatch(text);
      const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      expect([Math.min(...heights) >= 44, heights.filter((height) => height > 72)]).toEqual([true, []]);
    }
    expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
    await screen.close();
  },
);

test("on a phone the link of a row is at least 44 pixels high", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  await screen.open("/facilities");
  const heights = await screen.page
    .locator(".data-table tbody th > a")
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
  expect(heights).toHaveLength(10);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await screen.close();
});

test("a search shows no results of the previous words while it waits, and says that it is searching", async () => {
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

test.each(["10.0", "'ab", "\u{1F3E5}a", "ab\u200B"])(
  "a search for %j, which the server reads as two characters, waits for more",
  async (text) => {
    const screen = await screenAs(browser, gateway, "plain");
    const { page } = screen;
    await screen.open("/search");
    await page.getByLabel("Search Parameters (at least 3 characters)").fill(text);
    await page.getByText("At least 3 characters: this has 2.").waitFor();
    await screen.open(`/search?text=${encodeURIComponent(text)}`);
    await page.getByText("At least 3 characters: this has 2.").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("This could not be loaded").count()).toBe(0);
    await screen.close();
  },
);

test("a list is saved as a view, opened from the saved views, and removed", async () => {
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
  await dialog.getByText(/Name of this view is taken by another of your views/).waitFor();
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
