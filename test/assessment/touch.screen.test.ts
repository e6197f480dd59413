import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** What an officer touches on the way to a visit is large enough for a finger (the form: steps.screen.test.ts). */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** What can be touched and is lower than 44 pixels, beside the footer, the table heads that a phone hides, and texts. */
const lowOnes = (page: Page) =>
  page.locator("main").evaluate((main) =>
    [...main.querySelectorAll<HTMLElement>("a[href], button, select, summary, textarea, input:not([type=checkbox])")]
      .filter((element) => element.checkVisibility() && !element.closest("thead, footer, p, .note, .bp6-input-action"))
      .map((element) => [Math.round(element.getBoundingClientRect().height), element.innerText] as const)
      .filter(([height]) => height < 44),
  );

test("on a phone all that is touched on the way to a visit is at least 44 pixels high", async () => {
  const { facilityUuid } = await sampleFacility(gateway.db, 1);
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const paths = ["/", "/search?text=hospital", "/facilities", `/facility/${facilityUuid}`, "/field"];
  for (const path of paths) {
    await screen.open(path);
    await screen.settled();
    await expect.poll(() => lowOnes(screen.page), { message: path }).toEqual([]);
  }
  screen.expectClean();
  await screen.close();
});
