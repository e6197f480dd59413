import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { formatDate } from "../../client/ui/text/dates.ts";
import { axe, hasFocus, layoutFaults, screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** The work list as an inbox: kinds with counts, groups, keys, one's own entries, and what is done to many at once. */

let browser: Browser;
let gateway: TestGateway;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const names = (page: Page) => page.locator("tbody th[scope=row]");
const kinds = (page: Page) => page.getByRole("navigation", { name: "Kinds of work" });
const expectWhole = async (page: Page) => expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
const countOf = async (page: Page, kind: string) => {
  const link = kinds(page).getByRole("link", { name: kind });
  await expect.poll(() => link.innerText()).toMatch(/\d/);
  return Number(/\d[\d,]*/.exec(await link.innerText())![0].replace(",", ""));
};

test("a kind of the work list has its own address, where an entry can be snoozed and then shown on request", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open("/");
  await page.locator(".attention-kinds").getByRole("link", { name: "Stopped working" }).click();
  await page.waitForURL("**/#/worklist/stopped");
  await page.getByRole("heading", { level: 1, name: "Work list: Stopped working" }).waitFor();
  const name = await page.locator("tbody th").first().innerText();
  await page.getByRole("button", { name: `Note or snooze ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("Waits for a router");
  await dialog.getByLabel(/Snooze until/).fill(later);
  await dialog.getByRole("button", { name: "Save note" }).click();
  await dialog.waitFor({ state: "hidden" });
  await screen.settled();
  expect(await page.locator("tbody th", { hasText: name }).count()).toBe(0);
  await page.getByRole("link", { name: "Snoozed" }).click();
  await page.locator("tbody th", { hasText: name }).waitFor();
  await screen.settled();
  await expectWhole(page);
  // Another note leaves it snoozed unless the day is removed.
  const noteAgain = async (comment: string, until?: string) => {
    await page.getByRole("button", { name: `Note or snooze ${name}` }).click();
    await expect.poll(() => dialog.getByLabel(/Snooze until/).inputValue()).toBe(formatDate(later));
    await dialog.getByLabel("Note").fill(comment);
    if (until !== undefined) await dialog.getByLabel(/Snooze until/).fill(until);
    await dialog.getByRole("button", { name: "Save note" }).click();
    await dialog.waitFor({ state: "hidden" });
    await screen.settled();
  };
  await noteAgain("The router is on its way");
  await page.locator("tbody tr", { hasText: "The router is on its way" }).waitFor();
  await noteAgain("The router is there", "");
  await expect.poll(() => page.locator("tbody th", { hasText: name }).count()).toBe(0);
  await screen.open("/worklist/nothing");
  await page.getByRole("heading", { level: 1, name: /not found/i }).waitFor();
  screen.expectClean();
  await screen.close();
});

test("keys move between the rows, note and snooze the one that has the focus, and are text in a field", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open("/worklist/silent");
  const [first, second] = await names(page).allInnerTexts();
  await page.keyboard.press("j");
  await hasFocus(page.getByRole("link", { name: first!, exact: true }));
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await hasFocus(page.getByRole("link", { name: second!, exact: true }));
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: `Note: ${second}` }).waitFor();
  await dialog.getByLabel("Note").focus();
  await page.keyboard.type("jksn");
  expect(await dialog.getByLabel("Note").inputValue()).toBe("jksn");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await hasFocus(page.getByRole("link", { name: second!, exact: true }));
  await page.keyboard.press("s");
  await dialog.getByRole("heading", { name: `Snooze: ${second}` }).waitFor();
  await dialog.getByLabel("Why").fill("Waits for a router");
  await dialog.getByRole("button", { name: "Snooze" }).click();
  await dialog.getByText("is required").waitFor();
  await expectWhole(page);
  await dialog.getByLabel("Snooze until").fill(later);
  await dialog.getByRole("button", { name: "Snooze" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => names(page).allInnerTexts()).not.toContain(second);
  screen.expectClean();
  await screen.close();
});

test("selected rows are noted together and that is undone; all that match are selected at once", async () => {
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open("/worklist/oldVersion?group=partner");
  const total = await countOf(page, "Old version");
  const [first, second] = await names(page).allInnerTexts();
  await page.getByLabel(`Select ${first}`).check({ force: true });
  await page.getByLabel(`Select ${second}`).check({ force: true });
  const bar = page.getByRole("region", { name: "Selected sites" });
  await bar.getByText("2 selected").waitFor();
  await expectWhole(page);
  expect(await bar.getByRole("button", { name: "Export selected" }).getAttribute("href")).toMatch(
    /worklist\/oldVersion\/csv\?.*facilityUuid=.*&facilityUuid=/,
  );
  await bar.getByRole("button", { name: "Note" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("Upgrade on Monday");
  await dialog.getByRole("button", { name: "Save note" }).click();
  await page.getByText("Note saved at 2 sites").waitFor();
  await expect.poll(() => page.locator("tbody tr", { hasText: "Upgrade on Monday" }).count()).toBe(2);
  await expectWhole(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone at 2 sites").waitFor();
  await expect.poll(() => page.locator("tbody tr", { hasText: "Upgrade on Monday" }).count()).toBe(0);
  await page.getByLabel(`Select ${first}`).check({ force: true });
  await bar.getByRole("button", { name: `Select all ${total}` }).click();
  await bar.getByText(`${total} selected`).waitFor();
  await bar.getByRole("button", { name: "Assign" }).click();
  await dialog.getByRole("heading", { name: `Agree an action: ${total} sites` }).waitFor();
  await dialog.getByLabel("What is to be done").fill("Upgrade");
  await dialog.getByLabel("Responsible").fill("Bwalya Nyambeko");
  await dialog.getByLabel("Due").fill(later);
  await dialog.getByRole("button", { name: "Agree action" }).click();
  await page.getByText(`Action agreed at ${total} sites`).waitFor();
  await bar.waitFor({ state: "hidden" });

  // Now they are one's own. The tasks are not about the work list.
  await page.getByText("Mine", { exact: true }).click();
  await page.waitForURL("**mine=yes**");
  await expect.poll(() => countOf(page, "Lost power")).toBe(0);
  expect(await countOf(page, "Old version")).toBe(total);
  await page.locator("tbody tr", { hasText: `Bwalya Nyambeko` }).first().waitFor();
  screen.expectClean();
  await screen.close();
});

test.each([390, 1440] as const)(
  "facilities are selected, their partner is set, and tasks are agreed that the work list shows (%i px)",
  async (width) => {
    const screen = await screenAs(browser, gateway, "assessor", { width });
    const { page } = screen;
    await screen.open("/facilities");
    const [first, second] = await names(page).locator("a").allInnerTexts();
    const partnerOf = async (name: string) =>
      (
        await gateway.sql<{ partner: string | null }>`
          select name as partner from facility left join implementing_partner using (implementing_partner_id) where facility_name = ${name}`
      )[0]?.partner;
    await page.getByLabel(`Select ${first}`).check({ force: true });
    await page.getByLabel(`Select ${second}`).check({ force: true });
    const bar = page.getByRole("region", { name: "Selected sites" });
    const dialog = page.getByRole("dialog");
    const partner = width === 390 ? "Partner C" : "Partner D";
    await bar.getByRole("button", { name: "Set partner" }).click();
    await dialog.getByLabel("Implementing partner").selectOption(partner);
    await expectWhole(page);
    await dialog.getByRole("button", { name: "Set partner" }).click();
    await page.getByText(/^Partner set at /).waitFor();
    expect([await partnerOf(first!), await partnerOf(second!)]).toEqual([partner, partner]);
    await page.getByLabel(`Select ${first}`).check({ force: true });
    await bar.getByRole("button", { name: "Assign" }).click();
    await dialog.getByRole("heading", { name: `Agree an action: ${first}` }).waitFor();
    await dialog.getByLabel("What is to be done").fill(`Count the computers ${width}`);
    await dialog.getByLabel("Implementing partner").selectOption("Partner A");
    await dialog.getByLabel("Due").fill(later);
    await dialog.getByRole("button", { name: "Agree action" }).click();
    await page.getByText("Action agreed at 1 site").waitFor();
    await screen.open("/worklist");
    if (width === 390) await page.getByLabel("Kind").selectOption("tasks");
    else await kinds(page).getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { level: 1, name: "Work list: Tasks" }).waitFor();
    await page.locator("tbody tr", { hasText: `Count the computers ${width}` }).waitFor();
    await expectWhole(page);
    screen.expectClean();
    await screen.close();
  },
);

test.each([390, 1440] as const)(
  "place and partner are chosen in the scope bar, and every kind keeps them (%i px)",
  async (width) => {
    const screen = await screenAs(browser, gateway, "viewer", { width });
    const { page } = screen;
    await screen.open("/worklist/silent");
    const bar = page.getByRole("group", { name: "Scope" });
    await bar.getByLabel("Province").selectOption({ label: "Southern" });
    await page.waitForURL(/provinceId=\d+/);
    const first = page.locator("tbody tr").first();
    await first.getByText(/, Southern/).waitFor();
    await bar.getByLabel("District").waitFor();
    if (width === 390) await bar.getByRole("button", { name: "Filters (0)" }).click();
    await bar.getByLabel("Implementing partner").selectOption({ label: "Partner A" });
    await page.waitForURL(/implementingPartnerId=\d+/);
    if (width === 390) await bar.getByRole("button", { name: "Filters (1)" }).waitFor();
    await bar.getByLabel("Group by").selectOption({ label: "By district" });
    await page.waitForURL(/group=district/);
    if (width === 390) await page.getByLabel("Kind").selectOption("oldVersion");
    else await kinds(page).getByRole("link", { name: "Old version" }).click();
    await page.getByRole("heading", { level: 1, name: "Work list: Old version" }).waitFor();
    const kept = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
    expect(Object.fromEntries(kept)).toEqual({
      provinceId: expect.stringMatching(/^\d+$/),
      implementingPartnerId: expect.stringMatching(/^\d+$/),
      group: "district",
    });
    await bar.getByLabel("Province").selectOption({ label: "All provinces" });
    await page.waitForURL((url) => !url.hash.includes("provinceId"));
    await expectWhole(page);
    screen.expectClean();
    await screen.close();
  },
);

test("people who may not see assessments have the kinds and their files, without contacts, tasks and acts", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open("/worklist/silent");
  await names(page).first().waitFor();
  expect(await page.getByRole("columnheader", { name: /Contact|Responsible|Last note/ }).count()).toBe(0);
  expect(await kinds(page).getByRole("link", { name: "Tasks" }).count()).toBe(0);
  expect(await page.getByText("Mine", { exact: true }).count()).toBe(0);
  await page.locator("tbody input[type=checkbox]").first().check({ force: true });
  const bar = page.getByRole("region", { name: "Selected sites" });
  await bar.getByRole("button", { name: "Export selected" }).waitFor();
  expect(await bar.getByRole("button", { name: "Note" }).count()).toBe(0);
  screen.expectClean();
  await screen.close();
});
