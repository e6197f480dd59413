import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { axe, hasFocus, openRow, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/**
 * The screens of the registry: facilities are added, changed, given identifiers, closed, reopened and merged; places
 * and systems of identifiers are maintained.
 */

let page: Page;
const api = (path: string) => `/api/v1${path}`;

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
const screen = await screenAs(browser, gateway, "admin");
beforeAll(async () => {
  ({ page } = screen);
});

const notified = (words: string) => page.locator(".notification", { hasText: words }).first().waitFor();
const card = (name: string) => page.getByRole("region", { name, exact: true });
const unfold = async (name: string) => {
  await card(name).locator("summary").click();
  return card(name);
};
const heading = (words: string) => page.getByRole("heading", { level: 1, name: words, exact: true }).waitFor();
const add = async (facilityName: string, more: object = {}): Promise<string> => {
  const added = await admin.call("POST", api("/facility"), { facilityName, districtId: 1, ...more });
  expect(added.status, added.text).toBe(200);
  return bodyOf(added).facilityUuid as string;
};
const metadata = async (facilityUuid: string) => bodyOf(await admin.get(api(`/facilityMetadata/${facilityUuid}`)));

test("a facility is added from the list; errors are shown beside their fields", async () => {
  await screen.open("/facilities");
  await page.getByRole("link", { name: "Add facility" }).click();
  await heading("Add facility");
  await page.getByRole("button", { name: "Add facility" }).click();
  await page.getByText("Facility name is required").waitFor();
  await page.getByText("District is required").waitFor();
  await page.getByLabel("Facility name").fill("=Clinic");
  // Editing a field removes its error; the errors of other fields stay.
  await page.getByText("Facility name is required").waitFor({ state: "detached" });
  await page.getByText("District is required").waitFor();
  const district = page.getByLabel("District");
  await district.locator("optgroup").first().waitFor({ state: "attached" });
  await district.selectOption("1");
  await page.getByLabel("Latitude").fill("91");
  await page.getByRole("button", { name: "Add facility" }).click();
  await page.getByText("Facility name begins like a formula of a spreadsheet").waitFor();
  expect(await page.getByLabel("Latitude").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Facility name").fill("Registry Clinic");
  await page.getByText("begins like a formula").waitFor({ state: "detached" });
  await page.getByLabel("Latitude").fill("-15.1");
  await expect.poll(() => page.getByLabel("Latitude").getAttribute("aria-invalid")).toBeNull();
  await page.getByLabel("Longitude").fill("28.1");
  await page.getByLabel("HMIS code", { exact: true }).fill("90000001");
  await page.getByRole("button", { name: "Add facility" }).click();
  await notified("Added Registry Clinic");
  await heading("Registry Clinic");
  const uuid = decodeURIComponent(new URL(page.url()).hash.split("/").at(-1)!);
  expect(await metadata(uuid)).toMatchObject({
    facilityName: "Registry Clinic",
    districtId: 1,
    latitude: -15.1,
    hmisCode: "90000001",
  });
  screen.expectClean(/422/);
});

test("a facility is moved, gets identifiers, is closed and reopened; its page shows the reason of the closing", async () => {
  const uuid = await add("Moving Clinic", { hmisCode: "90000002" });
  await screen.open(`/facility/${uuid}`);
  await page.getByRole("link", { name: "Registry", exact: true }).last().click();
  await heading("Registry: Moving Clinic");
  const details = card("Name, place and kind");
  const district = details.getByLabel("District");
  await district.locator("optgroup").first().waitFor({ state: "attached" });
  expect(await district.inputValue()).toBe("1");
  await district.selectOption("2");
  await details.getByRole("button", { name: "Save changes" }).click();
  await notified("Saved Moving Clinic");
  expect((await metadata(uuid)).districtId).toBe(2);

  const known = await unfold("Identifiers");
  await known.getByRole("button", { name: "Add identifier" }).click();
  const line = known.getByRole("group", { name: /^Identifier 2/ });
  await line.getByLabel("System").selectOption("dhis2");
  await line.getByLabel("Identifier").fill("not one");
  await known.getByRole("button", { name: "Save identifiers" }).click();
  await line.getByText("does not have the form of a").waitFor();
  await line.getByLabel("Identifier").fill("pXhz0PLiYZX");
  // The end of the identifier is typed before the saved ones have been read again, and is not lost.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/facility/identifiers/*", async (route) => {
    if (route.request().method() === "GET") await released;
    await route.continue();
  });
  await known.getByRole("button", { name: "Save identifiers" }).click();
  await expect
    .poll(async () => (await metadata(uuid)).identifiers)
    .toContainEqual({ system: "dhis2", value: "pXhz0PLiYZX", from: null, until: null });
  await known.getByRole("button", { name: "End DHIS2 UID pXhz0PLiYZX today" }).click();
  release();
  await notified("Saved the identifiers");
  await page.unroute("**/facility/identifiers/*");
  await known.getByRole("button", { name: "Save identifiers" }).click();
  await expect.poll(async () => (await metadata(uuid)).identifiers[1].until).not.toBeNull();

  const closing = await unfold("Close");
  await closing.getByRole("button", { name: "Close facility" }).click();
  await closing.getByText("Reason must not be empty").waitFor();
  await closing.getByLabel("Reason").fill("Road washed away");
  await closing.getByRole("button", { name: "Close facility" }).click();
  await notified("Moving Clinic is closed");
  await page.getByRole("link", { name: "The facility's page" }).click();
  await heading("Moving Clinic");
  await page.getByRole("note").getByText("Road washed away").waitFor();
  await page.locator("dd", { hasText: "pXhz0PLiYZX" }).waitFor();
  await screen.open("/registry?tab=closed");
  await page.getByRole("row", { name: /Moving Clinic.*Road washed away/ }).waitFor();
  await screen.open(`/registry/facility/${uuid}`);
  await card("Open again").getByRole("button", { name: "Open again" }).click();
  await notified("Moving Clinic is open again");
  await expect.poll(async () => (await metadata(uuid)).closedOn).toBeNull();
  screen.expectClean(/422/, /422/);
});

test("the form shows that the facility was changed meanwhile, saves nothing, and reads the current record again", async () => {
  const uuid = await add("Contested Clinic");
  await screen.open(`/registry/facility/${uuid}`);
  await heading("Registry: Contested Clinic");
  expect((await admin.call("PATCH", api(`/facility/${uuid}`), { facilityName: "Quicker Clinic" })).status).toBe(200);
  const details = card("Name, place and kind");
  await details.getByLabel("Facility name").fill("Slower Clinic");
  await details.getByRole("button", { name: "Save changes" }).click();
  await details.getByText("Somebody else has changed this meanwhile. Nothing was saved.").waitFor();
  expect((await metadata(uuid)).facilityName).toBe("Quicker Clinic");
  await details.getByRole("button", { name: "Read again" }).click();
  await heading("Registry: Quicker Clinic");
  expect(await details.getByLabel("Facility name").inputValue()).toBe("Quicker Clinic");
  screen.expectClean(/412/);
});

test("a facility is merged after a preview of what moves; its old address redirects, and the merge is undone", async () => {
  const [from, into] = [
    await add("Twice Clinic", { hmisCode: "90000010" }),
    await add("Staying Clinic", { hmisCode: "90000011" }),
  ];
  await screen.open(`/registry/facility/${from}`);
  await heading("Registry: Twice Clinic");
  const merging = await unfold("Merge into another facility");
  await merging.getByLabel(/The facility that stays/).fill("90000011");
  await page.keyboard.press("Enter");
  await merging.getByRole("button", { name: /Staying Clinic, 90000011/ }).click();
  const preview = merging.getByRole("region", { name: "What the merge would do" });
  await preview.getByText("0 visits").waitFor();
  await preview.getByText("HMIS code 90000010").waitFor();
  await preview.getByRole("button", { name: "Merge into Staying Clinic" }).click();
  await notified("The facilities are merged");
  await heading("Staying Clinic");
  await screen.open(`/facility/${from}`);
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/facility/${into}`);
  await screen.open("/registry?tab=merges");
  const undo = page.getByRole("button", { name: "Undo the merge of Twice Clinic" });
  await undo.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await hasFocus(undo);
  await undo.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo the merge" }).click();
  await notified("Twice Clinic is a facility of its own again");
  expect((await metadata(from)).facilityUuid).toBe(from);
  screen.expectClean();
});

test("a link that is followed before a typed text is in the address opens its own target", async () => {
  const own = await screenAs(browser, gateway, "admin");
  await own.page.clock.install();
  let onRequest = () => {};
  const requested = new Promise<void>((resolve) => (onRequest = resolve));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await own.page.route(/PlaceRegistryScreen/, async (route) => {
    onRequest();
    await released;
    await route.continue();
  });
  await own.open("/registry");
  const link = own.page.getByRole("link", { name: "Southern" });
  await link.waitFor();
  await own.page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await own.page.getByLabel("Part of the name").fill("sou");
  await link.click();
  await requested;
  await own.page.clock.runFor(1000);
  release();
  await own.page.clock.resume();
  await expect.poll(() => own.page.getByRole("heading", { level: 1 }).innerText()).toBe("Registry: Southern");
  own.expectClean();
});

test("a misspelt province is emptied and removed; a district is moved, renamed, closed and reopened", async () => {
  const rows = await gateway.sql<{ id: number }>`
    insert into province (name) values ('Centrall') returning province_id as id`;
  const places = await gateway.sql<{ id: number }>`
    insert into district (province_id, name) values (${rows[0]!.id}, 'Stray District') returning district_id as id`;
  await screen.open("/registry");
  await page.getByRole("tab", { name: "Provinces", selected: true }).waitFor();
  await page.getByLabel("Part of the name").fill("centrall");
  await expect.poll(() => page.url()).toContain("named=centrall");
  await page.getByRole("link", { name: "Centrall" }).click();
  await heading("Registry: Centrall");
  await card("Remove").getByRole("button", { name: "Remove province" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alert").getByText("Centrall has 1 district. Nothing was removed.").waitFor();

  await screen.open(`/registry/place/district/${places[0]!.id}`);
  await heading("Registry: Stray District");
  const details = card("Name and province");
  await details.getByLabel("Name").fill("Known District");
  await details.getByLabel("Province").selectOption({ label: "Central" });
  await details.getByRole("button", { name: "Save changes" }).click();
  await notified("Saved Known District, Central");
  await heading("Registry: Known District");
  await card("Close").getByLabel("Closed from").fill("2999-01-01");
  await card("Close").getByRole("button", { name: "Close" }).click();
  await page.getByText("Closed from is in the future: close it on that day").waitFor();
  await card("Close").getByLabel("Closed from").fill("2026-01-05");
  await card("Close").getByRole("button", { name: "Close" }).click();
  await notified("Known District is closed");
  await card("Open again").getByRole("button", { name: "Open again" }).click();
  await notified("Known District is open again");

  // Somebody else changes the district meanwhile.
  await card("Close").waitFor();
  expect(
    (await admin.call("PATCH", api(`/registry/place/district/${places[0]!.id}`), { name: "Other District" })).status,
  ).toBe(200);
  await details.getByLabel("Name").fill("Late District");
  await details.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Read again" }).click();
  await heading("Registry: Other District");

  await screen.open(`/registry/place/province/${rows[0]!.id}`);
  await card("Remove").getByRole("button", { name: "Remove province" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await notified("Centrall is removed");
  await page.getByRole("tab", { name: "Provinces", selected: true }).waitFor();
  await page.getByRole("rowheader", { name: "Central", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Centrall" }).count()).toBe(0);
  screen.expectClean(/409|412|422/);
});

test("a province and a district are added, a district and a province are split", async () => {
  const mine = await screenAs(browser, gateway, "admin", { width: 390 });
  const at = mine.page;
  const dialog = at.getByRole("dialog");
  const toast = (words: string) => at.locator(".notification", { hasText: words }).first().waitFor();
  const headed = (words: string) => at.getByRole("heading", { level: 1, name: words, exact: true }).waitFor();
  const [province, district] = [`Province 390`, `District 390`];
  await mine.open("/registry?tab=provinces");
  await at.getByRole("button", { name: "Add province" }).click();
  expect(await axe(at)).toEqual([]);
  await dialog.getByLabel("Name").fill("céntral");
  await dialog.getByRole("button", { name: "Add province" }).click();
  await dialog.getByText(/there is a province 'Central' \(\d+\) already/).waitFor();
  await dialog.getByLabel("Name").fill(province);
  await at.keyboard.press("Enter");
  await toast(`Added ${province}`);
  await headed(`Registry: ${province}`);

  await mine.open("/registry?tab=districts");
  await at.getByRole("button", { name: "Add district" }).click();
  await dialog.getByLabel("Name").fill(district);
  await dialog.getByRole("button", { name: "Add district" }).click();
  await dialog.getByText("Province is needed: the province that the district lies in").waitFor();
  await dialog.getByLabel("Province").selectOption({ label: province });
  await dialog.getByRole("button", { name: "Add district" }).click();
  await headed(`Registry: ${district}`);
  const rows = await gateway.sql<{ id: number; provinceId: number }>`
    select district_id as id, province_id from district where name = ${district}`;
  const [{ id, provinceId } = { id: 0, provinceId: 0 }] = rows;
  for (const name of ["North", "Old North", "South"]) await add(`${name} Clinic 390`, { districtId: id });
  const old = bodyOf(await admin.get(api(`/facility/district/${id}`))).find(
    ({ facilityName }: { facilityName: string }) => facilityName.startsWith("Old"),
  );
  expect(
    (await admin.call("POST", api(`/facility/${old.uuid}/close`), { closedOn: "2026-01-05", reason: "Flooded" }))
      .status,
  ).toBe(200);

  // The northern clinics of the district become a new district, the closed one too.
  await mine.open(`/registry/place/district/${id}`);
  await at.getByRole("button", { name: "Split district" }).click();
  await dialog.getByText("0 of 3 facilities chosen").waitFor();
  expect(await axe(at)).toEqual([]);
  await dialog.getByLabel("Name of the new district").fill(`New ${district}`);
  await dialog.getByRole("button", { name: "Split", exact: true }).click();
  await dialog.getByText("Choose the facilities that go to the new district.").waitFor();
  await dialog.getByRole("button", { name: "Choose all" }).click();
  await dialog.getByRole("button", { name: "Split off 3 facilities" }).click();
  await dialog.getByText(`All facilities are chosen: at least one stays with ${district}.`).waitFor();
  await dialog.getByRole("button", { name: "Choose none" }).click();
  await dialog.getByLabel("Part of the name").fill("north");
  await expect.poll(() => dialog.getByRole("checkbox").count()).toBe(2);
  await dialog.getByText("closed since 05 Jan 2026").waitFor();
  await dialog.getByRole("button", { name: "Choose all found" }).click();
  await dialog.getByRole("button", { name: "Split off 2 facilities" }).click();
  await toast(`New ${district} is made of 2 facilities of ${district}`);
  await headed(`Registry: New ${district}`);
  expect(
    bodyOf<{ facilityName: string }[]>(await admin.get(api(`/facility/district/${id}`))).map(
      ({ facilityName }) => facilityName,
    ),
  ).toEqual([`South Clinic 390`]);

  // Its province is split with the keyboard. At the first attempt somebody else has changed it.
  await mine.open(`/registry/place/province/${provinceId}`);
  await at.getByRole("button", { name: "Split province" }).focus();
  await at.keyboard.press("Enter");
  await dialog.getByLabel("Name of the new province").fill(`New ${province}`);
  await dialog.getByRole("checkbox", { name: `New ${district}` }).focus();
  await at.keyboard.press("Space");
  expect(
    (await admin.call("PATCH", api(`/registry/place/province/${provinceId}`), { name: `Faster 390` })).status,
  ).toBe(200);
  await at.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Read again" }).click();
  await at.getByRole("dialog", { name: `Split Faster 390` }).waitFor();
  await dialog.getByLabel("Name of the new province").fill(`New ${province}`);
  await dialog.getByRole("checkbox", { name: `New ${district}` }).check();
  await dialog.getByRole("button", { name: "Split off 1 district" }).click();
  await headed(`Registry: New ${province}`);
  const within = await gateway.sql<{ name: string }>`
    select district.name from district join province using (province_id) where province.name = ${`New ${province}`}`;
  expect(within).toEqual([{ name: `New ${district}` }]);
  mine.expectClean(/412|422/);
});

test("a system of identifiers is added, used by a facility, changed, and removed only when it is unused", async () => {
  const mine = await screenAs(browser, gateway, "admin", { width: 390 });
  const at = mine.page;
  const dialog = at.getByRole("dialog");
  const toast = (words: string) => at.locator(".notification", { hasText: words }).first().waitFor();
  const [key, name] = [`stores390`, `Stores number 390`];
  await mine.open("/registry?tab=systems");
  await openRow(at.getByRole("row", { name: /DHIS2 UID/ }));
  await at.getByRole("row", { name: /DHIS2 UID.*Built in/ }).waitFor();
  await at.getByRole("button", { name: "Add system" }).click();
  expect(await axe(at)).toEqual([]);
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Name to programs").fill("dhis2");
  await dialog.getByLabel("Form of an identifier").fill("S-[0-9");
  await dialog.getByRole("button", { name: "Add system" }).click();
  await dialog.getByText("Name to programs is that of DHIS2 UID already").waitFor();
  await dialog.getByLabel("Name to programs").fill(key);
  await at.keyboard.press("Enter");
  await dialog.getByText("Form of an identifier is no regular expression").waitFor();
  await dialog.getByLabel("Form of an identifier").fill("S-[0-9]{3}");
  await dialog.getByRole("button", { name: "Add system" }).click();
  await toast(`Saved ${name}`);
  const row = at.getByRole("row", { name: new RegExp(`${name}.*${key}`) });
  await openRow(row);
  await row.getByText("Yes").waitFor();

  const uuid = await add(`Stores Clinic 390`);
  await mine.open(`/registry/facility/${uuid}?open=identifiers`);
  const known = at.getByRole("region", { name: "Identifiers", exact: true });
  await known.getByRole("button", { name: "Add identifier" }).click();
  await known.getByLabel("System").selectOption(key);
  await known.getByLabel("Identifier", { exact: true }).fill("S-7");
  await known.getByRole("button", { name: "Save identifiers" }).click();
  await known.getByText(`'S-7' does not have the form of a ${name} (S-[0-9]{3})`).waitFor();
  await known.getByLabel("Identifier", { exact: true }).fill("S-007");
  await known.getByLabel("From").fill("2026-01-05");
  await known.getByRole("button", { name: "Save identifiers" }).click();
  await toast("Saved the identifiers");
  // The facility page shows the name of the system.
  await mine.open(`/facility/${uuid}`);
  await at.getByText("Registry, connectivity, identifiers").click();
  await expect
    .poll(() => at.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd").innerText())
    .toBe("S-007 (from 05 Jan 2026)");

  await mine.open("/registry?tab=systems");
  await openRow(row);
  await at.getByRole("button", { name: `Remove ${name}` }).click();
  await at.getByRole("alertdialog").getByRole("button", { name: "Remove system" }).click();
  await toast(`1 facility has identifiers of ${name}.`);
  await openRow(row);
  await at.getByRole("button", { name: `Change ${name}` }).click();
  await dialog.getByLabel("Form of an identifier").fill("S-[0-9]{4}");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText(`does not fit 'S-007' of Stores Clinic 390`).waitFor();
  await dialog.getByLabel("Form of an identifier").fill("");
  await dialog.getByLabel("An identifier belongs to one facility at a time").uncheck();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await openRow(row);
  await at.getByRole("row", { name: new RegExp(`${name}.*any text.*No`) }).waitFor();
  expect((await admin.call("PUT", api(`/facility/identifiers/${uuid}`), { identifiers: [] })).status).toBe(200);
  await at.getByRole("button", { name: `Remove ${name}` }).click();
  await at.getByRole("alertdialog").getByRole("button", { name: "Remove system" }).click();
  await toast(`${name} is removed`);
  await expect.poll(() => at.getByRole("row", { name }).count()).toBe(0);
  mine.expectClean(/422/);
});

test("a person without the right sees no links to the registry", async () => {
  const uuid = await add("Closed Door Clinic");
  const plain = await screenAs(browser, gateway, "plain");
  for (const path of ["/facilities", `/facility/${uuid}`]) {
    await plain.open(path);
    await plain.page.getByRole("heading", { level: 1 }).waitFor();
    expect(await plain.page.getByRole("link", { name: /^(Add facility|Registry)$/ }).count()).toBe(0);
  }
});
