import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility, type SampleFacility } from "../support/assessment-data.ts";
import { axe, hasFocus, layoutFaults, networkBack, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { fillVisit, goToStep, saveOffline, sentBy } from "../support/visitForm.ts";

/** Actions on the facility's page, on the work list and in the form of a visit, on a phone and on a computer. */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const offline = /ERR_INTERNET_DISCONNECTED|Failed to load resource/;
const section = (page: Page) => page.getByRole("region", { name: "Actions agreed" });
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
const expectWhole = async (page: Page) => expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);

type Action = { text: string; responsible: string; origin: string; state: string; reason: string | null };
async function stored({ facilityUuid }: SampleFacility) {
  const viewer = await gateway.as("viewer");
  const rows = bodyOf<Action[]>(await viewer.get(`/api/v1/action/list?facilityUuid=${facilityUuid}`));
  return rows
    .map(({ text, responsible, origin, state, reason }) => ({ text, responsible, origin, state, reason }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
}

/** Agrees an action in the dialog that is open. */
async function agree(page: Page, text: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What is to be done").fill(text);
  await dialog.getByLabel("Responsible").fill("Ruth Kapwelo");
  await dialog.getByLabel("Due").fill(inAWeek());
  await dialog.getByRole("button", { name: "Agree action" }).click();
  await dialog.waitFor({ state: "hidden" });
}

test.each([390, 1440] as const)(
  "actions are agreed on the facility's page, changed, closed as done or dropped with the reason, and opened again (%i px)",
  async (width) => {
    const site = await sampleFacility(gateway.db, width === 390 ? 1 : 2);
    const screen = await screenAs(browser, gateway, "assessor", { width });
    const { page, open } = screen;
    await open(`/facility/${site.facilityUuid}`);
    await section(page).getByText("No action is agreed at this facility.").waitFor();
    await section(page).getByRole("button", { name: "Add action" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Agree action" }).click();
    await page.getByRole("dialog").getByText("is required").first().waitFor();
    await expectWhole(page);
    await agree(page, "Replace the battery");
    await section(page).getByText("Replace the battery").waitFor();
    await section(page).getByRole("button", { name: "Add action" }).click();
    await agree(page, "Train two people");
    await section(page).getByText("Train two people").waitFor();
    await section(page).getByRole("button", { name: "Change: Train two people" }).click();
    await page.getByRole("dialog").getByLabel("Responsible").fill("");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByText("is required, unless a partner is named").waitFor();
    await page.getByRole("dialog").getByLabel("Implementing partner").selectOption("Partner A");
    await expectWhole(page);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await section(page)
      .getByText(/^Partner A · due /)
      .waitFor();
    await expectWhole(page);

    await section(page).getByRole("button", { name: "Done: Replace the battery" }).click();
    await section(page)
      .getByText(/^Done .* by assessor$/)
      .waitFor();
    await section(page).getByRole("button", { name: "Drop: Train two people" }).click();
    await expectWhole(page);
    await page.getByLabel("Why it is not to be done any more").fill("They left");
    await page.getByRole("dialog").getByRole("button", { name: "Drop action" }).click();
    await section(page)
      .getByText(/^Dropped .* by assessor: They left$/)
      .waitFor();
    await section(page).getByRole("button", { name: "Open again: Replace the battery" }).click();
    await section(page).getByRole("button", { name: "Done: Replace the battery" }).waitFor();
    await expectWhole(page);
    if (width === 390) {
      const buttons = section(page).getByRole("button");
      const heights = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().height));
      expect(heights.filter((height) => height < 44)).toEqual([]);
    }
    const partner = { responsible: null, origin: "hand" };
    expect(await stored(site)).toEqual([
      { text: "Replace the battery", responsible: "Ruth Kapwelo", origin: "hand", state: "open", reason: null },
      { text: "Train two people", ...partner, state: "dropped", reason: "They left" },
    ]);
    screen.expectClean();
    await screen.close();
  },
);

test.each([390, 1440] as const)(
  "an action about an entry of the work list is agreed there, and shown with the entry (%i px)",
  async (width) => {
    const screen = await screenAs(browser, gateway, "assessor", { width });
    const { page, open } = screen;
    await open("/worklist/stopped");
    const isPhone = width === 390;
    const more = page.getByRole("button", { name: /^More about / }).first();
    if (isPhone) await more.click();
    await page
      .getByRole("button", { name: isPhone ? "Agree action" : /^Assign an action at / })
      .nth(isPhone ? 0 : 1)
      .click();
    await agree(page, `Restart the server ${width}`);
    if (isPhone) {
      await hasFocus(more);
      await page.getByRole("row").filter({ hasText: "1 action" }).first().waitFor();
      await more.click();
    }
    await page.getByText(`Restart the server ${width}`).filter({ visible: true }).waitFor();
    await expectWhole(page);
    const viewer = await gateway.as("viewer");
    const agreed = bodyOf<Action[]>(await viewer.get("/api/v1/action/list?kind=stopped&state=open"));
    expect(agreed).toContainEqual(expect.objectContaining({ text: `Restart the server ${width}`, origin: "worklist" }));
    screen.expectClean();
    await screen.close();
  },
);

test.each([390, 1440] as const)(
  "what is agreed in the form of a visit without network is stored once, with the visit (%i px)",
  async (width) => {
    const site = await sampleFacility(gateway.db, width === 390 ? 3 : 4);
    const screen = await screenAs(browser, gateway, "assessor", { width });
    const { page, open } = screen;
    await open(`/assessment/facility/${site.facilityUuid}`);
    await goToStep(page, "Closing");
    await section(page).getByRole("button", { name: "Add an action" }).click();
    const action = section(page).getByRole("group", { name: "Action 1" });
    await action.getByLabel("What is to be done").fill("Call the grid");
    await action.getByLabel("Responsible").fill("Ruth Kapwelo");
    await action.getByLabel("Due").fill(inAWeek());
    await section(page).getByRole("button", { name: "Add an action" }).click();
    await section(page).getByRole("button", { name: "Remove action 2" }).click();
    await expect.poll(() => section(page).getByRole("group").count()).toBe(1);
    await expectWhole(page);
    await fillVisit(page, "With an action");
    await saveOffline(page);
    expect(await stored(site)).toEqual([]);
    await sentBy(page, () => networkBack(page));
    await section(page).getByText("Call the grid").waitFor();
    expect(await stored(site)).toEqual([
      { text: "Call the grid", responsible: "Ruth Kapwelo", origin: "visit", state: "open", reason: null },
    ]);
    screen.expectClean(offline);
    await screen.close();
  },
);
