import { beforeAll, expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The screen "What changed": its tiles, its filters and its rows, which are those of the ledger. */

let site: { facilityUuid: string; facilityName: string };
const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const sample = await sampleFacility(gateway.db);
  const assessor = await gateway.as("assessor");
  for (const smartCareFunctional of [true, false]) {
    const more = { smartCareFunctional, closingComments: smartCareFunctional ? null : "The server burnt" };
    const { status, text } = await assessor.call("POST", "/api/v1/assessment", visit(sample, more));
    if (status !== 200) throw new Error(text);
  }
  site = bodyOf(await assessor.get(`/api/v1/facilityMetadata/${sample.facilityUuid}`));
});

type Row = { facilityUuid: string; direction: string };
const directions = ["better", "worse", "new"];

test.each([
  ["viewer", 1440],
  ["plain", 390],
] as const)(
  "each tile's figure for %s at %i px is the number of its rows, and the tile lists them by site",
  async (login, width) => {
    const rows = bodyOf<Row[]>(await (await gateway.as(login)).get("/api/v1/ledger?range=LAST_8_DAYS&kinds=works"));
    const screen = await screenAs(browser, gateway, login, { width });
    const { page } = screen;
    await screen.open("/changes?kind=works");
    const tile = (title: string) => page.locator(".ledger-tile", { hasText: title });
    for (const direction of directions) {
      const count = rows.filter((row) => row.direction === direction).length;
      const title = `${direction[0]!.toUpperCase()}${direction.slice(1)}`;
      await expect.poll(() => tile(title).locator(".ledger-count").innerText()).toBe(String(count));
    }
    const box = (await page.locator(".ledger-count").first().boundingBox())!;
    expect(box.y).toBeLessThan(width === 390 ? 360 : 300);
    const week = (await page
      .getByRole("button", { name: /^Since Monday/ })
      .first()
      .boundingBox())!;
    if (width === 390) expect(week.height).toBeGreaterThanOrEqual(44);
    const worse = rows.filter(({ direction }) => direction === "worse");
    await tile("Worse").click();
    await expect.poll(() => page.locator(".ledger-change").count()).toBe(Math.min(worse.length, 50));
    const own = page.locator(".ledger-site", { has: page.getByRole("link", { name: site.facilityName }) });
    const line = await own.locator(".ledger-change").first().innerText();
    expect(line).toContain("Works: yes → no");
    expect(line.includes("assessor · The server burnt")).toBe(login === "viewer");
    expect(await page.getByTitle(/^A file /).getAttribute("href")).toMatch(/kinds=works&direction=worse$/);
    await screen.settled();
    await tile("Worse").click();
    await expect.poll(() => page.locator(".ledger-change").count()).toBe(Math.min(rows.length, 50));
    if (width === 390) await page.getByRole("button", { name: "Filters (1)" }).click();
    // Notes, actions and what was set aside are no choice for those who may not see them.
    expect((await page.getByLabel("What", { exact: true }).innerText()).includes("Notes")).toBe(login === "viewer");
    screen.expectClean();
  },
);
