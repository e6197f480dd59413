import { sql } from "kysely";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { visit } from "../support/assessment-data.ts";
import { applicationState, axe, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { keptRecords, letTimePass } from "../assessment/kept-records.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, fillRequired, saveVisit, sentBy } from "../support/visitForm.ts";

/** Offline work on sites that were downloaded to the device, but never opened before. */

let place: {
  provinceId: number;
  province: string;
  districtId: number;
  district: string;
  facilityUuid: string;
  facilityName: string;
  hmisCode: string;
};

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const rows = await gateway.sql<typeof place>`
    select province_id, p.name as province, district_id, d.name as district, facility_uuid, facility_name, hmis_code
    from facility f join province p using (province_id) join district d using (district_id, province_id)
    where hmis_code is not null and facility_uuid in (select facility_uuid from assessment where functionality_status_mode = 'EFirst')
      and (select count(*) from facility same where same.facility_name = f.facility_name) = 1
    order by facility_uuid limit 1`;
  place = rows[0]!;
  for (const code of ["91919191", "92929292"])
    await gateway.db
      .insertInto("facility")
      .values({
        facilityUuid: `twin-${code}`,
        facilityName: "Twin Rivers Clinic",
        hmisCode: code,
        provinceId: place.provinceId,
        districtId: place.districtId,
      })
      .execute();
});

const offline = /ERR_INTERNET_DISCONNECTED|Failed to load resource/;
const prepare = async (page: Page, kind: string, name: string) => {
  await page.getByLabel("What to download").selectOption({ label: kind });
  await page.getByLabel(kind === "A province" ? "Province" : "District", { exact: true }).selectOption({ label: name });
  await page.getByRole("button", { name: "Download" }).click();
  await isReady(page).waitFor();
  await openReady(page);
  await expect.poll(() => page.getByRole("button", { name: "Remove from this device" }).isEnabled()).toBe(true);
};
/** Opens the line about the device. */
const openReady = async (page: Page) => {
  const line = page.locator("details.field-ready");
  await line.waitFor();
  if ((await line.getAttribute("open")) === null) await line.locator("summary").click();
};
/** Opens the form of the download, which is closed when sites were taken along. */
const otherSites = async (page: Page) => {
  const closed = page.getByRole("button", { name: "Choose other sites", expanded: false });
  if ((await closed.count()) > 0) await closed.click();
};
const isReady = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /^Ready: the sites and all files of the application are on this device\.$/ });
const point = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

test("the sites of a downloaded province can be searched, opened and assessed offline", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true, width: 390 });
  const { page, open, settled } = screen;
  await page.context().grantPermissions(["geolocation"], { origin: gateway.url });
  await open("/");
  await page.getByRole("link", { name: "Prepare for the field" }).first().click();
  await settled();
  await openReady(page);
  await expect.poll(() => point(page, "The list of sites").getByText("None is on this device").count()).toBe(1);
  await prepare(page, "A province", place.province);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await settled();
  await openReady(page);
  for (const title of ["The application's files", "The list of sites", "Location", "Clock"])
    await point(page, title).and(page.locator(".is-ready")).waitFor();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  screen.expectClean();

  await page.context().setOffline(true);
  await page.goto(`${gateway.url}/#/search`);
  await page.reload();
  const box = page.getByLabel("Search Parameters (at least 3 characters)");
  const finds = async (text: string, name: string) => {
    await box.fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("row").filter({ hasText: name }).first().waitFor();
  };
  await finds(place.hmisCode, place.facilityName);
  await page.getByText(`sites of ${place.province} Province that are kept on this device`).waitFor();
  await finds("twin rivres", "Twin Rivers Clinic");
  const twins = await page.getByRole("row").filter({ hasText: "Twin Rivers Clinic" }).allInnerTexts();
  expect(twins).toHaveLength(2);
  expect(new Set(twins).size).toBe(2);
  expect(await axe(page)).toEqual([]);

  // The lists of places show what was downloaded, and say so.
  const fromDevice = page.getByText(`sites of ${place.province} Province that are kept on this device`);
  for (const [path, name] of [
    ["/provinces", place.province],
    ["/districts", null],
    [`/districts/${place.provinceId}`, null],
    ["/ips", null],
    [`/facilities/district/${place.districtId}`, null],
  ] as const) {
    await page.goto(`${gateway.url}/#${path}`);
    await fromDevice.waitFor();
    if (name) await page.getByRole("link", { name, exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
  }
  await page.goto(`${gateway.url}/#/ips`);
  await page
    .getByRole("link", { name: /^View / })
    .first()
    .click();
  await page.getByRole("row").nth(1).waitFor();
  await fromDevice.waitFor();
  await page.goto(`${gateway.url}/#/search`);

  await finds(place.facilityName, place.facilityName);
  await page.getByRole("link", { name: place.facilityName, exact: true }).first().click();
  await page.getByText("Registry, connectivity, identifiers").click();
  await page.getByRole("region", { name: "Facility details" }).getByText(place.hmisCode).waitFor();
  await page.getByText("Past assessments need the network").waitFor();
  await page.getByRole("link", { name: "Add new assessment" }).click();
  // The form is filled in from the downloaded last visit.
  await page.getByText(/^\d+ answers from .* not confirmed, to be left out/).waitFor();
  await fillRequired(page, "ELast", "3");
  await fillComments(page, "Seen without network");
  await saveVisit(page);
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  // Saving leads back to the facility.
  await page.getByText(/^An assessment saved here on .* waits on this device/).waitFor();
  await page.goto(`${gateway.url}/#/field`);
  await page.getByRole("link", { name: new RegExp(`^${place.facilityName} .*Waiting since `) }).waitFor();

  await sentBy(page, () => page.context().setOffline(false));
  const person = await gateway.as("assessor");
  const [latest] = bodyOf<{ uuid: string }[]>(
    await person.get(`/api/v1/assessment/list/facility/${place.facilityUuid}`),
  );
  expect(bodyOf(await person.get(`/api/v1/assessment/${latest!.uuid}`))).toMatchObject({
    closingComments: "Seen without network",
    functionalityStatusMode: "ELast",
  });
  screen.expectClean(offline);
});

test("on a new device one press of Download makes everything ready for the field, and says so in view; from then on the network can go", async () => {
  const screen = await screenAs(browser, gateway, null, { keepsApplication: true, width: 390 });
  const { page } = screen;
  await page.goto(gateway.url);
  await page.getByLabel("Username or email").fill("assessor");
  await page.getByLabel("Password", { exact: true }).fill("demo-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.goto(`${gateway.url}/#/field`);
  await page.getByLabel("What to download").selectOption({ label: "A district" });
  await page.getByLabel("District", { exact: true }).selectOption({ label: `${place.district} (${place.province})` });
  await page.getByRole("button", { name: "Download" }).click();
  await isReady(page).waitFor();
  await page.context().setOffline(true);
  const { top, bottom } = await isReady(page).evaluate((element) => element.getBoundingClientRect());
  expect([top > 0, bottom < 844]).toEqual([true, true]);
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  // In the open window, without loading the page again.
  await page.evaluate(() => (location.hash = "#/search"));
  await page.getByLabel("Search Parameters (at least 3 characters)").fill(place.hmisCode);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: place.facilityName, exact: true }).first().click();
  await page.getByText("Ready for a visit without network.", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await fillRequired(page, "EFirst", "3");
  await saveVisit(page);
  // Saving leads back to the facility.
  await page.getByText(/^An assessment saved here on .* waits on this device/).waitFor();
  await page.evaluate(() => (location.hash = "#/field"));
  await page.getByRole("link", { name: new RegExp(`^${place.facilityName} .*Waiting since `) }).waitFor();
  screen.expectClean(offline);
});

test("a download whose application files do not arrive ends with Not ready, and the next press completes it", async () => {
  const screen = await screenAs(browser, gateway, "plain", { keepsApplication: true });
  const { page, open } = screen;
  await open("/field");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().route(/\/assets\/SearchScreen-/, (route) => route.abort());
  const download = page.getByRole("button", { name: "Download" });
  await download.click();
  await page
    .getByRole("status")
    .filter({
      hasText: /^Not ready: \d+ files? of the application did not arrive\. Check the connection and try again\.$/,
    })
    .waitFor();
  await page.context().unrouteAll();
  await download.click();
  await expect.poll(() => isReady(page).count()).toBe(1);
  screen.expectClean(/ERR_FAILED|Failed to load resource/);
});

test("Refresh adds new sites to a download, and removing the download deletes its sites from the device", async () => {
  const screen = await screenAs(browser, gateway, "plain", { keepsApplication: true });
  const { page, open } = screen;
  await open("/field");
  await expect.poll(() => page.getByRole("group", { name: /last visit/ }).count()).toBe(0);
  await prepare(page, "A district", `${place.district} (${place.province})`);
  const kept = page.getByRole("region", { name: "On this device:" });
  const before = Number(/^([\d,]+) sites/m.exec(await kept.innerText())![1]);
  await gateway.db
    .insertInto("facility")
    .values({
      facilityUuid: "new-one",
      facilityName: "Brand New Post",
      hmisCode: "93939393",
      provinceId: place.provinceId,
      districtId: place.districtId,
    })
    .execute();
  await expect
    .poll(async () => {
      await kept.getByRole("button", { name: "Refresh" }).click();
      return Number(/^([\d,]+) sites/m.exec(await kept.innerText())![1]);
    })
    .toBe(before + 1);
  await kept.getByRole("button", { name: "Remove from this device" }).click();
  await kept.waitFor({ state: "detached" });
  const left = await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name!);
    const counts = names.map(
      (name) =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open(name);
          opening.addEventListener("success", () => {
            const db = opening.result;
            if (!db.objectStoreNames.contains("record")) return resolve(0);
            const all = db.transaction("record").objectStore("record").getAll();
            all.addEventListener("success", () =>
              resolve((all.result as { kind: string }[]).filter(({ kind }) => kind === "site").length),
            );
          });
        }),
    );
    return Promise.all(counts);
  });
  expect(left.reduce((sum, count) => sum + count, 0)).toBe(0);
  screen.expectClean();
});

test("a download that is an hour old is updated automatically: sites by the feed, and changed last visits", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open, settled } = screen;
  await open("/field");
  await prepare(page, "A district", `${place.district} (${place.province})`);
  const kept = page.getByRole("region", { name: "On this device:" });
  const facts = async () => {
    const [, sites, visits] = /^([\d,]+) sites?, .*: ([\d,]+) visits?/m.exec(await kept.innerText())!;
    return [Number(sites), Number(visits)];
  };
  const before = await facts();
  await gateway.db
    .insertInto("facility")
    .values({
      facilityUuid: "quietly",
      facilityName: "Quietly Opened Post",
      hmisCode: "94949494",
      provinceId: place.provinceId,
      districtId: place.districtId,
    })
    .execute();
  const admin = await gateway.as("admin");
  const saved = await admin.call(
    "POST",
    "/api/v1/assessment",
    visit({ facilityUuid: "quietly", serviceAreas: [], otherArea: 1 }, { closingComments: "The first visit" }),
  );
  expect(saved.status, saved.text).toBe(200);
  // The feed holds changes back while an older transaction is open anywhere on the server, also in another test's
  // database.
  const heldBack = sql`select from change where changed_in >= pg_snapshot_xmin(pg_current_snapshot())`;
  await expect.poll(async () => (await heldBack.execute(gateway.db)).rows.length).toBe(0);

  // Within the hour nothing is requested.
  screen.calls();
  await page.reload();
  await settled();
  await openReady(page);
  await kept.getByText(/sites, as of/).waitFor();
  await letTimePass(page, 2 * 60 * 60_000);
  await expect.poll(() => facts()).toEqual(before);
  expect(screen.calls().filter((call) => call.startsWith("/api/v1/changes"))).toEqual([]);
  await page.reload();
  await expect
    .poll(() => screen.calls().some((call) => call.startsWith("/api/v1/smartCareAssessmentVersion")))
    .toBe(true);
  await expect
    .poll(async () => {
      // Waits for running requests first: a reload would abort them.
      await settled();
      await page.reload();
      await openReady(page);
      await kept.getByText(/sites, as of/).waitFor();
      return facts();
    })
    .toEqual(before.map((count) => count + 1));
  await page.unrouteAll();
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: true });
  await page.context().setOffline(true);
  await page.goto(`${gateway.url}/#/facility/quietly`);
  await page.getByRole("region", { name: "Facility details" }).getByText("94949494").waitFor();
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await page.getByText(/^\d+ answers from .* not confirmed, to be left out/).waitFor();
  screen.expectClean(offline);
});

/** Makes the browser's storage full, or frees it again. The browser remembers the earlier quota for a while. */
async function quotaOf(page: Page): Promise<(isFull: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const canWrite = () =>
    page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const opening = indexedDB.open("probe");
          opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("probe"));
          opening.addEventListener("error", () => resolve(false));
          opening.addEventListener("success", () => {
            const end = (isWritten: boolean) => {
              opening.result.close();
              resolve(isWritten);
            };
            const transaction = opening.result.transaction("probe", "readwrite", { durability: "strict" });
            transaction.addEventListener("complete", () => end(true));
            transaction.addEventListener("abort", () => end(false));
            transaction.objectStore("probe").put("x".repeat(1000), "probe");
          });
        }),
    );
  return async (isFull) => {
    await session.send("Storage.overrideQuotaForOrigin", { origin: gateway.url, ...(isFull ? { quotaSize: 1 } : {}) });
    await expect.poll(canWrite, { interval: 500 }).toBe(!isFull);
  };
}

test("if the device has no room for a download, the screen says so, the earlier download stays complete and the application opens", async () => {
  const screen = await screenAs(browser, gateway, "plain", { keepsApplication: true });
  const { page, open, settled } = screen;
  await open("/field");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await applicationState(page, "fetch all");
  const kept = page.getByRole("region", { name: "On this device:" });
  const download = async () => {
    await otherSites(page);
    await page.getByLabel("What to download").selectOption({ label: "The whole country" });
    await page.getByRole("button", { name: "Download" }).click();
  };
  const setStorageFull = await quotaOf(page);
  const noRoom = page
    .getByRole("status")
    .filter({ hasText: "Not ready: This device has no room left. Free some storage, or download a smaller scope." });
  await setStorageFull(true);
  await download();
  await noRoom.waitFor();
  await expect.poll(() => kept.count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await expect.poll(() => keptRecords(page, "site")).toEqual([]);

  await setStorageFull(false);
  await prepare(page, "A district", `${place.district} (${place.province})`);
  const before = await kept.getByText(/sites, as of/).innerText();
  const records = await keptRecords(page, "site");
  // The storage becomes full in the middle: one part still fits.
  await page.evaluate(() => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called on its object store below
    const put = IDBObjectStore.prototype.put;
    let parts = 0;
    IDBObjectStore.prototype.put = function full(...given: Parameters<typeof put>) {
      if (this.name === "record" && (given[0] as { kind: string }).kind === "site" && (parts += 1) > 1)
        throw new DOMException("There is no room left.", "QuotaExceededError");
      return put.apply(this, given);
    };
  });
  await download();
  await noRoom.waitFor();
  await expect.poll(() => kept.getByText(/sites, as of/).innerText()).toBe(before);
  await expect
    .poll(async () => (await keptRecords(page, "site")).map(({ bytes }) => bytes).toSorted())
    .toEqual(records.map(({ bytes }) => bytes).toSorted());

  await page.context().setOffline(true);
  await page.goto(`${gateway.url}/#/search`);
  await page.reload();
  await page.getByLabel("Search Parameters (at least 3 characters)").fill(place.hmisCode);
  await page.keyboard.press("Enter");
  await page.getByRole("row").filter({ hasText: place.facilityName }).first().waitFor();
  await page.getByText(`sites of ${place.district} District that are kept on this device`).waitFor();

  await page.context().setOffline(false);
  await page.goto(`${gateway.url}/#/field`);
  await settled();
  await download();
  await isReady(page).waitFor();
  await openReady(page);
  await page.getByRole("heading", { name: "On this device: the whole country" }).waitFor();
  screen.expectClean(offline);
});

test("the list is downloaded again if the feed no longer knows its cursor; an interrupted download leaves the old one complete", async () => {
  const screen = await screenAs(browser, gateway, "plain", { keepsApplication: true });
  const { page, open } = screen;
  await open("/field");
  const district = `${place.district} (${place.province})`;
  await prepare(page, "A district", district);
  const kept = page.getByRole("region", { name: "On this device:" });
  // The storage used is added when the browser has reported it.
  const summary = async () =>
    (await kept.getByText(/^[\d,]+ sites, as of/).innerText()).split(". They take")[0]!.replace(/\.$/, "");
  const before = await summary();

  // Another choice, whose download breaks off: the old download stays, and the next try continues the new one.
  await page.route("**/api/v1/smartCareAssessmentVersion", (route) => route.abort());
  await otherSites(page);
  await page.getByLabel("What to download").selectOption({ label: "A province" });
  await page.getByLabel("Province", { exact: true }).selectOption({ label: place.province });
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByText("The connection was lost. What has come is kept: try again to go on from there.").waitFor();
  await expect.poll(summary).toBe(before);
  await page.unroute("**/api/v1/smartCareAssessmentVersion");
  screen.calls();
  await page.getByRole("button", { name: "Download" }).click();
  await isReady(page).waitFor();
  await openReady(page);
  await page.getByRole("heading", { name: `On this device: ${place.province} Province` }).waitFor();
  expect(screen.calls().filter((call) => call.startsWith("/api/v1/site"))).toEqual([]);

  // As after a restore from a copy.
  await gateway.sql`update setting set value = 'another cluster|' || split_part(value, '|', 2) where name = 'change_feed'`;
  await kept.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => screen.calls().some((call) => call.startsWith("/api/v1/site"))).toBe(true);
  await kept.getByText(/sites, as of/).waitFor();
  await isReady(page).waitFor();
  screen.expectClean(/ERR_FAILED|status of 410/);
});
