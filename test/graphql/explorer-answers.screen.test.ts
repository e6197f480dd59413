import { readFile } from "node:fs/promises";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, layoutFaults, type Screen, screenAs } from "../support/browser.ts";
import { type TestGateway, testGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** The explorer's search in the documentation, the cost of a query, and its answer as a grid, a chart and a map. */

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await testGateway();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

async function explorerAs(login: string, options: Parameters<typeof screenAs>[3] = {}, address = "/graphql"): Promise<Screen> {
  const screen = await screenAs(browser, gateway, login, options);
  await screen.page.goto(`${gateway.url}${address}`);
  await screen.settled();
  return screen;
}
const button = ({ page }: Screen, name: string | RegExp) => page.getByRole("button", { name });
const cost = ({ page }: Screen) => page.locator(".explorer-cost");

test("the documentation can be searched by description and by terms of the field, and opens what was found", async () => {
  const screen = await explorerAs("plain");
  const { page } = screen;
  await button(screen, "Show Documentation Explorer").click();
  const places = page.getByRole("list", { name: "Places in the documentation" });
  for (const [text, place] of [["median", "GroupFigures.median"], ["E-First", "FacilityGroup.efirst"], ["gap", "TdbGroup.daysBetweenTdbs"]] as const) {
    await page.getByLabel("Search the documentation").fill(text);
    await places.getByText(place, { exact: true }).waitFor();
  }
  expect(await axe(page)).toEqual([]);
  await places.getByText("TdbGroup.daysBetweenTdbs", { exact: true }).click();
  await page.locator(".graphiql-doc-explorer").getByText("Of each TDB in the group").first().waitFor();
  await page.getByLabel("Search the documentation").fill("xyzzy");
  await page.getByText("Nothing is found for “xyzzy”.").waitFor();
  screen.expectClean();
  await screen.close();
});

test("ticking a field in the documentation adds it to the query, unticking removes it", async () => {
  const screen = await explorerAs("plain");
  const { page } = screen;
  await button(screen, "Show Documentation Explorer").click();
  await page.locator(".graphiql-query-editor .CodeMirror").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  const query = () => page.locator(".graphiql-query-editor .CodeMirror-code").innerText().then((text) => text.replaceAll(/[^\w{}]+/g, " ").replaceAll(/\b\d+\b/g, "").replaceAll(/\s+/g, " ").trim());
  const choose = (name: string) => page.getByRole("list", { name: /^Fields of / }).getByRole("checkbox", { name, exact: true });
  await page.getByText("Choose fields of Query", { exact: true }).click();
  await choose("provinces").check();
  await expect.poll(query).toContain("provinces { nodes { name } }");
  await page.getByLabel("Search the documentation").fill("districtId");
  await page.getByRole("list", { name: "Places in the documentation" }).getByText("District.districtId", { exact: true }).click();
  await page.getByText("Choose fields of District", { exact: true }).waitFor();
  await choose("districtId").check();
  await expect.poll(query).toContain("districts { nodes { districtId } }");
  await choose("name").check();
  expect(await axe(page)).toEqual([]);
  await button(screen, "Execute query (Ctrl-Enter)").click();
  await cost(screen).getByText(/cost \d+ of 100,000 · /).waitFor();
  await choose("districtId").uncheck();
  await expect.poll(query).not.toContain("districtId");
  await expect.poll(query).toContain("districts { nodes { name } }");
  screen.expectClean();
  await screen.close();
});

test("the highest cost of a query is shown before it runs, its rows and cost afterwards", async () => {
  const screen = await explorerAs("viewer");
  await button(screen, /How many facilities does each province have/).click();
  await cost(screen).getByText(/^Costs up to \d+ of 100,000, for up to \d+ rows$/).waitFor();
  await button(screen, "Execute query (Ctrl-Enter)").click();
  await cost(screen).getByText(/^10 rows · cost \d+ of 100,000 · [\d,]+ ms$/).waitFor();
  await screen.page.locator(".graphiql-query-editor .CodeMirror").click();
  await screen.page.keyboard.press("Control+A");
  await screen.page.keyboard.type("{{ provinces(first: 100) {{ nodes {{ facilities(first: 100) {{ nodes {{ facilityName assessments(first: 100) {{ nodes {{ userName");
  await expect.poll(() => cost(screen).getAttribute("data-failure")).toBe("true");
  screen.expectClean();
  await screen.close();
});

test("an answer is shown as a sortable grid, and as a chart that has a link and can be saved as a picture", async () => {
  const screen = await explorerAs("viewer");
  const { page } = screen;
  await button(screen, /How many facilities does each province have/).click();
  await button(screen, "Execute query (Ctrl-Enter)").click();
  const grid = page.getByRole("region", { name: "How many facilities does each province have" });
  await grid.getByRole("row").nth(10).waitFor();
  const facilities = () => grid.locator("tbody tr td:nth-child(2)").allTextContents();
  await grid.getByRole("button", { name: "facilities" }).click();
  await expect.poll(facilities).toEqual((await facilities()).toSorted((one, other) => Number(one) - Number(other)));
  await grid.getByRole("button", { name: "facilities" }).click();
  await expect.poll(() => grid.getByRole("columnheader", { name: "facilities" }).getAttribute("aria-sort")).toBe("descending");
  expect(await axe(page)).toEqual([]);

  await button(screen, "Draw as chart").click();
  const chart = page.getByRole("img", { name: /facilities, efirst.* by province\.name/ });
  await chart.locator("svg").waitFor();
  for (const kind of ["line", "share"]) {
    await page.getByLabel("Draw as").selectOption(kind);
    await chart.locator(`svg .mark-${kind === "line" ? "line" : "rect"}`).first().waitFor();
    await expect.poll(() => page.url()).toContain(`chart.kind=${kind}`);
  }
  await page.getByRole("checkbox", { name: "facilities", exact: true }).uncheck();
  const [picture] = await Promise.all([page.waitForEvent("download"), button(screen, "Save as picture (PNG)").click()]);
  expect([picture.suggestedFilename(), (await readFile(await picture.path())).subarray(1, 4).toString()]).toEqual([expect.stringMatching(/^How-many-facilities.*\.png$/), "PNG"]);
  expect(await axe(page)).toEqual([]);

  // Another person who opens the link sees the same chart, also on a phone.
  const link = await page.getByRole("link", { name: "Link to this chart" }).getAttribute("href");
  const other = await explorerAs("assessor", { width: 360, colorScheme: "dark" }, link!);
  await other.page.getByRole("img", { name: /: efirst, efast.* by province\.name/ }).locator("svg").waitFor();
  expect(await other.page.getByLabel("Draw as").inputValue()).toBe("share");
  expect([await layoutFaults(other.page), await axe(other.page)]).toEqual([[], []]);
  other.expectClean();
  await other.close();
  screen.expectClean();
  await screen.close();
});

test("an answer by province can be drawn as a map, which has a link and can be saved as a picture", async () => {
  const screen = await explorerAs("viewer");
  const { page } = screen;
  await button(screen, /How many facilities does each province have/).click();
  await button(screen, "Execute query (Ctrl-Enter)").click();
  await button(screen, "Draw as chart").click();
  await page.getByLabel("Draw as").selectOption("map");
  const map = page.getByRole("img", { name: /^How many facilities does each province have.*: map of facilities\. The figures are in the table\.$/ });
  await map.locator(".map-unit path").nth(9).waitFor();
  expect(await map.locator(".map-unit").count()).toBe(10);
  const drawn = await map.locator(".map-unit title").allTextContents();
  expect(drawn.every((text) => /^[\w-]+(?: [\w-]+)?: [\d,]+$/.test(text))).toBe(true);
  expect(await page.getByRole("list", { name: "Legend" }).getByRole("listitem").allTextContents().then((texts) => texts.reduce((sum, text) => sum + Number(/: (\d+)$/.exec(text)![1]), 0))).toBe(10);
  await page.getByRole("radio", { name: "efirst", exact: true }).check();
  await expect.poll(() => decodeURIComponent(page.url())).toContain("chart.kind=map&chart.by=province.name&chart.of=efirst");
  const [picture] = await Promise.all([page.waitForEvent("download"), button(screen, "Save as picture (PNG)").click()]);
  const bytes = await readFile(await picture.path());
  expect([picture.suggestedFilename(), bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual([expect.stringMatching(/^How-many-facilities.*\.png$/), "PNG", 1440]);
  expect(await axe(page)).toEqual([]);
  const link = await page.getByRole("link", { name: "Link to this chart" }).getAttribute("href");
  const other = await explorerAs("assessor", { width: 360, colorScheme: "dark" }, link!);
  await other.page.getByRole("img", { name: /: map of efirst/ }).locator(".map-unit path").nth(9).waitFor();
  expect([await layoutFaults(other.page), await axe(other.page)]).toEqual([[], []]);
  other.expectClean();
  await other.close();
  screen.expectClean();
  await screen.close();
});

test("facilities with coordinates are points on a map, and a note mentions those without", async () => {
  const query = "{ facilities(first: 100) { nodes { facilityName latitude longitude } } }";
  const screen = await explorerAs("viewer", {}, `/graphql#${new URLSearchParams({ query, "chart.kind": "map" }).toString()}`);
  const { facilities } = (await (await gateway.as("viewer")).graphql(query)).data;
  const placed = facilities.nodes.filter(({ latitude, longitude }: { latitude: number | null; longitude: number | null }) => latitude !== null && longitude !== null).length;
  const points = screen.page.locator(".answer-map ellipse");
  await expect.poll(() => points.count()).toBe(placed);
  expect(placed).toBeGreaterThan(0);
  expect(await screen.page.getByText(/^Not on the map: /).count()).toBe(placed < facilities.nodes.length ? 1 : 0);
  expect(await axe(screen.page)).toEqual([]);
  screen.expectClean();
  await screen.close();
});

test("on a phone, Execute is above the example questions", async () => {
  const screen = await explorerAs("viewer", { width: 360 });
  const topOf = async (name: string | RegExp) => (await button(screen, name).boundingBox())!.y;
  expect(await topOf("Execute query (Ctrl-Enter)")).toBeLessThan(await topOf(/Which functional E-First sites/));
  await button(screen, "Questions below").click();
  await button(screen, /How many sites have power/).click();
  await screen.page.locator(".graphiql-query-editor").getByText("PowerByQuarter").waitFor();
  await screen.page.keyboard.press("Control+Enter");
  await cost(screen).getByText(/^4 rows/).waitFor();
  // The grid scrolls, the page does not.
  expect(await screen.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  screen.expectClean();
  await screen.close();
});

test("an answer that cannot be shown as a table says why", async () => {
  const screen = await explorerAs("viewer", {}, `/graphql#${new URLSearchParams({ query: "{ provinces { nodes { name } } districts { nodes { name } } }", "chart.kind": "bar" }).toString()}`);
  await screen.page.getByText("This answer is no table: its lists stand side by side (provinces, districts).").waitFor();
  expect(await button(screen, "Draw as chart").count()).toBe(0);
  screen.expectClean();
  await screen.close();
});
