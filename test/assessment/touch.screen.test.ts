import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * On a phone the bars of a visit's screens are low, and large text fits. (How large what is touched is:
 * shell/phone.screen.test.ts, in the form also steps.screen.test.ts.)
 */

const [browser, gateway] = await screensOfFile();

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
