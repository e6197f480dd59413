import { sql } from "kysely";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { formatDate } from "../../client/ui/text/dates.ts";

import { screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The scope (place, partner, year) is kept on every way through the country, in print and in a report. */

let place: { provinceId: number; districtId: number; partnerId: number; partner: string; facilityUuid: string };

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const rows = await gateway.sql<typeof place>`
    select province_id, district_id, implementing_partner_id as partner_id, implementing_partner.name as partner, max(facility_uuid) as facility_uuid
    from facility join assessment using (facility_uuid) join implementing_partner using (implementing_partner_id)
    where active group by 1, 2, 3, 4 order by count(*) desc, 1, 2, 3 limit 1`;
  place = rows[0]!;
});

const kept = ["chart", "chartYear", "partner"];
const scopeOf = (page: Page) => {
  const [path, search] = new URL(page.url()).hash.slice(1).split("?");
  return [path, ...kept.map((name) => new URLSearchParams(search).get(name))];
};

test("partner, year and chart are kept from the nation to a district's list and back, by links, by choices and by the Back button", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  const year = String(new Date().getUTCFullYear() - 1);
  const scope = ["mode", year, String(place.partnerId)];
  const names = await sql<{ province: string; district: string }>`
    select province.name as province, district.name as district from district join province using (province_id) where district_id = ${place.districtId}`.execute(
    gateway.db,
  );
  const { province, district } = names.rows[0]!;
  await screen.open(`/provinces?chart=mode&chartYear=${year}&partner=${place.partnerId}`);
  await page.getByRole("link", { name: province, exact: true }).click();
  await screen.settled();
  await expect.poll(() => scopeOf(page)).toEqual([`/districts/${place.provinceId}`, ...scope]);
  const overview = page.locator(".overview");
  await expect.poll(() => overview.getByLabel("Implementing partner", { exact: true }).inputValue()).toBe(scope[2]);
  await expect.poll(() => overview.getByLabel("Year", { exact: true }).inputValue()).toBe(year);
  await overview.getByLabel("District", { exact: true }).selectOption({ label: district });
  await screen.settled();
  await expect.poll(() => scopeOf(page)).toEqual([`/facilities/district/${place.districtId}`, ...scope]);
  await overview.getByRole("tab", { name: "Training Distribution" }).click();
  await screen.settled();
  await expect
    .poll(() => scopeOf(page))
    .toEqual([`/facilities/district/${place.districtId}`, "training", ...scope.slice(1)]);
  await page.goBack();
  await page.getByRole("heading", { name: `${province} Province - All Districts` }).waitFor();
  await screen.settled();
  await expect.poll(() => scopeOf(page)).toEqual([`/districts/${place.provinceId}`, ...scope]);
  await overview.getByLabel("Province", { exact: true }).selectOption("-1");
  await screen.settled();
  await expect.poll(() => scopeOf(page)).toEqual(["/provinces", ...scope]);
  screen.expectClean();
});

test("the scope's partner narrows the list, the situation and the overview's figures; the chip and the overview change it", async () => {
  const count = (partnerId?: number) =>
    gateway.db
      .selectFrom("facility")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("provinceId", "=", place.provinceId)
      .where("closedOn", "is", null)
      .$if(partnerId !== undefined, (all) => all.where("implementingPartnerId", "=", partnerId!))
      .executeTakeFirstOrThrow()
      .then(({ count: found }) => Number(found));
  const [all, ofPartner] = await Promise.all([count(), count(place.partnerId)]);
  expect(ofPartner).toBeGreaterThan(0);
  expect(ofPartner).toBeLessThan(all);
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  const listed = async () => /^\d+(?= facilit)/m.exec(await page.locator(".facilities-list").innerText())?.[0];
  const situated = async () =>
    /\d+ of (\d+)/.exec(
      (await page.getByRole("group", { name: "Sites assessed" }).innerText()).replaceAll(/\s+/g, " "),
    )?.[1];
  // The overview's chart says how many facilities are in the scope; its table says how many were functional and
  // assessed in each quarter.
  const overviewFigures = async () => [
    /of (\d+) facilit(y|ies) in the scope/.exec(await page.locator(".overview .chart-card-of").innerText())?.[1],
    ...(
      await page
        .locator(".overview tbody tr")
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)))
    ).map((cells) => [cells[1], cells.at(-1)]),
  ];
  const viewer = await gateway.as("viewer");
  const figuresOf = async (partnerId: number) => {
    const year = await page.locator(".overview").getByLabel("Year", { exact: true }).inputValue();
    type Quarter = { state: string; assessed: number; facilities: number; sumSmartCareFunctional: number };
    const rows = bodyOf<Quarter[]>(
      await viewer.get(
        `/api/v1/dash/functionalityComparison/province/${place.provinceId}/${year}/-1/${partnerId}?view=quarterly`,
      ),
    );
    return [
      String(rows[0]!.facilities),
      ...rows.map(({ state, assessed, facilities, sumSmartCareFunctional: functional }) => [
        state === "AHEAD" || assessed === 0 ? "–" : String(functional),
        state === "AHEAD" ? "–" : `${assessed} of ${facilities}`,
      ]),
    ];
  };
  await screen.open(
    `/facilities/province/${place.provinceId}?partner=${place.partnerId}&page=2&sort=-name&table=1&figures=numbers`,
  );
  await expect.poll(listed).toBe(String(ofPartner));
  await expect.poll(situated).toBe(String(ofPartner));
  const [figuresOfAll, figuresOfPartner] = [await figuresOf(-1), await figuresOf(place.partnerId)];
  expect([figuresOfAll[0], figuresOfPartner[0]]).toEqual([String(all), String(ofPartner)]);
  expect(figuresOfPartner).toHaveLength(5);
  await expect.poll(overviewFigures).toEqual(figuresOfPartner);
  const scope = () => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split("?")[1]));
  await page.locator(".overview").getByLabel("Implementing partner", { exact: true }).selectOption("-1");
  await screen.settled();
  expect(scope()).toEqual({ sort: "-name", table: "1", figures: "numbers" });
  await expect.poll(listed).toBe(String(all));
  await expect.poll(situated).toBe(String(all));
  await expect.poll(overviewFigures).toEqual(figuresOfAll);
  await page
    .locator(".overview")
    .getByLabel("Implementing partner", { exact: true })
    .selectOption(String(place.partnerId));
  await expect.poll(listed).toBe(String(ofPartner));
  await expect.poll(overviewFigures).toEqual(figuresOfPartner);
  expect(scope()).toEqual({ sort: "-name", table: "1", figures: "numbers", partner: String(place.partnerId) });
  // The link to a unit keeps the partner and the table.
  await page.locator(".situation-units tbody a").first().click();
  await screen.settled();
  expect(scope()).toEqual({ table: "1", figures: "numbers", partner: String(place.partnerId) });
  await page.goBack();
  await page.getByRole("button", { name: `Remove the filter Partner: ${place.partner}` }).click();
  await screen.settled();
  expect(scope()).toEqual({ sort: "-name", table: "1", figures: "numbers" });
  await expect.poll(listed).toBe(String(all));
  await expect.poll(situated).toBe(String(all));
  await expect.poll(overviewFigures).toEqual(figuresOfAll);
  screen.expectClean();
});

test("a print names place, partner, period and time, is dark on white even in the dark theme, and shows no controls", async () => {
  const screen = await screenAs(browser, gateway, "plain", { colorScheme: "dark" });
  const { page } = screen;
  await screen.open(`/districts/${place.provinceId}?chart=mode&partner=${place.partnerId}&table=1`);
  // The chart is drawn when it comes near the window. Without scrolling that happens only if the figures above it
  // arrive late.
  await page.locator(".overview .chart-frame").scrollIntoViewIfNeeded();
  await page.locator(".overview .chart-drawing text").first().waitFor();
  const drawing = await page.locator(".overview .chart-drawing svg").elementHandle();
  await page.emulateMedia({ media: "print" });
  // An A4 page. What would be drawn anew would miss on it.
  await page.setViewportSize({ width: 718, height: 1000 });
  const printed = page.locator(".overview .print-only");
  await expect
    .poll(() => printed.getAttribute("data-words"))
    .toMatch(
      new RegExp(
        `Province, FY \\d{4}: .+ · ${place.partner} · .*figures as at \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d`,
      ),
    );
  await expect
    .poll(() => printed.evaluate((element) => getComputedStyle(element, "::before").content))
    .toContain("figures as at");
  const colours = () =>
    page.evaluate(() => {
      const text = document.querySelector(".chart-drawing text")!;
      return {
        ink: getComputedStyle(document.querySelector("h1")!).color,
        axis: getComputedStyle(text).fill,
        paper: getComputedStyle(document.body).backgroundColor,
      };
    });
  expect(await drawing!.evaluate((svg) => svg.isConnected)).toBe(true);
  // Inherited colours follow the emulated medium only in the next frame.
  await expect.poll(colours).toEqual({ ink: "rgb(0, 0, 0)", axis: "rgb(51, 51, 51)", paper: "rgb(255, 255, 255)" });
  for (const hidden of [
    "[aria-label=Scope]",
    ".chart-controls",
    ".notifications",
    ".overview .row.screen-only",
    ".rail",
  ]) {
    expect(await page.locator(hidden).count(), hidden).toBeGreaterThan(0);
    await expect.poll(() => page.locator(hidden).first().isVisible(), { message: hidden }).toBe(false);
  }
});

test("a print has the table of a chart that is not drawn yet, below the part of the page that was seen", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await page.setViewportSize({ width: 1440, height: 200 });
  await screen.open(`/districts/${place.provinceId}?chart=mode`);
  const overview = page.locator(".overview");
  await overview.locator(".chart-to-come").waitFor();
  await page.emulateMedia({ media: "print" });
  const figures = overview.getByRole("table").getByRole("cell");
  await expect.poll(() => figures.count()).toBeGreaterThan(4);
  await expect.poll(() => figures.first().isVisible()).toBe(true);
  // Afterwards the chart still comes when it is seen.
  await page.emulateMedia({ media: "screen" });
  await expect.poll(() => overview.getByRole("table").count()).toBe(0);
  await overview.locator(".chart-to-come").scrollIntoViewIfNeeded();
  await overview.locator(".chart-drawing text").first().waitFor();
  screen.expectClean();
});

test("eight years are shown on one axis, without the empty ones at its ends, also as shares; the table shows of how many facilities", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/provinces?table=1&figures=numbers");
  const overview = page.locator(".overview");
  await overview.getByRole("radio", { name: "8 years" }).click();
  await screen.settled();
  const rows = overview.locator("tbody tr");
  await overview
    .getByText(/Without assessments, so not shown: FY \d{4}/)
    .first()
    .waitFor();
  expect(await rows.count()).toBeLessThan(8);
  await expect.poll(() => rows.last().locator("td").last().innerText()).toMatch(/^\d+ of \d+$/);
  await overview.getByRole("radio", { name: "Percent" }).click();
  await expect.poll(() => rows.last().locator("td").first().innerText()).toMatch(/^\d+(\.\d)?%$/);
  screen.expectClean();
});

test.each(["report", "changes"])(
  "place and partner of the page /%s are chosen on it and kept in its address",
  async (page) => {
    const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
    const choice = (label: string) =>
      screen.page.getByRole("group", { name: "Scope" }).getByLabel(label, { exact: true });
    const hash = () => new URL(screen.page.url()).hash;
    await screen.open(`/${page}`);
    await screen.page.getByRole("button", { name: "Filters (0)" }).click();
    await choice("Implementing partner").selectOption(String(place.partnerId));
    await expect.poll(hash).toBe(`#/${page}?partner=${place.partnerId}`);
    await choice("Province").selectOption(String(place.provinceId));
    await expect.poll(hash).toBe(`#/${page}?partner=${place.partnerId}&provinceId=${place.provinceId}`);
    const district = await choice("District")
      .locator("option")
      .nth(1)
      .evaluate((option: HTMLOptionElement) => ({ id: option.value, name: option.label }));
    await choice("District").selectOption(district.id);
    await expect.poll(hash).toBe(`#/${page}?partner=${place.partnerId}&districtId=${district.id}`);
    await expect.poll(() => screen.page.locator(".page-subtitle").innerText()).toContain(`${district.name} District`);
    await expect.poll(() => choice("Province").inputValue()).toBe(String(place.provinceId));
    await screen.settled();
    await choice("Province").selectOption({ label: "All provinces" });
    await expect.poll(hash).not.toContain("districtId");
    await choice("Implementing partner").selectOption({ label: "All IPs" });
    await expect.poll(hash).toBe(`#/${page}`);
    screen.expectClean();
  },
);

test("the changes since Monday are one click away from Home and keep the chosen partner", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open(`/?partner=${place.partnerId}`);
  await page.getByRole("link", { name: "What changed since Monday" }).click();
  const { today } = bodyOf(await (await gateway.as("viewer")).get("/api/v1/system"));
  await page.waitForURL(/since=/);
  const since = new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("since")!;
  await page.getByRole("button", { name: "Filters (2)" }).click();
  expect(await page.getByLabel("Since", { exact: true }).inputValue()).toBe(formatDate(since));
  expect(new Date(since).getUTCDay()).toBe(1);
  expect(Date.parse(today) - Date.parse(since)).toBeLessThanOrEqual(7 * 86_400_000);
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/changes?since=${since}&partner=${place.partnerId}`);
  await screen.settled();
  screen.expectClean();
});
