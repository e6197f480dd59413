import { sql } from "kysely";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** Imports in a real browser: a list is sent, reviewed, decided on, applied and reverted. */

const [browser, gateway] = await screensOfFile();

const one = async <Row>(text: string) => (await gateway.sql<Row>`${sql.raw(text)}`)[0]!;
const typeOf = async (uuid: string) =>
  (await one<{ type: string | null }>(`select facility_type as type from facility where facility_uuid = '${uuid}'`))
    .type;

/** Sends a list on the open screen of imports; it is read, and waits for the review. */
async function sendList(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel("List of facilities").setInputFiles({ name, mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Read this file" }).click();
  await page.getByRole("heading", { name: `Import: ${name}` }).waitFor();
}
const review = async (page: Page) => {
  await page.getByRole("button", { name: "Review the rows" }).click();
  await page.getByRole("tablist", { name: "Kinds of rows" }).waitFor();
};

test("a list is sent, reviewed, accepted by row and by kind, applied and reverted", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390, colorScheme: "dark" });
  const { page } = screen;
  const { uuid, code, type } = await one<{ uuid: string; code: string; type: string }>(
    "select facility_uuid as uuid, hmis_code as code, facility_type as type from facility where hmis_code is not null and facility_type is not null and closed_on is null order by 1 limit 1",
  );
  await screen.open("/registry/imports?open=new");
  await screen.settled();
  await sendList(page, "bad.csv", Buffer.from("name;latitude;longitude\nA;x;1\n"));
  await page.getByText("row 2, latitude: 'x' is not a number").waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard the import" }).click();
  await page.getByRole("heading", { name: "Imports", exact: true }).waitFor();
  await sendList(
    page,
    "sites.csv",
    Buffer.from(
      `hmisCode;name;facilityType;province;district\n${code};;Screen Type 390;;\n;Lost Clinic;;Nowhere;Nowhere\n;@Lost;;Nowhere;Nowhere\n`,
    ),
  );
  await review(page);
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
  expect(await typeOf(uuid)).toBe(`Screen Type 390`);
  await page.getByRole("tab", { name: "Unknown places (2)" }).click();
  await page.getByText("province 'Nowhere' is not known").first().waitFor();
  await page.getByRole("tab", { name: "With warnings (1)" }).click();
  await page.getByText("Warning: name: '@Lost' begins like a formula").waitFor();
  // The previous list is shown dimmed until the new one is loaded.
  await expect.poll(() => page.getByRole("cell", { name: "Unknown places" }).count()).toBe(1);
  await screen.settled();
  await page.getByRole("button", { name: "Revert", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revert the import" }).click();
  await page.getByRole("button", { name: "Apply", exact: true }).waitFor();
  expect(await typeOf(uuid)).toBe(type);
  await screen.open("/registry/imports?open=new");
  await page.getByRole("link", { name: "sites.csv" }).first().waitFor();
});

test("duplicates, merge candidates and new rows are accepted and rejected by row and by kind, and only accepted rows are applied", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const rows = await sql<{
    uuid: string;
    code: string;
    name: string;
    type: string | null;
    owner: string | null;
    district: string;
    province: string;
  }>`
    select facility_uuid as uuid, hmis_code as code, facility_name as name, facility_type as type, facility_owner as owner, d.name as district, p.name as province
    from facility join district d using (district_id) join province p on p.province_id = d.province_id
    where hmis_code is not null and facility_owner is not null and facility.closed_on is null and facility_name not like 'Twin%' order by facility_uuid limit 3`.execute(
    gateway.db,
  );
  const [left, erased, taken] = rows.rows as [
    (typeof rows.rows)[number],
    (typeof rows.rows)[number],
    (typeof rows.rows)[number],
  ];
  const twins = await one<{ uuids: string[]; name: string; district: string; province: string }>(`
    select array_agg(facility_uuid order by facility_uuid) as uuids, facility_name as name, d.name as district, p.name as province
    from facility join district d using (district_id) join province p on p.province_id = d.province_id
    where facility.closed_on is null and facility_name like 'Twin%' group by facility_name, d.name, p.name having count(*) > 1 limit 1`);
  await gateway.sql`insert into facility_identifier (facility_uuid, system, value, is_unique) values (${taken.uuid}, 'elmis', 'EL-SCREEN', true) on conflict do nothing`;
  const place = `${left.province};${left.district}`;
  const list = [
    "hmisCode;name;province;district;facilityType;ownership;elmisCode",
    `${left.code};;;;Kept Owner Type;;`,
    `${erased.code};;;;;(erase);`,
    `88000001;Screened Post;${place};;;`,
    `88000001;Screened Post Again;${place};;;`,
    `;Alike Screened Clinic;${place};;;`,
    `;alike  screened clinic;${place};;;`,
    `${left.code};;;;;;`,
    `;${twins.name};${twins.province};${twins.district};Twin Type;;`,
    `;Unwanted Screened Clinic;${place};;;`,
    `88000002;${taken.name};${taken.province};${taken.district};;;EL-SCREEN`,
  ];
  await screen.open("/registry/imports?open=new");
  await sendList(page, "mixed.csv", Buffer.from(list.join("\r\n"), "latin1"));
  await review(page);
  await page.getByRole("tab", { name: "Duplicates (3)" }).click();
  await page.getByRole("button", { name: "Accept row 7" }).click();
  await page.getByText("1 accepted, 0 rejected, 2 undecided").waitFor();
  expect(await page.getByRole("button", { name: "Accept row 5" }).count()).toBe(0);
  await page.getByRole("tab", { name: "Merge candidates (1)" }).click();
  await page.getByRole("button", { name: "Accept all merge candidates" }).click();
  await page.getByText("1 accepted, 0 rejected, 0 undecided").waitFor();
  await page.getByRole("tab", { name: /^New/ }).click();
  await page.getByRole("button", { name: "Accept all new" }).click();
  await page.getByText("3 accepted, 0 rejected, 0 undecided").waitFor();
  await page.getByRole("button", { name: "Reject row 10" }).click();
  await page.getByText("2 accepted, 1 rejected, 0 undecided").waitFor();
  await page.getByRole("tab", { name: /^Changed/ }).click();
  await page.getByRole("button", { name: "Accept all changed" }).click();
  await page.getByText(/^[1-9] accepted, 0 rejected, 0 undecided$/).waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Apply the import" }).click();
  await page.getByRole("button", { name: "Revert", exact: true }).waitFor();
  // A rejected row has no link to a facility.
  await page.getByRole("tab", { name: /^New/ }).click();
  await page.getByRole("link", { name: "Alike Screened Clinic" }).waitFor();
  expect(await page.getByRole("link", { name: "Unwanted Screened Clinic" }).count()).toBe(0);
  const now = async (uuid: string) =>
    one<{ type: string | null; owner: string | null }>(
      `select facility_type as type, facility_owner as owner from facility where facility_uuid = '${uuid}'`,
    );
  expect(await now(left.uuid)).toEqual({ type: "Kept Owner Type", owner: left.owner });
  expect(await now(erased.uuid)).toEqual({ type: erased.type, owner: null });
  expect((await Promise.all(twins.uuids.map(now))).filter(({ type }) => type === "Twin Type").length).toBe(1);
  const added = await gateway.sql<{ name: string }>`
    select facility_name as name from facility where facility_name ilike '%screened%' order by 1`;
  expect(added.map(({ name }) => name).toSorted()).toEqual([
    "Alike Screened Clinic",
    "Screened Post",
    "alike screened clinic",
  ]);
  screen.expectClean();
});

test("“Accept all” leaves out a row that changes an identifier, which shows the code before and after", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  const site = await one<{ uuid: string; code: string; name: string }>(
    "select facility_uuid as uuid, hmis_code as code, facility_name as name from facility where hmis_code is not null and closed_on is null order by 1 desc limit 1",
  );
  const proposed = `8770390`;
  const list = ["uuid,hmisCode,facilityType", `${site.uuid},${proposed},Changed Code`, `,N/A,`];
  await screen.open("/registry/imports?open=new");
  await sendList(page, "codes.csv", Buffer.from(list.join("\n")));
  await review(page);
  await page.getByText("1 row would change or remove an identifier of a facility.").waitFor();
  await page.getByRole("button", { name: "Accept all", exact: true }).click();
  await page.getByRole("tab", { name: "Identifier changes (1)" }).click();
  await page.getByText("0 accepted, 0 rejected, 1 undecided").waitFor();
  expect(await page.locator(".import-changes").first().innerText()).toContain(site.code);
  await page.locator("ins").getByText(proposed).waitFor();
  expect(await page.getByRole("button", { name: "Accept all identifier changes" }).count()).toBe(0);
  await screen.settled();
  await page.getByRole("button", { name: "Accept row 2" }).click();
  await page.getByText("1 accepted, 0 rejected, 0 undecided").waitFor();
  await page.getByText("would change or remove an identifier").waitFor({ state: "detached" });
});

test("the file is read again as columns and places are chosen, at an address that shows the same after a reload", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 390 });
  const { page } = screen;
  const { district, province } = await one<{ district: string; province: string }>(
    "select d.name as district, p.name as province from district d join province p using (province_id) where p.name = 'North Western' and d.closed_on is null order by 1 limit 1",
  );
  await screen.open("/registry/imports?open=new");
  const rows = [`Read Clinic,NW Prov.,${district},9.9E+07`, `Other Clinic,${province},${district},97700002.0`];
  await sendList(page, "others.csv", Buffer.from(["Unit,Region,District,Code", ...rows].join("\n")));
  await page.getByText("1 spelling not known").waitFor();
  await page.getByText("97700002.0 → 97700002").waitFor();
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByLabel("Unit is taken for").selectOption({ label: "Name" });
  await page.getByLabel("NW Prov. means").selectOption(province);
  await page.getByLabel("Other texts that count as empty").fill("9.9E+07");
  await page.getByLabel("Whose list it is").fill("Screen list");
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.reload();
  expect(await page.getByLabel("Unit is taken for").inputValue()).toBe("facilityName");
  expect(await page.getByLabel("NW Prov. means").inputValue()).toBe(province);
  await review(page);
  await page.waitForURL(/\?step=review$/);
  await page.getByRole("tab", { name: "New (2)" }).waitFor();
  await page.getByRole("link", { name: "Apply" }).click();
  await page.getByRole("link", { name: "New", exact: true }).waitFor();
  await screen.settled();
  screen.expectClean();
});
