import { expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { axe, layoutFaults, openRow, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillRequired, saveOffline, saveVisit } from "../support/visitForm.ts";

/**
 * Screens show when a visit was received, if that is another day, and that it was made after its facility was closed.
 */

const [browser, gateway] = await screensOfFile();

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** An instant's date in Africa/Lusaka. */
const dayOf = (instant: string) => new Date(Date.parse(instant) + 2 * 3_600_000).toISOString().slice(0, 10);
/** The same, as screens show it. */
const dayText = (instant: string) => {
  const [year, month, day] = dayOf(instant).split("-");
  return `${day} ${months[Number(month) - 1]} ${year}`;
};

test("lists and history show when a late visit was received", async () => {
  const assessor = await gateway.as("assessor");
  const facility = await sampleFacility(gateway.db, 8);
  const past = new Date(Date.now() - 86_400_000).toISOString();
  const sent = async (more: object) => bodyOf(await assessor.call("POST", "/api/v1/assessment", visit(facility, more)));
  const late = await sent({ assessedAt: past });
  await sent({});
  const received = `received ${dayText(late.receivedAt)}`;

  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open } = screen;
  await open(`/facility/${facility.facilityUuid}?tab=assessments`);
  const rows = page.getByRole("row");
  await expect.poll(() => rows.filter({ hasText: received }).count()).toBe(1);
  await expect
    .poll(() =>
      rows
        .filter({ hasText: dayText(past) })
        .filter({ hasText: received })
        .count(),
    )
    .toBe(1);
  await open(`/assessment/facility/${facility.facilityUuid}/${late.assessmentUuid}`);
  await page.getByText(`${dayText(past)}, ${late.assessmentTime}: assessed by assessor, ${received} at `).waitFor();
  // The list begins with the present month, in which the visit need not be.
  await open(`/user/me?start=${late.assessmentDate}&end=${dayOf(late.receivedAt)}`);
  await page.getByRole("tab", { name: "User Assessments", selected: true }).waitFor();
  const row = rows.filter({ has: page.locator(`a[href*="${late.assessmentUuid}"]`) });
  await row.getByText(`${dayText(past)}, ${late.assessmentTime}, ${received}`).waitFor();
  screen.expectClean();
});

test("a visit to a closed facility is saved with a warning, also if it waited for the network", async () => {
  const admin = await gateway.as("admin");
  const facility = await sampleFacility(gateway.db, 10);
  const yesterday = new Date(Date.now() + 2 * 3_600_000 - 86_400_000).toISOString();
  await gateway.sql`delete from assessment where facility_uuid = ${facility.facilityUuid}`;
  const closed = await admin.call("POST", `/api/v1/facility/${facility.facilityUuid}/close`, {
    closedOn: yesterday.slice(0, 10),
    reason: "Flooded",
  });
  expect(closed.status, closed.text).toBe(200);
  const { facilityName } = bodyOf(closed);
  const warning = `${facilityName} is closed since ${yesterday.slice(0, 10)}, before this visit`;

  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page, open } = screen;
  const record = async () => {
    await open(`/assessment/facility/${facility.facilityUuid}`);
    await fillRequired(page);
    await page.getByText("Kept on this device as a draft").waitFor();
  };
  const save = () => saveVisit(page);
  await record();
  await page.getByText(`A visit after that day is recorded all the same.`).waitFor();
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  await save();
  await page.getByText(warning).waitFor();
  await page
    .getByText(/The visit is recorded\. If the facility is open, have it opened again in the registry/)
    .waitFor();

  await record();
  await saveOffline(page);
  await expect.poll(() => page.getByText(warning).count()).toBe(0);
  await page.context().setOffline(false);
  await page.getByText(warning).waitFor();
  await page.getByText(`The assessment of ${facilityName} was sent`).waitFor();

  await open("/registry?tab=closed");
  const row = page.getByRole("row", { name: new RegExp(facilityName) });
  await openRow(row);
  await row.getByText("after it was closed").waitFor();
});
