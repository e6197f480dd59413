import { sql } from "kysely";
import { expect, test } from "vitest";

import { stuckReasons, stuckStates } from "../../gateway/fleet/fleetState.rules.ts";
import { axe, layoutFaults, openRow, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { listRollouts } from "../support/mutations.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * The screen of the fleet: its figures equal REST's; a rollout for several places is created, changed, paused and
 * ended.
 */

const api = (path: string) => `/api/v1${path}`;

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");

test("the figures of a rollout equal REST's, and each link of a rollout or file lists its sites", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open("/fleet");
  const fleet = bodyOf(await admin.get(api("/fleet")));
  await page.getByText(`The version of ${fleet.known} of ${fleet.facilities} facilities is known`).waitFor();
  const [{ rollout, covered, due, paused, reached, stuck, reported }] = fleet.rollouts;
  const row = page
    .getByRole("table", { name: "Rollouts", exact: true })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: rollout.version }) });
  for (const [header, count] of [
    ["Targeted", covered],
    ["Offered", due + paused],
    ["Applied", reported],
    ["Reached", reached],
    ["Stuck", stuck],
  ] as const) {
    const at = (
      await page.getByRole("table", { name: "Rollouts", exact: true }).getByRole("columnheader").allTextContents()
    ).indexOf(header);
    expect([header, (await row.locator("th, td").nth(at).textContent())?.trim()]).toEqual([header, String(count)]);
  }
  // Its places are named, and a person who may only read gets no buttons.
  const { rows } = await sql<{ name: string }>`
    select name from province where province_id = any(${rollout.provinceIds}::integer[]) order by name`.execute(
    gateway.db,
  );
  await openRow(row);
  for (const { name } of rows) await row.getByText(name).waitFor();
  for (const reason of await row.getByRole("listitem").getByRole("link").all())
    expect((await reason.boundingBox())!.height).toBeGreaterThanOrEqual(43.5);
  expect(await page.getByRole("button", { name: /^(New rollout|Pause|End|Change)/ }).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  const links: { name: string; query: string; count: number }[] = [
    { name: rollout.version, query: `rolloutUuid=${rollout.uuid}`, count: covered },
    {
      name: `${stuck} sites of the rollout to ${rollout.version} are stuck`,
      query: `rolloutUuid=${rollout.uuid}&stuck=true`,
      count: stuck,
    },
    ...stuckStates
      .filter((state) => fleet.rollouts[0][state] > 0)
      .map((state) => ({
        name: `${stuckReasons[state]}: ${fleet.rollouts[0][state]}`,
        query: `rolloutUuid=${rollout.uuid}&state=${state}`,
        count: fleet.rollouts[0][state],
      })),
    ...(fleet.files as { uuid: string; name: string; needed: number }[])
      .filter(({ needed }) => needed > 0)
      .map(({ uuid, name, needed }) => ({
        name: `${needed} sites still need ${name}`,
        query: `downloadUuid=${uuid}`,
        count: needed,
      })),
  ];
  expect(links.length).toBeGreaterThan(2);
  for (const { name, query, count } of links) {
    const sites = bodyOf<{ facilityName: string }[]>(await admin.get(api(`/fleet/site?${query}`))).map(
      ({ facilityName }) => facilityName,
    );
    expect([name, sites.length]).toEqual([name, count]);
    await screen.open("/fleet");
    await openRow(row);
    await page.getByRole("link", { name, exact: true }).click();
    // A page of the list has ten sites.
    await expect
      .poll(() =>
        page
          .getByRole("table", { name: count === 1 ? "1 site" : `${count} sites` })
          .getByRole("rowheader")
          .allInnerTexts(),
      )
      .toEqual(sites.slice(0, 10));
  }
  screen.expectClean();
});

test("versions over time equal REST's, quarters without data show no zeros, and dates stay on one line", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  await screen.open("/fleet");
  const { versions, quarters } = bodyOf<{ versions: Count[]; quarters: { versions: Count[] }[] }>(
    await admin.get(api("/fleet")),
  );
  type Count = { version: string; facilities: number };
  const of = (counts: Count[], name: string) => counts.find(({ version }) => version === name)?.facilities ?? 0;
  const table = screen.page.getByRole("table", { name: "Facilities by version, at the end of each quarter" });
  const chart = screen.page.getByRole("figure", {
    name: "Shares of the versions at the end of each quarter, and today",
  });
  await expect.poll(() => chart.locator("polygon").count()).toBeGreaterThanOrEqual(versions.length);
  const [newest, next] = versions.map(({ version }) => version);
  await chart.getByRole("img", { name: `${newest}, Today` }).focus();
  const said = () => screen.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await screen.page.keyboard.press("ArrowUp");
  expect(await said()).toContain(`${next}, Today: `);
  await screen.page.keyboard.press("ArrowLeft");
  expect(await said()).toMatch(/, \d{4} QTR \d: /);
  await screen.page.getByRole("button", { name: "Show table" }).click();
  await table.waitFor();
  const earlier = quarters.slice(0, -1);
  expect(earlier.some((quarter) => quarter.versions.length === 0)).toBe(true);
  for (const { version } of versions) {
    const cells = await table
      .getByRole("row")
      .filter({ has: screen.page.getByRole("rowheader", { name: version, exact: true }) })
      .getByRole("cell")
      .allInnerTexts();
    expect([version, cells.map((text) => text.trim())]).toEqual([
      version,
      [
        ...earlier.map((quarter) => (quarter.versions.length === 0 ? "–" : String(of(quarter.versions, version)))),
        String(of(versions, version)),
      ],
    ]);
  }
  await screen.page.getByText("no TDB or visit of that quarter or before names a version").waitFor();
  const dates = screen.page
    .getByRole("table", { name: /sites?$/ })
    .getByRole("cell")
    .filter({ hasText: /^(TDB|visit), / });
  await dates.first().waitFor();
  // On a phone the two lines of a row have no room for them.
  for (const width of [1440, 768]) {
    await screen.page.setViewportSize({ width, height: 900 });
    const lines = await dates.evaluateAll((all) =>
      all.map((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        return new Set([...text.getClientRects()].map(({ top }) => top)).size;
      }),
    );
    expect([width, ...new Set(lines)]).toEqual([width, 1]);
  }
  screen.expectClean();
});

test("the buttons of a rollout stand on one line", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  await screen.open("/fleet");
  const row = screen.page.getByRole("table", { name: "Rollouts", exact: true }).getByRole("row").nth(1);
  await openRow(row);
  const buttons = row.getByRole("button").filter({ hasText: /./ });
  await expect.poll(() => buttons.allInnerTexts()).toEqual(["Pause", "Share", "End"]);
  const tops = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  expect(await layoutFaults(screen.page)).toEqual([]);
});

type SiteUpdates = {
  facilityUuid: string;
  target: string | null;
  reason: string | null;
  updates: { name: string; version: string; sha256: string; report: { outcome: string; why: string | null } | null }[];
};

test("a facility's page lists the files its site has to fetch, in order, shows failures and takes reports", async () => {
  const viewer = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = viewer;
  const sites = bodyOf<{ facilityUuid: string; facilityName: string; state: string; why: string | null }[]>(
    await admin.get(api("/fleet/site")),
  );
  const findUpdates = async (isWanted: (found: SiteUpdates) => boolean): Promise<SiteUpdates> => {
    for (const { facilityUuid } of sites) {
      const found = bodyOf<SiteUpdates>(await admin.get(api(`/facility/${facilityUuid}/updates`)));
      if (isWanted(found)) return found;
    }
    throw new Error("The demonstration has no such site.");
  };
  const longest = await findUpdates(({ updates }) => updates.length > 1 && updates[0]!.report === null);
  await viewer.open(`/facility/${longest.facilityUuid}`);
  await page.getByText("Updates of the site").click();
  const files = page.getByRole("table", { name: "Files to fetch and apply, in this order" });
  await page
    .getByText(`To come to ${longest.target} it has to fetch and apply ${longest.updates.length} files in this order`)
    .waitFor();
  const rows = files.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect.poll(() => rows.getByRole("rowheader").allInnerTexts()).toEqual(longest.updates.map(({ name }) => name));
  for (const [at, { version, sha256 }] of longest.updates.entries()) {
    await openRow(rows.nth(at));
    const text = await rows.nth(at).innerText();
    expect([
      text.includes(version),
      text.includes(sha256.slice(0, 12)),
      text.includes(at === 0 ? "Ready to install" : "To be applied after that"),
    ]).toEqual([true, true, true]);
  }
  expect(await axe(page)).toEqual([]);
  // A person who may not fetch files gets no links.
  expect(await files.getByRole("link").count()).toBe(0);

  // Opened from the fleet's list of sites, the page shows the updates at once.
  const failed = sites.find(({ state }) => state === "failed")!;
  await viewer.open("/fleet?state=failed");
  await page.getByRole("link", { name: failed.facilityName, exact: true }).click();
  await files
    .getByRole("row")
    .filter({ hasText: `Failed: ${failed.why}` })
    .waitFor();
  await page
    .getByRole("table", { name: /report/ })
    .getByRole("row")
    .filter({ hasText: `Failed: ${failed.why}` })
    .first()
    .waitFor();

  const none = await findUpdates(({ reason }) => reason === "noPath");
  await viewer.open(`/facility/${none.facilityUuid}?updates`);
  await page.getByText(`It is to come to ${none.target}, but no files lead there from what it runs.`).waitFor();
  const { facilityUuid } = (
    await sql<{ facilityUuid: string }>`
    select facility_uuid from facility where facility_uuid <> all(${sites.map((site) => site.facilityUuid)}::text[]) order by facility_uuid limit 1`.execute(
      gateway.db,
    )
  ).rows[0]!;
  await viewer.open(`/facility/${facilityUuid}?updates`);
  await page.getByText("No running rollout is for this site").waitFor();
  viewer.expectClean();
  await viewer.close();

  // A person who may edit the facility reports for it: first why a file failed, then that it was applied.
  const assessor = await screenAs(browser, gateway, "assessor", { width: 390 });
  const at = assessor.page;
  const dialog = at.getByRole("dialog");
  const [first, second] = longest.updates as [SiteUpdates["updates"][number], SiteUpdates["updates"][number]];
  await assessor.open(`/facility/${longest.facilityUuid}?updates`);
  const file = at.getByRole("table", { name: "Files to fetch and apply, in this order" }).getByRole("row");
  await openRow(file.filter({ hasText: first.name }));
  await at.getByRole("button", { name: `Report on ${first.name}` }).click();
  await dialog.getByLabel("What became of it").selectOption({ label: "It failed" });
  await dialog.getByRole("button", { name: "Report", exact: true }).click();
  await dialog.getByText("Why is required if it failed").waitFor();
  expect(await axe(at)).toEqual([]);
  await dialog.getByLabel("Why").fill(`No power at 390`);
  await at.keyboard.press("Enter");
  await at.getByRole("row").filter({ hasText: first.name }).getByText(`Failed: No power at 390`).first().waitFor();
  await openRow(file.filter({ hasText: first.name }));
  await at.getByRole("button", { name: `Report on ${first.name}` }).click();
  await dialog.getByRole("button", { name: "Report", exact: true }).click();
  await at.getByText(`To come to ${longest.target} it has to fetch and apply 1 file, due since`).waitFor();
  await at.getByRole("rowheader", { name: second.name }).waitFor();
  expect(
    bodyOf<SiteUpdates>(await admin.get(api(`/facility/${longest.facilityUuid}/updates`))).updates.map(
      ({ name }) => name,
    ),
  ).toEqual([second.name]);
  assessor.expectClean();
  await assessor.close();

  const plain = await screenAs(browser, gateway, "plain", { width: 390 });
  await plain.open(`/facility/${longest.facilityUuid}?updates`);
  await plain.page.getByRole("heading", { level: 1 }).waitFor();
  expect(await plain.page.getByText("Updates of the site").count()).toBe(0);
  plain.expectClean();
});

test("a rollout for several places is created, changed and ended; a running one is paused and resumed", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  const dialog = page.getByRole("dialog");
  const notified = (words: string) => page.locator(".notification", { hasText: words }).first().waitFor();
  const { rows } = await sql<{
    tomorrow: string;
    province: string;
    provinceId: number;
    district: string;
    districtId: number;
    within: string;
  }>`
    select current_date + 1 as tomorrow, first.name as province, first.province_id, district.name as district, district.district_id, second.name as within
    from province first cross join province second join district on district.province_id = second.province_id
    where first.name = 'Western' and second.name = 'Southern' order by district.name limit 1`.execute(gateway.db);
  const [
    { tomorrow, province, provinceId, district, districtId, within } = {
      tomorrow: "",
      province: "",
      provinceId: 0,
      district: "",
      districtId: 0,
      within: "",
    },
  ] = rows;
  await screen.open("/fleet");
  await page.getByRole("button", { name: "New rollout" }).click();
  // An empty form shows both errors at once.
  await dialog.getByRole("button", { name: "Begin rollout" }).click();
  await dialog.getByText("Version is required").waitFor();
  await dialog.getByText("First day is required").waitFor();
  await dialog.getByLabel("Version", { exact: true }).fill("97.5");
  await dialog.getByLabel("First day").fill(tomorrow);
  await dialog.getByText(province, { exact: true }).click();
  await dialog.getByLabel(`All of ${province}`).check();
  await dialog.getByText(within, { exact: true }).click();
  await dialog.getByLabel(district, { exact: true }).check();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Begin rollout" }).click();
  // No file leads there: nothing is created, and the message stands beside the version.
  await dialog.getByText(/No path reaches 97\.5: no file of the general channel brings a site to it/).waitFor();
  const { version } = (await listRollouts(admin)).find(({ state }) => state === "running")!;
  await dialog.getByLabel("Version", { exact: true }).fill(version);
  await dialog.getByLabel("Leave sites behind that no path leads from").check();
  await dialog.getByRole("button", { name: "Begin rollout" }).click();
  await notified(`The rollout to ${version} is made`);
  await dialog.waitFor({ state: "detached" });
  const made = (await listRollouts(admin))[0]!;
  expect(made).toMatchObject({
    version,
    state: "planned",
    provinceIds: [provinceId],
    districtIds: [districtId],
    percentage: 100,
    startDay: tomorrow,
  });

  // It is planned: it is listed below the running ones, and its share can be changed before it begins.
  const planned = page
    .getByRole("table", { name: "Planned and ended rollouts" })
    .getByRole("row")
    .filter({ hasText: "Planned" });
  await planned.getByText(`${province}, ${district}`).waitFor();
  await openRow(planned);
  await planned.getByRole("button", { name: `Change the share of the rollout to ${version}` }).click();
  await dialog.getByLabel("Share").fill("0");
  await dialog.getByRole("button", { name: "Change share" }).click();
  await dialog.getByText("Share must be 1 to 100").waitFor();
  await dialog.getByLabel("Share").fill("25");
  await page.keyboard.press("Enter");
  await notified(`The rollout to ${version} is for 25 % of its sites`);
  await planned.getByText(`25 %, ${province}, ${district}`).waitFor();
  await openRow(planned);
  await planned.getByRole("button", { name: `End the rollout to ${version}` }).click();
  await dialog.getByRole("button", { name: "End rollout" }).click();
  await notified(`The rollout to ${version} has ended`);
  await expect.poll(() => planned.count()).toBe(0);
  expect((await listRollouts(admin)).find(({ uuid }) => uuid === made.uuid)).toMatchObject({
    state: "ended",
    percentage: 25,
  });

  // The running rollout is paused and resumed.
  const running = page
    .getByRole("table", { name: "Rollouts", exact: true })
    .getByRole("row")
    .filter({ hasText: version });
  await openRow(running);
  await page.getByRole("button", { name: `Pause the rollout to ${version}` }).click();
  await notified(`The rollout to ${version} is paused`);
  await page.getByRole("button", { name: `Resume the rollout to ${version}` }).click();
  await notified(`The rollout to ${version} goes on`);
  await page.getByRole("button", { name: `Pause the rollout to ${version}` }).waitFor();
  screen.expectClean();
});
