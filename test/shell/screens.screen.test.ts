import type { Page } from "playwright-core";
import { matchPath } from "react-router-dom";
import { expect, test } from "vitest";

import { namedScreens } from "../../client/screens.ts";
import { missingRightsMessage } from "../../gateway/access/access.rules.ts";
import {
  axeModerate as axe,
  hasFocus,
  lasting,
  layoutFaults,
  screenAs,
  type Screen,
  type ScreenOptions,
} from "../support/browser.ts";
import { bodyOf, type TestGateway } from "../support/gateway.ts";
import { patience } from "../support/patience.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * Every route of the specification in a real browser: with all rights and with none, wide and narrow, light and dark.
 */

/**
 * The records that the routes need: a facility with assessments and TDBs, its places and partner, users and imports.
 */
const find = async ({ db, as }: TestGateway) => {
  const facility = await db
    .selectFrom("facility")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .innerJoin("implementingPartner as partner", "partner.implementingPartnerId", "facility.implementingPartnerId")
    .innerJoin("assessment", "assessment.facilityUuid", "facility.facilityUuid")
    .innerJoin("tdb", "tdb.facilityUuid", "facility.facilityUuid")
    .where("partner.active", "=", true)
    .select(["facility.facilityUuid", "facility.facilityName", "province.provinceId", "province.name as province"])
    .select([
      "district.districtId",
      "district.name as district",
      "partner.implementingPartnerId",
      "partner.name as partner",
    ])
    .select("assessment.assessmentUuid")
    .orderBy("facility.facilityName")
    .limit(1)
    .executeTakeFirstOrThrow();
  const users = await db.selectFrom("appUser").select(["userName", "userUuid"]).execute();
  const list = await (
    await as("admin")
  ).call("POST", "/api/v1/registry/import", "name,province,district\nScreen Clinic,Nowhere,Nowhere\n", {
    "content-type": "text/csv",
  });
  const compared = await (
    await as("admin")
  ).call(
    "POST",
    "/api/v1/registry/reconciliations?source=Screens",
    "name,province,district\nScreen Clinic,Nowhere,Nowhere\n",
    { "content-type": "text/csv" },
  );
  return {
    ...facility,
    reconciliationUuid: bodyOf<{ uuid: string }>(compared).uuid,
    importUuid: bodyOf<{ uuid: string }>(list).uuid,
    userUuids: new Map(users.map(({ userName, userUuid }) => [userName, userUuid])),
  };
};

const [browser, gateway] = await screensOfFile();
const known = await find(gateway);

const heading = (page: Page) => page.locator("h1");
const notice = (page: Page, text: string) => page.locator(".notification", { hasText: text });

type Route = {
  path: string;
  /** The heading. */
  title: string;
  /** The document's title where it differs. */
  documentTitle?: string;
  /** Needs rights that `plain` does not have. */
  isGuarded?: boolean;
  /** The same screen as in the row before, with other texts: axe has checked it. It checks no screen of `plain` again. */
  isRepeated?: boolean | undefined;
};

function routesFor(login: string): Route[] {
  const {
    facilityUuid,
    facilityName,
    provinceId,
    province,
    districtId,
    district,
    implementingPartnerId: partnerId,
    partner,
  } = known;
  const byMode: Route[] = [
    ...["ELast", "EFast", "EFirst"].map((mode, index) => {
      return {
        path: `/facilities/implementation/${mode}/all`,
        title: `All Facilities (${mode})`,
        isRepeated: index > 0,
      };
    }),
    {
      path: `/facilities/implementation/ELast/province/${provinceId}`,
      title: `${province} Province - All Facilities (ELast)`,
    },
    { path: `/facilities/implementation/EFast/district/${districtId}`, title: `${district} - All Facilities (EFast)` },
    { path: `/facilities/implementation/EFirst/ip/${partnerId}`, title: `${partner} - All Facilities (EFirst)` },
  ];
  return [
    { path: "/", title: "Home" },
    { path: "/search", title: "Facility Search" },
    { path: "/provinces", title: "All Provinces" },
    { path: "/districts", title: "All Districts" },
    { path: `/districts/${provinceId}`, title: `${province} Province - All Districts` },
    { path: "/facilities", title: "All Facilities" },
    { path: `/facilities/district/${districtId}`, title: `${district} - All Facilities` },
    { path: `/facilities/province/${provinceId}`, title: `${province} Province - All Facilities` },
    ...byMode,
    { path: `/facility/${facilityUuid}`, title: facilityName },
    { path: "/ips", title: "Implementing Partners" },
    { path: `/ip/${partnerId}`, title: `Implementing Partner - ${partner}` },
    { path: "/tdb", title: "TDB Upload", isGuarded: true },
    { path: "/downloads", title: "Downloads", isGuarded: true },
    { path: "/fleet", title: "Fleet", isGuarded: true },
    { path: "/fleet?provinceId=1&state=stuck", title: "Fleet", isGuarded: true },
    { path: "/user", title: "User Profile" },
    { path: "/user/me", title: "User Profile", isRepeated: true },
    { path: `/user/${known.userUuids.get(login)}`, title: "User Profile" },
    { path: "/user/add", title: "Create new user", isGuarded: true },
    { path: "/user/new", title: "Create new user", isGuarded: true },
    { path: "/users", title: "Users" },
    { path: "/users/directory", title: "Users", isGuarded: true },
    { path: `/users/directory?search=a&partner=${partnerId}&account=active`, title: "Users", isGuarded: true },
    { path: "/audit", title: "Audit", isGuarded: true },
    { path: "/to-check", title: "To check", isGuarded: true },
    { path: "/checks", title: "Checks", isGuarded: true },
    { path: "/about/style", title: "Style", isGuarded: true },
    { path: "/questions", title: "Questions" },
    { path: "/glossary", title: "Glossary" },
    { path: "/setup", title: "Set up the country", isGuarded: true },
    { path: "/machines", title: "Machines", isGuarded: true },
    { path: "/registry", title: "Registry", isGuarded: true },
    { path: "/registry?tab=merges", title: "Registry", isGuarded: true },
    { path: "/registry?tab=districts", title: "Registry", isGuarded: true },
    { path: `/registry/place/province/${provinceId}`, title: `Registry: ${province}`, isGuarded: true },
    { path: "/registry/facility", title: "Add facility", isGuarded: true },
    { path: "/registry/imports", title: "Imports", isGuarded: true },
    { path: `/registry/imports/${known.importUuid}`, title: "Import: list.csv", isGuarded: true },
    { path: "/registry/reconciliations", title: "Reconciliation", isGuarded: true },
    {
      path: `/registry/reconciliations/${known.reconciliationUuid}`,
      title: "Reconciliation: Screens",
      isGuarded: true,
    },
    { path: `/registry/facility/${facilityUuid}`, title: `Registry: ${facilityName}`, isGuarded: true },
    { path: "/machines?tab=accounts", title: "Machines", isGuarded: true },
    { path: "/audit?who=admin&outcome=done", title: "Audit", isGuarded: true },
    { path: `/ip/${partnerId}?tab=users`, title: `Implementing Partner - ${partner}` },
    { path: "/user/nobody", title: "User not found" },
    { path: "/query/019aa000-0000-7000-8000-000000000000", title: "Saved query not found" },
    { path: "/field", title: "My week" },
    { path: "/worklist/stopped", title: "Work list: Stopped working" },
    { path: "/worklist", title: "Work list: Stopped working" },
    { path: "/worklist/silent", title: "Work list: Data overdue" },
    { path: "/about", title: "About" },
    { path: "/reports", title: "Reports" },
    {
      path: "/report?year=2026&quarter=1",
      title: "Quarterly report",
      documentTitle: "Quarterly report, National, All IPs, FY 2026 quarter 1: Oct to Dec 2025",
    },
    { path: "/report/99999", title: "Report not found" },
    {
      path: `/report?partner=${partnerId}&year=2026&quarter=4`,
      title: "Quarterly report",
      documentTitle: `Quarterly report, National, ${partner}, FY 2026 quarter 4: Jul to Sep 2026`,
    },
    { path: "/report?partner=99999", title: "Implementing partner not found", isRepeated: true },
    { path: "/report?provinceId=99999", title: "Province not found", isRepeated: true },
    { path: "/changes?since=2026-01-01", title: "What changed" },
    { path: "/changes?districtId=99999", title: "District not found", isRepeated: true },
    { path: `/assessment/facility/${facilityUuid}`, title: "Assessment", isGuarded: true },
    { path: `/assessment/facility/${facilityUuid}/${known.assessmentUuid}`, title: "Assessment", isGuarded: true },
    { path: "/no/such/path", title: "404 - Unknown Path", documentTitle: "404 Unknown Path" },
    // Links to records that do not exist, or with a malformed id.
    { path: "/districts/999999", title: "Province not found" },
    { path: "/districts/first", title: "Province not found", isRepeated: true },
    { path: "/facilities/province/999999", title: "Province not found", isRepeated: true },
    { path: "/facilities/district/999999", title: "District not found" },
    { path: "/facilities/implementation/ELast/ip/999999", title: "Implementing partner not found", isRepeated: true },
    { path: "/facilities/implementation/Unheard/all", title: "404 - Unknown Path", documentTitle: "404 Unknown Path" },
    { path: "/facility/no-such-facility", title: "Facility not found" },
    { path: "/ip/999999", title: "Implementing partner not found", isRepeated: true },
    ...[`/facilities/district/${districtId}`, `/facilities/province/${provinceId}`, "/facilities"].map((path) => ({
      path: `${path}?partner=99999`,
      title: "Implementing partner not found",
      isRepeated: true,
    })),
  ];
}

/** The faults of the open screen. */
async function faultsOf(
  { page, troubles }: Screen,
  { title, documentTitle = title, isRepeated = false }: Omit<Route, "path">,
): Promise<string[]> {
  const isThere = heading(page).filter({ hasText: title }).waitFor({ timeout: patience });
  const arrived = await isThere.then(
    () => true,
    () => false,
  );
  const seen = await lasting(async () => {
    const [headings, shown, note, misnamed] = await Promise.all([
      heading(page).allInnerTexts(),
      page.title(),
      page.getByText("Demonstration: all facilities, people and figures are made up.").count(),
      // A label around Blueprint's select takes in the name of its arrow.
      page.getByRole("combobox", { name: /Open dropdown/ }).count(),
    ]);
    return [
      ...(arrived && headings.length === 1 && headings[0] === title
        ? []
        : [`headings ${JSON.stringify(headings)} in place of "${title}"`]),
      ...(shown === documentTitle ? [] : [`the document's title is "${shown}" in place of "${documentTitle}"`]),
      ...(note === 1 ? [] : ["nothing says that the data is made up"]),
      ...(misnamed === 0 ? [] : [`${misnamed} choices are named after their arrow, too`]),
    ];
  });
  return [...seen, ...(await layoutFaults(page)), ...(isRepeated ? [] : await axe(page)), ...troubles()];
}

/**
 * Checks the message about missing rights and closes it, so that the next one is new; then checks that Home is open.
 */
async function refusalFaults({ page }: Screen): Promise<string[]> {
  const message = notice(page, missingRightsMessage);
  const isShown = await message.waitFor({ timeout: patience }).then(
    () => true,
    () => false,
  );
  if (!isShown) return ["the message about missing rights was not shown"];
  await message.getByRole("button", { name: "Close" }).click();
  await message.waitFor({ state: "detached" });
  return new URL(page.url()).hash === "#/" ? [] : [`not sent home, but to ${page.url()}`];
}

async function walk(login: string, options: ScreenOptions): Promise<Record<string, string[]>> {
  const screen = await screenAs(browser, gateway, login, options);
  const faults: Record<string, string[]> = {};
  for (const route of routesFor(login)) {
    const isRefused = login === "plain" && route.isGuarded;
    // A refusal is the same at each width.
    if (isRefused && options.width !== 390) continue;
    await screen.open(route.path);
    const found = isRefused
      ? [...(await refusalFaults(screen)), ...(await faultsOf(screen, { title: "Home", isRepeated: true }))]
      : await faultsOf(screen, { ...route, isRepeated: route.isRepeated || login === "plain" });
    if (found.length > 0) faults[`${route.path} as ${login}`] = found;
  }
  await screen.close();
  return faults;
}

test("routesFor lists a path for each screen of client/screens.ts", () => {
  const paths = routesFor("admin").map(({ path }) => path.split("?")[0]!);
  expect(
    namedScreens.flatMap(([name, { path: pattern }]) => (paths.some((path) => matchPath(pattern, path)) ? [] : [name])),
  ).toEqual([]);
});

test("a screen whose entry in the menu needs a right is listed as guarded", () => {
  const guarded = new Set(
    routesFor("admin")
      .filter(({ isGuarded }) => isGuarded)
      .map(({ path }) => path),
  );
  const needing = namedScreens.filter(([, { menu }]) => menu?.needs ?? menu?.opensWith).map(([, { path }]) => path);
  // Open to everybody: other screens link to it.
  expect(needing.filter((path) => !guarded.has(path))).toEqual(["/field"]);
});

test.each([1440, 390] as const)(
  "every route is without faults at %i pixels, as admin and as plain: titles, rights, console, axe, layout",
  async (width) => {
    const [light, dark] = width === 1440 ? (["admin", "plain"] as const) : (["plain", "admin"] as const);
    const [one, other] = await Promise.all([
      walk(light, { width, colorScheme: "light" }),
      walk(dark, { width, colorScheme: "dark" }),
    ]);
    expect({ ...one, ...other }).toEqual({});
  },
);

test.each([
  ["//", "Home"],
  ["/\\", "Home"],
  ["//?tab=x", "Home"],
  ["//provinces", "All Provinces"],
  ["//no.example/x", "404 - Unknown Path"],
])("an address that begins with more than one slash (%s) opens %s, also from another screen", async (path, title) => {
  const screen = await screenAs(browser, gateway, "plain");
  for (const before of ["about:blank", `${gateway.url}/#/glossary`]) {
    await screen.page.goto(before);
    await screen.open(path);
    await expect.poll(() => heading(screen.page).allInnerTexts(), { message: before }).toEqual([title]);
  }
  screen.expectClean();
});

test("on a tablet and on the smallest phone a page with a wide table does not scroll sideways", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  for (const width of [768, 320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of [
      "/facilities",
      "/user?tab=allTdbs",
      `/ip/${known.implementingPartnerId}?tab=tdbs`,
      "/downloads",
      "/tdb",
      "/audit",
    ]) {
      await screen.open(path);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `${path} at ${width}` })
        .toBe(width);
    }
  }
});

test("the frame has its menu, footer, pages, and a theme that survives a reload", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/");
  const menu = page.getByRole("navigation", { name: "Main menu" });
  await expect
    .poll(() => menu.locator("a, button").allInnerTexts())
    .toEqual([
      ...["Home", "Provinces", "Districts", "IP's", "What changed", "Reports"],
      ...["Search", "Facilities", "Work list", "Prepare for the field"],
      ...["TDB Upload", "Downloads", "Fleet", "Questions"],
      ...["User", "Users", "Audit", "To check", "Machines", "Registry", "About"],
      "Sign-out",
    ]);
  for (const [group, first] of [
    ["Overview", "Home"],
    ["Sites", "Search"],
    ["Data", "TDB Upload"],
    ["Administration", "User"],
  ] as const)
    await menu.getByRole("group", { name: group }).getByRole("link", { name: first, exact: true }).waitFor();
  const icons = await menu.locator("a svg path").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  expect(new Set(icons).size).toBe(icons.length);
  await expect.poll(() => page.locator("main").innerText()).toMatch(/welcome.*menu.*top\s+left/is);
  const footer = page.getByRole("contentinfo");
  await expect.poll(() => footer.innerText()).toMatch(/^© \d{4} Ministry of Health\. Designed by /);
  await expect.poll(() => footer.getByRole("link").count()).toBe(2);

  for (const [entry, title] of [
    ["Search", "Facility Search"],
    ["Provinces", "All Provinces"],
    ["IP's", "Implementing Partners"],
  ] as const) {
    await menu.getByRole("link", { name: entry }).click();
    await heading(page).filter({ hasText: title }).waitFor();
    await expect.poll(() => menu.locator("[aria-current=page]").innerText()).toBe(entry);
    await expect
      .poll(() =>
        heading(page).evaluate(
          (element) => element === document.activeElement || document.activeElement instanceof HTMLInputElement,
        ),
      )
      .toBe(true);
  }

  await screen.open("/about");
  const rows = await page.getByRole("table", { name: "System information" }).locator("tr").allInnerTexts();
  expect(rows.map((row) => row.split("\t")[0])).toEqual([
    "App name",
    "App version",
    "Patch level",
    "Java version",
    "Java vendor",
  ]);
  await expect.poll(() => page.locator("main").innerText()).toMatch(/Contact[^]*Ministry of Health[^]*Background/);
  await screen.open("/nowhere");
  await expect.poll(() => page.locator("main").innerText()).toContain("Unknown or invalid URL supplied");
  await screen.open("/users");
  await expect
    .poll(async () => (await page.locator("main").innerText()).replace("Users", "").trim())
    .toMatch(/^(\.\.\.|…)$/);

  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("bp6-dark"));
  await expect.poll(() => isDark()).toBe(false);
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect.poll(() => isDark()).toBe(true);
  await page.reload();
  await screen.settled();
  await expect.poll(() => isDark()).toBe(true);
  screen.expectClean();
});

test("a page sends no query twice, and going back to it sends none", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  await screen.open(`/districts/${known.provinceId}`);
  const operations = screen.calls().map((call) => /operationName[=":]+(\w+)/.exec(call)?.[1] ?? call);
  expect(operations).toEqual([...new Set(operations)]);
  await screen.open("/about");
  screen.calls();
  await screen.page.goBack();
  await heading(screen.page).filter({ hasText: known.province }).waitFor();
  await screen.settled();
  expect(screen.calls()).toEqual([]);
});

/**
 * Presses "Try again" if it is still there. On a busy machine the screen may have filled itself before: waiting for the
 * button would then never end.
 */
const tryAgain = (within: Pick<Page, "getByRole">) =>
  within.getByRole("button", { name: "Try again" }).evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click();
  });

test("screens show that they load or failed, and a failure can be tried again", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/facilities");

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/graphql*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${gateway.url}/#/ips`);
  await page.getByRole("status").filter({ hasText: "Loading…" }).waitFor();
  await expect.poll(() => heading(page).innerText()).toBe("Implementing Partners");
  release();
  await page.getByRole("table").waitFor();
  await page.unroute("**/graphql*");
  screen.expectClean();

  await page.route("**/graphql*", (route) => route.abort());
  await page.goto(`${gateway.url}/#/facilities/district/${known.districtId}`);
  const failure = page.getByRole("alert").filter({ hasText: "The server cannot be reached." });
  await failure.waitFor();
  await heading(page).filter({ hasText: "This could not be loaded" }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.unroute("**/graphql*");
  await tryAgain(failure);
  await heading(page)
    .filter({ hasText: `${known.district} - All Facilities` })
    .waitFor();
  await screen.settled();

  // The overview fails on its own, beside a list that does not.
  await page.route("**/graphql*", (route) =>
    route.request().url().includes("ParamTabQuery") ? route.abort() : route.continue(),
  );
  await page.getByRole("tab", { name: "Library Version Summary" }).click();
  const panel = page.getByRole("tabpanel", { name: "Library Version Summary" });
  await panel.getByRole("alert").waitFor();
  await expect.poll(() => heading(page).innerText()).toBe(`${known.district} - All Facilities`);
  await page.unroute("**/graphql*");
  await tryAgain(panel);
  await panel.getByRole("group", { name: "Bar chart: Library Version Summary" }).waitFor();

  // The server cannot be reached when the page is opened.
  await page.route("**/graphql*", (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.unroute("**/graphql*");
  await tryAgain(page);
  await heading(page)
    .filter({ hasText: `${known.district} - All Facilities` })
    .waitFor();
  await screen.settled();

  // A part of the client cannot be fetched.
  await page.route("**/assets/**", (route) => route.abort());
  await page.goto(`${gateway.url}/#/about`);
  await heading(page).filter({ hasText: "There is no connection" }).waitFor();
  await expect.poll(() => page.getByRole("navigation", { name: "Main menu" }).isVisible()).toBe(true);
  expect(await axe(page)).toEqual([]);
  await page.unroute("**/assets/**");
  await tryAgain(page);
  await heading(page).filter({ hasText: "About" }).waitFor();

  // It opens by itself when the network is back.
  await page.context().setOffline(true);
  await page.evaluate(() => (location.hash = "#/search"));
  await heading(page).filter({ hasText: "There is no connection" }).waitFor();
  await page.context().setOffline(false);
  await heading(page).filter({ hasText: "Facility Search" }).waitFor();
  screen.expectClean(/net::ERR_FAILED|net::ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/);
});

test("a tab or a dialog that cannot be fetched leaves its screen as it is, and is fetched on the next attempt", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open(`/facilities/district/${known.districtId}`);
  await screen.settled();
  await page.route("**/assets/**", (route) => route.abort());
  await page.getByRole("tab", { name: "Assessment Summary" }).click();
  const failure = page.getByRole("tabpanel").getByRole("alert").filter({ hasText: "The server cannot be reached." });
  await failure.waitFor();
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByRole("button", { name: "Export assessments" }).click();
  await notice(page, "The server cannot be reached.").waitFor();
  await expect.poll(() => heading(page).allInnerTexts()).toEqual([`${known.district} - All Facilities`]);
  await page.unroute("**/assets/**");
  await tryAgain(failure);
  await page.getByRole("table", { name: "Assessment Summary" }).waitFor();
  await page.getByRole("button", { name: "Export assessments" }).first().click();
  await page.getByRole("dialog", { name: "Export assessments" }).waitFor();
  screen.expectClean(/net::ERR_FAILED|Failed to fetch dynamically imported module/);
});

test("empty lists and charts say so, and no data is drawn", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  const main = page.locator("main");
  await screen.open("/facilities?page=9999");
  await expect.poll(() => main.innerText()).toContain("The list ends before this page.");
  await screen.open("/facilities?search=zzqqxxyy");
  await expect.poll(() => main.innerText()).toContain("No facility of this list has such a name or code.");
  const year = new Date().getFullYear() - 7;
  for (const [tab, words] of [
    ["functionality", "No assessments in this period"],
    ["mode", "No assessments in this period"],
    ["cores", "No TDBs in this period"],
  ]) {
    await screen.open(`/provinces?chart=${tab}&chartYear=${year}`);
    await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain(words);
    await expect.poll(() => page.locator(".chart-drawing").count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Export Image" }).isDisabled()).toBe(true);
  }
  await screen.open("/provinces?chart=tdbs&start=2019-01-01&end=2019-01-31");
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain("No TDBs in this period");
  // The partner that a chart was narrowed to does not exist.
  await screen.open("/provinces?chart=mode&partner=999999");
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toContain("There is no such implementing partner.");
  screen.expectClean();
});

test("by keyboard: the skip link works, and arrow keys change the tab", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  await screen.open("/provinces");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused()).toBe("Skip to content");
  const link = await page.getByRole("link", { name: "Skip to content" }).boundingBox();
  expect(link!.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/provinces");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Province");

  const selected = page.getByRole("tab", { selected: true });
  await page.getByRole("tab", { name: "Functionality Status" }).focus();
  for (const [key, name] of [
    ["ArrowRight", "Training Distribution"],
    ["ArrowRight", "Implementation Mode"],
    ["ArrowLeft", "Training Distribution"],
    ["End", "Overdue Sites"],
    ["ArrowRight", "Functionality Status"],
    ["ArrowLeft", "Overdue Sites"],
    ["Home", "Functionality Status"],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole("tab", { name, selected: true }).waitFor();
    await expect
      .poll(async () => [await focused(), await selected.innerText(), await selected.count()])
      .toEqual([name, name, 1]);
    await page.getByRole("tabpanel", { name }).waitFor();
  }
  // The Tab key stops once for all tabs; the next stop is in the panel.
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("[role=tabpanel]") !== null)).toBe(true);
  await screen.settled();
  screen.expectClean();
});

test("by keyboard: a dialog focuses its title, Escape closes it and returns the focus; a busy control keeps the focus", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  const uuid = known.userUuids.get("assessor")!;
  for (const [path, button, role, title] of [
    [`/facility/${known.facilityUuid}`, "Edit", "dialog", `Edit ${known.facilityName}`],
    [`/facility/${known.facilityUuid}`, "Export assessments", "dialog", "Export assessments"],
    ["/downloads", "Add file", "dialog", "Add file"],
    [`/user/${uuid}`, "Edit", "dialog", "assessor - Settings"],
    [`/user/${uuid}`, "Deactivate", "alertdialog", "Deactivate"],
  ] as const) {
    await screen.open(path);
    await page.getByRole("button", { name: button, exact: true }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole(role, { name: title, exact: true });
    await dialog.waitFor();
    await expect.poll(focused).toBe(title);
    await expect.poll(() => dialog.getByRole("button", { name: /^(Close|Cancel)$/ }).count()).toBe(1);
    await screen.settled();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(focused).toBe(button);
  }

  await page.getByRole("button", { name: "Refresh" }).focus();
  await page.keyboard.press("Enter");
  await screen.settled();
  await expect.poll(() => focused()).toBe("Refresh");
  const given = page.getByLabel("Upload TDBs");
  const before = await given.isChecked();
  await given.focus();
  for (const wanted of [!before, before]) {
    await page.keyboard.press("Space");
    await expect.poll(() => given.isChecked()).toBe(wanted);
    await screen.settled();
  }
  screen.expectClean();
});

test("by keyboard: the phone's menu opens, holds the focus and closes", async () => {
  const screen = await screenAs(browser, gateway, "plain", { width: 390 });
  const { page } = screen;
  await screen.open("/");
  const button = page.getByRole("button", { name: "Menu", exact: true });
  const drawer = page.getByRole("dialog", { name: "Menu" });
  const isFocused = () => button.evaluate((element) => element === document.activeElement);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect.poll(() => isFocused()).toBe(true);
  await page.keyboard.press("Enter");
  await drawer.waitFor();
  const holdsFocus = () => drawer.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(holdsFocus).toBe(true);
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await expect.poll(isFocused).toBe(true);

  await page.keyboard.press("Enter");
  await drawer.waitFor();
  const districts = drawer.getByRole("link", { name: "Districts" });
  for (
    let stops = 0;
    stops < 12 && !(await districts.evaluate((element) => element === document.activeElement));
    stops += 1
  ) {
    await page.keyboard.press("Tab");
    await expect.poll(() => holdsFocus(), { message: "the focus stays in the menu" }).toBe(true);
  }
  await page.keyboard.press("Enter");
  await heading(page).filter({ hasText: "All Districts" }).waitFor();
  await drawer.waitFor({ state: "detached" });
  await hasFocus(heading(page));
  await screen.settled();
  screen.expectClean();
});
