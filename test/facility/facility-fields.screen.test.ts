import { expect, test } from "vitest";

import {
  editableNames,
  type FacilityField,
  facilityFields,
  fieldGroups,
  type FieldName,
} from "../../db/facility/facilityFields.rules.ts";
import { sampleFacility } from "../support/assessment-data.ts";
import { screenAs, type Screen } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The fields of the catalogue on the facility page and in its form. */

const [browser, gateway] = await screensOfFile();
const sample = await sampleFacility(gateway.db);

/** The values on the facility page, by label. */
const factsOf = async ({ page }: Screen): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .getByRole("region", { name: "Facility details" })
      .locator("dl > div")
      .evaluateAll((facts) =>
        facts.map((fact) => [fact.querySelector("dt")?.textContent ?? "", fact.querySelector("dd")?.textContent ?? ""]),
      ),
  );

test("the facility page shows each field with its label, and the latitude and longitude as one location", async () => {
  const names = [...fieldGroups.codes, ...fieldGroups.kinds, ...fieldGroups.later];
  const valueOf = (name: FieldName) => {
    const field = facilityFields[name];
    return field.type === "count" ? Math.min(1_234_567, field.most) : `The ${name}`;
  };
  const texts = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  await gateway.db
    .updateTable("facility")
    .set({ ...texts, latitude: -15.41667, longitude: 28.25 })
    .where("facilityUuid", "=", sample.facilityUuid)
    .execute();
  const screen = await screenAs(browser, gateway, "plain");
  await screen.open(`/facility/${sample.facilityUuid}`);
  await screen.page.getByText("The hmisCode").waitFor();
  expect(fieldGroups.location).toEqual(["latitude", "longitude"]);
  expect(await factsOf(screen)).toMatchObject({
    ...Object.fromEntries(names.map((name) => [facilityFields[name].label, valueOf(name).toLocaleString("en")])),
    Location: "-15.4167, 28.2500 on a map, in a new tab · Sites within 20 km",
  });
});

test("the form has each editable field, shows the error of each wrong value before it sends anything, and saves", async () => {
  await gateway.db
    .updateTable("facility")
    .set(Object.fromEntries(editableNames.map((name) => [name, null])))
    .where("facilityUuid", "=", sample.facilityUuid)
    .execute();
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open(`/facility/${sample.facilityUuid}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Implementing partner").waitFor();
  await screen.settled();
  const typedFields = editableNames
    .map((name): FacilityField => facilityFields[name])
    .filter((field) => field.type !== "choice");
  /** The values that are refused, each with its error. */
  const wrongValues = (field: (typeof typedFields)[number]): [value: string, error: string][] => {
    if (field.type === "text") return [["x".repeat(field.most + 1), `may have at most ${field.most} characters`]];
    if (field.type === "count")
      return [
        ["-1", "must not be negative"],
        ["12 thousand", "must be a whole number"],
        ["1.5", "must be a whole number"],
        [String(field.most + 1), `may be at most ${field.most}`],
      ];
    return [
      ["181", `must be between -${field.most} and ${field.most}`],
      ["north", "must be a number"],
    ];
  };
  expect(typedFields.length).toBeGreaterThan(0);
  for (const field of typedFields) await dialog.getByLabel(field.label).fill(wrongValues(field)[0]![0]);
  const save = dialog.getByRole("button", { name: "Save changes" });
  screen.calls();
  await save.click();
  for (const field of typedFields) await dialog.getByText(`${field.label} ${wrongValues(field)[0]![1]}`).waitFor();
  for (const field of typedFields)
    for (const [value, error] of wrongValues(field)) {
      await dialog.getByLabel(field.label).fill(value);
      await dialog.getByText(`${field.label} ${error}`, { exact: true }).waitFor();
    }
  expect(screen.calls().filter((call) => call.includes("FacilityEditDialog_"))).toEqual([]);
  const right: Record<string, string | number> = {};
  for (const name of editableNames) {
    const field = facilityFields[name];
    const value = field.type === "choice" ? field.values[0] : field.type === "text" ? "typed" : 12;
    if (field.type === "choice") await dialog.getByLabel(field.label).selectOption(value as string);
    else await dialog.getByLabel(field.label).fill(String(value));
    right[name] = value;
  }
  await save.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Updated site settings").waitFor();
  expect(
    bodyOf(await (await gateway.as("plain")).get(`/api/v1/facility/settings/${sample.facilityUuid}`)),
  ).toMatchObject(right);
  const labels = Object.fromEntries(editableNames.map((name) => [facilityFields[name].label, String(right[name])]));
  await expect.poll(() => factsOf(screen)).toMatchObject(labels);
  screen.expectClean();
});
