import { sql } from "kysely";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** Imports in a real browser: a list is sent, reviewed, decided on, applied and reverted. */

let browser: Browser;
let gateway: TestGateway;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const one = async <Row>(text: string) => (await sql<Row>`${sql.raw(text)}`.execute(gateway.db)).rows[0]!;
const typeOf = async (uuid: string) => (await one<{ type: string | null }>(`select facility_type as type from facility where facility_uuid = '${uuid}'`)).type;

test.each([1440, 390] as const)("at %d pixels a list is sent, reviewed, accepted by row and by kind, applied and reverted", async (width) => {
  const screen = await screenAs(browser, gateway, "admin", { width, colorScheme: width === 390 ? "dark" : "light" });
  const { page } = screen;
  const { uuid, code, type } = await one<{ uuid: string; code: string; type: string }>(
    "select facility_uuid as uuid, hmis_code as code, facility_type as type from facility where hmis_code is not null and facility_type is not null and closed_on is null order by 1 limit 1",
  );
  await screen.open("/registry/imports");
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  const file = page.getByLabel("List of facilities (CSV)");
  const send = page.getByRole("button", { name: "Review", exact: true });
  await file.setInputFiles({ name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from("name;latitude;longitude\nA;x;1\n") });
  await send.click();
  await page.getByText("row 2, latitude: 'x' is not a number").waitFor();
  await file.setInputFiles({ name: "sites.csv", mimeType: "text/csv", buffer: Buffer.from(`hmisCode;name;facilityType;province;district\n${code};;Screen Type ${width};;\n;Lost Clinic;;Nowhere;Nowhere\n;@Lost;;Nowhere;Nowhere\n`) });
  await send.click();
  await page.getByRole("heading", { name: "Import: sites.csv" }).waitFor();
  await page.getByRole("tab", { name: "Changed (1)" }).click();
  await page.getByRole("deletion").or(page.locator("del")).getByText(type).first().waitFor();
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Accept row 2" }).click();
  await page.getByText("1 accepted, 0 rejected, 0 undecided").waitFor();
  await page.getByRole("button", { name: "Reject all changed" }).click();
  await page.getByText("0 accepted, 1 rejected, 0 undecided").waitFor();
  await page.getByRole("button", { name: "Accept all", exact: true }).click();
  await page.getByText("1 accepted, 0 rejected, 0 undecided").waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Apply the import" }).click();
  await page.getByRole("button", { name: "Revert", exact: true }).waitFor();
  expect(await typeOf(uuid)).toBe(`Screen Type ${width}`);
  await page.getByRole("tab", { name: "Unknown places (2)" }).click();
  await page.getByText("province 'Nowhere' is not known").first().waitFor();
  await page.getByRole("tab", { name: "With warnings (1)" }).click();
  await page.getByText("Warning: name: '@Lost' begins like a formula").waitFor();
  // The former list is shown, dimmed, until this one has come.
  await expect.poll(() => page.getByRole("cell", { name: "Unknown places" }).count()).toBe(1);
  await screen.settled();
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Revert", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revert the import" }).click();
  await page.getByRole("button", { name: "Apply", exact: true }).waitFor();
  expect(await typeOf(uuid)).toBe(type);
  await screen.open("/registry/imports");
  await page.getByRole("link", { name: "sites.csv" }).first().waitFor();
  await screen.close();
});
