import { inflateSync } from "node:zlib";

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { questionIn, queryOf } from "../../client/query/question.ts";
import { formatDate } from "../../client/ui/text/dates.ts";
import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * The quarterly report on screen and paper: made, commented, signed, listed. Its figures and rights are tested in
 * report.test.ts, the choice of place and partner in test/dash/scope.screen.test.ts.
 */

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
const { today } = bodyOf<{ today: string }>(await admin.get("/api/v1/system"));
const [year, month] = today.split("-").map(Number) as [number, number];
const running = month >= 10 ? { year: year + 1, quarter: 1 } : { year, quarter: Math.ceil(month / 3) + 1 };
const over =
  running.quarter === 1 ? { year: running.year - 1, quarter: 4 } : { ...running, quarter: running.quarter - 1 };
let partner: { id: number; name: string };
beforeAll(async () => {
  const rows = await gateway.sql<typeof partner>`
    select implementing_partner_id as id, name from implementing_partner join app_user using (implementing_partner_id) where user_name = 'manager'`;
  partner = rows[0]!;
  const questions = {
    "Works by province": "subject=sites&by=province&measure=works&order=lowest",
    "Visits by person": "subject=visits&by=person&measure=visits&range=LAST_12_MONTHS&order=highest",
  };
  for (const [name, address] of Object.entries(questions))
    await admin.graphql(
      "mutation ($input: CreateSavedQueryInput!) { createSavedQuery(input: $input) { errors { message } } }",
      { input: { name, query: queryOf(questionIn(new URLSearchParams(address))), shared: true } },
    );
});

const main = async (page: Page) => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
/** The pages of a PDF, as the operators that draw them. */
function pagesOf(pdf: Buffer): string[] {
  const text = pdf.toString("latin1");
  return [...text.matchAll(/\/Type \/Page\b(?!s)[^]*?\/Contents (\d+) 0 R/g)].map(([, id]) => {
    const head = new RegExp(`^${id} 0 obj\\s+<<[^>]*/Length (\\d+)[^>]*>>\\s+stream\\r?\\n`, "m").exec(text)!;
    const start = head.index + head[0].length;
    return inflateSync(pdf.subarray(start, start + Number(head[1]))).toString("latin1");
  });
}

test("a partner's manager makes, comments and signs the report of the partner; a reader opens it from the list", async () => {
  const screen = await screenAs(browser, gateway, "manager", { width: 1440 });
  const { page } = screen;
  await screen.open(`/reports?partner=${partner.id}`);
  await page.getByText("No report was saved here yet.").waitFor();
  await screen.open("/reports");
  await page.getByRole("link", { name: "New report" }).click();
  await page.waitForURL(`**/#/report?partner=${partner.id}`);
  await page.getByRole("button", { name: "Save, to comment and sign" }).click();
  await page.getByRole("heading", { level: 1, name: /^Quarterly report \d+$/ }).waitFor();
  const path = new URL(page.url()).hash.slice(1);
  const comment = page.getByLabel("Comment of the author (at most two sentences)");
  await comment.fill("One. Two. Three.");
  await page.getByRole("button", { name: "Save comment" }).click();
  await page.getByText("may have at most 2 sentences").waitFor();
  await comment.fill("Two sites were mended. The next visits go to the north.");
  await page.getByRole("button", { name: "Save comment" }).click();
  await page.getByText("The comment was saved").waitFor();
  const add = page.getByLabel("Add a saved question to this report");
  await add.selectOption({ label: "Visits by person" });
  await page.getByText("“Visits by person” cannot stand in a report").waitFor();
  await add.selectOption({ label: "Works by province" });
  const rows = page.getByRole("table", { name: "Works by province" }).locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(10);
  const shown = await rows.allInnerTexts();
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign report" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign report" }).click();
  await page.getByText(/^Signed by /).waitFor();
  expect(await comment.count()).toBe(0);
  await page.getByRole("heading", { level: 2, name: "Since then" }).waitFor();
  screen.expectClean();
  await screen.close();

  const reader = await screenAs(browser, gateway, "plain", { width: 390 });
  await reader.open("/reports");
  const row = reader.page.getByRole("row", { name: new RegExp(`National.*${partner.name}`) });
  await expect.poll(() => row.innerText()).toContain(`on ${formatDate(today)}`);
  expect(await row.innerText()).toContain(partner.name);
  await row.getByRole("link").click();
  await expect.poll(() => new URL(reader.page.url()).hash).toBe(`#${path}`);
  await reader.page.getByText("Two sites were mended. The next visits go to the north.").waitFor();
  const frozen = reader.page.getByRole("table", { name: "Works by province" }).locator("tbody tr");
  await expect
    .poll(async () => (await frozen.allInnerTexts()).map((row) => row.split(/\s+/)[0]))
    .toEqual(shown.map((row) => row.split(/\s+/)[0]));
  // The figures come first.
  const { y } = (await reader.page.getByRole("group", { name: "Sites assessed" }).boundingBox())!;
  expect(y).toBeLessThan(360);
  expect(await axe(reader.page)).toEqual([]);
  expect(await layoutFaults(reader.page)).toEqual([]);
  reader.expectClean();
});

test("page 1 of the print ends with the signature, on A4 in dark ink, and controls are not printed", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 1440, colorScheme: "dark" });
  const { page } = screen;
  // Data saving is on: a document fetches what it shows nevertheless.
  await page.addInitScript(() => localStorage.setItem("saving-data", "on"));
  await page.addInitScript(() => {
    // Without this, print would open a dialog of the browser that a test cannot close.
    window.print = () =>
      Object.assign(window, { printed: document.querySelectorAll(".report .situation-map-drawing a").length });
  });
  await screen.open(`/report?year=${over.year}&quarter=${over.quarter}`);
  await page.getByRole("button", { name: "Save, to comment and sign" }).click();
  const comment = page.getByLabel("Comment of the author (at most two sentences)");
  await comment.fill(
    `${"Long words of the author, ".repeat(9)}. ${"More words of the author, ".repeat(9)}`.slice(0, 500),
  );
  await page.getByRole("button", { name: "Sign report" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign report" }).click();
  await page.getByText(/^Signed by /).waitFor();
  await page.getByRole("button", { name: "Print or save as PDF" }).click();
  await expect
    .poll(() => page.evaluate(() => (window as Window & { printed?: number }).printed ?? 0))
    .toBeGreaterThan(5);
  // The signature and the heading after it are found in the PDF by colours that nothing else has.
  for (const [selector, colour] of [
    [".report-signature", "rgb(255, 0, 51)"],
    [".report > section:nth-of-type(2) h2", "rgb(0, 255, 51)"],
  ] as const)
    await page
      .locator(selector)
      .evaluate((element, value) => element.style.setProperty("background", value, "important"), colour);
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1"))!.map(Number);
  expect([Math.round(width!), Math.round(height!)]).toEqual([595, 842]);
  const pages = pagesOf(pdf);
  const pagesWith = (operator: RegExp) => pages.flatMap((operators, at) => (operator.test(operators) ? [at + 1] : []));
  expect([pagesWith(/\b1 0 \.2 rg\b/), pagesWith(/\b0 1 \.2 rg\b/)]).toEqual([[1], [2]]);
  expect(await page.title()).toMatch(/^Quarterly report \d+, National, FY \d{4} quarter \d: /);
  await page.emulateMedia({ media: "print" });
  const ink = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  await expect.poll(() => ink(".report-comment")).toBe("rgb(0, 0, 0)");
  for (const hidden of [".notifications", ".rail", ".page-head .bp6-button"])
    await expect.poll(() => page.locator(hidden).first().isVisible(), { message: hidden }).toBe(false);
  screen.expectClean();
});

test("the choices are kept in the address; a running quarter is a draft, and one ahead has no report", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  const choice = (label: string) => page.locator(".report-controls").getByLabel(label, { exact: true });
  await screen.open("/report");
  await expect.poll(() => main(page)).toContain(`FY ${over.year} quarter ${over.quarter}: `);
  await choice("Year").selectOption(String(over.year - 1));
  await choice("Quarter").selectOption({ label: "Quarter 2" });
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/report?year=${over.year - 1}&quarter=2`);
  await expect.poll(() => main(page)).toContain(`As on ${formatDate(`${over.year - 1}-03-31`)}, by the latest visit`);
  await screen.open(`/report?year=${running.year}&quarter=${running.quarter}`);
  await page.getByText("The quarter is not over: these are the figures of today.").waitFor();
  expect(await page.getByRole("button", { name: "Save, to comment and sign" }).count()).toBe(0);
  if (running.quarter < 4) {
    await screen.open(`/report?year=${running.year}&quarter=4`);
    await page.getByText(`This quarter lies ahead: it begins on 01 Jul ${running.year}`).waitFor();
  }
  screen.expectClean();
});

test("a draft of a running quarter says when it can be signed, and can be discarded; an unknown report is said to be none", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  await screen.open(`/report?year=${running.year}&quarter=${running.quarter}`);
  await page.getByRole("button", { name: "Save, to comment and sign" }).click();
  await page.getByText(/It can be signed after \d\d \w{3} \d{4}, the last day of the quarter\./).waitFor();
  expect(await page.getByRole("button", { name: "Sign report" }).count()).toBe(0);
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("heading", { level: 1, name: "Reports", exact: true }).waitFor();
  screen.expectClean();
  for (const path of ["/report/999999", "/report/none"]) {
    await screen.open(path);
    await page.getByText("There is no such report.").first().waitFor();
  }
  screen.expectClean(/./);
});

test("the map of a signed report has the districts of its day, also those that lie in another province today", async () => {
  const rows = await gateway.sql<{ provinceId: number; districtId: number }>`
    select district.province_id, min(district_id) as district_id from district join boundary using (district_id) group by 1 having count(*) > 2 limit 1`;
  const { provinceId, districtId } = rows[0]!;
  const act = async (name: string, input: object) => {
    const document = `mutation ($input: ${name === "saveReport" ? "SaveReport" : "ReportComment"}Input!) { done: ${name}(input: $input) { report { number } } }`;
    const { data } = await admin.graphql<{ done: { report: { number: number } } }>(document, { input });
    return data.done.report.number;
  };
  const number = await act("saveReport", { ...over, provinceId, comment: "" });
  await act("signReport", { number, comment: "" });
  const screen = await screenAs(browser, gateway, "plain");
  const names = async () => (await screen.page.locator(".map-name").allTextContents()).toSorted();
  await screen.open(`/report/${number}`);
  await screen.page.locator(".map-name").first().waitFor();
  const before = await names();
  const split = { name: "Parted", districtIds: [districtId] };
  expect((await admin.call("POST", `/api/v1/registry/place/province/${provinceId}/split`, split)).status).toBe(200);
  await screen.page.reload();
  await expect.poll(names).toEqual(before);
  screen.expectClean();
  await screen.close();
});

test("in a place without sites the report says why it has no figures", async () => {
  const rows = await gateway.sql<{ id: number }>`
    insert into district (name, province_id) select 'Empty', min(province_id) from province returning district_id as id`;
  const screen = await screenAs(browser, gateway, "viewer", { width: 1440 });
  await screen.open(`/report?districtId=${rows[0]!.id}`);
  await screen.page.getByText("No site belonged here on").waitFor();
  expect(await main(screen.page)).not.toMatch(/0 of 0|NaN/);
  screen.expectClean();
});
