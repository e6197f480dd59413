import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The tab Overdue Sites of the overview in a real browser, compared with REST. */

let levels: { path: string; scope: string; units: string[]; hasPartners: boolean }[];
let partnerId: number;

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const place = await gateway.db
    .selectFrom("facility")
    .innerJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .innerJoin("tdb", "tdb.facilityUuid", "facility.facilityUuid")
    .select(["facility.provinceId", "facility.districtId", "facility.implementingPartnerId as partnerId"])
    .where("implementingPartner.name", "=", "Partner A")
    .orderBy("facility.facilityUuid")
    .executeTakeFirstOrThrow();
  partnerId = place.partnerId!;
  const { provinceId, districtId } = place;
  levels = [
    { path: "/provinces", scope: "", units: ["province", "district", "partner"], hasPartners: true },
    {
      path: `/districts/${provinceId}`,
      scope: `provinceId=${provinceId}`,
      units: ["partner"],
      hasPartners: true,
    },
    {
      path: `/facilities/district/${districtId}`,
      scope: `districtId=${districtId}`,
      units: ["district"],
      hasPartners: true,
    },
    {
      path: `/ip/${partnerId}`,
      scope: `implementingPartnerId=${partnerId}`,
      units: ["province"],
      hasPartners: false,
    },
  ];
});

const overview = (page: Page) => page.locator(".overview");
const rowsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
const unitsTable = (page: Page) => overview(page).getByRole("table", { name: /^Overdue sites by/ });
const sitesTable = (page: Page) => overview(page).getByRole("table", { name: /facilit(y|ies) (overdue|that|with)/ });

type Units = { name: string; expected: number; overdue: number; neverSent: number; irregular: number }[];
type Site = Record<"facilityName" | "district" | "province", string> &
  Record<"implementingPartner" | "lastTdbCreationDate", string | null> & { daysSinceLastTdb: number | null };
const rest = async <T>(path: string): Promise<T> => bodyOf<T>(await admin.get(`/api/v1/${path}`));
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const dated = (day: string | null) =>
  day === null ? "Never sent" : `${day.slice(8)} ${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;

const unitRows = async (level: string, scope: string) =>
  (await rest<Units>(`dash/silentSites/${level === "partner" ? "ip" : level}?${scope}`))
    .slice(0, 10)
    .map(({ name, expected, overdue, neverSent, irregular }) => [
      name,
      ...[expected, overdue, neverSent, irregular].map(String),
    ]);
const siteRows = async (query: string) =>
  (await rest<Site[]>(`tdb/silent?${query}`)).map((site) => [
    site.facilityName,
    `${site.district}, ${site.province}`,
    site.implementingPartner ?? "–",
    dated(site.lastTdbCreationDate),
    site.daysSinceLastTdb === null ? "–" : String(site.daysSinceLastTdb),
    "Every 30 days",
  ]);

test("at each level the tab is the last one and shows the same counts and overdue facilities as REST", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  for (const { path, scope, units, hasPartners } of levels) {
    await screen.open(path);
    const tab = overview(page).getByRole("tab").last();
    await expect.poll(() => tab.innerText()).toBe("Overdue Sites");
    await tab.click();
    await screen.settled();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${path}?chart=silent`);
    await expect
      .poll(() => overview(page).getByLabel("Implementing partner", { exact: true }).count())
      .toBe(hasPartners ? 1 : 0);
    for (const unit of units) {
      await screen.open(`${path}?chart=silent&silentBy=${unit}`);
      expect({ path, unit, rows: await rowsOf(unitsTable(page)) }).toEqual({
        path,
        unit,
        rows: await unitRows(unit, scope),
      });
    }
    const overdue = await siteRows(scope);
    const shown = await rowsOf(sitesTable(page));
    expect(shown.map((row) => row.slice(0, 6))).toEqual(overdue.slice(0, 10));
    await expect
      .poll(() => sitesTable(page).locator("caption").innerText())
      .toBe(`${overdue.length} ${overdue.length === 1 ? "facility" : "facilities"} overdue`);
  }
  screen.expectClean();
});

test("filters and pages are in the URL, irregularities are written out, and the CSV has the same list", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open("/provinces?chart=silent");
  await overview(page).getByRole("button", { name: "Next page" }).last().click();
  await expect.poll(() => page.url()).toContain("facilityPage=2");
  await screen.settled();
  expect((await rowsOf(sitesTable(page))).map((row) => row.slice(0, 6))).toEqual((await siteRows("")).slice(10, 20));

  await overview(page).getByLabel("Show", { exact: true }).selectOption("irregular");
  await expect.poll(() => page.url()).toContain("silent=irregular");
  await screen.settled();
  await expect.poll(() => page.url()).not.toContain("facilityPage");
  const irregular = await siteRows("show=irregular");
  await expect.poll(async () => (await rowsOf(sitesTable(page))).map((row) => row.slice(0, 6))).toEqual(irregular);
  const words = (await rowsOf(sitesTable(page))).map((row) => row[6]).join();
  for (const word of ["Delta without a base, ", "Creation date went back, ", "Client count went back, "])
    expect(words).toContain(word);

  await overview(page).getByLabel("Implementing partner", { exact: true }).selectOption(String(partnerId));
  await overview(page).getByText("Districts", { exact: true }).click();
  await expect.poll(() => page.url()).toContain("silentBy=district");
  await screen.settled();
  const state = async () => [await rowsOf(unitsTable(page)), await rowsOf(sitesTable(page))];
  const before = await state();
  expect(before[0]).toEqual(await unitRows("district", `implementingPartnerId=${partnerId}`));
  expect(before[1]!.map((row) => row.slice(0, 6))).toEqual(
    await siteRows(`show=irregular&implementingPartnerId=${partnerId}`),
  );
  await page.reload();
  await screen.settled();
  await expect.poll(() => state()).toEqual(before);

  const href = await overview(page).getByRole("button", { name: "Export CSV" }).getAttribute("href");
  const lines = (await admin.get(href!)).text.trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",")[0])).toEqual(before[1]!.map(([name]) => name));

  // The link of a unit opens the same tab of its own overview, the link of a facility its page.
  await screen.open("/provinces?chart=silent");
  const [name] = (await unitRows("province", ""))[0]!;
  await unitsTable(page).getByRole("link", { name }).click();
  await page.locator("h1", { hasText: name }).waitFor();
  await screen.settled();
  await expect.poll(() => overview(page).getByRole("tab", { selected: true }).innerText()).toBe("Overdue Sites");
  const link = sitesTable(page).locator("tbody a").first();
  const facility = await link.innerText();
  await link.click();
  await page.locator("h1", { hasText: facility }).waitFor();
  await screen.settled();
  screen.expectClean();
});

test("a person without rights sees the counts and the sites, but nothing of irregular TDBs", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/provinces?chart=silent");
  expect(await rowsOf(unitsTable(page))).toEqual((await unitRows("province", "")).map((row) => row.slice(0, -1)));
  await expect.poll(() => overview(page).getByRole("table").count()).toBe(2);
  await expect
    .poll(() =>
      overview(page)
        .getByRole("button", { name: /^Export CSV/ })
        .count(),
    )
    .toBe(1);
  expect(await overview(page).innerText()).not.toMatch(/irregular/i);
  screen.expectClean();
});
