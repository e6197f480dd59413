import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { axe, hasFocus, screenAs } from "../support/browser.ts";
import { changedBy, saveView } from "../support/mutations.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The palette finds places, facilities, partners, people, screens and saved views, by keyboard and by touch. */

const [browser, gateway] = await screensOfFile();
beforeAll(async () => {
  await changedBy(
    saveView(await gateway.as("viewer"), { name: "Ngwandela views", address: "/facilities?silent=yes", shared: true }),
  );
});

const hash = (page: Page) => new URL(page.url()).hash;
const found = (page: Page) => page.getByRole("listbox", { name: "Found" });
const groups = (page: Page) => page.locator(".palette-group-name").allInnerTexts();

test("works by keyboard: Ctrl+K, text, arrow keys and Enter; Escape returns the focus", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/provinces");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /^Find/ });
  await hasFocus(box);
  await page.keyboard.type("ngwan");
  await found(page)
    .getByRole("option", { name: /Ng'wandela Rural Health Centre/ })
    .waitFor();
  await found(page)
    .getByRole("option", { name: /Ngwandela views/ })
    .waitFor();
  expect(await groups(page)).toContain("Facilities");
  await expect.poll(() => page.locator(".palette-status").innerText()).toMatch(/^\d+ results? found$/);
  expect(await axe(page)).toEqual([]);
  const options = found(page).getByRole("option");
  await expect.poll(() => options.first().getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => options.last().getAttribute("aria-selected")).toBe("true");
  expect(await box.getAttribute("aria-activedescendant")).toBe(await options.last().getAttribute("id"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ng'wandela Rural Health Centre" }).first().waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);

  await page.getByRole("button", { name: "Find" }).focus();
  await page.keyboard.press("Enter");
  await hasFocus(box);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await hasFocus(page.getByRole("button", { name: "Find" }));
  screen.expectClean();
});

test("people and screens are found only with the right, and results of the former text disappear", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/provinces");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /^Find/ });
  const screensOf = async () =>
    (await found(page).getByRole("option").allInnerTexts()).map((text) => text.split("\n")[0]);
  await found(page).getByRole("option", { name: "Provinces" }).waitFor();
  for (const closed of ["TDB Upload", "Downloads", "Audit", "Users", "Machines"])
    expect(await screensOf()).not.toContain(closed);
  await box.fill("lusaka");
  await found(page).getByRole("option", { name: "Lusaka Province" }).waitFor();
  expect(await groups(page)).not.toContain("People");

  const held: (() => void)[] = [];
  await page.route("**/graphql*", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await box.fill("southern");
  await expect.poll(() => page.locator(".palette-status").innerText()).toBe("Searching …");
  expect(await found(page).getByRole("option").count()).toBe(0);
  await expect.poll(() => held.length).toBe(1);
  held[0]!();
  await found(page).getByRole("option", { name: "Southern Province" }).click();
  await expect.poll(() => hash(page)).toMatch(/^#\/facilities\/province\/\d+$/);
});

test("screens that are not in the menu are found by name, work lists by everybody", async () => {
  const finds = async (login: string, text: string) => {
    const screen = await screenAs(browser, gateway, login);
    await screen.open("/provinces");
    await screen.page.keyboard.press("Control+k");
    await screen.page.getByRole("combobox", { name: /^Find/ }).fill(text);
    await expect.poll(() => screen.page.locator(".palette-status").innerText()).not.toBe("Searching …");
    const titles = await found(screen.page).getByRole("group", { name: "Screens" }).getByRole("option").allInnerTexts();
    return { ...screen, titles };
  };
  const plain = await finds("plain", "work list");
  expect(plain.titles).toEqual([
    "Work list",
    "Work list: Stopped working",
    "Work list: Lost power",
    "Work list: Data overdue",
    "Work list: Old version",
    "Work list: Not visited",
  ]);
  await plain.page.getByRole("combobox", { name: /^Find/ }).fill("quarterly");
  await found(plain.page).getByRole("option", { name: "Quarterly report" }).click();
  await plain.page.getByRole("heading", { level: 1, name: "Quarterly report" }).waitFor();
  plain.expectClean();
  await plain.close();
});

test("on a phone a button opens the palette, and a tap opens a result", async () => {
  const screen = await screenAs(browser, gateway, "viewer", { width: 390 });
  const { page } = screen;
  await screen.open("/provinces");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("combobox", { name: /^Find/ }).fill("views");
  await found(page)
    .getByRole("option", { name: /Ngwandela views/ })
    .click();
  await expect.poll(() => hash(page)).toBe("#/facilities?silent=yes");
});

test("a menu entry that a person may not open says so", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const menu = screen.page.getByRole("navigation", { name: "Main menu" });
  await screen.open("/provinces");
  for (const title of ["TDB Upload", "Downloads"])
    await expect.poll(() => menu.getByRole("link", { name: title }).innerText()).toMatch(/no rights/);
  expect(await menu.getByRole("link", { name: "Search" }).innerText()).not.toMatch(/no rights/);
});
