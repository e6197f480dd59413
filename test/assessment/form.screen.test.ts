import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { axe, hasFocus, layoutFaults, screenAs } from "../support/browser.ts";
import { keptRecords } from "./kept-records.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, fillRequired, saveVisit } from "../support/visitForm.ts";
import { latestVisit } from "../support/visits.ts";

/** The assessment form in a real browser: its first values, its messages while it is filled in, and what it saves. */

const [browser, gateway] = await screensOfFile();
const facility = await sampleFacility(gateway.db);

/** The facility's latest assessment, as it is stored. */
const latest = (facilityUuid: string) =>
  latestVisit<{
    assessmentUuid: string;
    assessmentDate: string;
    serviceAreaAssessments: { smartCareFunctional: boolean | null }[];
  }>(gateway, { facilityUuid });

test("the position is recorded once the location is allowed, and is kept when a draft is discarded", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440 });
  const { page, open, settled } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}`);
  const location = page.getByLabel("GPS location");
  await page.getByText(/allow the location for this site/).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Look for the position again" }).count()).toBe(1);
  await page.context().setGeolocation({ latitude: -13.13373, longitude: 27.8493, accuracy: 12 });
  await page.context().grantPermissions(["geolocation"]);
  await page.getByText(/^Position found\.$/).waitFor();
  await page.getByText(/Accurate to 12 m, found on \d\d \w{3} \d{4} \d\d:\d\d\./).waitFor();
  await expect.poll(() => location.inputValue()).toBe("-13.1337, 27.8493");

  await fillComments(page, "Typed half-way");
  await page.getByText("Kept on this device as a draft").waitFor();
  await page.reload();
  await settled();
  await page.getByText(/^Position found\.$/).waitFor();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe("");
  await expect.poll(() => location.inputValue()).toBe("-13.1337, 27.8493");

  await fillRequired(page);
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  expect(await latest(facility.facilityUuid)).toMatchObject({
    latitude: -13.13373,
    longitude: 27.8493,
    positionAccuracy: 12,
  });
  screen.expectClean();
});

/** A facility with an earlier visit, from which a new assessment takes values. */
async function visited(skip: number) {
  const place = await sampleFacility(gateway.db, skip);
  const areas = place.serviceAreas.map((serviceAreaId) => ({
    serviceAreaId,
    smartCareFunctional: true,
    libraryVersion: "4.3.1",
    additionalNotes: "Noted then",
  }));
  const assessor = await gateway.as("assessor");
  expect(
    (
      await assessor.call(
        "POST",
        "/api/v1/assessment",
        visit(place, { otherIssues: "Seen then", serviceAreaAssessments: areas }),
      )
    ).status,
  ).toBe(200);
  return { ...place, ...(await latest(place.facilityUuid)) } as SampleFacility & {
    assessmentUuid: string;
    assessmentDate: string;
  };
}
const shown = (date: string) => {
  const [day, month, year] = new Date(`${date}T12:00:00Z`).toUTCString().slice(5, 16).split(" ");
  return `${day} ${month} ${year}`;
};
const field = (page: Page, region: string, label: string) =>
  page.getByRole("region", { name: region }).getByLabel(label, { exact: true });
async function focusIsOn(page: Page, text: string) {
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(text);
}

test("a new assessment starts with values of the last visit, and values that are not confirmed are left out", async () => {
  const { facilityUuid, assessmentDate } = await visited(1);
  const from = `from ${shown(assessmentDate)}`;
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440 });
  const { page, open, settled } = screen;
  await open(`/assessment/facility/${facilityUuid}`);
  const primary = page.getByRole("region", { name: "Contact Person - Primary" });
  const name = primary.getByLabel("Name");
  await expect.poll(() => name.inputValue()).toBe("Ruth Kapwelo");
  await expect.poll(() => primary.getByText(from, { exact: true }).count()).toBe(4);
  await expect.poll(() => field(page, "SmartCare Assessment", "Deployment Mode").inputValue()).toBe("");
  for (const label of [
    "Date of last upgrade",
    "Number of staff trained",
    "General comments on setup",
    "Primary power notes",
    "Closing comments",
  ])
    await expect
      .poll(
        () =>
          page
            .getByRole("textbox", { name: label })
            .or(page.getByLabel(label, { exact: true }))
            .last()
            .inputValue(),
        { message: label },
      )
      .toBe("");
  await expect.poll(() => page.getByLabel("Additional notes").first().inputValue()).toBe("Noted then");
  for (const label of ["Primary power", "Primary power working", "Backup power", "Backup power working"])
    await expect
      .poll(() => page.getByLabel(label, { exact: true }).evaluate((box: HTMLInputElement) => box.indeterminate), {
        message: label,
      })
      .toBe(true);
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  // A changed field counts as confirmed, and so does a value that is chosen again.
  await name.fill("Bupe Mwansa");
  const areas = page.getByRole("region", { name: "Service Areas" });
  const first = areas.getByRole("group").first();
  await expect.poll(() => first.getByText(from, { exact: true }).count()).toBe(3);
  await first.getByRole("radio", { name: "Yes" }).click();
  await expect.poll(() => first.getByText(from, { exact: true }).count()).toBe(2);
  await expect.poll(() => primary.getByText(from, { exact: true }).count()).toBe(3);
  await primary.getByRole("button", { name: "Still right" }).click();
  await focusIsOn(page, "Confirmed");
  await expect.poll(() => primary.getByText(from, { exact: true }).count()).toBe(0);
  // A draft that is stored after one more answer has the confirmation too; on a slow machine an earlier one may come
  // late.
  const confirmedAt = await page.evaluate(() => Date.now());
  await fillComments(page, "Typed last");
  await expect
    .poll(async () => (await keptRecords(page, "work")).some(({ usedAt }) => usedAt > confirmedAt))
    .toBe(true);
  await page.reload();
  await settled();
  await expect
    .poll(async () => [await name.inputValue(), await primary.getByText(from, { exact: true }).count()])
    .toEqual(["Bupe Mwansa", 0]);
  await expect.poll(() => first.getByText(from, { exact: true }).count()).toBe(2);

  const library = field(page, "SmartCare Assessment", "Library version").first();
  await expect.poll(() => library.inputValue()).toBe("4.3.1");
  await library.fill("4.3.2");
  await fillRequired(page, "ELast");
  await saveVisit(page);
  await page.getByText("Saved the assessment").waitFor();
  await page.getByText("Left out, for nobody confirmed it: versions, service areas").waitFor();
  const saved = await latest(facilityUuid);
  expect(saved).toMatchObject({
    contactAName: "Bupe Mwansa",
    contactARole: "Nurse",
    contactAPrimaryPhone: "+260900012345",
    libraryVersion: "4.3.2",
    databaseVersion: null,
    otherIssues: null,
    primaryPower: null,
    primaryPowerWorking: null,
    backupPower: null,
    backupPowerWorking: null,
    smartCareFunctional: null,
  });
  const functional = saved.serviceAreaAssessments.map((area) => area.smartCareFunctional);
  expect(functional.filter((answer) => answer === true)).toHaveLength(1);
  expect(functional.filter((answer) => answer !== null)).toHaveLength(1);
  screen.expectClean();
});

test("one click clears a group or confirms all values, and required answers of the last visit are taken over one by one", async () => {
  const { facilityUuid, assessmentDate, serviceAreas } = await visited(2);
  const screen = await screenAs(browser, gateway, "assessor");
  const { page, open } = screen;
  await open(`/assessment/facility/${facilityUuid}`);
  const primary = page.getByRole("region", { name: "Contact Person - Primary" });
  await primary.getByRole("button", { name: "Clear" }).click();
  await focusIsOn(page, "Cleared");
  await expect.poll(() => primary.getByLabel("Role").inputValue()).toBe("");
  const smartCare = page.getByRole("region", { name: "SmartCare Assessment" });
  for (const [before, value] of [
    ["3 required answers left", "E-First"],
    ["2 required answers left", "31 May 2024"],
    ["1 required answer left", "7"],
  ]) {
    await page.getByText(before!).waitFor();
    await smartCare.getByText(`On ${shown(assessmentDate)}: ${value}`, { exact: true }).waitFor();
    await smartCare.getByRole("button", { name: "One by one" }).click();
    await smartCare.getByRole("button", { name: `: ${value}` }).click();
  }
  await page.getByText(/required answers? left/).waitFor({ state: "detached" });
  // Carried over: versions and service areas. Offered: power (4), SmartCare functional and the comments on the setup.
  await page
    .getByText(`${2 + 3 * serviceAreas.length + 6} answers from ${shown(assessmentDate)} not confirmed`)
    .waitFor();
  await page.getByRole("button", { name: "All still right" }).click();
  await focusIsOn(page, "Save");
  await expect.poll(() => page.getByText(`from ${shown(assessmentDate)}`).count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.getByText("Saved the assessment").waitFor();
  await expect.poll(() => page.getByText("Left out").count()).toBe(0);
  expect(await latest(facilityUuid)).toMatchObject({
    contactAName: null,
    contactARole: null,
    functionalityStatusMode: "EFirst",
    dateOfLastUpgrade: "2024-05-31",
    numberOfStaffTrainedInSmartCare: 7,
    libraryVersion: "4.3.1",
    databaseVersion: "18.6",
    primaryPower: true,
    primaryPowerWorking: true,
    primaryPowerNotes: "National grid",
    backupPower: false,
    backupPowerWorking: false,
    smartCareFunctional: true,
    libraryVersionConsistent: null,
    otherIssues: "Seen then",
    closingComments: null,
    latitude: null,
    serviceAreaAssessments: serviceAreas.map((serviceAreaId) => ({
      serviceAreaId,
      smartCareFunctional: true,
      libraryVersion: "4.3.1",
      additionalNotes: "Noted then",
    })),
  });
  screen.expectClean();
});

test("length limits are announced early and checked when a field is left; missing required answers are counted, named and linked", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440, colorScheme: "dark" });
  const { page, open } = screen;
  await open(`/assessment/facility/${(await sampleFacility(gateway.db, 3)).facilityUuid}`);
  const sections = page.getByRole("navigation", { name: "Steps" });
  const closing = page.getByLabel("Closing comments").last();
  await closing.fill("x".repeat(200));
  await expect.poll(() => page.getByText(/characters? left/).count()).toBe(0);
  await closing.fill("x".repeat(255));
  await page.getByText("1 character left").first().waitFor();
  await closing.fill("x".repeat(258));
  await page.getByText("2 characters too many").first().waitFor();
  await expect.poll(() => page.getByText("may have at most 256 characters").count()).toBe(0);
  await closing.blur();
  await page.getByText("Closing comments may have at most 256 characters").waitFor();
  await sections.getByRole("link", { name: "Closing 1 to correct" }).waitFor();
  // From the top of the page, where the sticky bars do not cover part of a field: axe would take the visible part for
  // the whole field.
  await page.evaluate(() => scrollTo(0, 0));
  expect(await axe(page)).toEqual([]);
  await closing.press("Backspace");
  await closing.press("Backspace");
  await page.getByText("may have at most 256 characters").waitFor({ state: "detached" });
  await sections.getByRole("link", { name: "Closing complete" }).waitFor();

  const upgrade = page.getByLabel("Date of last upgrade");
  await upgrade.fill("2999-01-01");
  await upgrade.blur();
  await page.getByText("Date of last upgrade must not be in the future").waitFor();
  await upgrade.fill("01102026");
  await page.getByText("Date of last upgrade must be a date, DD MMM YYYY").waitFor();
  await upgrade.fill("2025-01-31");
  await page.getByText("must not be in the future").waitFor({ state: "detached" });
  // Leaving an empty field is no error.
  await page.getByLabel("Number of staff trained").focus();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.getByText("is required").count()).toBe(0);

  await sections.getByRole("link", { name: "SmartCare 2 required left" }).click();
  await focusIsOn(page, "SmartCare Assessment");
  await page.getByText("2 required answers left").waitFor();
  await page.getByRole("button", { name: "Deployment Mode" }).click();
  await hasFocus(page.getByLabel("Deployment Mode"));
  await page.getByLabel("Deployment Mode").selectOption("EFast");
  await page.getByRole("button", { name: "Number of staff trained" }).click();
  await hasFocus(page.getByLabel("Number of staff trained"));
  await page.getByText("1 required answer left").waitFor();
  // A mistyped number is not taken for a missing one.
  await page.keyboard.type("1-2");
  await page.keyboard.press("Tab");
  await page.getByText("Number of staff trained must be a whole number").waitFor();
  // Marks that a copied number holds are not counted.
  const phone = page.getByLabel("Primary phone").first();
  await phone.fill("\u202A+260971234567890\u202C");
  await page.getByText("1 character too many").first().waitFor();
  await phone.fill("\u202A+26097123456789\u202C");
  await page.getByText("0 characters left").first().waitFor();
  screen.expectClean();
});

test("the calendar opens, chooses and closes by keyboard and pointer, with the focus back on its button", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 1440 });
  const { page, open } = screen;
  await open(`/assessment/facility/${(await sampleFacility(gateway.db, 3)).facilityUuid}`);
  const field = page.getByLabel("Date of last upgrade");
  await field.fill("2025-01-31");
  const button = page.locator(".bp6-form-group").filter({ has: field }).getByRole("button", { name: "Show the month" });
  const calendar = page.getByRole("dialog", { name: "Calendar" });
  await button.focus();
  await page.keyboard.press("Enter");
  await calendar.waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await calendar.waitFor({ state: "detached" });
  await hasFocus(button);
  await page.keyboard.press("Enter");
  // The 30th of December comes before it.
  await calendar.getByRole("gridcell", { name: "30", exact: true }).last().click();
  await calendar.waitFor({ state: "detached" });
  await expect.poll(() => field.inputValue()).toBe("30 Jan 2025");
  await hasFocus(button);
  await page.keyboard.press("Enter");
  await calendar.getByRole("gridcell", { name: "29", exact: true }).last().focus();
  await page.keyboard.press("Enter");
  await calendar.waitFor({ state: "detached" });
  await expect.poll(() => field.inputValue()).toBe("29 Jan 2025");
  await hasFocus(button);
  expect(await calendar.count()).toBe(0);
  screen.expectClean();
});

test("on a phone the focused element is not covered by the sticky bars at the top and the bottom", async () => {
  const { facilityUuid } = await visited(4);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open } = screen;
  await open(`/assessment/facility/${facilityUuid}`);
  await page.getByText("Resuming session").waitFor({ state: "detached" });
  await page.getByLabel("Primary power", { exact: true }).focus();
  const covered = () =>
    page.evaluate(() => {
      const element = document.activeElement!;
      // After the last element of the page.
      if (element === document.body) return null;
      // Of a link that is broken into lines, the first one.
      const { left, right, top, bottom } = element.getClientRects()[0]!;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isSeen = hit !== null && (element.contains(hit) || hit.closest("label")?.contains(element) === true);
      return isSeen
        ? null
        : `${element.tagName} ${(element as HTMLInputElement).name || element.textContent} at ${top} behind ${hit?.className}`;
    });
  const path = async (key: string, steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      await expect.poll(() => covered()).toBeNull();
      await page.keyboard.press(key);
    }
  };
  await path("Tab", 40);
  await path("Shift+Tab", 20);
  screen.expectClean();
});

test("a person who may only view sees an assessment as text, without form fields", async () => {
  const { facilityUuid, assessmentUuid } = await visited(5);
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page, open } = screen;
  await open(`/assessment/facility/${facilityUuid}/${assessmentUuid}`);
  const textOf = (region: string, term: string) =>
    page
      .getByRole("region", { name: region })
      .locator("dl > div", { has: page.locator("dt", { hasText: new RegExp(`^${term}$`) }) })
      .first()
      .locator("dd")
      .innerText();
  await expect.poll(() => textOf("Power Infrastructure", "Primary power")).toBe("Yes, working");
  await expect.poll(() => textOf("Power Infrastructure", "Backup power")).toBe("No");
  await expect.poll(() => textOf("Power Infrastructure", "Backup power notes")).toBe("Not recorded");
  await expect.poll(() => textOf("SmartCare Assessment", "Deployment Mode")).toBe("E-First");
  await expect.poll(() => textOf("SmartCare Assessment", "Date of last upgrade")).toBe("31 May 2024");
  await expect.poll(() => textOf("SmartCare Assessment", "Number of staff trained")).toBe("7");
  await expect.poll(() => textOf("SmartCare Assessment", "Library version consistent")).toBe("Not recorded");
  await expect.poll(() => textOf("Contact Person - Primary", "Email")).toBe("ruth@example.org");
  await expect
    .poll(() => page.getByRole("link", { name: "+260900012345" }).getAttribute("href"))
    .toBe("tel:+260900012345");
  await expect
    .poll(() => page.getByRole("region", { name: "Contact Person - Secondary" }).innerText())
    .toContain("Not recorded");
  await expect.poll(() => textOf("Closing Comments", "Closing comments")).toBe("Seen by the test");
  await expect.poll(() => page.locator("main").locator("form, input, select, textarea, fieldset").count()).toBe(0);
  await expect.poll(() => page.getByRole("button", { name: "Save" }).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  screen.expectClean();
});
