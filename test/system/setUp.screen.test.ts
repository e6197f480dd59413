import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** Setting up the country: what an administrator is told is left, until nothing is. */

const [browser, gateway] = await screensOfFile("demo");

test("Home tells an administrator what is left to set up, each step has its count, and nothing is said once all are done", async () => {
  const { page, open, expectClean } = await screenAs(browser, gateway, "admin", { width: 390 });
  const note = page.getByRole("link", { name: /^Set up the country: / });
  await open("/");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await open("/setup");
  await page.getByText("All steps are done.").waitFor();
  const steps = page.getByRole("main").getByRole("listitem");
  expect(await steps.count()).toBe(8);
  expect(await page.getByTitle("To do").count()).toBe(0);

  await gateway.sql`delete from boundary where district_id is not null`;
  await gateway.sql`update facility set implementing_partner_id = null`;
  await open("/");
  await page.reload();
  await note.click();
  await page.getByRole("button", { name: "Count again" }).click();
  await page.getByText("6 of 8 steps are done.").waitFor();
  await steps.filter({ hasText: "Outlines for maps" }).getByText("10 of 126 places").waitFor();
  await steps.filter({ hasText: "Outlines for maps" }).getByText("Load from a file").click();
  await page.getByText("npm run load -- --boundaries").waitFor();
  const { count } = (
    await gateway.sql<{ count: number }>`select count(*)::int as count from facility where closed_on is null`
  )[0]!;
  await steps.filter({ hasText: "Partners" }).getByText(`0 of ${count} open facilities`).waitFor();
  await page.getByRole("link", { name: "Link partners" }).click();
  await page.getByRole("heading", { level: 1, name: "All Facilities" }).waitFor();
  await page.getByText(`${count} facilities`).first().waitFor();
  expectClean();
});
