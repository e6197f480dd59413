import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { axe, hasFocus, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { fillComments, goToStep, sentBy } from "../support/visitForm.ts";

/**
 * A device with a wrong clock: the screen says so, online and offline. A device in another time zone shows the
 * ministry's time.
 */

const [browser, gateway] = await screensOfFile();

/** A page on a device whose clock is `ahead` milliseconds ahead of the server's. */
async function screenOfDevice(ahead: number) {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  await screen.page.context().addInitScript((shift) => {
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...given: [] | [number]) {
        if (given.length) super(...given);
        else super(RealDate.now() + shift);
      }
      static override now = () => RealDate.now() + shift;
    } as DateConstructor;
  }, ahead);
  return screen;
}

const minute = 60_000;

test.each([
  ["three years ahead", 3 * 365.25 * 24 * 60 * minute, "The clock of this device is 3 years ahead."],
  ["two hours behind", -2 * 60 * minute, "The clock of this device is 2 hours behind."],
])("a clock that is %s is reported, also while the server cannot be reached", async (_, ahead, text) => {
  const screen = await screenOfDevice(ahead);
  const { page } = screen;
  await screen.open("/about");
  await page.getByText(text).waitFor();
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
  await page.route("**/graphql*", (route) => route.abort());
  await page.reload();
  await page.getByText(text).waitFor();
});

test("a clock that is four minutes ahead is not reported", async () => {
  const screen = await screenOfDevice(4 * minute);
  await screen.open("/about");
  await expect.poll(() => screen.page.getByText("The clock of this device").count()).toBe(0);
});

test.each(["Pacific/Kiritimati", "America/Los_Angeles"])(
  "a device in %s shows the ministry's time on Home, in reports, on the screen of changes, on paper and in pictures",
  async (timezoneId) => {
    const screen = await screenAs(browser, gateway, "viewer", { timezoneId });
    const { page } = screen;
    /** Milliseconds between now and the time in a text, which is Lusaka's (UTC+2 all year). */
    const away = (text: string | null | undefined) =>
      Math.abs(Date.parse(`${/\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d/.exec(text ?? "")?.[0]} GMT+0200`) - Date.now());
    const shown: [path: string, selector: string][] = [
      ["/", ".situation"],
      ["/report", ".report-first"],
      ["/changes", ".page-subtitle"],
    ];
    for (const [path, selector] of shown) {
      await screen.open(path);
      await expect
        .poll(async () => away(/as at\s(.*)/is.exec(await page.locator(selector).innerText())?.[1]), {
          message: `${path} ${selector}`,
        })
        .toBeLessThan(30 * minute);
    }
    // A picture has the same words below its title.
    await screen.open("/provinces");
    await page.locator(".overview .chart-drawing").waitFor();
    expect(away(await page.locator(".overview .print-only").getAttribute("data-words"))).toBeLessThan(30 * minute);
    screen.expectClean();
  },
);

test("on a phone that believes it is 2015 the screen, the checklist and Save say so, and the visit gets the day that is entered", async () => {
  const comments = `Dead battery ${randomUUID()}`;
  const facility = await sampleFacility(gateway.db, 5);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  await page.context().addInitScript(() => {
    const RealDate = Date;
    const shift = () => Number(sessionStorage.getItem("shift") ?? 0);
    globalThis.Date = class extends RealDate {
      constructor(...given: [] | [number]) {
        if (given.length) super(...given);
        else super(RealDate.now() + shift());
      }
      static override now = () => RealDate.now() + shift();
    } as DateConstructor;
  });
  await screen.open(`/assessment/facility/${facility.facilityUuid}`);
  await goToStep(page, "SmartCare");
  await page.getByLabel("Deployment Mode").selectOption("EFirst");
  await page.getByText("Kept on this device as a draft").waitFor();
  expect(await page.getByLabel("Day of the visit").count()).toBe(0);
  const away = /\/(graphql|api)\b/;
  await page.route(away, (route) => route.abort());
  // The battery dies: the page is opened again, with another clock.
  await page.evaluate((years) => sessionStorage.setItem("shift", String(-years * 365.25 * 86_400_000)), 11);
  await page.reload();
  await page
    .getByText(/^The clock of this device is at least 11 years behind\. Save asks for the day of the visit\./)
    .waitFor();
  await page.getByLabel("Date of last upgrade").fill("2025-01-31");
  await page.getByLabel("Number of staff trained").fill("5");
  await fillComments(page, comments);
  await goToStep(page, "Review");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await page.getByText("Enter the day of the visit").waitFor();
  const day = page.getByRole("region", { name: "Day of the visit" }).locator("input");
  await hasFocus(day);
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  const today = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 10);
  await day.fill(today);
  await save.click();
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await screen.open("/field");
  await page.getByText(/points to look at$/).click();
  await page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Clock" }) })
    .getByText(
      "The clock of this device is at least 11 years behind. Save asks for the day of the visit. Please set the clock.",
    )
    .waitFor();

  await page.unroute(away);
  await sentBy(page, () => page.evaluate(() => window.dispatchEvent(new Event("online"))));
  // The answer of the server has corrected the clock.
  await page
    .getByText("The clock of this device is 11 years behind. Visits are saved with the server's time instead.")
    .first()
    .waitFor();
  const admin = await gateway.as("admin");
  const list = bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/assessment/list/facility/${facility.facilityUuid}`));
  const visits = await Promise.all(
    list.map(async ({ uuid }) =>
      bodyOf<{ closingComments: string; assessmentDate: string }>(await admin.get(`/api/v1/assessment/${uuid}`)),
    ),
  );
  expect(
    visits.filter(({ closingComments }) => closingComments === comments).map(({ assessmentDate }) => assessmentDate),
  ).toEqual([today]);
});
