import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { instantText } from "../../client/ui/text/instants.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { applicationState, axe, hasFocus, networkBack, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { forgetGroup, keptRecords } from "./kept-records.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, fillRequired, saveOffline, saveVisit, sentBy } from "../support/visitForm.ts";

/** The assessment screen in a real browser: typed input is not lost, and two people do not overwrite each other. */

const [browser, gateway] = await screensOfFile();
const facility = await sampleFacility(gateway.db);

const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/;
const past = async () => {
  const assessor = await gateway.as("assessor");
  return bodyOf<{ uuid: string }[]>(await assessor.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`));
};
const stored = async (uuid: string) => bodyOf(await (await gateway.as("assessor")).get(`/api/v1/assessment/${uuid}`));

/** Waits until the device has stored the application, with the rules by which a save checks. */
const applicationKept = async (page: Page) => expect((await applicationState(page, "fetch all")).complete).toBe(true);

test("a draft survives a reload, and a save without network is sent once when the network is back", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open, settled } = screen;
  const before = (await past()).length;
  await open(`/facility/${facility.facilityUuid}`);
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await settled();
  await expect.poll(() => page.locator("h1").innerText()).toBe("Assessment");
  for (const title of [
    "Power Infrastructure",
    "SmartCare Assessment",
    "Contact Person - Primary",
    "Contact Person - Secondary",
    "Closing Comments",
  ])
    await expect.poll(() => page.getByRole("region", { name: title }).count(), { message: title }).toBe(1);

  const works = page.getByLabel("Primary power working");
  await expect.poll(() => works.isDisabled()).toBe(true);
  await page.getByLabel("Primary power", { exact: true }).check();
  await works.check();
  await page.getByLabel("Primary power", { exact: true }).uncheck();
  await expect.poll(async () => [await works.isChecked(), await works.isDisabled()]).toEqual([false, true]);

  await page.getByLabel("General comments on setup").fill("Typed half-way");
  await page.getByText("Kept on this device as a draft").waitFor();
  // The message may belong to the earlier choices: a draft is stored up to two seconds after typing.
  await page.waitForTimeout(2000);
  await page.reload();
  await settled();
  await expect.poll(() => page.getByLabel("General comments on setup").inputValue()).toBe("Typed half-way");

  await saveVisit(page);
  await page.getByText("Deployment Mode is required").waitFor();
  await hasFocus(page.getByLabel("Deployment Mode"));
  await fillRequired(page);
  await page.getByRole("region", { name: "Contact Person - Primary" }).getByLabel("Primary phone").fill("1".repeat(16));
  await fillComments(page, "x".repeat(257));
  await saveVisit(page);
  await page.getByText("Primary phone may have at most 15 characters").waitFor();
  await page.getByText("may have at most 256 characters").waitFor();
  const phone = page.getByRole("region", { name: "Contact Person - Primary" }).getByLabel("Primary phone");
  await hasFocus(phone);
  await fillComments(page, "");
  await page.getByRole("region", { name: "Contact Person - Primary" }).getByLabel("Primary phone").fill("+260971");
  await applicationKept(page);
  screen.expectClean();

  await saveOffline(page);
  await page.reload();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await page.getByRole("link", { name: "Add new assessment" }).click();
  await page.getByLabel("Deployment Mode").waitFor();
  expect((await past()).length).toBe(before);

  await sentBy(page, () => networkBack(page));
  const list = await past();
  expect(list.length).toBe(before + 1);
  expect(await stored(list[0]!.uuid)).toMatchObject({
    otherIssues: "Typed half-way",
    contactAPrimaryPhone: "+260971",
    primaryPowerWorking: false,
    version: 1,
  });
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  screen.expectClean(offline);
});

test("a facility's page offers the person's own draft with its time; a draft is discarded only after a confirmation", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page, open, settled } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}`);
  const typed = page.getByLabel("General comments on setup");
  await typed.fill("Typed half-way");
  await page.getByText("Kept on this device as a draft").waitFor();
  await open(`/facility/${facility.facilityUuid}`);
  await page.reload();
  await settled();
  const link = (name: string | RegExp) => page.getByRole("link", { name, exact: true });
  const draft = link(/^Continue draft of /);
  const minutes = [0, 1, 2].map((ago) => instantText(new Date(Date.now() - ago * 60_000), "Africa/Lusaka").slice(-5));
  expect(minutes).toContain((await draft.innerText()).slice(-5));
  await draft.click();
  await settled();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Discard draft").click();
  await hasFocus(button("Keep"));
  expect(await axe(page)).toEqual([]);
  await button("Keep").click();
  await hasFocus(button("Discard draft"));
  await expect.poll(() => typed.inputValue()).toBe("Typed half-way");
  await button("Discard draft").click();
  await button("Discard").click();
  await expect.poll(() => typed.inputValue()).toBe("");
  await expect.poll(() => button("Discard").count()).toBe(0);
  await hasFocus(page.getByLabel("Primary power", { exact: true }));
  await expect.poll(() => keptRecords(page, "work")).toEqual([]);
  await open(`/facility/${facility.facilityUuid}`);
  await link("Add new assessment").waitFor();
  screen.expectClean();
});

test("if two people edit the same version, the second sees both values field by field and chooses", async () => {
  const assessor = await gateway.as("assessor");
  const { body } = await assessor.call("POST", "/api/v1/assessment", visit(facility));
  const { assessmentUuid } = body as { assessmentUuid: string };
  const screen = await screenAs(browser, gateway, "admin");
  const { page, open, settled } = screen;
  await open(`/assessment/facility/${facility.facilityUuid}/${assessmentUuid}`);
  await fillComments(page, "Mine");
  await page.getByLabel("Number of staff trained").fill("8");
  await assessor.call("PATCH", "/api/v1/assessment", {
    assessmentUuid,
    version: 1,
    numberOfStaffTrainedInSmartCare: 9,
    otherIssues: "Theirs",
  });
  await saveVisit(page);
  await page.getByRole("heading", { name: "This assessment was changed meanwhile" }).waitFor();
  const field = page.getByRole("group", { name: "Number of staff trained" });
  await expect.poll(() => field.getByRole("radio", { name: "Yours 8" }).isChecked()).toBe(true);
  await field.getByRole("radio", { name: "Stored now 9" }).check();
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Save with these choices" }).click();
  await page.getByText("Saved the assessment").waitFor();
  expect(await stored(assessmentUuid)).toMatchObject({
    version: 3,
    closingComments: "Mine",
    numberOfStaffTrainedInSmartCare: 9,
    otherIssues: "Theirs",
  });

  await open(`/assessment/facility/${facility.facilityUuid}/${assessmentUuid}`);
  await settled();
  const history = page.getByRole("region", { name: "History" });
  await expect.poll(() => history.innerText()).toContain("Closing comments from Seen by the test to Mine");
  screen.expectClean();
});

test("if one draft is saved from two windows, the second window asks field by field and saves the choices as an edit", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const first = screen.page;
  const path = `/assessment/facility/${facility.facilityUuid}`;
  await screen.open(path);
  await fillRequired(first, "EFast");
  await first.getByText("Kept on this device as a draft").waitFor();
  const second = await first.context().newPage();
  await second.goto(`${gateway.url}/#${path}`);
  await second.getByText("It is not saved yet.").waitFor();
  await second.getByLabel("Number of staff trained").fill("6");
  await fillComments(second, "From the second window");
  await second.getByText("Kept on this device as a draft").waitFor();

  await first.getByLabel("General comments on setup").fill("From the first window");
  await saveVisit(first);
  await first.getByText("Saved the assessment").waitFor();
  const [{ uuid }] = (await past()) as [{ uuid: string }];
  expect(await stored(uuid)).toMatchObject({
    version: 1,
    numberOfStaffTrainedInSmartCare: 5,
    otherIssues: "From the first window",
  });
  await second.reload();
  await second.getByText("It is not saved yet.").waitFor();
  await expect.poll(() => second.getByLabel("Closing comments").last().inputValue()).toBe("From the second window");
  await saveVisit(second);
  await second.getByRole("heading", { name: "This assessment is stored already, with other values" }).waitFor();
  await second.waitForURL(`**/#${path}/${uuid}`);
  const choice = (field: string, name: string) =>
    second.getByRole("group", { name: field }).getByRole("radio", { name });
  await expect.poll(() => choice("Number of staff trained", "Yours 6").isChecked()).toBe(true);
  await expect
    .poll(() => choice("General comments on setup", "Stored now From the first window").isChecked())
    .toBe(true);
  await choice("Number of staff trained", "Stored now 5").check();
  await second.reload();
  await choice("Number of staff trained", "Stored now 5").check();
  await second.getByRole("button", { name: "Save with these choices" }).click();
  await second.getByText("Saved the assessment").waitFor();
  expect(await stored(uuid)).toMatchObject({
    version: 2,
    numberOfStaffTrainedInSmartCare: 5,
    otherIssues: "From the first window",
    closingComments: "From the second window",
    functionalityStatusMode: "EFast",
  });
  expect((await past())[0]!.uuid).toBe(uuid);
  await expect.poll(() => keptRecords(second, "work")).toEqual([]);
  screen.expectClean();
});

test("without network, the page of a facility that is not kept shows what waits and which facilities can be opened", async () => {
  const other = await sampleFacility(gateway.db, 2);
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true, width: 390 });
  const { page, open } = screen;
  await open(`/facility/${facility.facilityUuid}`);
  const kept = await page.locator("h1").innerText();
  const groups = async () => (await keptRecords(page, "answer")).flatMap(({ group }) => group ?? []);
  await expect.poll(async () => (await groups()).length).toBeGreaterThan(0);
  const [ofFirst] = await groups();
  await open(`/assessment/facility/${other.facilityUuid}`);
  const otherName = await page.locator(".page-subtitle a").innerText();
  await fillRequired(page, "ELast", "3");
  await page.getByText("Kept on this device as a draft").waitFor();
  await applicationKept(page);
  // Deletes the facility's page, as if it was viewed too long ago to be kept.
  const ofOther = async () => (await keptRecords(page, "answer")).filter(({ group }) => group && group !== ofFirst);
  await expect.poll(async () => (await ofOther()).length).toBe(2);
  await forgetGroup(page, (await ofOther())[0]?.group);
  screen.expectClean();
  await saveOffline(page);
  await page.reload();
  await page.getByText("There is no connection").waitFor();
  await expect.poll(() => page.locator("h1").innerText()).toBe(otherName);
  await page.getByText(/^An assessment saved here on .* waits on this device/).waitFor();
  await expect.poll(() => page.getByText("could not be loaded").count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("region", { name: "Facilities kept on this device" }).getByRole("link", { name: kept }).click();
  await page.getByRole("region", { name: "Facility details" }).waitFor();
  await page.goBack();
  await page.getByText("There is no connection").waitFor();
  await sentBy(page, () => networkBack(page));
  await page.getByRole("region", { name: "Facility details" }).waitFor();
  await page.getByText("1 assessment waits").waitFor({ state: "detached" });
  screen.expectClean(offline);
});

test("the assessments of a province and of a person are exported for chosen days, by people with the right only", async () => {
  const rows = await gateway.sql<{ provinceId: number; name: string }>`
    select p.province_id, p.name from province p join facility f using (province_id) where facility_uuid = ${facility.facilityUuid}`;
  const { provinceId, name } = rows[0]!;
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page, open, settled } = screen;
  await open(`/facilities/province/${provinceId}`);
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByRole("button", { name: "Export assessments" }).first().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export assessments" });
  await dialog.getByText(`Assessments of all facilities in ${name} Province, a row each, as CSV.`).waitFor();
  await dialog.getByLabel("Start").fill("2020-01-01");
  await settled();
  const total = Number(
    (/^([\d,]+) assessments/.exec(await dialog.getByRole("status").innerText()) ?? [])[1]?.replace(",", ""),
  );
  expect(total).toBeGreaterThan(5);
  const fetched = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export CSV" }).click();
  const file = await fetched;
  expect(file.suggestedFilename()).toMatch(/^assessments-2020-01-01-\d{4}-\d\d-\d\d\.csv$/);
  expect((await readFile(await file.path(), "utf8")).split("\r\n")).toHaveLength(total + 2);
  await dialog.getByLabel("End").fill("2019-12-31");
  await dialog.getByText("End date cannot be before the start date").waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "Export CSV" }).getAttribute("href")).toBeNull();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await open("/user?start=2020-01-01&end=2020-01-31");
  await page.getByRole("button", { name: "More for this list" }).click();
  const own = page.getByTitle(/^A file of this person's assessments, 01 Jan 2020 to 31 Jan 2020/);
  await expect
    .poll(() => own.getAttribute("href"))
    .toMatch(/^\/api\/v1\/assessment\/csv\/2020-01-01\/2020-01-31\?userUuid=/);
  screen.expectClean();
  await screen.close();
  const plain = await screenAs(browser, gateway, "plain");
  await plain.open(`/facilities/province/${provinceId}?chart=summary`);
  await plain.page.getByRole("button", { name: "More for this list" }).click();
  await expect.poll(() => plain.page.getByRole("button", { name: "Export assessments" }).count()).toBe(0);
});

test("the facility's configuration is edited in its dialog, and both success messages are shown", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open(`/facility/${facility.facilityUuid}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Implementing partner").waitFor();
  await dialog.getByLabel("Present").check();
  await dialog.getByLabel("Details").fill("Fibre to the clinic");
  await dialog.getByLabel("Details").fill("n".repeat(257));
  await dialog.getByRole("button", { name: "Save changes" }).click();
  const tooLong = dialog.getByText("Details may have at most 256 characters");
  await tooLong.waitFor();
  await dialog.getByLabel("Present").uncheck();
  await tooLong.waitFor({ state: "detached" });
  await expect
    .poll(async () => [
      await dialog.getByLabel("Details").inputValue(),
      await dialog.getByLabel("Details").isDisabled(),
    ])
    .toEqual(["", true]);
  await dialog.getByLabel("Present").check();
  await dialog.getByLabel("Details").fill("Fibre to the clinic");
  await dialog.getByLabel("Mobile coverage").uncheck();
  await expect.poll(() => dialog.getByLabel("Mobile provider").isDisabled()).toBe(true);
  const area = dialog.getByRole("switch").first();
  const was = await area.isChecked();
  await area.click();
  await expect.poll(() => area.isChecked()).toBe(!was);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Updated site settings").waitFor();
  await page.getByText("Updated connectivity properties").waitFor();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Fibre to the clinic").waitFor();
  // The focus returns to the button that opened the dialog.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Edit");
  screen.expectClean();
});

test("a facility's connectivity that nobody recorded stays unknown when something else is saved", async () => {
  const admin = await gateway.as("admin");
  const nothing = { present: null, type: null, details: null, mobileCoverage: null, mobileProvider: null };
  const { facilityUuid } = await gateway.db
    .selectFrom("facility")
    .select("facilityUuid")
    .orderBy("facilityName")
    .limit(1)
    .executeTakeFirstOrThrow();
  expect((await admin.call("PUT", "/api/v1/facilityConnectivity", { facilityUuid, ...nothing })).status).toBe(200);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  await screen.open(`/facility/${facilityUuid}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  for (const label of ["Present", "Mobile coverage"])
    await expect
      .poll(() => dialog.getByLabel(label).evaluate((box: HTMLInputElement) => box.indeterminate), { message: label })
      .toBe(true);
  await dialog.getByRole("switch").first().click();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Updated connectivity properties").waitFor();
  expect((await admin.get(`/api/v1/facilityConnectivity/${facilityUuid}`)).body).toMatchObject(nothing);
  screen.expectClean();
});
