import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { axe, layoutFaults, type Screen, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * The explorer: example questions, documentation, spreadsheets and saved queries, under the strict content security
 * policy.
 */

const [browser, gateway] = await screensOfFile();

async function explorerAs(
  login: string | null,
  options: Parameters<typeof screenAs>[3] = {},
  search = "",
): Promise<Screen> {
  const screen = await screenAs(browser, gateway, login, options);
  await screen.page.goto(`${gateway.url}/graphql${search}`);
  await screen.settled();
  return screen;
}
const button = ({ page }: Screen, name: string | RegExp) => page.getByRole("button", { name });
async function choose(screen: Screen, question: RegExp): Promise<void> {
  await button(screen, "Questions").click();
  await screen.page.getByRole("menuitem", { name: question }).click();
}
const answer = ({ page }: Screen) => page.locator(".graphiql-response .CodeMirror-code");
const query = ({ page }: Screen) => page.locator(".graphiql-query-editor .CodeMirror-code");

test.each([
  [1440, "light"],
  [390, "dark"],
] as const)(
  "is accessible and fits at %d pixels in the %s theme, with the documentation and the dialog open",
  async (width, colorScheme) => {
    const screen = await explorerAs("viewer", { width, colorScheme });
    expect(await layoutFaults(screen.page)).toEqual([]);
    await button(screen, "Show Documentation Explorer").click();
    await screen.settled();
    expect(await axe(screen.page)).toEqual([]);
    await button(screen, "Save query…").click();
    expect(await axe(screen.page)).toEqual([]);
    expect(await layoutFaults(screen.page)).toEqual([]);
    screen.expectClean();
  },
);

test("an example question opens from the menu and runs by keyboard, and Tab leaves the editor", async () => {
  const screen = await explorerAs("viewer");
  await choose(screen, /How many sites have power/);
  await screen.page.keyboard.press("Control+Enter");
  await screen.settled();
  await answer(screen).getByText("sumBackupPowerWorking").first().waitFor();
  await answer(screen).getByText('"cost"').first().waitFor();
  const focused = () =>
    screen.page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );
  await expect.poll(() => focused()).toBe("Query");
  await screen.page.keyboard.press("Tab");
  await expect.poll(() => focused()).not.toBe("Query");
  screen.expectClean();
});

test("the first query runs as it stands: its variables are filled in", async () => {
  const screen = await explorerAs("plain");
  await button(screen, /^Execute query/).click();
  await answer(screen).getByText('"cost"').first().waitFor();
  await screen.settled();
  expect(await answer(screen).innerText()).not.toContain('"errors"');
  expect(await answer(screen).innerText()).toContain('"facilities"');
  screen.expectClean();
});

test("the documentation links from a type to its fields and their descriptions", async () => {
  const screen = await explorerAs("viewer");
  await button(screen, "Show Documentation Explorer").click();
  const docs = screen.page.locator(".graphiql-doc-explorer");
  await docs.getByRole("link", { name: "Assessment", exact: true }).click();
  await docs.getByText("One visit's record of how the system runs at a facility.").waitFor();
  await docs.getByRole("link", { name: "functionalityStatusMode", exact: true }).click();
  await docs.getByRole("link", { name: "FunctionalityStatusMode", exact: true }).click();
  await docs.getByText("SmartCare not deployed").waitFor();
  await expect.poll(() => docs.getByText("E-First", { exact: true }).count()).toBe(1);
  screen.expectClean();
});

test("one page or all pages of an answer can be saved as a spreadsheet, also with a list within its rows", async () => {
  const screen = await explorerAs("viewer");
  await choose(screen, /Where do clinicians enter live/);
  const save = async (name: string) => {
    const [download] = await Promise.all([screen.page.waitForEvent("download"), button(screen, name).click()]);
    return {
      name: download.suggestedFilename(),
      lines: (await readFile(await download.path(), "utf8")).trim().split("\r\n"),
    };
  };
  const { totalCount } = (await (await gateway.as("viewer")).graphql("{ facilities(mode: EFirst) { totalCount } }"))
    .data.facilities;
  const page = await save("Open as spreadsheet (CSV)");
  expect([page.name, page.lines[0]]).toEqual([
    "EFirstSites.csv",
    "facilityName,hmisCode,district.name,province.name,implementingPartner.implementingPartner",
  ]);
  expect(page.lines).toHaveLength(Math.min(100, totalCount) + 1);
  await screen.page.getByText("The answer was saved as a spreadsheet.").waitFor();
  expect((await save("All pages (CSV)")).lines).toHaveLength(totalCount + 1);

  await choose(screen, /What did the last visits to a facility find/);
  // Each visit is a row that repeats the fields around it.
  const visits = await save("Open as spreadsheet (CSV)");
  expect(visits.lines[0]).toContain("assessments");
  expect(visits.lines.length).toBeGreaterThan(1);
  screen.expectClean();
});

test("a sign-out that did not reach the server is sent again before any other request", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await page.goto(gateway.url);
  await page.getByLabel("Username or email").fill("plain");
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign-out" }).waitFor();
  await screen.settled();
  await page.route("**/auth/logout", (route) => route.abort());
  await page.getByRole("button", { name: "Sign-out" }).click();
  await page.getByLabel("Username or email").waitFor();

  const requested = () => screen.calls().filter((call) => call !== "/graphql");
  requested();
  await page.goto(`${gateway.url}/graphql`);
  await page
    .getByRole("alert")
    .getByText("You have signed out on this device, and the server does not know it yet.")
    .waitFor();
  expect(await axe(page)).toEqual([]);
  expect(new Set(requested())).toEqual(new Set(["/api/v1/auth/logout"]));
  const { cookies } = await page.context().storageState();
  expect(cookies.map(({ name }) => name)).toContain("session");

  await page.unroute("**/auth/logout");
  await page.reload();
  await page.getByRole("alert").getByText("Please sign in to the platform first.").waitFor();
  expect(requested()[0]).toBe("/api/v1/auth/logout");
  screen.expectClean(/ERR_FAILED|401/);
});

test("a query can be saved, shared, opened by others from its address, changed and removed", async () => {
  const screen = await explorerAs("viewer");
  await choose(screen, /Which recent visits/);
  await button(screen, "Save query…").click();
  await screen.page.getByLabel("Name").fill("Visits that went wrong");
  await screen.page.getByLabel("What it answers").fill("For the Monday meeting");
  await screen.page.getByText("Share with everybody").click();
  expect(await screen.page.getByLabel("Share with everybody").isChecked()).toBe(true);
  await button(screen, /^Save$/).click();
  await screen.page.getByText(/“Visits that went wrong” is saved\. Its address: http/).waitFor();
  await screen.page.waitForURL(/\?saved=[0-9a-f-]{36}$/);
  const { search } = new URL(screen.page.url());

  const other = await explorerAs("assessor", {}, search);
  await query(other).getByText("NotFunctionalLately").waitFor();
  await other.page.getByText("Shared by viewer").waitFor();
  await expect.poll(() => button(other, "Remove Visits that went wrong").count()).toBe(0);
  await button(other, "Save query…").click();
  await expect.poll(() => button(other, "Save changes").count()).toBe(0);
  other.expectClean();
  await other.close();

  await screen.page.reload();
  await screen.settled();
  await button(screen, "Save query…").click();
  await screen.page.getByLabel("Name").fill("Failed visits");
  await button(screen, "Save changes").click();
  await screen.page.getByText("“Failed visits” is saved.").waitFor();
  await button(screen, "Remove Failed visits").click();
  await button(screen, "Really remove Failed visits").click();
  await screen.page.getByText("“Failed visits” was removed.").waitFor();
  await expect.poll(() => new URL(screen.page.url()).search).toBe("");
  screen.expectClean();
  await screen.close();

  const gone = await explorerAs("assessor", { width: 390 }, search);
  await gone.page.getByRole("alert").getByText("There is no such saved query.").waitFor();
  gone.expectClean(/404/);
  await gone.close();
  const stranger = await explorerAs(null);
  await stranger.page.getByRole("alert").getByText("Please sign in to the platform first.").waitFor();
  stranger.expectClean(/401/);
});
