import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { editableNames, facilityFields, fieldGroups, type FieldName } from "../../db/facilityFields.rules.ts";
import { sampleFacility, type SampleFacility } from "../support/assessment-data.ts";
import { screenAs, type Screen } from "../support/browser.ts";
import { bodyOf, testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** The fields of the catalogue on the facility page and in its form. */

let browser: Browser;
let gateway: TestGateway;
let sample: SampleFacility;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  sample = await sampleFacility(gateway.db);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** What the page says of the facility, by label. */
const factsOf = async ({ page }: Screen): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page.getByRole("region", { name: "Facility details" }).locator("dl > div").evaluateAll((facts) =>
      facts.map((fact) => [fact.querySelector("dt")?.textContent ?? "", fact.querySelector("dd")?.textContent ?? ""]),
    ),
  );

test("the page tells each field by its label", async () => {
  const names = [...fieldGroups.codes, ...fieldGroups.kinds, ...fieldGroups.later];
  const valueOf = (name: FieldName) => {
    const field = facilityFields[name];
    return field.type === "count" ? Math.min(1_234_567, field.most) : `The ${name}`;
  };
  const texts = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  await gateway.db.updateTable("facility").set(texts).where("facilityUuid", "=", sample.facilityUuid).execute();
  const screen = await screenAs(browser, gateway, "plain");
  await screen.open(`/facility/${sample.facilityUuid}`);
  await screen.page.getByText("The hmisCode").waitFor();
  expect(await factsOf(screen)).toMatchObject(
    Object.fromEntries(names.map((name) => [facilityFields[name].label, valueOf(name).toLocaleString("en")])),
  );
  await screen.close();
});

test("the form holds each editable field, refuses by the rules before it sends anything, and saves", async () => {
  await gateway.db.updateTable("facility").set(Object.fromEntries(editableNames.map((name) => [name, null]))).where("facilityUuid", "=", sample.facilityUuid).execute();
  const screen = await screenAs(browser, gateway, "assessor");
  const { page } = screen;
  await screen.open(`/facility/${sample.facilityUuid}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Implementing partner").waitFor();
  await screen.settled();
  const wrong = { text: "x".repeat(1000), count: "-1", degrees: "181" };
  for (const name of editableNames) {
    const { label, type } = facilityFields[name];
    if (type !== "choice") await dialog.getByLabel(label).fill(wrong[type]);
  }
  const save = dialog.getByRole("button", { name: "Save changes" });
  screen.calls();
  await save.click();
  await dialog.getByText("Catchment population must not be negative").waitFor();
  await dialog.getByLabel("Catchment population").fill("12 thousand");
  await dialog.getByText("Catchment population must be a whole number").waitFor();
  expect(screen.calls().filter((call) => call.includes("FacilityEditForm"))).toEqual([]);
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
  expect(bodyOf(await (await gateway.as("plain")).get(`/api/v1/facility/settings/${sample.facilityUuid}`))).toMatchObject(right);
  const labels = Object.fromEntries(editableNames.map((name) => [facilityFields[name].label, String(right[name])]));
  await expect.poll(() => factsOf(screen)).toMatchObject(labels);
  screen.expectClean();
  await screen.close();
});
