import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { hasFocus, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The lists of TDBs in a real browser: filters, chips, orders, page sizes, CSV link, saved views. */

let range: { start: string; end: string };
let days: string;

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const { today } = bodyOf<{ today: string }>(await admin.get("/api/v1/system"));
  range = { start: `${Number(today.slice(0, 4)) - 1}-01-01`, end: today };
  days = `start=${range.start}&end=${range.end}`;
});

type Record = { uuid: string; fileSize: number };
const records = async (query: string, { start, end } = range) =>
  bodyOf<Record[]>(await admin.get(`/api/v1/tdb/meta/list/all/${start}/${end}?${query}`));
const search = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
const caption = (page: Page) => page.getByRole("table", { name: /TDB/ }).locator("caption").innerText();
const words = (total: number) => `${total.toLocaleString("en")} ${total === 1 ? "TDB" : "TDBs"}`;
const file = (page: Page) => page.getByRole("button", { name: /^Export CSV/ }).getAttribute("href");
const list = (page: Page) => page.getByRole("list", { name: "Filters of this list" });

test("the filters of all TDBs are in the URL, chips remove them one by one, and another tab removes all", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open(`/user/me?tab=allTdbs&${days}`);
  await page.getByRole("button", { name: "Filters" }).click();
  const form = page.getByRole("dialog", { name: "Filters" });
  await form.getByLabel("Delta TDB", { exact: true }).selectOption({ label: "Yes" });
  await screen.settled();
  await form.getByLabel("Next TDB", { exact: true }).selectOption({ label: "Overdue" });
  await screen.settled();
  const query = "delta=yes&overdue=yes";
  const found = await records(query);
  expect(found.length).toBeGreaterThan(0);
  await expect.poll(() => caption(page)).toBe(words(found.length));
  expect([search(page).get("delta"), search(page).get("overdue")]).toEqual(["yes", "yes"]);
  expect(await file(page)).toBe(`/api/v1/tdb/meta/list/all/csv/${range.start}/${range.end}?${query}`);
  await page.reload();
  await screen.settled();
  await expect.poll(() => caption(page)).toBe(words(found.length));
  await expect
    .poll(() => list(page).getByRole("listitem").allInnerTexts())
    .toEqual(["Delta TDB: yes", "Next TDB: overdue", "Remove all"]);
  await page.getByRole("button", { name: "Remove the filter Delta TDB: yes" }).click();
  await hasFocus(page.getByRole("button", { name: "Filters (1)" }));
  await expect.poll(async () => caption(page)).toBe(words((await records("overdue=yes")).length));
  // Another tab does not inherit the filters, and this one does not keep them.
  for (const name of ["User Uploaded TDBs", "All Uploaded TDBs"]) {
    await page.getByRole("tab", { name }).click();
    await page.getByRole("tab", { name, selected: true }).waitFor();
    await screen.settled();
    expect(search(page).has("overdue")).toBe(false);
    expect(await list(page).count()).toBe(0);
  }
  screen.expectClean();
});

test("column headers sort the list, pages have 10, 25 or 100 rows, and the CSV link has the same order", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open(`/user/me?tab=allTdbs&${days}`);
  const header = page.getByRole("columnheader", { name: "Size (MB)" });
  await header.getByRole("button").click();
  await screen.settled();
  await header.getByRole("button").click();
  await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
  const sizes = (await records("sort=-size")).map(({ fileSize }) => (fileSize / 1024 ** 2).toFixed(2));
  expect(sizes.length).toBeGreaterThan(100);
  const shown = () => page.getByRole("table", { name: /TDB/ }).locator("td[data-label='Size (MB)']").allInnerTexts();
  await expect.poll(shown).toEqual(sizes.slice(0, 10));
  for (const rows of [25, 100, 10]) {
    await page.getByLabel("Rows").selectOption(String(rows));
    await expect.poll(shown).toEqual(sizes.slice(0, rows));
  }
  expect(await file(page)).toBe(`/api/v1/tdb/meta/list/all/csv/${range.start}/${range.end}?sort=-size`);
  screen.expectClean();
});

test("the TDBs of a facility are filtered by days, those of a partner by province, with the same filters in the CSV link", async () => {
  const { facilityUuid, implementingPartnerId, provinceId, name } = await gateway.db
    .selectFrom("tdb")
    .innerJoin("facility", "facility.facilityUuid", "tdb.facilityUuid")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .where("facility.implementingPartnerId", "is not", null)
    .select(["facility.facilityUuid", "facility.implementingPartnerId", "province.provinceId", "province.name"])
    .orderBy("tdb.uploadedAt", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open(`/facility/${facilityUuid}?tab=tdbs&uploadedEnd=${range.start}`);
  await expect.poll(() => list(page).getByRole("listitem").allInnerTexts()).toHaveLength(1);
  await page.getByRole("button", { name: /^Remove the filter Uploaded until/ }).click();
  await expect
    .poll(async () => caption(page))
    .toBe(words(bodyOf<unknown[]>(await admin.get(`/api/v1/tdb/facility/${facilityUuid}`)).length));
  await screen.open(`/ip/${implementingPartnerId}?tab=tdbs`);
  await page.getByRole("button", { name: "Filters" }).click();
  await page
    .getByRole("dialog", { name: "Filters" })
    .getByLabel("Province", { exact: true })
    .selectOption({ label: name });
  await screen.settled();
  const found = await records(`implementingPartnerId=${implementingPartnerId}&provinceId=${provinceId}`, {
    start: "1900-01-01",
    end: range.end,
  });
  await expect.poll(() => caption(page)).toBe(words(found.length));
  await expect.poll(() => list(page).getByRole("listitem").allInnerTexts()).toEqual([`Province: ${name}`]);
  expect(await page.getByRole("dialog", { name: "Filters" }).getByLabel("Implementing partner").count()).toBe(0);
  expect(await file(page)).toBe(
    `/api/v1/tdb/meta/list/all/csv/1900-01-01/${range.end}?provinceId=${provinceId}&implementingPartnerId=${implementingPartnerId}`,
  );
  screen.expectClean();
});
