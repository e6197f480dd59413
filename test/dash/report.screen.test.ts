import { sql } from "kysely";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * The quarterly report: its parts, its figures, its period, its printed form. The choice of place and partner is tested
 * in scope.screen.test.ts.
 */

/** The last finished quarter, which the report covers by default. */
let last: Period;
/** The quarter of today. */
let running: Period;
let provinceId: number;

type Period = { year: number; quarter: number };
const before = ({ year, quarter }: Period): Period =>
  quarter === 1 ? { year: year - 1, quarter: 4 } : { year, quarter: quarter - 1 };
const months = ["Oct to Dec", "Jan to Mar", "Apr to Jun", "Jul to Sep"];
/** A period as the report's cover names it. Fiscal years begin in October. */
const periodText = ({ year, quarter }: Period) =>
  quarter === -1
    ? `FY ${year}: Oct ${year - 1} to Sep ${year}`
    : `FY ${year} quarter ${quarter}: ${months[quarter - 1]} ${quarter === 1 ? year - 1 : year}`;

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const [year, month] = bodyOf<{ today: string }>(await admin.get("/api/v1/system"))
    .today.split("-")
    .map(Number) as [number, number];
  running = month >= 10 ? { year: year + 1, quarter: 1 } : { year, quarter: Math.ceil(month / 3) + 1 };
  last = before(running);
  const { rows } = await sql<{
    provinceId: number;
  }>`select province_id from facility where closed_on is null group by 1 order by count(*) desc, 1 limit 1`.execute(
    gateway.db,
  );
  ({ provinceId } = rows[0]!);
});

const fact = (page: Page, name: string) =>
  page
    .locator(".report-cover div", { has: page.getByText(name, { exact: true }) })
    .locator("dd")
    .innerText();
const sentences = (page: Page) => page.locator(".report-sentences p").allInnerTexts();
const number = (value: number) => value.toLocaleString("en");
const percent = (value: number, of: number) => `${Math.round((value / of) * 1000) / 10}%`;

type Row = { state: string; facilities: number; assessed: number } & Record<(typeof sums)[number], number>;
const sums = [
  "sumSmartCareFunctional",
  "sumPrimaryPower",
  "sumPrimaryPowerWorking",
  "sumBackupPower",
  "sumBackupPowerWorking",
  "sumTrainedStaff",
] as const;
const rowFields = `state facilities assessed ${sums.join(" ")}`;

test("the report has its cover, the situation, the period, the changes and the work list", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  await screen.open("/provinces");
  await page.getByRole("button", { name: "Filters (0)" }).click();
  await page.getByRole("link", { name: "Quarterly report" }).click();
  await page.getByRole("heading", { level: 1, name: "Quarterly report" }).waitFor();
  await screen.settled();
  expect(await page.locator(".report-cover dt").allInnerTexts()).toEqual([
    "Scope",
    "Implementing partner",
    "Period",
    "Figures as at",
    "Made by",
    "Address",
  ]);
  expect([await fact(page, "Scope"), await fact(page, "Implementing partner"), await fact(page, "Period")]).toEqual([
    "National",
    "All IPs",
    periodText(last),
  ]);
  const me = bodyOf<{ firstName: string; surname: string }>(await admin.get("/api/v1/user/me"));
  expect(await fact(page, "Made by")).toContain(`${me.firstName} ${me.surname}, `);
  expect(await page.locator("h2").allInnerTexts()).toEqual(["The situation now", "The period", "Work list"]);
  const parts = ["Functionality Status", "Implementation Mode", "Training Distribution", "Library Version Summary"];
  expect(await page.locator("h3").allInnerTexts()).toEqual(["Needs attention", ...parts, "What changed in the period"]);
  // Each chart is followed by the table of its figures.
  await expect.poll(() => page.locator(".report-part .chart-drawing svg").count()).toBe(parts.length);
  for (const part of parts) expect(await page.getByRole("table", { name: part, exact: true }).count(), part).toBe(1);
  screen.expectClean();
});

test("sentences, tables, situation and work list have the figures that the API returns for the same scope and period", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open(`/report?provinceId=${provinceId}`);
  const kinds = ["STOPPED", "LOST_POWER", "SILENT", "OLD_VERSION", "NOT_VISITED"];
  type Data = { now: [Row]; before: [Row]; quarters: Row[]; versions: { param: string; value: number }[] } & Record<
    string,
    { totalCount: number }
  >;
  const place = `provinceId: ${provinceId}`;
  const of = ({ year, quarter }: Period) => `year: ${year}, quarter: ${quarter}, ${place}`;
  const { data } = await admin.graphql<Data>(`{
    now: functionalityComparison(${of(last)}, view: YEARLY) { ${rowFields} } before: functionalityComparison(${of(before(last))}, view: YEARLY) { ${rowFields} }
    quarters: functionalityComparison(year: ${last.year}, quarter: -1, years: 2, view: QUARTERLY, ${place}) { ${rowFields} }
    versions: libraryVersion(${of(last)}) { param value }
    ${kinds.map((kind) => `${kind}: worklist(kind: ${kind}, ${place}, first: 1) { totalCount }`).join(" ")} }`);
  const [now] = data.now;
  const { count } = await gateway.db
    .selectFrom("facility")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("provinceId", "=", provinceId)
    .where("closedOn", "is", null)
    .executeTakeFirstOrThrow();
  expect([now.facilities, now.assessed > 0]).toEqual([Number(count), true]);
  const [assessed, works, power, staff, ...others] = await sentences(page);
  const change = now.assessed - data.before[0].assessed;
  expect(assessed).toBe(
    `${number(now.assessed)} of ${number(now.facilities)} facilities were assessed${change === 0 ? "" : ` (${Math.abs(change)} ${change > 0 ? "more" : "fewer"} than before)`}.`,
  );
  expect(works).toContain(
    `SmartCare works at ${number(now.sumSmartCareFunctional)} of these (${percent(now.sumSmartCareFunctional, now.assessed)}`,
  );
  const working = [now.sumPrimaryPowerWorking, now.sumBackupPowerWorking].map(
    (value) => `${number(value)} (${percent(value, now.assessed)})`,
  );
  expect(power).toBe(`Primary power works at ${working[0]}, backup power at ${working[1]}.`);
  expect([staff, others]).toEqual([`${number(now.sumTrainedStaff)} staff are trained.`, []]);

  const cells = (part: string) =>
    page
      .getByRole("table", { name: part, exact: true })
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
  const figures = (row: Row, names: readonly (keyof Row)[]) =>
    names.map((name) => (row.assessed === 0 || row.state === "AHEAD" ? "–" : number(Number(row[name]))));
  const counted = (row: Row) => (row.state === "AHEAD" ? "–" : `${number(row.assessed)} of ${number(row.facilities)}`);
  expect(data.quarters).toHaveLength(8);
  expect((await cells("Functionality Status")).map((row) => row.slice(0, 6))).toEqual(
    data.quarters.map((row) => [...figures(row, sums.slice(0, 5)), counted(row)]),
  );
  expect((await cells("Training Distribution")).map((row) => row.slice(0, 2))).toEqual(
    data.quarters.map((row) => [...figures(row, ["sumTrainedStaff"]), counted(row)]),
  );
  const versions = await page
    .getByRole("table", { name: "Library Version Summary", exact: true })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)));
  expect(versions.length).toBeGreaterThan(1);
  expect(new Map(versions as [string, string][])).toEqual(
    new Map(data.versions.map(({ param, value }) => [param, number(value)])),
  );

  const situation = bodyOf<Record<"facilities" | "assessed", { value: number }>>(
    await admin.get(`/api/v1/situation?provinceId=${provinceId}`),
  );
  await expect
    .poll(async () => (await page.getByRole("group", { name: "Sites assessed" }).innerText()).replaceAll(/\s+/g, " "))
    .toContain(`${number(situation.assessed.value)} of ${number(situation.facilities.value)}`);
  const listed = await page
    .locator(".worklist-report .overview-panel > *")
    .evaluateAll((parts) =>
      parts.map(
        (part) => /: (no site|[\d,]+ sites?)/.exec(part.querySelector("caption")?.textContent ?? part.textContent)?.[1],
      ),
    );
  expect(listed).toEqual(
    kinds
      .map((kind) => data[kind]!.totalCount)
      .map((total) => (total === 0 ? "no site" : total === 1 ? "1 site" : `${number(total)} sites`)),
  );
  screen.expectClean();
});

test("choices made before the page has shown the first of them are all kept", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/report");
  await page.evaluate(
    ([province, year]) => {
      const choose = (label: string, value: string) => {
        const select = [...document.querySelectorAll<HTMLSelectElement>(".report-controls select")].find(
          ({ labels }) => labels[0]?.textContent.trim() === label,
        )!;
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      };
      choose("Province", province!);
      choose("Year", year!);
      choose("Quarter", "2");
    },
    [String(provinceId), String(last.year - 1)],
  );
  await expect
    .poll(() => new URL(page.url()).hash)
    .toBe(`#/report?provinceId=${provinceId}&year=${last.year - 1}&quarter=2`);
  await expect.poll(() => fact(page, "Period")).toBe(periodText({ year: last.year - 1, quarter: 2 }));
  screen.expectClean();
});

test("scope and period are in the address: they survive a reload, and another person sees the same report", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  const choice = (label: string) => page.locator(".report-controls").getByLabel(label, { exact: true });
  const former = { year: last.year - 1, quarter: 2 };
  await screen.open("/report");
  await choice("Province").selectOption(String(provinceId));
  await choice("Year").selectOption(String(former.year));
  await choice("Quarter").selectOption({ label: "Quarter 2" });
  const params = () => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split("?")[1]));
  await expect.poll(params).toEqual({ provinceId: String(provinceId), year: String(former.year), quarter: "2" });
  await expect.poll(() => fact(page, "Period")).toBe(periodText(former));
  await screen.settled();
  const shown = async () => ({
    scope: await fact(page, "Scope"),
    period: await fact(page, "Period"),
    sentences: await sentences(page),
  });
  const first = await shown();
  expect(first.scope).toMatch(/ Province$/);
  expect(first.sentences.length).toBeGreaterThan(0);
  const { data } = await admin.graphql<{ now: [Row] }>(
    `{ now: functionalityComparison(year: ${former.year}, quarter: 2, view: YEARLY, provinceId: ${provinceId}) { ${rowFields} } }`,
  );
  expect(first.sentences[0]).toContain(
    `${number(data.now[0].assessed)} of ${number(data.now[0].facilities)} facilities were assessed`,
  );

  await page.reload();
  await screen.settled();
  expect(await shown()).toEqual(first);
  expect([
    await choice("Province").inputValue(),
    await choice("Year").inputValue(),
    await choice("Quarter").inputValue(),
  ]).toEqual([String(provinceId), String(former.year), "2"]);
  await expect.poll(async () => (await fact(page, "Address")) === page.url()).toBe(true);

  const other = await screenAs(browser, gateway, "plain");
  await other.open(new URL(page.url()).hash.slice(1));
  expect({
    scope: await fact(other.page, "Scope"),
    period: await fact(other.page, "Period"),
    sentences: await sentences(other.page),
  }).toEqual(first);
  screen.expectClean();
});

test("the report of a running period says so far, one that lies ahead says so, and an invalid period is the last finished quarter", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  const open = async (period: { year: number | string; quarter: number | string }) => {
    await screen.open(`/report?year=${period.year}&quarter=${period.quarter}`);
    return {
      period: await fact(page, "Period"),
      text: (await sentences(page)).join(" "),
      parts: await page.locator(".report-part h3").allInnerTexts(),
    };
  };
  const now = await open(running);
  expect(now.period).toBe(periodText(running));
  expect(now.text).toMatch(/^[\d,]+ of [\d,]+ facilities were assessed so far/);
  expect(now.parts).toContain("What changed in the period");

  const ahead = {
    year: Number(bodyOf<{ today: string }>(await admin.get("/api/v1/system")).today.slice(0, 4)) + 1,
    quarter: 4,
  };
  const later = await open(ahead);
  expect([later.period, later.text]).toEqual([
    periodText(ahead),
    "This period lies ahead: nothing can have been assessed in it yet.",
  ]);
  expect(later.parts).not.toContain("What changed in the period");

  const year = { year: last.year, quarter: -1 };
  expect((await open(year)).period).toBe(periodText(year));
  const invalid = await open({ year: "1900", quarter: "9" });
  expect(invalid.period).toBe(periodText(last));
  expect(invalid.text).toMatch(/^[\d,]+ of [\d,]+ facilities were assessed(?! so far)/);
  screen.expectClean();
});

test("Print waits until the whole document is there", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await page.addInitScript(() => {
    // Without this, print would open a dialog of the browser that a test cannot close.
    window.print = () =>
      Object.assign(window, {
        printed: [...document.querySelectorAll(".report .state-loading, .report .worklist-report caption")].map(
          (part) => part.className || part.tagName,
        ),
      });
  });
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    void page.route(/WorklistReportSectionQuery/, async (route) => {
      await new Promise<void>((go) => {
        release = go;
        resolve();
      });
      await route.continue();
    });
  });
  await page.goto(`${gateway.url}/#/report`);
  await isHeld;
  await page.locator(".report-part .chart-drawing svg").nth(3).waitFor();
  await page.locator(".situation-map-drawing a").first().waitFor();
  await page.locator(".worklist-report .state-loading").waitFor();
  await page.getByRole("button", { name: "Print or save as PDF" }).click();
  release();
  const printed = () => page.evaluate(() => (window as Window & { printed?: string[] }).printed);
  await expect.poll(printed).toBeDefined();
  expect(new Set(await printed())).toEqual(new Set(["CAPTION"]));
  screen.expectClean();
});

test("in a country without facilities the report says why it has no figures", async () => {
  const country = await testGateway();
  try {
    await sql`truncate facility cascade`.execute(country.db);
    await rebuildRollups(country.db);
    const screen = await screenAs(browser, country, "admin", { width: 390 });
    const { page } = screen;
    await screen.open("/report");
    await page.getByText("No facilities are listed here yet.").waitFor();
    expect(await sentences(page)).toEqual(["No facility belongs here yet, so that nothing could be assessed."]);
    expect(await page.locator(".report .chart-frame").count()).toBe(0);
    // Neither the changes nor the situation show tables of zeros.
    expect(await page.locator("main").innerText()).not.toContain("0 of 0");
    expect(await page.locator(".report table, .situation-map").count()).toBe(0);
    expect(await page.locator(".worklist-report").innerText()).toMatch(/^Work list(?:\s+.+: no site\.){5}$/);
    expect(await page.locator("main").innerText()).not.toContain("NaN");
    expect(await axe(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    screen.expectClean();
    await screen.close();
  } finally {
    await country.stop();
  }
});
