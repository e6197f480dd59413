import { readFile } from "node:fs/promises";

import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { formatDate } from "../../client/ui/text/dates.ts";
import { openWorkbook } from "../../gateway/registry/reading/workbook.ts";
import { axe, layoutFaults, type Screen, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The overview at its four levels in a real browser, compared with REST. */

let today: string;
let year: number;
let partnerId: number;
let levels: Level[];

/** A screen with the overview of a scope, and the scope's paths in REST. */
type Level = {
  name: string;
  path: string;
  heading: string;
  hasPartners: boolean;
  chart: (name: string, period: string, partner: number) => string;
  sheet: string;
};

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const rows = await gateway.sql<{ today: string; districtId: number; provinceId: number; partnerId: number }>`
    select (now() at time zone 'Africa/Lusaka')::date::text as today, district_id, province_id, implementing_partner_id as partner_id
    from facility join assessment using (facility_uuid) join implementing_partner using (implementing_partner_id)
    where implementing_partner.name = 'Partner A' and assessment.functionality_status_mode in ('EFirst', 'EFast', 'ELast')
    group by 2, 3, 4 order by count(*) desc, 2, 4 limit 1
  `;
  const found = rows[0]!;
  const { provinceId, districtId } = found;
  ({ today, partnerId } = found);
  year = Number(today.slice(0, 4));
  levels = [
    {
      name: "nation",
      path: "/provinces",
      heading: "National Overview",
      hasPartners: true,
      chart: (name, period, partner) => `${name}/${period}/${partner}`,
      sheet: "",
    },
    {
      name: "province",
      path: `/districts/${provinceId}`,
      heading: "Provincial Overview",
      hasPartners: true,
      chart: (name, period, partner) => `${name}/province/${provinceId}/${period}/${partner}`,
      sheet: `/province/${provinceId}`,
    },
    {
      name: "district",
      path: `/facilities/district/${districtId}`,
      heading: "District Overview",
      hasPartners: true,
      chart: (name, period, partner) => `${name}/district/${districtId}/${period}/${partner}`,
      sheet: `/district/${districtId}`,
    },
    {
      name: "partner",
      path: `/ip/${partnerId}`,
      heading: "IP Level",
      hasPartners: false,
      chart: (name, period) => `${name}/ip/${partnerId}/${period}`,
      sheet: `/ip/${partnerId}`,
    },
  ];
});

const heading = (page: Page) => page.locator("h1");
const overview = (page: Page) => page.locator(".overview");
const control = (page: Page, label: string) => overview(page).getByLabel(label, { exact: true });
/** A choice whose values are all in view. */
const segments = (page: Page, label: string) => overview(page).getByRole("radiogroup", { name: label });
const segment = (page: Page, label: string) => segments(page, label).getByRole("radio", { checked: true }).innerText();
const counted = (text: string) => Number(text.replaceAll(/[,\s]/g, ""));
const graphqlCalls = (screen: Screen) => screen.calls().filter((call) => call.startsWith("/graphql"));

/** The texts of a table's rows, without the header. */
const rowsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));

async function rest<T>(path: string, person = admin): Promise<T> {
  const { status, body } = await person.get(`/api/v1/${path}`);
  expect(status, path).toBe(200);
  return body as T;
}

const tabs = [
  "Functionality Status",
  "Training Distribution",
  "Implementation Mode",
  "Library Version Summary",
  "CPU Cores",
  "64-Bit CPUs",
  "Assessment Summary",
  "TDB History",
  "Overdue Sites",
];

type PeriodRow = Record<string, number | null>;
type ParamRow = { param: string; value: number };

/** The charts by period: tab, name in REST, columns. */
const periodCharts = [
  {
    tab: "functionality",
    rest: "functionalityComparison",
    columns: [
      "sumSmartCareFunctional",
      "sumPrimaryPower",
      "sumPrimaryPowerWorking",
      "sumBackupPower",
      "sumBackupPowerWorking",
    ],
  },
  { tab: "training", rest: "functionalityComparison", columns: ["sumTrainedStaff"] },
  {
    tab: "mode",
    rest: "deploymentMode",
    columns: ["efirst", "efast", "elast", "partial", "notDeployed", "notOperational"],
  },
];
const paramCharts = [
  { tab: "library", rest: "libraryVersion" },
  { tab: "cores", rest: "cpuCore" },
  { tab: "64-bit", rest: "osX64" },
];
const months = ["Oct", "Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep"];
const quarters = ["Oct to Dec", "Jan to Mar", "Apr to Jun", "Jul to Sep"];

test("each level shows its heading, nine tabs, the controls with their defaults, and the period in words", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  for (const { path, heading: title, hasPartners } of levels) {
    await screen.open(path);
    await expect.poll(() => overview(page).getByRole("heading", { level: 2 }).allInnerTexts()).toEqual([title]);
    await expect.poll(() => overview(page).getByRole("tab").allInnerTexts()).toEqual(tabs);
    for (const tab of tabs.slice(0, 6)) {
      await overview(page).getByRole("tab", { name: tab }).click();
      await screen.settled();
      const values = async (label: string) =>
        (await control(page, label).count()) ? control(page, label).inputValue() : undefined;
      // A count over the whole period has the control too, but no use for it.
      const isViewUsed = tabs.indexOf(tab) < 3;
      expect(await segments(page, "View").getByRole("radio").first().isEnabled(), tab).toBe(isViewUsed);
      expect({
        View: await segment(page, "View"),
        partner: await values("Implementing partner"),
        Year: await values("Year"),
        Quarter: await values("Quarter"),
      }).toEqual({
        View: "Quarterly",
        partner: hasPartners ? "-1" : undefined,
        Year: String(year),
        Quarter: "-1",
      });
      await expect
        .poll(
          () =>
            overview(page)
              .getByText(`FY ${year}: Oct ${year - 1} to Sep ${year}`)
              .count(),
          { message: tab },
        )
        .toBe(1);
      // A small district may have sent nothing: then a message stands in place of the chart.
      const isDrawn = (await overview(page).locator(".state-empty").count()) === 0;
      expect(isDrawn || title === "District Overview", `${title}, ${tab}`).toBe(true);
      await expect
        .poll(() => overview(page).getByRole("button", { name: "Export Image" }).isEnabled(), {
          message: `${title}, ${tab}`,
        })
        .toBe(isDrawn);
      await expect
        .poll(
          () =>
            overview(page)
              .getByRole("group", { name: `Bar chart: ${tab}` })
              .count(),
          { message: `${title}, ${tab}` },
        )
        .toBe(isDrawn ? 1 : 0);
    }
  }
  await screen.open("/districts?chart=mode");
  await expect
    .poll(() => overview(page).getByRole("heading", { level: 2 }).allInnerTexts())
    .toEqual(["National Overview"]);
  const options = (label: string) => control(page, label).locator("option").allInnerTexts();
  expect(await segments(page, "View").getByRole("radio").allInnerTexts()).toEqual(["Monthly", "Quarterly"]);
  expect(await options("Year")).toEqual(Array.from({ length: 9 }, (_, index) => String(year + 1 - index)));
  expect(await options("Quarter")).toEqual(["Quarter 1", "Quarter 2", "Quarter 3", "Quarter 4", "Entire Year"]);
  const partners = await rest<{ implementingPartner: string }[]>("implementingPartner/active/true");
  expect(await options("Implementing partner")).toEqual([
    "All IPs",
    ...partners.map(({ implementingPartner }) => implementingPartner),
  ]);
  const newer = page.getByText(`FY ${year + 1} is already running (next period)`);
  await expect.poll(() => newer.count()).toBe(Number(today.slice(5, 7)) >= 10 ? 1 : 0);
  if (await newer.count()) {
    await page.getByRole("button", { name: "Next period" }).click();
    await overview(page)
      .getByText(`FY ${year + 1}: Oct ${year} to Sep ${year + 1}`)
      .waitFor();
    await expect.poll(() => control(page, "Year").inputValue()).toBe(String(year + 1));
  }
  await screen.settled();
  screen.expectClean();
});

test("the charts of each level have tables with REST's rows, by month or quarter, of one partner or all", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  const table = overview(page).getByRole("table");
  let compared = 0;
  const compare = async (
    level: Level,
    { quarter, view, partner }: { quarter: number; view: "monthly" | "quarterly"; partner: number },
  ) => {
    const settings = `&table=1&figures=numbers&chartYear=${year}&chartQuarter=${quarter}&view=${view}&partner=${partner}`;
    const period = `${year}/${quarter}`;
    for (const { tab, rest: name, columns } of periodCharts) {
      await screen.open(`${level.path}?chart=${tab}${settings}`);
      const rows = await rest<PeriodRow[]>(`dash/${level.chart(name, period, partner)}?view=${view}`);
      const expected = rows.map((row) => {
        const { state, assessed, facilities } = row as { state: unknown; assessed: number; facilities: number };
        const cellOf = (value: number | null | undefined) =>
          state === "AHEAD" || (state === "ENDED" && assessed === 0) ? "–" : value!.toLocaleString("en");
        const values = columns.map((column) => cellOf(row[column]));
        const none = state === "AHEAD" ? "–" : (facilities - assessed).toLocaleString("en");
        const of = state === "AHEAD" ? "–" : `${assessed.toLocaleString("en")} of ${facilities.toLocaleString("en")}`;
        return tab === "mode" ? [...values, none, cellOf(assessed), of] : [...values, of];
      });
      const isEmpty = rows.every(({ assessed }) => assessed === 0);
      const where = `${level.name} ${tab} ${settings}`;
      await expect.poll(() => table.count(), { message: where }).toBe(isEmpty ? 0 : 1);
      if (isEmpty) continue;
      const shown = await rowsOf(table);
      expect(
        shown.map(([, ...figures]) => figures),
        where,
      ).toEqual(expected);
      const labels = rows.map(({ quarter: of, calMonth }) =>
        calMonth === null
          ? `QTR ${of}, ${quarters[of! - 1]} ${of === 1 ? year - 1 : year}`
          : `${months[(calMonth! + 2) % 12]} ${calMonth! >= 10 ? year - 1 : year}`,
      );
      const states = { ENDED: "", RUNNING: " (so far)", AHEAD: " (lies ahead)" };
      const state = (row: PeriodRow) =>
        row.assessed === 0 && `${row.state}` === "ENDED"
          ? ` (0 of ${row.facilities} assessed)`
          : states[`${row.state}` as keyof typeof states];
      expect(
        shown.map(([label]) => label),
        where,
      ).toEqual(labels.map((label, index) => label + state(rows[index]!)));
      compared += rows.length;
    }
    if (view === "monthly") return;
    for (const { tab, rest: name } of paramCharts) {
      await screen.open(`${level.path}?chart=${tab}${settings}`);
      const rows = await rest<ParamRow[]>(`dash/${level.chart(name, period, partner)}`);
      await expect.poll(() => table.count(), { message: `${level.name} ${tab}` }).toBe(rows.length > 0 ? 1 : 0);
      if (rows.length === 0) continue;
      const all = rows.reduce((sum, { value }) => sum + value, 0);
      const texts = rows.map(({ param, value }) => [param, `${value} (${Math.round((100 * value) / all)}\u00a0%)`]);
      const shown = await rowsOf(table);
      expect(shown).toHaveLength(rows.length);
      expect(shown).toEqual(expect.arrayContaining(texts));
      compared += rows.length;
    }
  };
  await compare(levels[0]!, { quarter: -1, view: "monthly", partner: -1 });
  await compare(levels[1]!, { quarter: 3, view: "quarterly", partner: partnerId });
  await compare(levels[2]!, { quarter: -1, view: "quarterly", partner: -1 });
  await compare(levels[3]!, { quarter: -1, view: "quarterly", partner: -1 });
  expect(compared).toBeGreaterThan(50);

  for (const level of levels) {
    await screen.open(`${level.path}?chart=summary`);
    const sheet = await rest<Record<string, number>>(`dash/summarySheet${level.sheet}`);
    const rows = await rowsOf(page.getByRole("table", { name: "Assessment Summary" }));
    const shown = Object.fromEntries(
      rows.flatMap(([name, ...counts]) =>
        ["Week", "Month", "Quarter"].map((span, index) => [
          `past${span}${name!.replaceAll(/\W/g, "")}`,
          counted(counts[index]!),
        ]),
      ),
    );
    expect(shown).toEqual(sheet);
    expect(rows.at(-1)![0]).toBe("Total");
  }
  screen.expectClean();
});

test("switching the view sends no request, changing year, quarter or partner sends one, and a reload shows the same", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  const rows = overview(page).locator("tbody tr");
  await screen.open("/provinces?chart=mode&table=1");
  await expect.poll(() => rows.count()).toBe(4);
  screen.calls();
  for (const [view, count] of [
    ["Monthly", 12],
    ["Quarterly", 4],
    ["Monthly", 12],
  ] as const) {
    await segments(page, "View").getByRole("radio", { name: view }).click();
    await expect.poll(() => rows.count()).toBe(count);
    await screen.settled();
    await expect
      .poll(() => overview(page).locator(".role-axis-label text").allTextContents())
      .toEqual(
        expect.arrayContaining(
          count === 4 ? ["QTR 1", "QTR 2", "QTR 3", "QTR 4"] : months.map((month) => month.toUpperCase()),
        ),
      );
  }
  expect(graphqlCalls(screen)).toEqual([]);

  for (const [label, value] of [
    ["Year", String(year - 1)],
    ["Quarter", "1"],
    ["Implementing partner", String(partnerId)],
  ] as const) {
    await control(page, label).selectOption(value);
    await screen.settled();
    // The partner also narrows the units beside the chart.
    const asked = graphqlCalls(screen).map((call) => /operationName=(\w+)/.exec(call)?.[1]);
    expect(asked.toSorted(), label).toEqual([
      "PeriodTabQuery",
      ...(label === "Implementing partner" ? ["SituationSectionQuery"] : []),
    ]);
  }
  await overview(page)
    .getByText(`FY ${year - 1} quarter 1: Oct to Dec ${year - 2}`)
    .waitFor();
  const state = async () => [
    await segment(page, "View"),
    await control(page, "Implementing partner").inputValue(),
    await control(page, "Year").inputValue(),
    await control(page, "Quarter").inputValue(),
    await overview(page).getByRole("tab", { selected: true }).innerText(),
    await rowsOf(overview(page).getByRole("table")),
  ];
  const before = await state();
  expect(before.slice(0, 5)).toEqual(["Monthly", String(partnerId), String(year - 1), "1", "Implementation Mode"]);
  await page.reload();
  await screen.settled();
  await expect.poll(() => state()).toEqual(before);

  // The settings hold for all charts of the block.
  await overview(page).getByRole("tab", { name: "Training Distribution" }).click();
  await screen.settled();
  await expect.poll(async () => (await state()).slice(0, 5)).toEqual([...before.slice(0, 4), "Training Distribution"]);
  await control(page, "Year").selectOption(String(year));
  await control(page, "Quarter").selectOption("-1");
  await overview(page).getByRole("button", { name: "Chart menu" }).click();
  await page.getByRole("button", { name: "Hide table" }).click();
  await overview(page).getByRole("table").waitFor({ state: "detached" });
  screen.expectClean();
});

test("a bar opens its facilities, by mouse or keys; the tooltip shows the total", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/provinces?chart=mode&table=1&figures=numbers");
  const [last] = (await rowsOf(overview(page).getByRole("table"))).slice(-1);
  const [, efirst, efast, elast, partial, notDeployed, notOperational, none, total] = last!;
  const link = await overview(page).locator("tbody tr").last().locator("a").nth(2).getAttribute("href");
  // Drawn row by row: the last bars of quarter 4 are E-Last, the three other modes and those not assessed.
  const bar = overview(page).locator(".mark-rect path").nth(-5);
  await bar.hover();
  const tooltip = page.locator("#vg-tooltip-element.visible");
  await tooltip.waitFor();
  await expect
    .poll(async () => (await tooltip.locator("tr").allInnerTexts()).map((row) => row.split(/\s+/)))
    .toEqual([
      ["E-First", efirst],
      ["E-Fast", efast],
      ["E-Last", elast],
      ["Partial", "Deployment", partial],
      ["SmartCare", "not", "deployed", notDeployed],
      ["Not", "operational", notOperational],
      ["Not", "assessed", none],
      ["Total", total],
      ["Of", total, "assessed"],
    ]);
  expect(await axe(page)).toEqual([]);
  await bar.click();
  await heading(page).filter({ hasText: "All Facilities (ELast)" }).waitFor();
  await screen.settled();
  await expect.poll(() => new URL(page.url()).hash).toBe(link);
  await expect
    .poll(() => page.locator("main").innerText())
    .toContain(`Facilities that were E-Last at their latest visit in FY ${year} quarter 4: Jul to Sep ${year}.`);
  await expect.poll(() => tooltip.count()).toBe(0);
  await page.goBack();
  await heading(page).filter({ hasText: "All Provinces" }).waitFor();
  await screen.settled();
  await expect.poll(() => overview(page).getByRole("tab", { selected: true }).innerText()).toBe("Implementation Mode");
  await bar.focus();
  await page.keyboard.press("ArrowRight");
  await expect
    .poll(() => page.locator("path:focus").getAttribute("aria-label"))
    .toContain(`Partial Deployment: ${partial}, ${total} assessed`);
  await tooltip.waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await heading(page).filter({ hasText: "All Facilities (ELast)" }).waitFor();
  await page.goBack();
  await heading(page).filter({ hasText: "All Provinces" }).waitFor();
  await screen.settled();
  // As percent, the figures stand in the bars: a click in the middle of a bar is on its figure.
  await segments(page, "Figures").getByRole("radio", { name: "Percent" }).click();
  await overview(page)
    .getByLabel(/E-Last: .*%/)
    .last()
    .click();
  await heading(page).filter({ hasText: "All Facilities (ELast)" }).waitFor();
  await screen.settled();
  screen.expectClean();
});

test("a key on an entry of the legend hides its series; the other bars still open their own lists", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/provinces?chart=mode");
  const entry = overview(page).getByRole("button", { name: "E-First", exact: true });
  const bars = (mode: string) => overview(page).locator(`.mark-rect path[aria-label*="${mode}"]`);
  await bars("E-First").first().waitFor();
  await entry.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => bars("E-First").count()).toBe(0);
  expect(await entry.getAttribute("aria-pressed")).toBe("false");
  await bars("E-Last").last().click();
  await heading(page).filter({ hasText: "All Facilities (ELast)" }).waitFor();
  await screen.settled();
  screen.expectClean();
});

test("the list of a bar of a mode that is not a present one stays a list when its period is cleared", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open(`/facilities/implementation/NotDeployed/all?year=${year}`);
  await page.getByRole("link", { name: "Clear the period" }).click();
  await heading(page).filter({ hasText: "All Facilities (NotDeployed)" }).waitFor();
  await screen.settled();
  const count = (await rest<unknown[]>("facility/mode/NotDeployed")).length;
  await expect
    .poll(() => page.locator("main").innerText())
    .toContain(count === 1 ? "1 facility" : `${count} facilities`);
  screen.expectClean();
});

test("Export Image opens a PNG of the chart at 1.5 times its size, and the menu saves an SVG, and the table as CSV and Excel", async () => {
  const screen = await screenAs(browser, gateway, "plain", { colorScheme: "dark" });
  const { page } = screen;
  for (const tab of ["functionality", "mode", "library"]) {
    await screen.open(`/provinces?chart=${tab}`);
    const opening = page.waitForEvent("popup");
    await overview(page).getByRole("button", { name: "Export Image" }).click();
    const picture = await opening;
    await picture.waitForLoadState();
    expect(picture.url()).toMatch(/^blob:/);
    const shown = await picture.evaluate(() => {
      const [image] = document.images;
      return { type: document.contentType, width: image!.naturalWidth, height: image!.naturalHeight };
    });
    expect(shown).toMatchObject({ type: "image/png", width: 960 * 1.5 });
    expect(shown.height).toBeGreaterThan(320 * 1.5);
    await picture.close();
  }
  const saved = async (entry: string) => {
    const saving = page.waitForEvent("download");
    await overview(page).getByRole("button", { name: "Chart menu" }).click();
    await page.getByRole("button", { name: entry }).click();
    return saving;
  };
  const table = (await readFile(await (await saved("Save table as CSV")).path(), "utf8")).trim().split("\r\n");
  const excel = await saved("Save table as Excel");
  expect(excel.suggestedFilename()).toMatch(/^Library Version Summary, .*\.xlsx$/);
  const book = await openWorkbook(await readFile(await excel.path()));
  const cells = (await book.firstRows(book.sheets[0]!, 100)).map((row) => row.cells.join(","));
  expect(cells).toEqual(table.map((line) => line.replaceAll('"', "")));
  const drawing = await saved("Save image as SVG");
  expect(drawing.suggestedFilename()).toMatch(/^Library-Version-Summary-.*\.svg$/);
  const text = await readFile(await drawing.path(), "utf8");
  expect(text).toMatch(
    /^<svg [^]*>Library version .* is the most frequent[^]*>Library Version Summary, National, FY [^]*<\/svg>$/,
  );
  // The browser's own page for an image sets an inline style, which the inherited content security policy refuses.
  screen.expectClean(/inline style .*\(blob:/);
});

test("charts fit and are readable on a phone and in the dark theme", async () => {
  const sides = "training&view=quarterly&compare=province-1.province-2";
  for (const { charts, ...options } of [
    { width: 390, colorScheme: "light", charts: ["functionality", "mode", "cores", "summary", "tdbs", sides] },
    { width: 1440, colorScheme: "dark", charts: ["mode", "tdbs", sides] },
  ] as const) {
    const screen = await screenAs(browser, gateway, "admin", options);
    const { page } = screen;
    for (const chart of charts) {
      await screen.open(`/provinces?chart=${chart}&table=1&view=monthly`);
      expect({ chart, layout: await layoutFaults(page), axe: await axe(page) }).toEqual({ chart, layout: [], axe: [] });
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll(".chart-drawing text")]
          .filter((text) => {
            const [inner, outer] = [
              text.getBoundingClientRect(),
              text.closest(".chart-drawing")!.getBoundingClientRect(),
            ];
            return (
              inner.left < outer.left - 1 ||
              inner.right > outer.right + 1 ||
              inner.top < outer.top - 1 ||
              inner.bottom > outer.bottom + 1
            );
          })
          .map((text) => text.textContent),
      );
      expect({ chart, cut }).toEqual({ chart, cut: [] });
    }
    screen.expectClean();
    await screen.close();
  }
});

type TdbUnit = { name: string; components: number; of: number; tdbCount: number; totalPatients: number };

test("TDB History shows the month to date, then the range between two dates; its facilities are for people who may read TDBs", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open("/provinces?chart=tdbs");
  const monthStart = `${today.slice(0, 7)}-01`;
  await expect
    .poll(async () => [await control(page, "Start").inputValue(), await control(page, "End").inputValue()])
    .toEqual([formatDate(monthStart), formatDate(today)]);

  const start = `${year - 1}-10-01`;
  await control(page, "Start").fill(today);
  await control(page, "End").fill(start);
  screen.calls();
  await page.getByRole("button", { name: "Refresh" }).click();
  await overview(page).locator("input[aria-invalid=true]").waitFor();
  await expect.poll(() => overview(page).getByRole("tabpanel").innerText()).toMatch(/end.*(before|after).*start/i);
  await control(page, "End").fill("");
  await overview(page).getByText("End is required").waitFor();
  expect(graphqlCalls(screen)).toEqual([]);
  await control(page, "Start").fill(start);
  await control(page, "End").fill(today);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => page.url()).toContain(`start=${start}`);
  await screen.settled();

  const units = await rest<TdbUnit[]>(`dash/tdbHistory/province/${start}/${today}`);
  const shownUnits = () => rowsOf(overview(page).getByRole("table", { name: /^TDBs by (province|district),/ }));
  const asShown = (rows: TdbUnit[]) =>
    rows.map(({ name, ...counts }) => [
      name,
      `${counts.components} of ${counts.of}`,
      ...[counts.tdbCount, counts.totalPatients].map((count) => count.toLocaleString("en")),
    ]);
  await expect.poll(() => shownUnits()).toEqual(asShown(units));
  const sent = units.reduce((sum, { components }) => sum + components, 0);
  expect(sent).toBeGreaterThan(10);
  const facilities = overview(page).getByRole("table", { name: /^TDBs by facility,/ });
  await expect.poll(() => rowsOf(facilities)).toHaveLength(10);
  await expect
    .poll(() =>
      overview(page).getByRole("navigation", { name: "Pages of TDBs by facility" }).getByRole("status").innerText(),
    )
    .toBe(`1–10 of ${sent}`);

  await overview(page).getByText("Districts", { exact: true }).click();
  await overview(page).getByRole("heading", { name: "TDBs by district" }).waitFor();
  await screen.settled();
  const districts = await rest<TdbUnit[]>(`dash/tdbHistory/district/${start}/${today}`);
  await expect.poll(() => shownUnits()).toEqual(asShown(districts.slice(0, 10)));
  await page.reload();
  await screen.settled();
  await expect.poll(() => control(page, "Start").inputValue()).toBe(formatDate(start));
  await expect.poll(() => shownUnits()).toEqual(asShown(districts.slice(0, 10)));

  // Within a province the rows are its districts, as in REST with provinceId.
  await screen.open(`${levels[1]!.path}?chart=tdbs&start=${start}&end=${today}`);
  const provinceId = levels[1]!.sheet.split("/").at(-1);
  const within = await rest<TdbUnit[]>(`dash/tdbHistory/district/${start}/${today}?provinceId=${provinceId}`);
  await expect.poll(() => shownUnits()).toEqual(asShown(within.slice(0, 10)));
  screen.expectClean();
  await screen.close();

  const plain = await screenAs(browser, gateway, "plain");
  await plain.open(`/provinces?chart=tdbs&start=${start}&end=${today}`);
  // A range of more than one month is not shown to people who may not read TDBs.
  await expect
    .poll(() => rowsOf(overview(plain.page).getByRole("table")))
    .toEqual(
      units.map(({ name, tdbCount }) => [
        name,
        ...Array.from({ length: 3 }, () => (tdbCount === 0 ? expect.any(String) : "Not shown")),
      ]),
    );
  await overview(plain.page)
    .getByText(/^Not shown: fewer than 3 facilities/)
    .waitFor();
  await expect.poll(() => overview(plain.page).getByRole("heading", { name: "TDBs by facility" }).count()).toBe(0);
  expect(graphqlCalls(plain).join()).not.toContain("TdbFacilitiesTableQuery");
  plain.expectClean();
});
