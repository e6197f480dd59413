import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { axe, openRow, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** What administrators do about visits that no figure counts, in a real browser. */

let browser: Browser;
let gateway: TestGateway;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test.each([1440, 390] as const)(
  "at %d pixels a held visit is accepted from the list To check, set aside on its page, and restored from the list",
  async (width) => {
    const facility = await sampleFacility(gateway.db, width === 390 ? 1 : 0);
    const body = visit(facility, { numberOfStaffTrainedInSmartCare: 9771 });
    const answer = await (await gateway.as("assessor")).call("POST", "/api/v1/assessment", body);
    const { assessmentUuid, held } = bodyOf<{ assessmentUuid: string; held: string }>(answer);
    expect(held).toContain("9,771 staff");

    const screen = await screenAs(browser, gateway, "admin", { width });
    const { page } = screen;
    await screen.open("/to-check");
    const visits = page.getByRole("region", { name: "Visits" });
    const row = visits.getByRole("row").filter({ hasText: held });
    if (width === 390) await openRow(row);
    await row.getByRole("button", { name: /^Accept the visit of/ }).click();
    await row.waitFor({ state: "detached" });

    await screen.open(`/assessment/facility/${facility.facilityUuid}/${assessmentUuid}`);
    await page.getByRole("button", { name: /^Set aside the visit of/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Set aside" }).click();
    await dialog.getByText("is required").waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByLabel("Reason").fill("A phone number as the number of staff");
    await dialog.getByRole("button", { name: "Set aside" }).click();
    await page.getByText("Set aside: A phone number as the number of staff. Figures leave this visit out.").waitFor();

    await screen.open("/to-check?show=aside");
    const aside = visits.getByRole("row").filter({ hasText: "A phone number as the number of staff" });
    if (width === 390) await openRow(aside);
    await aside.getByRole("button", { name: /^Restore the visit of/ }).click();
    await dialog.getByLabel("Reason").fill("It was a number of staff after all");
    await dialog.getByRole("button", { name: "Restore" }).click();
    await aside.waitFor({ state: "detached" });
    const stored = await (await gateway.as("admin")).get(`/api/v1/assessment/${assessmentUuid}`);
    expect(bodyOf(stored)).toMatchObject({ setAside: null, held: null });
    await screen.close();
  },
);

test("who is no administrator neither sees the list nor a button that sets a visit aside", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  const [first] = bodyOf<{ uuid: string; facilityUuid: string }[]>(
    await (
      await gateway.as("assessor")
    ).get(`/api/v1/assessment/list/facility/${(await sampleFacility(gateway.db)).facilityUuid}`),
  );
  await screen.open(`/assessment/facility/${first!.facilityUuid}/${first!.uuid}`);
  await page.getByRole("region", { name: "Facility details" }).waitFor();
  expect(await page.getByRole("button", { name: /^Set aside/ }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "To check" }).count()).toBe(0);
  await screen.close();
});
