import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility, type SampleFacility } from "../support/assessment-data.ts";
import { axe, layoutFaults, networkBack, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, fillVisit, goToStep, saveOffline, saveVisit } from "../support/visitForm.ts";
import { latestVisit } from "../support/visits.ts";

/**
 * Time and position of a visit are those of its first save, wherever it is corrected; a worse position never replaces a
 * better one.
 */

const [browser, gateway] = await screensOfFile();

const site = { latitude: -13.13373, longitude: 27.8493, accuracy: 12 };
const coarse = { latitude: -13.2, longitude: 27.95, accuracy: 15_000 };
const office = { latitude: -15.4167, longitude: 28.2833, accuracy: 8 };
const atSite = { latitude: site.latitude, longitude: site.longitude, positionAccuracy: 12 };

type Visit = { assessedAt: string; positionAt: string; version: number; closingComments: string };
const latest = (facility: SampleFacility) => latestVisit<Visit>(gateway, facility);
const located = async (page: Page, place: typeof site) => {
  await page.context().setGeolocation(place);
  await page.context().grantPermissions(["geolocation"]);
};
async function shows(page: Page, { latitude, longitude }: typeof site): Promise<void> {
  await expect
    .poll(() => page.getByLabel("GPS location").inputValue())
    .toBe(`${latitude.toFixed(4)}, ${longitude.toFixed(4)}`);
}
/** Waits until the device has this position, and the page had the time to hear of it. */
async function heardOf(page: Page, { latitude }: typeof site): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) =>
            navigator.geolocation.getCurrentPosition(
              ({ coords }) => setTimeout(() => resolve(coords.latitude), 100),
              () => resolve(0),
              { enableHighAccuracy: true, maximumAge: 0, timeout: 2000 },
            ),
          ),
      ),
    )
    .toBe(latitude);
}

test("a fix of 15 km does not replace one of 12 m; a good fix of another place does", async () => {
  const facility = await sampleFacility(gateway.db, 40);
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440 });
  const { page, open } = screen;
  await located(page, site);
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await shows(page, site);
  await page.context().setGeolocation(coarse);
  // A page has no event for a position that it does not take.
  await page.waitForTimeout(1000);
  await shows(page, site);
  await page.getByText(/Accurate to 12 m/).waitFor();
  await page.context().setGeolocation({ ...office, accuracy: 40 });
  await shows(page, office);
  await page.context().setGeolocation(site);
  await shows(page, site);
  await fillVisit(page, "Typed at the site");
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  const visit = await latest(facility);
  expect(visit).toMatchObject(atSite);
  expect(Math.abs(Date.parse(visit.positionAt) - Date.parse(visit.assessedAt))).toBeLessThan(60_000);
  screen.expectClean();
});

test("how far the position is from the registered one is said, a far one is doubted, and a worse fix can be taken", async () => {
  const facility = await sampleFacility(gateway.db, 43);
  const { latitude, longitude } = site;
  await gateway.db
    .updateTable("facility")
    .set({ latitude: latitude + 340 / 111_195, longitude })
    .where("facilityUuid", "=", facility.facilityUuid)
    .execute();
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open } = screen;
  await located(page, site);
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await goToStep(page, "SmartCare");
  await page.getByText("340 m from the registered position.").waitFor();
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  await page.context().setGeolocation({ ...coarse, latitude: latitude + 0.001 });
  await page.getByText(/^The device now says: Accurate to 15000 m/).waitFor();
  await page.getByRole("button", { name: "Use this position" }).click();
  await page.getByText(/^11 km from the registered position\. Is this the right facility/).waitFor();
  await page.getByLabel("Note on the position").fill("The visit was at the health post of this facility");
  await fillVisit(page, "Far away");
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  expect(await latest(facility)).toMatchObject({
    positionAccuracy: 15_000,
    positionNote: "The visit was at the health post of this facility",
  });
  screen.expectClean();
});

test("a visit without a position says why in words", async () => {
  const facility = await sampleFacility(gateway.db, 45);
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440 });
  const { page, open } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await page.getByLabel("Note on the position").fill("The phone belongs to the district");
  await fillVisit(page, "Without a position");
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  expect(await latest(facility)).toMatchObject({ latitude: null, positionNote: "The phone belongs to the district" });
  screen.expectClean();
});

test("a visit that was saved at the site and refused is corrected at the office: time and position stay those of the site", async () => {
  const facility = await sampleFacility(gateway.db, 41);
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440 });
  const { page, open, settled } = screen;
  await located(page, site);
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await shows(page, site);
  await fillVisit(page, "Typed at the site");
  // A service area that the facility loses meanwhile makes the server refuse the visit.
  const admin = await gateway.as("admin");
  const settings = `/api/v1/facility/settings/${facility.facilityUuid}`;
  const { implementingPartnerId } = bodyOf<{ implementingPartnerId: number | null }>(await admin.get(settings));
  expect(
    (await admin.call("PATCH", settings, { implementingPartnerId, serviceAreas: facility.serviceAreas.slice(1) }))
      .status,
  ).toBe(200);
  await saveVisit(page);
  await page.getByRole("button", { name: "Leave it out" }).waitFor();
  const savedBy = Date.now();
  await page.context().setGeolocation(office);
  await heardOf(page, office);
  await shows(page, site);
  await page.reload();
  await settled();
  await page.getByRole("button", { name: "Leave it out" }).waitFor();
  await heardOf(page, office);
  await shows(page, site);
  await fillComments(page, "Corrected at the office");
  await page.getByRole("button", { name: "Leave it out" }).click();
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  const visit = await latest(facility);
  expect(visit).toMatchObject({ ...atSite, closingComments: "Corrected at the office" });
  expect(Date.parse(visit.assessedAt)).toBeLessThanOrEqual(savedBy);
  expect(Date.parse(visit.positionAt)).toBeLessThanOrEqual(Date.parse(visit.assessedAt) + 1000);

  // Nor does the correction of a stored visit.
  const { assessmentUuid } = visit as Visit & { assessmentUuid: string };
  await open(`/assessment/facility/${facility.facilityUuid}/${assessmentUuid}`);
  await heardOf(page, office);
  await shows(page, site);
  await page.getByText(/Accurate to 12 m, found on/).waitFor();
  await fillComments(page, "Corrected once more");
  await saveVisit(page);
  await expect.poll(async () => (await latest(facility)).version).toBe(2);
  expect(await latest(facility)).toMatchObject({
    ...atSite,
    assessedAt: visit.assessedAt,
    positionAt: visit.positionAt,
    closingComments: "Corrected once more",
  });
  screen.expectClean();
});

test("a visit that waited without network is sent with the time and the position of its save", async () => {
  const facility = await sampleFacility(gateway.db, 42);
  const screen = await screenAs(browser, gateway, "assessor");
  const { page, open } = screen;
  await located(page, site);
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await shows(page, site);
  await fillVisit(page, "Typed at the site");
  await saveOffline(page);
  const savedBy = Date.now();
  await page.context().setGeolocation(office);
  await networkBack(page);
  await expect.poll(async () => (await latest(facility)).closingComments).toBe("Typed at the site");
  const visit = await latest(facility);
  expect(visit).toMatchObject(atSite);
  expect(Date.parse(visit.assessedAt)).toBeLessThanOrEqual(savedBy);
  screen.expectClean(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
});
