import { sql } from "kysely";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { missingRightsMessage } from "../../gateway/access/access.rules.ts";
import type { Finding } from "../../gateway/system/doctor.ts";
import { screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The screen of checks: an administrator sees what the doctor finds, and how to fix it. */

const [browser, gateway] = await screensOfFile();

const stateWords = { ok: "OK", warning: "Warning", failed: "Failed" };
const findingsNow = async () =>
  bodyOf<{ findings: Finding[] }>(await (await gateway.as("admin")).get("/api/v1/system/checks")).findings;
/** Checks whose text contains a time or an amount, which is another one at the next check. */
const varying = new Set(["clock", "time zone", "connections", "room"]);
const steady = ({ check, found, remedy }: { check: string; found: string; remedy?: string | undefined }) =>
  varying.has(check) ? { check } : { check, found, remedy };

/** The rows of the table. */
const rowsOf = (page: Page) =>
  page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => {
      const [check, state, found] = [...row.querySelectorAll(":scope > :not(.is-more)")] as [Element, Element, Element];
      const remedy = found.querySelector("code")?.textContent ?? undefined;
      return {
        check: check.textContent,
        state: state.textContent,
        isStrong: state.querySelector("strong") !== null,
        found: found.textContent.slice(0, found.textContent.length - (remedy?.length ?? 0)),
        remedy,
      };
    }),
  );
const rowOf = async (page: Page, check: string) => (await rowsOf(page)).find((row) => row.check === check);

test("an administrator gets from the page about the platform to each check, with its state, finding and remedy", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open("/about");
  await page.getByRole("link", { name: "Checks of this installation" }).click();
  await page.getByRole("heading", { level: 1, name: "Checks" }).waitFor();
  await page.getByRole("table").waitFor();
  const findings = await findingsNow();
  const wrong = findings.filter(({ state }) => state !== "ok");
  expect(wrong.map(({ state }) => state)).toEqual(expect.arrayContaining(["failed", "warning"]));
  expect(await page.locator("caption").innerText()).toBe(`${findings.length} findings, ${wrong.length} to look at`);
  const rows = await rowsOf(page);
  expect(rows.map(({ check, state, isStrong }) => [check, state, isStrong])).toEqual(
    findings.map(({ check, state }) => [check, stateWords[state], state !== "ok"]),
  );
  expect(rows.map(steady)).toEqual(findings.map(steady));
  expect(rows.filter(({ found }) => found === "")).toEqual([]);
  await page.getByText("The settings and the replica are checked by the command npm run doctor.").waitFor();
  screen.expectClean();
});

test("Check again shows a new fault, and shows it no longer once its remedy was run", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/checks");
  const before = await page.locator("tbody tr").count();
  expect(await rowOf(page, "extensions")).toMatchObject({ state: "OK", remedy: undefined });
  await gateway.sql`drop extension fuzzystrmatch`;
  const again = page.getByRole("button", { name: "Check again" });
  await again.click();
  await expect
    .poll(() => rowOf(page, "extensions"))
    .toMatchObject({ state: "Failed", found: "The extension fuzzystrmatch is not in this database." });
  expect(await page.locator("tbody tr").count()).toBe(before);
  const { remedy } = (await rowOf(page, "extensions"))!;
  await sql.raw(remedy!).execute(gateway.db);
  await again.click();
  await expect.poll(() => rowOf(page, "extensions")).toMatchObject({ state: "OK", remedy: undefined });
  screen.expectClean();
});

test("while the checks run the page says so, its button does nothing, and a second check leaves the former findings in place", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  let held: (() => void)[] = [];
  const release = () => {
    held.forEach((go) => go());
    held = [];
  };
  await page.route(/ChecksScreenQuery/, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(`${gateway.url}/#/checks`);
  const again = page.getByRole("button", { name: "Check again" });
  await page.getByRole("status").filter({ hasText: "Loading…" }).waitFor();
  await expect.poll(() => again.getAttribute("aria-disabled")).toBe("true");
  expect(await page.getByRole("table").count()).toBe(0);
  await expect.poll(() => held.length).toBe(1);
  await again.click({ force: true });
  release();
  await page.getByRole("table").waitFor();
  await screen.settled();
  expect(screen.calls().filter((call) => call.includes("ChecksScreenQuery"))).toHaveLength(1);
  expect(await again.getAttribute("aria-disabled")).toBe(null);

  const rows = await rowsOf(page);
  await again.click();
  await expect.poll(() => held.length).toBe(1);
  await expect.poll(() => again.getAttribute("aria-disabled")).toBe("true");
  await page.locator("[aria-busy=true] table").waitFor();
  expect(await rowsOf(page)).toEqual(rows);
  release();
  await screen.settled();
  expect(await page.locator("[aria-busy=true]").count()).toBe(0);
  screen.expectClean();
});

test("without an answer the page says that nothing could be loaded, and Try again runs the checks", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  await page.route(/ChecksScreenQuery/, (route) => route.abort());
  await page.goto(`${gateway.url}/#/checks`);
  const alert = page.getByRole("alert").filter({ hasText: "This could not be loaded" });
  await alert.waitFor();
  expect(await page.getByRole("table").count()).toBe(0);
  await page.unroute(/ChecksScreenQuery/);
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table").waitFor();
  expect(await alert.count()).toBe(0);

  // If a later check fails, former findings do not stand as if they were the new ones.
  await page.route(/ChecksScreenQuery/, (route) => route.abort());
  await page.getByRole("button", { name: "Check again" }).click();
  await alert.waitFor();
  expect(await page.getByRole("table").count()).toBe(0);
  screen.expectClean(/ERR_FAILED/);
});

test("a manager has no link to the checks, and is sent from their address to Home without a query", async () => {
  const screen = await screenAs(browser, gateway, "manager");
  const { page } = screen;
  await screen.open("/about");
  await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  expect(await page.getByRole("link", { name: "Checks of this installation" }).count()).toBe(0);
  await page.goto(`${gateway.url}/#/checks`);
  await page.getByText(missingRightsMessage).waitFor();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await screen.settled();
  expect(screen.calls().filter((call) => call.includes("ChecksScreenQuery"))).toEqual([]);
  screen.expectClean();
});
