import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { axe, hasFocus, layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillRequired, goToStep, saveOffline, sentBy } from "../support/visitForm.ts";
import { latestVisit, listVisits } from "../support/visits.ts";

/** The form's steps: one at a time on a phone, all of them beside their list on a wide screen; and the review. */

const [browser, gateway] = await screensOfFile();

const list = (facility: SampleFacility) => listVisits(gateway, facility);
const latest = (facility: SampleFacility) =>
  latestVisit<{ serviceAreaAssessments: { libraryVersion: string | null }[] }>(gateway, facility);
async function visited(skip: number): Promise<SampleFacility> {
  const facility = await sampleFacility(gateway.db, skip);
  const said = visit(facility, { backupPower: true, backupPowerWorking: true });
  expect((await (await gateway.as("assessor")).call("POST", "/api/v1/assessment", said)).status).toBe(200);
  return facility;
}

const step = (page: Page, name: string) => page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name });
async function isAt(page: Page, name: string): Promise<void> {
  await expect.poll(() => step(page, name).getAttribute("aria-current")).toBe("step");
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** What can be pressed or filled in in view of the form, and is lower or narrower than 44 pixels. */
const smallTargets = (page: Page) =>
  page.locator(".assessment-form").evaluate((form) =>
    [
      ...form.querySelectorAll<HTMLElement>(
        "a, button, input:not([type=checkbox], [type=radio]), select, textarea, label:has(input)",
      ),
    ]
      .map((one) => ({ name: one.textContent || (one as HTMLInputElement).name, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );

test("on a phone one step at a time is shown: Next, Back, the browser's Back and a reload keep to the steps; the targets are large", async () => {
  const facility = await visited(46);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open, settled } = screen;
  await open(`/facility/${facility.facilityUuid}`);
  // The room of this message is given back with the next screen.
  await page.getByText("Resuming session").waitFor({ state: "detached" });
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await isAt(page, "Power");
  const first = await page.getByLabel("Primary power", { exact: true }).boundingBox();
  expect(first!.y).toBeLessThan(360);
  for (const name of ["SmartCare", "Service areas", "Contacts", "Closing", "Review"]) {
    expect([name, await axe(page), await layoutFaults(page), await smallTargets(page)]).toEqual([name, [], [], []]);
    await button(page, "Next").click();
    await isAt(page, name);
    await expect.poll(() => page.evaluate(() => /^H[23]$/.test(document.activeElement!.tagName))).toBe(true);
  }
  expect([await axe(page), await layoutFaults(page), await smallTargets(page)]).toEqual([[], [], []]);
  expect(await page.getByLabel("Closing comments").last().isVisible()).toBe(false);
  await button(page, "Back").click();
  await isAt(page, "Closing");
  await page.goBack();
  await isAt(page, "Contacts");
  await page.reload();
  await settled();
  await isAt(page, "Contacts");
  await page.waitForURL(/step=contacts/);

  // An answer that is missing leads to its step.
  await goToStep(page, "Review");
  await page.getByText("3 required answers left").waitFor();
  await button(page, "Save").click();
  await isAt(page, "SmartCare");
  await hasFocus(page.getByLabel("Deployment Mode"));
  await page.getByText("Deployment Mode is required").waitFor();
  await fillRequired(page, "ELast");
  await page.keyboard.press("Enter");
  await isAt(page, "SmartCare");
  await saveOffline(page);
  await sentBy(page, () => page.context().setOffline(false));
  expect(await latest(facility)).toMatchObject({ functionalityStatusMode: "ELast", primaryPower: null });
  screen.expectClean(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
});

type Shifting = Window & { shifts?: number };
/** Adds up from now on how far the page moves, as Chromium measures it; what moves upon a touch counts too. */
const countShifts = (page: Page) =>
  page.evaluate(() => {
    const seen = window as Shifting;
    seen.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shifts! += entry.value;
    }).observe({ type: "layout-shift" });
  });

test("where nothing has changed, a visit takes three touches from the facility's page, and Save moves nothing", async () => {
  const facility = await visited(47);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open } = screen;
  await open(`/facility/${facility.facilityUuid}`);
  const touches = [
    () => page.getByRole("link", { name: "Add new assessment" }).click(),
    () => button(page, "All still right").click(),
    async () => {
      await countShifts(page);
      await button(page, "Save").click();
    },
  ];
  for (const touch of touches) await touch();
  await page.getByText("Saved the assessment").waitFor();
  await screen.settled();
  expect(await page.evaluate(() => (window as Shifting).shifts)).toBeLessThan(0.02);
  expect(touches.length).toBeLessThanOrEqual(6);
  expect(await latest(facility)).toMatchObject({
    primaryPowerWorking: true,
    backupPowerWorking: true,
    smartCareFunctional: true,
    numberOfStaffTrainedInSmartCare: 7,
  });
  screen.expectClean();
});

/** A facility that was never visited, with ten service areas. */
async function newSite(skip: number): Promise<string> {
  const { facilityUuid } = await gateway.db
    .selectFrom("facility")
    .where("closedOn", "is", null)
    .where("facilityUuid", "not in", gateway.db.selectFrom("assessment").select("facilityUuid"))
    .select("facilityUuid")
    .orderBy("facilityUuid")
    .offset(skip)
    .limit(1)
    .executeTakeFirstOrThrow();
  const known = await gateway.db.selectFrom("serviceArea").select("serviceAreaId").orderBy("serviceAreaId").execute();
  const areas = known.slice(0, 10).map(({ serviceAreaId }) => ({ facilityUuid, serviceAreaId }));
  await gateway.db.deleteFrom("facilityServiceArea").where("facilityUuid", "=", facilityUuid).execute();
  await gateway.db.insertInto("facilityServiceArea").values(areas).execute();
  expect(areas.length).toBe(10);
  return facilityUuid;
}

test.each([
  [1440, 18],
  [390, 23],
] as const)(
  "at %i px the first visit to a site with ten service areas takes %i touches: the form before the steps took 46",
  async (width, most) => {
    const facilityUuid = await newSite(width === 390 ? 0 : 1);
    const screen = await screenAs(browser, gateway, "assessor", { width });
    const { page, open } = screen;
    await open(`/facility/${facilityUuid}`);
    let touches = 0;
    const press = async (name: string) => {
      touches += 1;
      await button(page, name).click();
    };
    const tick = async (name: string) => {
      touches += 1;
      // Blueprint draws its own box over the input.
      await page.getByLabel(name, { exact: true }).check({ force: true });
    };
    const type = async (name: string, text: string) => {
      touches += 1;
      await page.getByLabel(name, { exact: true }).filter({ visible: true }).first().fill(text);
    };
    const next = () => (width === 390 ? press("Next") : undefined);

    touches += 1;
    await page.getByRole("link", { name: "Add new assessment" }).click();
    for (const name of ["Primary power", "Primary power working", "Backup power", "Backup power working"])
      await tick(name);
    await next();
    touches += 2;
    await page.getByLabel("Deployment Mode").selectOption("EFirst");
    const works = page.getByRole("group", { name: "SmartCare functional" }).filter({ visible: true }).first();
    await works.getByRole("radio", { name: "Yes" }).check({ force: true });
    await type("Library version", "4.3.1");
    await type("Database version", "18.6");
    await type("Date of last upgrade", "2025-01-31");
    await type("Number of staff trained", "5");
    await next();
    // Rows without an answer have neither versions nor notes yet.
    const versions = page.getByRole("region", { name: "Service Areas" }).getByLabel("Library version");
    expect(await versions.count()).toBe(0);
    await press("Works everywhere else");
    await expect.poll(() => versions.count()).toBe(10);
    await press("Same version everywhere");
    await next();
    await type("Name", "Ruth Kapwelo");
    await type("Role", "Nurse");
    await type("Primary phone", "+260900012345");
    await next();
    await type("Closing comments", "All well");
    await next();
    await press("Save");
    await page.getByText("Saved the assessment").waitFor();
    expect(touches).toBe(most);
    const { serviceAreaAssessments } = await latestVisit<{
      serviceAreaAssessments: { smartCareFunctional: boolean | null; libraryVersion: string | null }[];
    }>(gateway, { facilityUuid });
    expect(serviceAreaAssessments).toHaveLength(10);
    for (const area of serviceAreaAssessments)
      expect(area).toMatchObject({ smartCareFunctional: true, libraryVersion: "4.3.1", databaseVersion: "18.6" });
    screen.expectClean();
  },
);

test("the review marks what has changed, lists what has no answer, and asks about what is far from usual", async () => {
  const facility = await visited(49);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}`);
  await fillRequired(page, "ELast", "9771");
  await page.getByText("Unusual: 9,771 staff trained, 7 at the last visit.").waitFor();
  await goToStep(page, "Review");
  const review = page.getByRole("region", { name: "Review" });
  const row = (name: string) => review.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  await expect.poll(() => row("Deployment Mode").innerText()).toMatch(/E-Last\s+changed\s+E-First/);
  await review
    .getByRole("group", { name: "No answer" })
    .getByRole("button", { name: "Backup power", exact: true })
    .waitFor();
  await button(page, "Save").click();
  await review.getByText("Really 9,771 staff trained? At the last visit: 7.").waitFor();
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  const before = (await list(facility)).length;
  await review.getByRole("button", { name: "Correct it" }).click();
  await hasFocus(page.getByLabel("Number of staff trained"));
  await goToStep(page, "Review");
  await review.getByRole("button", { name: "Yes, it is right" }).click();
  await button(page, "Save").click();
  await page.getByText("Saved the assessment").waitFor();
  expect((await list(facility)).length).toBe(before + 1);
  expect(await latest(facility)).toMatchObject({ numberOfStaffTrainedInSmartCare: 9771, backupPower: null });
  screen.expectClean();
});
