import { expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * Comparisons with another list in a real browser: a list is sent, its findings are decided on, and an import is made
 * of them.
 */

const [browser, gateway] = await screensOfFile();

test("a list is compared, its findings are decided on with a note, and an import is made of them", async () => {
  const rows = await gateway.sql<{
    uuid: string;
    code: string;
    name: string;
    type: string;
    district: string;
    province: string;
  }>`
    select facility_uuid as uuid, hmis_code as code, facility_name as name, facility_type as type, d.name as district, p.name as province
    from facility f join district d using (district_id) join province p on p.province_id = d.province_id
    where hmis_code is not null and facility_type is not null and f.closed_on is null order by 1 limit 1`;
  const { code, name, type, district, province } = rows[0]!;
  const source = `Source 390`;
  const screen = await screenAs(browser, gateway, "admin", { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open("/registry");
  await page.getByRole("link", { name: "Reconciliation" }).click();
  await page.getByRole("heading", { name: "Reconciliation", exact: true }).waitFor();
  await screen.settled();

  const file = page.getByLabel("List (CSV or JSON)");
  const compare = page.getByRole("button", { name: "Compare", exact: true });
  await page.getByLabel("Whose list").fill("");
  await compare.click();
  await page.getByText("Say whose list it is.").waitFor();
  await page.getByLabel("Whose list").fill(source);
  await file.setInputFiles({
    name: "fhir.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"resourceType":"Patient"}'),
  });
  await compare.click();
  await page.getByText("it lacks organisationUnits (it has resourceType)").first().waitFor();
  const csv = `hmisCode;name;facilityType;province;district\n${code};${name};Their Type;${province};${district}\n;Unheard Clinic;;${province};${district}\n`;
  await file.setInputFiles({ name: "theirs.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await compare.click();
  await page.getByRole("heading", { name: `Reconciliation: ${source}` }).waitFor();
  await page.getByText("Their Type").waitFor();
  await page.getByText(type, { exact: false }).first().waitFor();
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  await page.getByRole("button", { name: `Note: ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("Asked them on Monday");
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save note" }).click();
  await page.getByText("Asked them on Monday").waitFor();
  await page.getByRole("button", { name: `Ignore: ${name}` }).click();
  await page.getByText("There is nothing like this.").waitFor();
  await page.getByLabel("Show").selectOption("IGNORED");
  await page.getByRole("button", { name: `Ignore: ${name}`, pressed: true }).click();
  await page.getByText("There is nothing like this.").waitFor();

  await page.getByRole("tab", { name: "Only there (1)" }).click();
  await page.getByText("Unheard Clinic").waitFor();
  await page.getByRole("button", { name: "Import the open ones (1)" }).click();
  await page.getByRole("heading", { name: `Import: Differences from ${source}` }).waitFor();
  await page.getByRole("tab", { name: "New (1)" }).waitFor();

  await screen.open("/registry/reconciliations?open=new");
  await page.getByRole("link", { name: source }).waitFor();
  await page.getByLabel("Whose list").fill(source);
  await file.setInputFiles({
    name: "theirs.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(csv.split("\n").slice(0, 2).join("\n")),
  });
  await compare.click();
  await page.getByRole("tab", { name: "Gone (1)" }).click();
  await page.getByText("Unheard Clinic").waitFor();
  await page.getByText("0 new ones, 0 changed, 1 gone").waitFor();
});
