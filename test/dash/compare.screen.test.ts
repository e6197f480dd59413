import { beforeAll, expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The overview compares places, partners and years in one chart. The address holds the comparison. */

let provinces: { provinceId: number; name: string }[];
const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  const listed = bodyOf<{ id: number; name: string }[]>(await (await gateway.as("admin")).get("/api/v1/province"));
  provinces = listed.map(({ id, name }) => ({ provinceId: id, name }));
});

test("provinces, years and partners are compared as lines or, of modes, in panels, and the address holds the comparison", async () => {
  const [one, other] = provinces as [(typeof provinces)[0], (typeof provinces)[0]];
  const screen = await screenAs(browser, gateway, "plain", { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open(`/districts/${one.provinceId}?years=2&table=1&figures=numbers`);
  const overview = page.locator(".overview");
  await overview.getByRole("button", { name: "Filters (0)" }).click();
  await overview.getByRole("button", { name: "Compare" }).click();
  await overview.getByLabel("Compare with", { exact: true }).selectOption({ label: other.name });
  await page.waitForURL(`**compare=province-${other.provinceId}`);
  const figures = async (provinceId: number) => {
    const year = await overview.getByLabel("Year", { exact: true }).inputValue();
    const path = `/api/v1/dash/functionalityComparison/province/${provinceId}/${year}/-1/-1?view=quarterly&years=2`;
    const rows = bodyOf<{ state: string; assessed: number; sumSmartCareFunctional: number }[]>(
      await (await gateway.as("plain")).get(path),
    );
    return rows.map(({ state, assessed, sumSmartCareFunctional }) =>
      state === "AHEAD" || (assessed === 0 && state === "ENDED") ? "–" : sumSmartCareFunctional.toLocaleString("en"),
    );
  };
  const card = overview.locator(".chart-card");
  const names = `${one.name} and ${other.name}`;
  await card.getByText(`${names} · `).first().waitFor();
  await card.locator(".chart-frame").scrollIntoViewIfNeeded();
  await card.getByRole("group", { name: `Bar chart: Functionality Status, ${names}` }).waitFor();
  await expect
    .poll(() => card.locator(".chart-drawing .role-title-text").allTextContents())
    .toEqual(["Functional facilities", "Primary power working", "Backup power working"]);
  // Each line is named at its end.
  const named = await card
    .locator(".chart-drawing .mark-text.role-mark text")
    .evaluateAll((all) => all.map(({ textContent }) => textContent!));
  for (const { name } of [one, other])
    expect(named.filter((text) => text.replaceAll(/\s/g, "").startsWith(name.replaceAll(/\s/g, "")))).toHaveLength(3);
  const rows = await card
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [
        row.querySelector("th")!.innerText,
        row.querySelector<HTMLElement>("td:not(.is-more)")!.innerText,
      ]),
    );
  for (const { provinceId, name } of [one, other]) {
    const own = rows.filter(([title]) => title!.startsWith(`${name}, `)).map(([, text]) => text!);
    const all = await figures(provinceId);
    // Periods at the ends in which neither was assessed are cut.
    const shown = own.map((text) => text.replace(/^\D*(?=\d|–)/, "").replace(/\s.*/s, ""));
    expect(all.join(" ")).toContain(shown.join(" "));
    expect(shown.length).toBeGreaterThan(1);
  }
  // One scale: the figures at the axes are the same.
  const axes = await card
    .locator(".chart-drawing .mark-text.role-axis-label")
    .evaluateAll((all) => all.map(({ textContent }) => textContent).filter((text) => /^\d/.test(text!)));
  expect(axes).toHaveLength(3);
  expect(new Set(axes).size).toBe(1);
  await screen.settled();
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  const year = Number(await overview.getByLabel("Year", { exact: true }).inputValue());
  await overview.getByLabel("Compare with", { exact: true }).selectOption({ label: `FY ${year - 1}` });
  await overview.getByLabel("Chart", { exact: true }).selectOption("Implementation Mode");
  await page.waitForURL(`**compare=year-${year - 1}**`);
  await card
    .getByText(`FY ${year - 1} to FY ${year} and FY ${year - 2} to FY ${year - 1}`)
    .first()
    .waitFor();
  await overview.getByLabel("Compare with", { exact: true }).selectOption({ label: "Nothing" });
  const panels = () => card.locator(".chart-drawing .role-title-text").count();
  await expect.poll(panels).toBe(0);

  const partner = async (label: string, at: number) => {
    const choice = overview.getByLabel(label, { exact: true });
    const value = (await choice.locator("option[value^=partner]").nth(at).getAttribute("value"))!;
    await choice.selectOption(value);
    return value;
  };
  const words = [await partner("Compare with", 0), await partner("Also compare with", 0), `year-${year - 1}`];
  await overview.getByLabel("And compare with", { exact: true }).selectOption(words[2]!);
  await page.waitForURL(`**compare=${words.join(".")}**`);
  await expect.poll(panels).toBe(4);
  await screen.settled();
  await overview.getByLabel("Compare with", { exact: true }).selectOption({ label: "Nothing" });
  await page.waitForURL(`**compare=${words.slice(1).join(".")}**`);
  screen.expectClean();
});

test("a comparison in the address is selected in its choice, and an unknown one is ignored", async () => {
  const [one, other] = provinces as [(typeof provinces)[0], (typeof provinces)[0]];
  const [district] = bodyOf<{ id: number }[]>(
    await (await gateway.as("plain")).get(`/api/v1/district/province/${one.provinceId}`),
  );
  const screen = await screenAs(browser, gateway, "plain");
  const overview = screen.page.locator(".overview");
  const open = () => overview.getByRole("button", { name: /^Compare/ }).click();
  const chosen = () =>
    overview
      .getByLabel(/ompare with/)
      .evaluateAll((choices) => choices.map((choice) => (choice as HTMLSelectElement).selectedOptions[0]?.label));
  await screen.open(`/facilities/district/${district!.id}?compare=province-${other.provinceId}.year-1990`);
  await open();
  await expect.poll(chosen).toEqual([other.name, "Nothing"]);
  await expect.poll(() => overview.locator(".chart-drawing .role-title-text").count()).toBe(3);
  await screen.open("/provinces?compare=2025.galaxy-1");
  await open();
  await expect.poll(chosen).toEqual(["Nothing"]);
  screen.expectClean();
});
