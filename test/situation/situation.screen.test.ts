import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { axe, hasFocus, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/**
 * Home in a real browser: figures equal REST's and link to their lists, the map works with the keyboard, and notes are
 * written.
 */

let browser: Browser;
let gateway: TestGateway;
type Figure = { value: number; of: number };
type Unit = { hxId: number; name: string } & Record<"assessed" | "functional" | "power" | "notRecordedPower", number>;
let situation: Record<"facilities" | "assessed" | "functional" | "silent" | "withoutPosition", Figure> & {
  units: Unit[];
};
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
  return assessed.toSorted(
    (a, b) => order * (a.functional / a.assessed - b.functional / b.assessed) || (a.name < b.name ? -1 : 1),
  )[0]!.name;
}

test.each([1440, 390] as const)(
  "at %d pixels Home shows the figures with their denominators, without layout or accessibility faults",
  async (width) => {
    const screen = await screenAs(browser, gateway, "admin", { width, colorScheme: width === 390 ? "dark" : "light" });
    const { page } = screen;
    await screen.open("/");
    await page.getByRole("heading", { name: "The situation" }).waitFor();
    const { facilities, assessed, functional, silent } = situation;
    for (const [label, { value, of }] of Object.entries({
      "Sites assessed": { value: assessed.value, of: facilities.value },
      "Assessed sites that work": functional,
      "Sites with recent data": { value: silent.of - silent.value, of: silent.of },
    })) {
      const tile = page.locator(".situation-tiles").getByRole("group", { name: label });
      expect((await tile.innerText()).replaceAll(/\s+/g, " ")).toContain(`${value} of ${of}`);
    }
    // The answer comes first, below the room of a notification.
    const top = await page.evaluate(
      () =>
        document.querySelector(".situation-tile-share")!.getBoundingClientRect().top -
        Number.parseFloat(document.documentElement.style.getPropertyValue("--notifications") || "0"),
    );
    expect(top).toBeLessThan(width === 390 ? 360 : 300);
    await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
    await page.locator(".situation-map-drawing a").first().waitFor();
    expect(await page.locator(".situation-map-drawing a").count()).toBe(situation.units.length);
    expect(await page.getByText("geoBoundaries, HDX and DMMU Zambia").count()).toBe(1);
    await screen.settled();
    expect(await axe(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    screen.expectClean();
    await screen.close();
  },
);

test.each([1440, 390] as const)(
  "at %d pixels the layout hardly shifts when Home's figures and map arrive late",
  async (width) => {
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
    // On a phone the map is below the tiles, and fetched when its place comes near.
    await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
    await page.locator(".situation-map-drawing a").first().waitFor();
    await screen.settled();
    // "Good" by the Web Vitals is 0.1 for a whole visit.
    expect(await page.evaluate(() => (window as Window & { shifts?: number }).shifts)).toBeLessThan(0.1);
    await screen.close();
  },
);

test("the first choice of a unit narrows tiles, map, table and what needs attention, Escape and the chip show all, the second opens it", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/");
  await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
  const first = page.locator(".situation-map-drawing a").first();
  await first.waitFor();
  const isReached = () => first.evaluate((node) => node === document.activeElement);
  for (let presses = 0; presses < 200 && !(await isReached()); presses += 1) await page.keyboard.press("Tab");
  await hasFocus(first);
  const { name, hxId, assessed, power, notRecordedPower } = situation.units[0]!;
  const attention = page.locator(".attention");
  const rows = page.locator(".situation-units tbody tr");
  await expect.poll(() => page.locator(".situation-units tr.is-marked").innerText()).toContain(name);
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/?unit=${hxId}`);
  await expect.poll(() => rows.count()).toBe(1);
  expect(await page.locator(".map-unit.is-dim").count()).toBe(situation.units.length - 1);
  const tile = page.getByRole("group", { name: "Assessed sites with power" });
  expect((await tile.innerText()).replaceAll(/\s+/g, " ")).toContain(`${power} of ${assessed}`);
  const without = tile.getByRole("link", { name: `${assessed - power - notRecordedPower} without power` });
  expect(await without.getAttribute("href")).toBe(`#/facilities?provinceId=${hxId}&power=no`);
  await attention.getByRole("heading", { name: `Needs attention: ${name}` }).waitFor();
  const stopped = attention.getByRole("link", { name: /Stopped working$/ });
  const entries = bodyOf<object[]>(
    await (await gateway.as("plain")).get(`/api/v1/worklist/stopped?provinceId=${hxId}&limit=500`),
  );
  // The figures of the former scope stay until those of the unit are here.
  await expect.poll(async () => Number.parseInt(await stopped.innerText(), 10)).toBe(entries.length);
  expect(await stopped.getAttribute("href")).toContain(`provinceId=${hxId}`);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await hasFocus(first);
  await page.keyboard.press("Escape");
  await expect.poll(() => rows.count()).toBe(situation.units.length);
  await rows.filter({ hasText: name }).getByRole("link", { name, exact: true }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("button", { name: `Remove the filter ${name}` }).click();
  await expect.poll(() => rows.count()).toBe(situation.units.length);
  await first.click();
  await expect.poll(() => rows.count()).toBe(1);
  await first.click();
  await page.waitForURL(`**/#/districts/${hxId}`);
  screen.expectClean();
  await screen.close();
});

test("the chosen tile colours the map in classes of today's values and puts the worst units first", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/");
  const rows = page.locator(".situation-units tbody tr");
  await expect.poll(() => rows.first().innerText()).toContain(firstByShare(1));
  await expect
    .poll(() => page.locator(".situation-worst").allInnerTexts())
    .toEqual(["worst", "2nd worst", "3rd worst"]);
  const header = page.getByRole("columnheader", { name: "Works" });
  expect(await header.getAttribute("aria-sort")).toBe("ascending");
  await header.getByRole("button").click();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
  await expect.poll(() => rows.first().innerText()).toContain(firstByShare(-1));
  await screen.open("/");
  const button = page.getByRole("button", { name: "Show on the map: Sites with recent data" });
  await button.click();
  await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/?measure=recent");
  expect(await page.getByRole("columnheader", { name: "Recent data" }).getAttribute("aria-sort")).toBe("ascending");
  await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
  await page.locator(".situation-map-drawing a").first().waitFor();
  const shares = await page.locator(".situation-units td[data-label='Recent data']").allInnerTexts();
  const legend = await page.getByRole("list", { name: "Legend" }).getByRole("listitem").allInnerTexts();
  const sizes = legend.map((text) => Number(/: (\d+)$/.exec(text)![1]));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(situation.units.length);
  expect(sizes.filter((size) => size > 0).length).toBeGreaterThanOrEqual(Math.min(4, new Set(shares).size));
  const names = situation.units.map(({ name }) => name);
  expect((await page.locator(".map-name").allTextContents()).toSorted()).toEqual(names.toSorted());
  // How sites stand is open, so the figures and the work list are links for a person without rights too.
  expect(await page.locator(".situation-tiles").getByRole("link").count()).toBeGreaterThanOrEqual(8);
  expect(await page.locator(".attention-kinds").getByRole("link").count()).toBeGreaterThanOrEqual(5);
  screen.expectClean();
  await screen.close();
});

test("wheel, keys and buttons enlarge and move the map, and Escape shows all of it", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/");
  const drawing = page.locator(".situation-map-drawing");
  const view = async () => {
    const text = await drawing.locator("> g").getAttribute("transform");
    const [x, , k] = [...text!.matchAll(/-?[\d.]+/g)].map(Number);
    return { x: Math.round(x!), k: Math.round(10 * k!) / 10 };
  };
  const whole = { x: 0, k: 1 };
  await drawing.scrollIntoViewIfNeeded();
  await drawing.hover();
  await screen.settled();
  await page.mouse.wheel(0, -300);
  await expect.poll(async () => (await view()).k).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Show the whole map" }).click();
  await expect.poll(view).toEqual(whole);
  await drawing.getByRole("link").first().focus();
  await page.keyboard.press("+");
  await expect.poll(async () => (await view()).k).toBe(1.5);
  const { x } = await view();
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await view()).x).toBeLessThan(x);
  await page.keyboard.press("Escape");
  await expect.poll(view).toEqual(whole);
  await expect.poll(() => new URL(page.url()).hash).toBe("#/");
  screen.expectClean();
});

test("what needs attention is counted by partner, and each number opens as many entries", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/");
  const table = page.getByRole("table", { name: "By partner" });
  const sum = (texts: string[]) => texts.reduce((total, text) => total + Number(text.replace(",", "")), 0);
  const overdue = await page
    .locator(".attention-kinds")
    .getByRole("link", { name: /Data overdue$/ })
    .innerText();
  expect(sum(await table.locator("td[data-label='Data overdue']").allInnerTexts())).toBe(Number.parseInt(overdue, 10));
  const link = table.getByRole("link", { name: /, Data overdue, / }).first();
  const siteCount = await link.innerText();
  await link.click();
  await expect.poll(() => page.locator("caption").innerText()).toMatch(new RegExp(`^${siteCount} facilit`));
  screen.expectClean();
  await screen.close();
});

test("the welcome and its links are shown until the person has signed in on three days", async () => {
  const { userUuid } = await gateway.db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "uploader")
    .executeTakeFirstOrThrow();
  const signIn = (day: string) =>
    gateway.db
      .insertInto("auditEvent")
      .values({ userUuid, action: "session.sign-in", outcome: "done", occurredAt: day })
      .execute();
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open("/");
  await page.getByText("Welcome, ").waitFor();
  await page.getByRole("link", { name: "Find a facility" }).waitFor();
  const [tiles, welcome] = [page.locator(".situation-tiles"), page.getByText("Welcome, ")];
  expect((await tiles.boundingBox())!.y).toBeLessThan((await welcome.boundingBox())!.y);
  await signIn("2026-01-05T08:00:00Z");
  await signIn("2026-01-05T12:00:00Z");
  await page.reload();
  await welcome.waitFor();
  await signIn("2026-01-06T08:00:00Z");
  await page.reload();
  await tiles.waitFor();
  await screen.settled();
  expect(await welcome.count()).toBe(0);
  expect(await page.getByRole("link", { name: "Find a facility" }).count()).toBe(0);
  screen.expectClean();
  await screen.close();
});

test("on a page of places a click on the map narrows map and table, and a name in the table opens its place", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  const { name, hxId } = situation.units[0]!;
  await screen.open("/provinces?chart=mode");
  const unit = page.locator(".situation-map-drawing a").first();
  await unit.click();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/provinces?chart=mode&unit=${hxId}`);
  const rows = page.locator(".situation-units tbody tr");
  await expect.poll(() => rows.count()).toBe(1);
  expect((await page.locator(".map-name").allTextContents()).length).toBe(situation.units.length);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(() => rows.count()).toBe(situation.units.length);
  await rows.getByRole("link", { name, exact: true }).click();
  await page.waitForURL(`**/#/districts/${hxId}**`);
  screen.expectClean();
  await screen.close();
});

test("coloured by mode, the map's legend agrees with the table beside it", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/?measure=mode");
  await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
  await page.locator(".situation-map-drawing a").first().waitFor();
  const modes = await page.locator(".situation-units td[data-label=Mode]").allInnerTexts();
  expect(modes).toHaveLength(situation.units.length);
  const unitsByMode = new Map<string, number>();
  for (const text of modes) {
    const [, mode] = /^(.+) \d+ of \d+$/.exec(text.replaceAll(/\s+/g, " "))!;
    unitsByMode.set(mode!, (unitsByMode.get(mode!) ?? 0) + 1);
  }
  const legend = await page.getByRole("list", { name: "Legend" }).getByRole("listitem").allInnerTexts();
  // "(1) E-First: 3": the number stands beside the names on the map too.
  const shown = legend.filter((text) => !text.endsWith(": 0")).map((text) => text.replace(/^\(\d\) /, ""));
  expect(shown.toSorted()).toEqual([...unitsByMode].map(([mode, units]) => `${mode}: ${units}`).toSorted());
  screen.expectClean();
  await screen.close();
});

test("on a phone a choice above the cards sorts the units, with the same address as the column headers", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  const first = () => page.locator(".situation-units tbody tr").first().innerText();
  const choice = page.locator(".situation-units").getByLabel("Sort by");
  await choice.selectOption({ label: "Province" });
  await expect.poll(first).toContain(situation.units[0]!.name);
  await choice.selectOption({ label: "Works" });
  await expect.poll(first).toContain(firstByShare(1));
  await expect.poll(() => new URL(page.url()).hash).toBe("#/?units=functional");
  await choice.selectOption({ label: "Works (highest first)" });
  await expect.poll(first).toContain(firstByShare(-1));
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await page.reload();
  await expect.poll(first).toContain(firstByShare(-1));
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect
    .poll(() => page.getByRole("columnheader", { name: "Works" }).getAttribute("aria-sort"))
    .toBe("descending");
  expect(await choice.isVisible()).toBe(false);
  screen.expectClean();
  await screen.close();
});

test("Home links to a manager's own partner; on a phone the partner's page begins with its charts", async () => {
  const { data } = await (
    await gateway.as("manager")
  ).graphql("{ viewer { user { implementingPartner { implementingPartner implementingPartnerId } } } }");
  const { implementingPartner, implementingPartnerId } = data.viewer.user.implementingPartner;
  const screen = await screenAs(browser, gateway, "manager", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole("link", { name: `Sites of ${implementingPartner}` }).click();
  await page.waitForURL(`**/#/ip/${implementingPartnerId}`);
  await page.getByRole("heading", { level: 1, name: `Implementing Partner - ${implementingPartner}` }).waitFor();
  await screen.settled();
  const finding = page.locator(".overview .chart-card h3");
  const parts = [
    page.getByRole("heading", { level: 1 }),
    finding,
    page.locator(".overview .chart-frame"),
    page.locator(".situation-units"),
    page.getByRole("tablist", { name: "Lists of the partner" }),
    page.locator(".situation-tiles"),
  ];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())!.y));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  // The sentence with the first figure.
  expect(tops[1]).toBeLessThan(400);
  expect(await finding.innerText()).toMatch(/^\d+ of \d+ assessed sites work/);
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
  await screen.close();
});

test("units with answers not recorded have all columns in view; on a phone each unit is two lines: its name and the chosen figure, below them the other figures", async () => {
  const unknown = { primaryPower: null, primaryPowerWorking: null, backupPower: null, backupPowerWorking: null };
  const site = visit(await sampleFacility(gateway.db), { ...unknown, smartCareFunctional: null });
  expect((await (await gateway.as("admin")).call("POST", "/api/v1/assessment", site)).status).toBe(200);
  const wide = await screenAs(browser, gateway, "viewer");
  await wide.open("/");
  const table = wide.page.locator(".situation-units table");
  await table.getByText("not recorded").first().waitFor();
  expect(await table.evaluate(({ parentElement: box }) => box!.scrollWidth - box!.clientWidth)).toBe(0);
  await wide.close();

  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  await screen.open("/");
  const rows = screen.page.locator(".situation-units tbody tr");
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect([heights.length, heights.filter((height) => height < 44 || height > 72)]).toEqual([
    situation.units.length,
    [],
  ]);
  const tops = await rows
    .first()
    .locator("td.is-line")
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
  expect([tops.length, new Set(tops).size]).toEqual([3, 1]);
  expect([await axe(screen.page), await layoutFaults(screen.page)]).toEqual([[], []]);
  const failing = rows.first().getByRole("link", { name: /, \d+ do not work, Works, / });
  expect(await failing.getAttribute("href")).toMatch(/provinceId=\d+&functional=no$|functional=no&provinceId=\d+$/);
  await screen.close();
});

test.each([1440, 390] as const)(
  "at %d pixels units without outlines are drawn as facility points, and every facility is drawn or counted",
  async (width) => {
    await gateway.db.deleteFrom("boundary").execute();
    const screen = await screenAs(browser, gateway, "admin", { width, colorScheme: width === 390 ? "dark" : "light" });
    const { page } = screen;
    const {
      facilities,
      withoutPosition,
      units: [unit],
    } = situation;
    expect(withoutPosition.value).toBeGreaterThan(0);
    for (const path of ["/", `/districts/${unit!.hxId}`]) {
      await screen.open(path);
      await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
      await page.locator(".situation-map-drawing ellipse").first().waitFor();
      const place =
        path === "/"
          ? situation
          : bodyOf(await (await gateway.as("admin")).get(`/api/v1/situation?provinceId=${unit!.hxId}`));
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
  },
);
