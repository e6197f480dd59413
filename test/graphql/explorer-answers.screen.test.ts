import { expect, test } from "vitest";

import { axe, layoutFaults, type Screen, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The explorer's documentation, the cost of a query, its answer as a table, and addresses of earlier versions. */

const [browser, gateway] = await screensOfFile();

async function explorerAs(
  login: string,
  options: Parameters<typeof screenAs>[3] = {},
  address = "/graphql",
): Promise<Screen> {
  const screen = await screenAs(browser, gateway, login, options);
  await screen.page.goto(`${gateway.url}${address}`);
  await screen.settled();
  return screen;
}
const button = ({ page }: Screen, name: string | RegExp) => page.getByRole("button", { name });
async function choose(screen: Screen, question: RegExp): Promise<void> {
  await button(screen, "Questions").click();
  await screen.page.getByRole("menuitem", { name: question }).click();
}
const cost = ({ page }: Screen) => page.locator(".explorer-cost");

test("the documentation can be searched by name, and opens what was found", async () => {
  const screen = await explorerAs("plain");
  const { page } = screen;
  await button(screen, "Show Documentation Explorer").click();
  await page.getByRole("combobox").fill("daysBetweenTdbs");
  const found = page.getByRole("option", { name: "TdbGroup.daysBetweenTdbs" });
  await found.waitFor();
  expect(await axe(page)).toEqual([]);
  await found.click();
  await page.locator(".graphiql-doc-explorer").getByText("Of each TDB in the group").first().waitFor();
  screen.expectClean();
});

test("the highest cost of a query is shown before it runs, its rows and cost afterwards", async () => {
  const screen = await explorerAs("viewer");
  await choose(screen, /How many facilities does each province have/);
  await cost(screen)
    .getByText(/^Costs up to \d+ of 100,000, for up to \d+ rows$/)
    .waitFor();
  await button(screen, "Execute query (Ctrl-Enter)").click();
  await cost(screen)
    .getByText(/^10 rows · cost \d+ of 100,000 · [\d,]+ ms$/)
    .waitFor();
  await screen.page.locator(".graphiql-query-editor .CodeMirror").click();
  await screen.page.keyboard.press("Control+A");
  await screen.page.keyboard.type(
    "{{ provinces(first: 100) {{ nodes {{ facilities(first: 100) {{ nodes {{ facilityName assessments(first: 100) {{ nodes {{ userName",
  );
  await expect.poll(() => cost(screen).getAttribute("data-failure")).toBe("true");
  screen.expectClean();
});

test("an answer is shown as a table that can be sorted", async () => {
  const screen = await explorerAs("viewer");
  const { page } = screen;
  await choose(screen, /How many facilities does each province have/);
  await button(screen, "Execute query (Ctrl-Enter)").click();
  const grid = page.getByRole("region", { name: "How many facilities does each province have" });
  await grid.getByRole("row").nth(10).waitFor();
  const facilities = () => grid.locator("tbody tr td:nth-child(2)").allTextContents();
  await grid.getByRole("button", { name: "facilities" }).click();
  await expect.poll(facilities).toEqual((await facilities()).toSorted((one, other) => Number(one) - Number(other)));
  await grid.getByRole("button", { name: "facilities" }).click();
  await expect
    .poll(() => grid.getByRole("columnheader", { name: "facilities" }).getAttribute("aria-sort"))
    .toBe("descending");
  expect([await layoutFaults(page), await axe(page)]).toEqual([[], []]);
  screen.expectClean();
});

test("an address of a chart of an earlier version shows its answer as a table", async () => {
  const query = "{ facilityGroups(by: [PROVINCE]) { province { name } facilities efirst } }";
  const chart = {
    "table.sort": "-facilities",
    "chart.kind": "map",
    "chart.by": "province.name",
    "chart.of": "facilities",
  };
  const screen = await explorerAs(
    "viewer",
    { width: 360, colorScheme: "dark" },
    `/graphql#${new URLSearchParams({ query, ...chart }).toString()}`,
  );
  const grid = screen.page.getByRole("region", { name: "Answer", exact: true });
  await grid.getByRole("row").nth(10).waitFor();
  expect(await grid.getByRole("columnheader").allTextContents()).toEqual([
    expect.stringContaining("province.name"),
    expect.stringContaining("facilities"),
    expect.stringContaining("efirst"),
  ]);
  expect([await layoutFaults(screen.page), await axe(screen.page)]).toEqual([[], []]);
  screen.expectClean();
});

test("an address never changes anything by itself", async () => {
  const query = "mutation { signOut { errors { path } } }";
  const screen = await explorerAs(
    "viewer",
    {},
    `/graphql#${new URLSearchParams({ query, "chart.kind": "bar" }).toString()}`,
  );
  await screen.page.locator(".graphiql-query-editor").getByText("signOut").waitFor();
  await screen.settled();
  expect(screen.calls().filter((call) => call.startsWith("/graphql") && call.includes("signOut"))).toEqual([]);
  screen.expectClean();
});

test("on a phone, a question is opened and its answer read by scrolling down only", async () => {
  const screen = await explorerAs("viewer", { width: 360 });
  const topOf = async (name: string | RegExp) => (await button(screen, name).boundingBox())!.y;
  expect(await topOf("Questions")).toBeLessThan(await topOf("Execute query (Ctrl-Enter)"));
  expect(await topOf("Execute query (Ctrl-Enter)")).toBeLessThan(844);
  await choose(screen, /How many sites have power/);
  await screen.page.locator(".graphiql-query-editor").getByText("PowerByQuarter").waitFor();
  await screen.page.keyboard.press("Control+Enter");
  await cost(screen)
    .getByText(/^4 rows/)
    .waitFor();
  // The grid scrolls, the page does not.
  expect(await screen.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  screen.expectClean();
});

test("an answer that cannot be shown as a table says why", async () => {
  const screen = await explorerAs(
    "viewer",
    {},
    `/graphql#${new URLSearchParams({ query: "{ provinces { nodes { name } } districts { nodes { name } } }", "chart.kind": "bar" }).toString()}`,
  );
  await screen.page
    .getByText("This answer is no table: its lists stand side by side (provinces, districts).")
    .waitFor();
  expect(await screen.page.getByRole("table").count()).toBe(0);
  screen.expectClean();
});
