import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { keptRecords, letTimePass } from "../assessment/kept-records.ts";
import { axe, layoutFaults, type Screen, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillVisit, goToStep, saveOffline, saveVisit, sentBy, signOutUnsent } from "../support/visitForm.ts";

/** My week: the sites that were taken along, and what became of each visit, for 30 days. */

type Site = { facilityUuid: string; facilityName: string; hmisCode: string };

let district: { name: string; label: string };
/** Three sites of one district, each with a name of its own, from west to east. */
let sites: [Site, Site, Site];

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const rows = await gateway.sql<{ districtId: number; district: string; provinceId: number; province: string }>`
    select district_id, d.name as district, province_id, p.name as province
    from district d join province p using (province_id) order by district_id limit 1`;
  const { districtId, provinceId, ...names } = rows[0]!;
  district = { name: names.district, label: `${names.district} (${names.province})` };
  const added = ["Zebra", "Kudu", "Impala"].map((name, place) => ({
    ...{ facilityUuid: `week-${name}`, facilityName: `${name} Ridge Clinic`, hmisCode: `9595950${place}` },
    ...{ provinceId, districtId, latitude: -13.1, longitude: 27 + place },
  }));
  await gateway.db.insertInto("facility").values(added).execute();
  const [zebra, kudu, impala] = added;
  sites = [zebra!, kudu!, impala!];
});

const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/;
const lines = (page: Page) => page.locator(".site-line");
const lineOf = (page: Page, { facilityName }: Site) => lines(page).filter({ hasText: facilityName });
const typed = (page: Page) => page.getByLabel("Find a site by name, code or district");
const faults = async (page: Page) => [await axe(page), await layoutFaults(page)];
/** What is too small for a finger or cut off on phones of 390 and 320 pixels, and rows of more than 72 pixels. */
async function phoneFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    // A narrower phone breaks the lines where the letters of a reference are wide.
    const most = width === 390 ? 72 : 90;
    found.push(
      ...(await page.evaluate((mostHeight) => {
        const shown = (selector: string) =>
          [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.offsetHeight > 0);
        const say = (what: string) => (element: HTMLElement) => `${what}: ${element.innerText} ${element.offsetHeight}`;
        const isCut = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth > clientWidth;
        return [
          ...shown(":is(main, aside, .top-bar) :is(button, summary, select, .site-line a)")
            .filter(({ offsetHeight }) => offsetHeight < 44)
            .map(say("low")),
          ...shown(".site-line-more").filter(isCut).map(say("cut")),
          ...shown(".site-line")
            .filter(({ offsetHeight }) => offsetHeight > mostHeight)
            .map(say("high")),
        ];
      }, most)),
      ...(await layoutFaults(page)),
    );
  }
  return found;
}
/** Moves within the page, so that it works without network too. */
const go = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash);

async function takeAlong({ page, open, settled }: Screen): Promise<void> {
  await open("/field");
  await page.getByLabel("What to download").selectOption({ label: "A district" });
  await page.getByLabel("District", { exact: true }).selectOption({ label: district.label });
  await page.getByRole("button", { name: "Download" }).click();
  await lineOf(page, sites[0]).waitFor();
  await settled();
}

/** Signs in with a session of its own: signing out ends it. */
async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or email").fill(login);
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
}

/** Opens the form of a site from its line, and fills it in until the device has a draft. */
async function draft(page: Page, site: Site, comments: string): Promise<void> {
  await go(page, "/field");
  await lineOf(page, site).getByRole("link", { name: site.facilityName }).first().click();
  await fillVisit(page, comments);
}

test("sites are found by name, code and district without network, and sorted by distance", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390, keepsApplication: true });
  const { page } = screen;
  await page.context().setGeolocation({ latitude: -13.1, longitude: 29.01, accuracy: 10 });
  await page.context().grantPermissions(["geolocation"], { origin: gateway.url });
  await takeAlong(screen);
  await expect
    .poll(() =>
      page
        .getByRole("status")
        .filter({ hasText: /^Ready:/ })
        .count(),
    )
    .toBe(1);
  expect(await faults(page)).toEqual([[], []]);

  await page.context().setOffline(true);
  const all = await lines(page).count();
  const [zebra, kudu, impala] = sites;
  for (const text of ["kudu ridge", kudu.hmisCode]) {
    await typed(page).fill(text);
    await expect.poll(() => lines(page).count()).toBe(1);
    await lineOf(page, kudu).waitFor();
  }
  await typed(page).fill(district.name);
  await expect.poll(() => lines(page).count()).toBe(all);
  await typed(page).fill("no such site");
  await page.getByText('No site here has "no such site" in its name, code or district.').waitFor();

  await typed(page).fill("ridge clinic");
  await page.getByRole("button", { name: "Sort by distance" }).click();
  await page.getByText("3 sites, nearest first").waitFor();
  expect(await page.locator(".site-line-name").allInnerTexts()).toEqual(
    [impala, kudu, zebra].map(({ facilityName }) => facilityName),
  );
  // A hundredth of a degree of longitude at this latitude.
  await lineOf(page, impala).getByText("1.1 km", { exact: true }).waitFor();
  expect(await faults(page)).toEqual([[], []]);

  for (const line of await lines(page).all()) {
    const { height } = (await line.boundingBox())!;
    expect(height).toBeLessThanOrEqual(72);
    for (const link of await line.getByRole("link").all()) {
      const box = (await link.boundingBox())!;
      expect([box.height >= 44, box.width >= 44], await link.innerText()).toEqual([true, true]);
    }
  }
  const controls = [typed(page), page.getByLabel("Show"), page.getByRole("button", { name: "Sort by distance" })];
  for (const control of [...controls, page.locator(".field-ready > summary")])
    expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(44);

  // Opened without network, the application begins here; Home is still one press away.
  await page.goto(gateway.url);
  await lineOf(page, zebra).waitFor();
  await page.getByRole("heading", { level: 1, name: "My week" }).waitFor();
  await go(page, "/");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  screen.expectClean(offline);
});

test("a device that may not say where it is says what helps, and the list stays", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  await takeAlong(screen);
  await page.getByRole("button", { name: "Sort by distance" }).click();
  await page.getByText("This browser may not read your position.").waitFor();
  await expect.poll(() => lineOf(page, sites[1]).count()).toBe(1);
  expect(await faults(page)).toEqual([[], []]);
});

test("a visit is to do, draft, waiting and received, with its receipt, for 30 days", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  const [first, second] = sites;
  await takeAlong(screen);
  await expect.poll(() => lineOf(page, first).getByText("To do").count()).toBe(1);

  await draft(page, first, `Through the outbox, 390`);
  await go(page, "/field");
  await lineOf(page, first)
    .getByText(/Draft of \d\d:\d\d$/)
    .waitFor();
  await lineOf(page, first).getByRole("link").first().click();
  await goToStep(page, "Closing");
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toMatch(/^Through the outbox/);
  await saveOffline(page);
  await go(page, "/field");
  await lineOf(page, first)
    .getByText(/Waiting since \d\d:\d\d$/)
    .waitFor();
  expect(await keptRecords(page, "receipt")).toEqual([]);
  await page.locator(".field-ready > summary").click();
  expect(await phoneFaults(page)).toEqual([]);
  await sentBy(page, () => page.context().setOffline(false));
  await lineOf(page, first)
    .getByText(/Received \d\d:\d\d, ref\. [0-9A-F]{8}$/)
    .waitFor();

  // Saved while there is network.
  await draft(page, second, `Directly, 390`);
  await saveVisit(page);
  await page.waitForURL(/#\/facility\//);
  await go(page, "/field?show=received");
  await expect.poll(() => lines(page).count()).toBe(2);
  expect(await faults(page)).toEqual([[], []]);
  expect(await phoneFaults(page)).toEqual([]);

  // The reference is the end of the uuid by which the ministry has the visit.
  const [stored] = bodyOf<{ uuid: string }[]>(
    await (await gateway.as("assessor")).get(`/api/v1/assessment/list/facility/${second.facilityUuid}`),
  );
  await lineOf(page, second)
    .getByText(`ref. ${stored!.uuid.slice(-8).toUpperCase()}`)
    .waitFor();

  // Receipts are no work: nothing waits, nothing is asked at sign-out, and nobody else's work is announced.
  expect(await keptRecords(page, "work")).toEqual([]);
  expect(await keptRecords(page, "receipt")).toHaveLength(2);
  await page.reload();
  await expect.poll(() => lines(page).count()).toBe(2);
  await go(page, "/");
  await page.getByRole("link", { name: second.facilityName }).waitFor();

  const dayMs = 24 * 60 * 60_000;
  const after = async (days: number) => {
    await page.unrouteAll();
    await letTimePass(page, days * dayMs);
    await go(page, "/field?show=received");
    // The first load learns the time from the server.
    for (const _ of ["learns", "knows"]) {
      await page.reload();
      await screen.settled();
    }
  };
  await after(29);
  await expect.poll(() => lines(page).count()).toBe(2);
  // The day makes their state longer.
  expect(await phoneFaults(page)).toEqual([]);
  await after(31);
  await page.getByText("No visit here is in this state.").waitFor();
  await expect.poll(() => keptRecords(page, "receipt")).toEqual([]);
  screen.expectClean(offline);
});

test("receipts are read by their person only, and stay for their next sign-in", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  const site = sites[2];
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await takeAlong(screen);
  await draft(page, site, "Sealed receipt");
  await saveVisit(page);
  await page.waitForURL(/#\/facility\//);
  await expect.poll(async () => (await keptRecords(page, "receipt")).length).toBe(1);
  await go(page, "/");
  const signOut = page.getByRole("button", { name: "Sign-out" });
  await signOut.click();
  // Nothing is asked, because nothing is unsent.
  await page.getByLabel("Username or email").waitFor();
  await expect.poll(() => page.getByText("Sealed work waits on this device.").count()).toBe(0);
  await signIn(page, "viewer");
  await screen.settled();
  expect(await page.locator("main").innerText()).not.toContain(site.facilityName);
  await signOut.click();
  await signIn(page, "assessor");
  await page.getByRole("link", { name: site.facilityName }).waitFor();
  await expect.poll(() => page.locator("main").innerText()).toMatch(/Received \d\d:\d\d, ref\. /);
});

test("signing out with unsent work asks first, and says that coming back needs network", async () => {
  const screen = await screenAs(browser, gateway, null, { width: 390 });
  const { page } = screen;
  await page.goto(gateway.url);
  await signIn(page, "assessor");
  await takeAlong(screen);
  await draft(page, sites[0], `Unsent, 390`);
  await go(page, "/");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await screen.settled();
  // Home lists it, once.
  expect(await page.getByRole("link", { name: sites[0].facilityName }).count()).toBe(1);
  const openMenu = async () => {
    await page.getByRole("button", { name: /menu/i }).click();
  };
  await openMenu();
  await page.getByRole("button", { name: "Sign-out" }).click();
  const question = page.getByRole("alertdialog", { name: "Sign out" });
  await question.getByText("One visit or draft on this device was not sent.").waitFor();
  expect(await question.innerText()).toContain("Signing in needs network.");
  expect(await faults(page)).toEqual([[], []]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await signOutUnsent(page);
  await page.getByLabel("Username or email").waitFor();
  await expect.poll(async () => (await keptRecords(page, "work")).length).toBe(1);
  // The map may come into view, and be asked for, in the moment in which the session ends.
  screen.expectClean(/401 .*boundaries/);
});
