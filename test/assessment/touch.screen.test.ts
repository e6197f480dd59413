import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * What an officer touches on a phone is large enough for a finger (width too in the form: steps.screen.test.ts), bars are
 * low, and large text fits.
 */

const [browser, gateway] = await screensOfFile();

/** What can be touched and is lower than 44 pixels, beside the footer, the table heads that a phone hides, and texts. */
const lowOnes = (page: Page) =>
  page.locator("main").evaluate((main) =>
    [...main.querySelectorAll<HTMLElement>("a[href], button, select, summary, textarea, input:not([type=checkbox])")]
      .filter(
        (element) =>
          element.checkVisibility({ opacityProperty: true }) &&
          !element.closest("thead, footer, p, .note, .bp6-input-action, .bp6-control, .bp6-file-input"),
      )
      .map((element) => [Math.round(element.getBoundingClientRect().height), element.innerText] as const)
      .filter(([height]) => height < 44),
  );

/** The rows of tables that take more than two lines: a long name may take one more. */
const highRows = (part: Locator) =>
  part.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>("tbody tr")]
      .filter(({ offsetHeight }) => offsetHeight > 72)
      .map(({ innerText, offsetHeight }) => `${innerText}: ${offsetHeight}`),
  );

/** How many of the window's pixels, from top to bottom, show bars that stay there while the page scrolls. */
const heightOfBars = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo(0, 300);
    const stays = (element: Element | null): boolean =>
      element !== null && (/sticky|fixed/.test(getComputedStyle(element).position) || stays(element.parentElement));
    return Array.from({ length: innerHeight }, (_, y) => y).filter((y) =>
      stays(document.elementFromPoint(innerWidth / 2, y)),
    ).length;
  });

const steps = ["power", "smartCare", "areas", "contacts", "closing", "review"];
/** A facility with a visit and a TDB. */
const known = () =>
  gateway.db
    .selectFrom("assessment")
    .innerJoin("tdb", "tdb.facilityUuid", "assessment.facilityUuid")
    .select(["assessment.facilityUuid", "assessment.assessmentUuid"])
    .executeTakeFirstOrThrow();
const visitOf = (facilityUuid: string, past: string) => [
  "/",
  "/search?text=hospital",
  "/facilities",
  `/facility/${facilityUuid}`,
  ...steps.map((step) => `/assessment/facility/${facilityUuid}?step=${step}`),
  `/assessment/facility/${facilityUuid}/${past}`,
  "/user",
  "/field",
  "/worklist",
];

test.each([
  ["assessor", visitOf],
  ["admin", () => ["/to-check"]],
  [
    "uploader",
    (uuid: string) => ["/tdb", `/facility/${uuid}?tab=tdbs`, "/user/me?tab=allTdbs&start=2026-01-01&end=2099-01-01"],
  ],
] as const)("on a phone all that %s touches is at least 44 pixels high", async (login, pathsOf) => {
  const { facilityUuid, assessmentUuid } = await known();
  const screen = await screenAs(browser, gateway, login, { width: 390 });
  for (const path of pathsOf(facilityUuid, assessmentUuid)) {
    await screen.open(path);
    await expect.poll(() => lowOnes(screen.page), { message: path }).toEqual([]);
    // Home adds up five figures of each partner.
    if (path !== "/") expect([path, await highRows(screen.page.locator("main"))]).toEqual([path, []]);
  }
  screen.expectClean();
});

test("on a phone the overdue sites are two lines each", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  await screen.open("/provinces?chart=silent");
  expect(await highRows(screen.page.getByRole("table", { name: /overdue$/ }))).toEqual([]);
  screen.expectClean();
});

test("on a phone the fields and buttons of the sign-in are at least 44 pixels high", async () => {
  const screen = await screenAs(browser, gateway, null, { width: 390 });
  await screen.open("/");
  await expect.poll(() => lowOnes(screen.page)).toEqual([]);
  screen.expectClean();
});

test("on a small phone the bars of a visit's screens leave 85 % of the window; text of twice the size is not cut", async () => {
  const { facilityUuid, assessmentUuid } = await known();
  const screen = await screenAs(browser, gateway, "assessor", { width: 360 });
  const { page, open } = screen;
  for (const path of visitOf(facilityUuid, assessmentUuid)) {
    await open(path);
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await expect.poll(() => heightOfBars(page), { message: path }).toBeLessThanOrEqual(0.15 * 640);
    }
    await page.evaluate(() => void (document.documentElement.style.fontSize = "200%"));
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      expect([path, width, await layoutFaults(page)]).toEqual([path, width, []]);
    }
    await page.evaluate(() => void (document.documentElement.style.fontSize = ""));
  }
  screen.expectClean();
});
