import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { lasting, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** What a phone's lists and controls measure, on the screens with lists. */

const [browser, gateway] = await screensOfFile();
const width = 390;

/** The rows of tables that are higher than 72 pixels. */
const highRows = (page: Page) =>
  lasting(() =>
    page.locator("main tbody > tr:not(.data-table-group)").evaluateAll((rows) =>
      rows.flatMap((row) => {
        const { height } = row.getBoundingClientRect();
        return height > 72.5 ? [`${Math.round(height)}: ${(row as HTMLElement).innerText.slice(0, 80)}`] : [];
      }),
    ),
  );

/** Controls, and links that stand alone, that are less than 44 pixels high or wide (in the second line of a row: 24 wide). */
const smallTargets = (page: Page) =>
  lasting(() =>
    page
      .locator("main, footer, .notifications")
      .locator("a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab]")
      .evaluateAll((controls) =>
        controls.flatMap((control) => {
          // A drawing has areas, not controls, and a box is pressed anywhere on its label.
          if (!control.checkVisibility({ visibilityProperty: true }) || control.closest(".map-drawing, .chart-drawing"))
            return [];
          const target = control.closest("label.bp6-control, label.bp6-file-input") ?? control;
          const isInText =
            control.matches("a") &&
            getComputedStyle(control).display === "inline" &&
            control.parentElement!.textContent!.trim() !== control.textContent!.trim();
          const { width: wide, height } = target.getBoundingClientRect();
          const least = control.closest("td.is-line") ? 24 : 43.5;
          if (isInText || wide < 2 || (wide >= least && height >= 43.5)) return [];
          return [
            `${Math.round(wide)} × ${Math.round(height)}: ${control.localName} ${control.ariaLabel ?? (target as HTMLElement).innerText}`,
          ];
        }),
      ),
  );

test("on a phone a row of a list is at most 72 pixels high, and a control at least 44 high and wide", async () => {
  const facility = await sampleFacility(gateway.db, 0);
  const admin = await gateway.as("admin");
  // A visit to check, and an import with places to choose.
  await (
    await gateway.as("assessor")
  ).call("POST", "/api/v1/assessment", visit(facility, { numberOfStaffTrainedInSmartCare: 9771 }));
  const list = "name,province,district\nScreen Clinic,Nowhere,Nowhere\n";
  const sent = await admin.call("POST", "/api/v1/registry/import", list, { "content-type": "text/csv" });
  const imported = `/registry/imports/${bodyOf<{ uuid: string }>(sent).uuid}`;
  await admin.call("POST", "/api/v1/registry/reconciliations?source=Screens", list, { "content-type": "text/csv" });
  const screen = await screenAs(browser, gateway, "admin", { width });
  const faults: Record<string, { rows: string[]; targets: string[] }> = {};
  // A site with a visit and a TDB that are not held.
  const { facilityUuid, assessmentUuid } = await gateway.db
    .selectFrom("assessment")
    .innerJoin("tdb", "tdb.facilityUuid", "assessment.facilityUuid")
    .where("assessment.facilityUuid", "<>", facility.facilityUuid)
    .select(["assessment.facilityUuid", "assessment.assessmentUuid"])
    .executeTakeFirstOrThrow();
  const site = `/facility/${facilityUuid}`;
  const form = `/assessment${site}`;
  for (const path of [
    ...[
      "/search?text=hospital",
      "/facilities",
      `/facility/${facility.facilityUuid}`,
      site,
      `${site}?tab=tdbs`,
      `${form}/${assessmentUuid}`,
    ],
    ...["power", "smartCare", "areas", "contacts", "closing", "review"].map((step) => `${form}?step=${step}`),
    ...[
      "/",
      "/provinces?chart=mode&table",
      "/provinces?chart=summary",
      "/provinces?chart=silent",
      "/provinces?chart=tdbs",
    ],
    ...[
      "/districts",
      "/facilities?power=no",
      "/ips",
      "/ip/2",
      "/ip/2?tab=users",
      "/ip/2?tab=tdbs",
      "/downloads",
      "/tdb",
    ],
    ...["/fleet", "/user", "/user?tab=allTdbs", "/users/directory", "/audit", "/to-check", "/machines", "/checks"],
    ...[
      "/machines?tab=accounts",
      "/registry",
      "/registry?tab=merges",
      "/registry?tab=districts",
      "/registry?tab=systems",
    ],
    ...["/registry?tab=closed", "/registry/imports?open=new", `${imported}?step=read`, `${imported}?step=apply`],
    ...["/registry/reconciliations", "/worklist/stopped", "/worklist/tasks", "/field", "/about", "/reports"],
    ...["/changes?since=2026-01-01", "/report?year=2026&quarter=4"],
  ]) {
    await screen.open(path);
    const found = { rows: await highRows(screen.page), targets: await smallTargets(screen.page) };
    if (found.rows.length + found.targets.length > 0) faults[path] = found;
  }
  expect(faults).toEqual({});
});

test("on a phone the fields and buttons of the sign-in are at least 44 pixels high", async () => {
  const screen = await screenAs(browser, gateway, null, { width });
  await screen.open("/");
  expect(await smallTargets(screen.page)).toEqual([]);
  screen.expectClean();
});

test("what opens from a row of a phone's list is as large as a finger, and nothing lies over it", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width });
  const { page } = screen;
  for (const [path, controls] of [
    ["/worklist/stopped", page.getByRole("button", { name: /^(Agree action|Note)$/ })],
    ["/fleet", page.getByRole("listitem").getByRole("link", { name: /^(Failed|No report|No path): / })],
  ] as const) {
    await screen.open(path);
    await page
      .getByRole("button", { name: /^More about/ })
      .first()
      .click();
    await controls.last().waitFor();
    expect(await smallTargets(page)).toEqual([]);
    const boxes = await controls.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(boxes.length).toBeGreaterThan(1);
    expect(boxes.filter(({ top }, at) => top < (boxes[at - 1]?.bottom ?? 0))).toEqual([]);
  }
});

test("a phone's row opens with what its two lines have no room for", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width });
  const { page } = screen;
  await screen.open("/downloads");
  const row = page.getByRole("row").filter({ hasText: "SmartCare 4.2 installer" });
  const opener = row.getByRole("button", { name: "More about SmartCare 4.2 installer" });
  await row.getByRole("link", { name: "Download SmartCare 4.2 installer" }).waitFor();
  await expect.poll(() => row.innerText()).not.toContain("04 Apr 2026");
  await opener.click();
  await expect.poll(() => opener.getAttribute("aria-expanded")).toBe("true");
  await expect.poll(() => row.innerText()).toMatch(/DEMO[^]*Withdraw/);
  await opener.click();
  await expect.poll(() => row.getByRole("button", { name: /^Withdraw/ }).isVisible()).toBe(false);
});
