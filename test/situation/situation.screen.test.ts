import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, hasFocus, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** Home in a real browser: the figures are REST's and lead to their lists, the map is used by the keyboard, and a note is written. */

let browser: Browser;
let gateway: TestGateway;
type Figure = { value: number; of: number };
type Unit = { hxId: number; name: string; assessed: number; functional: number };
let situation: Record<"facilities" | "assessed" | "functional" | "silent" | "withoutPosition", Figure> & { units: Unit[] };
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  situation = bodyOf(await (await gateway.as("admin")).get("/api/v1/situation"));
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** The name of the assessed unit with the lowest functional share, or (-1) the highest. */
function firstByShare(order: 1 | -1): string {
  const assessed = situation.units.filter((unit) => unit.assessed > 0);
  return assessed.toSorted((a, b) => order * (a.functional / a.assessed - b.functional / b.assessed) || (a.name < b.name ? -1 : 1))[0]!.name;
}

test.each([1440, 390] as const)("at %d pixels Home tells the figures with their denominators, and nothing is out of place", async (width) => {
  const screen = await screenAs(browser, gateway, "admin", { width, colorScheme: width === 390 ? "dark" : "light" });
  const { page } = screen;
  await screen.open("/");
  await page.getByRole("heading", { name: "The situation" }).waitFor();
  const text = (await page.locator(".situation-figures").innerText()).replaceAll(/\s+/g, " ");
  const { facilities, assessed, functional, silent } = situation;
  expect(text).toContain(`${assessed.value} of ${facilities.value} assessed`);
  expect(text).toContain(`${functional.value} of ${functional.of} assessed functional`);
  expect(text).toContain(`${silent.value} of ${silent.of} expected to send silent`);
  await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
  await page.locator(".situation-map-drawing a").first().waitFor();
  expect(await page.locator(".situation-map-drawing a").count()).toBe(situation.units.length);
  expect(await page.getByText("geoBoundaries, HDX and DMMU Zambia").count()).toBe(1);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  screen.expectClean();
  await screen.close();
});

test.each([1440, 390] as const)("at %d pixels nothing moves from under a finger while Home's figures and its map come late", async (width) => {
  const screen = await screenAs(browser, gateway, "assessor", { width });
  const { page } = screen;
  await page.addInitScript(() => {
    const seen = window as Window & { shifts?: number };
    seen.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shifts! += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.route("**/graphql*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await screen.open("/");
  await page.locator(".home-tasks").scrollIntoViewIfNeeded();
  await page.locator(".situation-map-drawing a").first().waitFor();
  await screen.settled();
  // "Good" by the Web Vitals is 0.1 for a whole visit.
  expect(await page.evaluate(() => (window as Window & { shifts?: number }).shifts)).toBeLessThan(0.1);
  await screen.close();
});

test("a unit of the map is reached by the keyboard, marks its row, and opens on Enter; the table sorts", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/");
  await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
  const first = page.locator(".situation-map-drawing a").first();
  await first.waitFor();
  await first.focus();
  const { name, hxId } = situation.units[0]!;
  await expect.poll(() => page.locator(".situation-units tr.is-marked").innerText()).toContain(name);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/#/districts/${hxId}`);
  await screen.open("/");
  const header = page.getByRole("columnheader", { name: "Functional" });
  await header.getByRole("button").click();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(() => page.locator(".situation-units tbody tr").first().innerText()).toContain(firstByShare(1));
  // Who may not see single assessments is told the figure, and gets no link that would be refused.
  expect(await page.locator(".situation-figures").getByRole("link").count()).toBe(3);
  screen.expectClean();
  await screen.close();
});

test("coloured by mode, the map's legend and the table beside it tell the same", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/?measure=mode");
  await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
  await page.locator(".situation-map-drawing a").first().waitFor();
  const modes = await page.locator(".situation-units td[data-label=Mode]").allInnerTexts();
  expect(modes).toHaveLength(situation.units.length);
  const told = new Map<string, number>();
  for (const text of modes) {
    const [, mode] = /^(.+) \d+ of \d+$/.exec(text.replaceAll(/\s+/g, " "))!;
    told.set(mode!, (told.get(mode!) ?? 0) + 1);
  }
  const legend = await page.getByRole("list", { name: "Legend" }).getByRole("listitem").allInnerTexts();
  expect(legend.filter((text) => !text.endsWith(": 0")).toSorted()).toEqual([...told].map(([mode, units]) => `${mode}: ${units}`).toSorted());
  screen.expectClean();
  await screen.close();
});

test("on a phone a choice above the cards sorts the units, by the same address as the headers", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  const first = () => page.locator(".situation-units tbody tr").first().innerText();
  const choice = page.locator(".situation-units").getByLabel("Sort by");
  await choice.selectOption({ label: "Functional" });
  await expect.poll(first).toContain(firstByShare(1));
  await expect.poll(() => new URL(page.url()).hash).toBe("#/?units=functional");
  await choice.selectOption({ label: "Functional, falling" });
  await expect.poll(first).toContain(firstByShare(-1));
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await page.reload();
  await expect.poll(first).toContain(firstByShare(-1));
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => page.getByRole("columnheader", { name: "Functional" }).getAttribute("aria-sort")).toBe("descending");
  expect(await choice.isVisible()).toBe(false);
  screen.expectClean();
  await screen.close();
});

test("a manager's own partner is one press away from Home; on a phone the way to its charts stands at the top of its page", async () => {
  const { data } = await (await gateway.as("manager")).graphql("{ viewer { user { implementingPartner { implementingPartner implementingPartnerId } } } }");
  const { implementingPartner, implementingPartnerId } = data.viewer.user.implementingPartner;
  const screen = await screenAs(browser, gateway, "manager", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole("link", { name: `Sites of ${implementingPartner}` }).click();
  await page.waitForURL(`**/#/ip/${implementingPartnerId}`);
  await page.getByRole("heading", { level: 1, name: `Implementing Partner - ${implementingPartner}` }).waitFor();
  await screen.settled();
  const way = page.getByRole("button", { name: /^IP Level/ });
  await way.click();
  await hasFocus(page.getByRole("heading", { name: "IP Level" }));
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await way.waitFor({ state: "hidden" });
  screen.expectClean();
  await screen.close();
});

test("on a phone the names of units stand where their figures begin", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  await screen.open("/");
  const row = screen.page.locator(".situation-units tbody tr").first();
  const lefts = await row.locator("th, td").evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(cell).paddingLeft)));
  expect(new Set(lefts).size).toBe(1);
  await screen.close();
});

test.each(["not functional", "without power"])("the sites that are %s are listed one click away from Home, as many as it says", async (words) => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  const link = page.locator(".situation-figures").getByRole("link", { name: words });
  const told = Number.parseInt(await link.innerText(), 10);
  expect(told).toBeGreaterThan(1);
  await link.click();
  await expect.poll(() => page.locator("caption").innerText()).toBe(`${told} facilities`);
  screen.expectClean();
  await screen.close();
});

test("a kind of the work list has an address; an entry is snoozed there, and shown on request", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open("/");
  await page.locator(".situation-worklist").getByRole("link", { name: "Stopped working" }).click();
  await page.waitForURL("**/#/worklist/stopped");
  await page.getByRole("heading", { level: 1, name: "Work list: Stopped working" }).waitFor();
  const name = await page.locator("tbody th").first().innerText();
  await page.locator("tbody tr").first().getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("Waits for a router");
  const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel(/Snooze until/).fill(later);
  await dialog.getByRole("button", { name: "Save note" }).click();
  await dialog.waitFor({ state: "hidden" });
  await screen.settled();
  expect(await page.locator("tbody th", { hasText: name }).count()).toBe(0);
  await page.getByRole("link", { name: "Snoozed" }).click();
  await page.locator("tbody th", { hasText: name }).waitFor();
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  // Another note leaves it snoozed, unless the day is taken away.
  const noteAgain = async (comment: string, until?: string) => {
    await page.locator("tbody tr", { hasText: name }).getByRole("button").click();
    await expect.poll(() => dialog.getByLabel(/Snooze until/).inputValue()).toBe(later);
    await dialog.getByLabel("Note").fill(comment);
    if (until !== undefined) await dialog.getByLabel(/Snooze until/).fill(until);
    await dialog.getByRole("button", { name: "Save note" }).click();
    await dialog.waitFor({ state: "hidden" });
    await screen.settled();
  };
  await noteAgain("The router is on its way");
  await page.locator("tbody tr", { hasText: "The router is on its way" }).waitFor();
  await noteAgain("The router is there", "");
  await expect.poll(() => page.locator("tbody th", { hasText: name }).count()).toBe(0);
  await screen.open("/worklist/nothing");
  await page.getByRole("heading", { level: 1, name: /not found/i }).waitFor();
  screen.expectClean();
  await screen.close();
});

test.each([1440, 390] as const)("at %d pixels units without an outline are drawn as the points of their facilities, and no facility gets lost", async (width) => {
  await gateway.db.deleteFrom("boundary").execute();
  const screen = await screenAs(browser, gateway, "admin", { width, colorScheme: width === 390 ? "dark" : "light" });
  const { page } = screen;
  const { facilities, withoutPosition, units: [unit] } = situation;
  expect(withoutPosition.value).toBeGreaterThan(0);
  for (const path of ["/", `/districts/${unit!.hxId}`]) {
    await screen.open(path);
    if (path !== "/") await page.getByText("Table and map").click();
    await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
    await page.locator(".situation-map-drawing ellipse").first().waitFor();
    const place = path === "/" ? situation : bodyOf(await (await gateway.as("admin")).get(`/api/v1/situation?provinceId=${unit!.hxId}`));
    const drawn = await page.locator(".situation-map-drawing ellipse").count();
    expect(drawn + place.withoutPosition.value).toBe(place.facilities.value);
    expect(drawn).toBeLessThanOrEqual(facilities.value);
    expect(await page.locator(".situation-map-drawing a").count()).toBeLessThanOrEqual(place.units.length);
    await screen.settled();
    expect(await axe(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  }
  const first = page.locator(".situation-map-drawing a").first();
  await first.focus();
  await expect.poll(() => page.locator(".situation-units tr.is-marked").count()).toBe(1);
  screen.expectClean();
  await screen.close();
});
