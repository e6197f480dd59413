import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/**
 * A country on its first day: facilities are loaded, but none was visited. The screens show what is there and where to
 * begin.
 */

let browser: Browser;
let gateway: TestGateway;
type Figure = { value: number; of: number };
let situation: Record<"facilities" | "assessed" | "silent" | "withoutPosition", Figure> & {
  units: { name: string; facilities: number }[];
};
let missing: number;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  await gateway.db.deleteFrom("assessment").execute();
  await gateway.db.deleteFrom("tdb").execute();
  // One position as ministries send them: without the minus sign of the latitude.
  const moved = await gateway.db
    .selectFrom("facility")
    .select("facilityUuid")
    .where("latitude", "is not", null)
    .where("closedOn", "is", null)
    .orderBy("facilityUuid")
    .executeTakeFirstOrThrow();
  await gateway.db
    .updateTable("facility")
    .set({ latitude: 12.029, longitude: 25.91 })
    .where("facilityUuid", "=", moved.facilityUuid)
    .execute();
  await rebuildRollups(gateway.db);
  situation = bodyOf(await (await gateway.as("admin")).get("/api/v1/situation"));
  missing = situation.withoutPosition.value;
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test.each([1440, 390] as const)(
  "at %d pixels Home says that nothing was assessed yet, links to the facilities to visit and draws their positions",
  async (width) => {
    expect([situation.assessed.value, situation.silent.of]).toEqual([0, 0]);
    const screen = await screenAs(browser, gateway, "plain", { width, colorScheme: width === 390 ? "dark" : "light" });
    const { page } = screen;
    await screen.open("/");
    const sentence = page.locator(".situation-tiles");
    const text = (await sentence.innerText()).replaceAll(/\s+/g, " ");
    const all = situation.facilities.value;
    expect(text).toContain(`Sites assessed 0 % 0 of ${all}`);
    expect(text).toContain("Nothing was assessed yet");
    expect(text).toContain("No facility is expected to send TDBs yet");
    expect(text).not.toContain("0 of 0");
    await page.locator(".situation-map-place").scrollIntoViewIfNeeded();
    const dots = page.locator(".situation-map-drawing .map-dots");
    await dots.first().waitFor();
    // Each facility with a position in the country is a dot; those without one, and the one abroad, are counted.
    const drawn = (
      await dots.evaluateAll((paths) => paths.map((path) => path.getAttribute("d")!.split("M").length - 1))
    ).reduce((sum, one) => sum + one, 0);
    expect(drawn).toBe(all - missing - 1);
    const map = page.locator(".situation-map");
    await map.getByRole("link", { name: `${missing} facilities without a position` }).waitFor();
    const outside = map.getByRole("link", { name: "1 position outside the map" });
    await outside.waitFor();
    expect(await map.getByRole("list", { name: "Legend" }).innerText()).toContain("No facilities: 0");
    expect(await page.locator(".map-unit.is-none").count()).toBe(0);
    // A link scrolled partly under the top bar would count as too small a target.
    await page.evaluate(() => window.scrollTo(0, 0));
    await screen.settled();
    expect(await axe(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await outside.click();
    await expect.poll(() => page.locator("caption").innerText()).toBe("1 facility");
    await screen.open("/");
    // First by province, then all of them.
    const first = situation.units[0]!;
    const units = page.locator(".situation-units");
    await units.getByRole("link", { name: `${first.facilities}, Never assessed, ${first.name}` }).click();
    await expect.poll(() => page.locator("caption").innerText()).toBe(`${first.facilities} facilities`);
    await screen.open("/");
    await sentence.getByRole("link", { name: `${all} never assessed` }).click();
    await expect.poll(() => page.locator("caption").innerText()).toBe(`${all} facilities`);
    screen.expectClean();
    await screen.close();
  },
);

test("the work list, a partner without facilities, charts, the report and the page of changes say why there is nothing yet", async () => {
  const [partner] = await gateway.db
    .insertInto("implementingPartner")
    .values({ name: "Partner of Nobody", active: true })
    .returning("implementingPartnerId")
    .execute();
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const main = async () => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
  const { facilities } = situation;
  await screen.open("/worklist/notVisited");
  await page.getByRole("link", { name: "Facilities never assessed" }).click();
  await expect.poll(() => page.locator("caption").innerText()).toBe(`${facilities.value} facilities`);
  await screen.open(`/ip/${partner!.implementingPartnerId}`);
  await expect.poll(main).toContain("This partner supports no facility here yet.");
  await expect.poll(main).toContain("No facility belongs here yet");
  expect(await main()).not.toContain("0 of 0");
  expect(await page.locator(".situation-map-place").count()).toBe(0);
  await screen.open("/provinces?chartYear=2026");
  await expect.poll(main).toContain(`0 of ${facilities.value} facilities assessed`);
  await screen.open("/report");
  await expect.poll(main).toContain("No site was assessed by then");
  await expect.poll(() => page.locator(".report .map-dots").count()).toBe(situation.units.length);
  await screen.open("/changes");
  await expect.poll(main).toContain("Nothing changed here since");
  screen.expectClean();
  await screen.close();
});
