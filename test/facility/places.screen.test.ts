import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { hasFocus, screenAs, type Screen } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** Search, lists and the facility page in a real browser, compared with REST. */

let partnerId: number;

const [browser, gateway] = await screensOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  ({ implementingPartnerId: partnerId } = await gateway.db
    .selectFrom("implementingPartner")
    .select("implementingPartnerId")
    .where("name", "=", "Partner A")
    .executeTakeFirstOrThrow());
});

const heading = (page: Page) => page.locator("h1");
const graphqlCalls = (screen: Screen) => screen.calls().filter((call) => call.startsWith("/graphql"));

/** The texts of a table's cells, row by row, without the header. */
const rowsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));

async function rest<T>(path: string, person = admin): Promise<T> {
  const { status, body } = await person.get(`/api/v1/${path}`);
  expect(status, path).toBe(200);
  return body as T;
}

test("the search starts at three characters, shows place and partner of each result, and keeps text and page in the URL", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  await screen.open("/search");
  const box = page.getByLabel("Search Parameters (at least 3 characters)");
  await hasFocus(box);
  screen.calls();
  await box.pressSequentially("ng");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/search?text=ng");
  await screen.settled();
  expect(graphqlCalls(screen)).toEqual([]);
  await expect.poll(() => page.locator("main").innerText()).toContain("At least 3 characters: this has 2.");
  await expect.poll(() => page.getByRole("table").count()).toBe(0);

  await box.fill("health");
  await page.getByRole("table").waitFor();
  await screen.settled();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/search?text=health");
  expect(graphqlCalls(screen)).toHaveLength(1);
  type Found = {
    facilityName: string;
    implementingPartner: string | null;
    province: string;
    district: string;
    facilityUuid: string;
  };
  const found = await rest<Found[]>("facility/search/args/health");
  expect(found.length).toBeGreaterThan(20);
  await expect
    .poll(() => page.getByRole("columnheader").allInnerTexts())
    .toEqual(["Facility name", "HMIS code", "IP", "Province", "District"]);
  const shown = async () =>
    (await rowsOf(page.getByRole("table"))).map(([name, , partner, province, district]) => [
      name,
      partner,
      province,
      district,
    ]);
  const asShown = (rows: Found[]) =>
    rows.map((row) => [row.facilityName, row.implementingPartner ?? "–", row.province, row.district]);
  await expect.poll(() => shown()).toEqual(asShown(found.slice(0, 10)));
  await expect.poll(() => page.locator(".search-count").innerText()).toBe(`${found.length} facilities found`);

  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/search?text=health&page=2");
  await screen.settled();
  await expect.poll(() => shown()).toEqual(asShown(found.slice(10, 20)));
  await page.reload();
  await screen.settled();
  await expect.poll(() => box.inputValue()).toBe("health");
  await expect.poll(() => shown()).toEqual(asShown(found.slice(10, 20)));

  // A new text starts at page 1; apostrophes and case do not matter.
  for (const text of ["ng'wandela", "NGWANDELA", "ngwandela rural"]) {
    await box.fill(text);
    await expect.poll(() => new URLSearchParams(page.url().split("?")[1]).get("text")).toBe(text);
    await screen.settled();
    await expect.poll(async () => (await shown())[0]![0]).toBe("Ng'wandela Rural Health Centre");
    await expect.poll(() => page.url()).not.toContain("page=");
  }
  await page.getByRole("table").getByRole("link", { name: "Ng'wandela Rural Health Centre" }).click();
  await heading(page).filter({ hasText: "Ng'wandela Rural Health Centre" }).waitFor();
  await page.goBack();
  await heading(page).filter({ hasText: "Facility Search" }).waitFor();
  await expect.poll(() => box.inputValue()).toBe("ngwandela rural");

  await box.fill("zzqqxxyy");
  await page.getByText("No facility has a name or code like “zzqqxxyy”.").waitFor();
  screen.calls();
  await box.fill("x".repeat(129));
  await page.getByText("At most 128 characters: this has 129.").waitFor();
  await expect.poll(() => page.url().length).toBeGreaterThan(129);
  await screen.settled();
  expect(graphqlCalls(screen)).toEqual([]);
  await page.getByRole("button", { name: "Clear the text" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/search");
  screen.expectClean();
});

test("lists have pages of 10 rows, with the page number in the URL", async () => {
  const screen = await screenAs(browser, gateway, "plain");
  const { page } = screen;
  const total = (await rest<unknown[]>("facility")).length;
  await screen.open("/facilities");
  const names = () => page.getByRole("table").getByRole("rowheader").allInnerTexts();
  const range = page.getByRole("navigation", { name: "Pages of facilities" }).getByRole("status");
  const first = await names();
  await expect.poll(async () => [first.length, await range.innerText()]).toEqual([10, `1–10 of ${total}`]);
  await expect.poll(() => page.getByRole("button", { name: "Previous page" }).count()).toBe(0);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/facilities?page=2");
  await screen.settled();
  const second = await names();
  await expect.poll(async () => [second.length, await range.innerText()]).toEqual([10, `11–20 of ${total}`]);
  expect(second).not.toEqual(first);
  await expect.poll(() => page.getByRole("button", { name: "Page 2" }).getAttribute("aria-current")).toBe("page");
  await page.reload();
  await screen.settled();
  await expect.poll(() => names()).toEqual(second);
  await page.goBack();
  await screen.settled();
  await expect.poll(async () => [new URL(page.url()).hash, await names()]).toEqual(["#/facilities", first]);
  const last = Math.ceil(total / 10);
  await page.getByRole("button", { name: `Page ${last}` }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/facilities?page=${last}`);
  await screen.settled();
  await expect.poll(() => names()).toHaveLength(total - (last - 1) * 10);
  await expect.poll(() => page.getByRole("button", { name: "Next page" }).count()).toBe(0);

  await screen.open("/districts?page=2");
  await expect.poll(async () => (await rowsOf(page.getByRole("table"))).length).toBe(10);
  await expect
    .poll(() => page.getByRole("navigation", { name: "Pages of districts" }).getByRole("status").innerText())
    .toBe("11–20 of 116");
  // The worst come first, on the first page; those of which nothing is known come last.
  await page.getByRole("button", { name: "Works" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/districts?sort=works");
  const shares = async () => (await rowsOf(page.getByRole("table"))).map((cells) => Number.parseInt(cells.at(-1)!, 10));
  await expect
    .poll(async () => (await shares()).every((share, at, all) => at === 0 || all[at - 1]! <= share))
    .toBe(true);
  expect((await shares())[0]).toBeLessThan(50);
  const partners = await rest<{ implementingPartnerId: number; implementingPartner: string }[]>(
    "implementingPartner/active/true",
  );
  await screen.open("/ips");
  await expect
    .poll(async () => (await rowsOf(page.getByRole("table"))).map(([name]) => name))
    .toEqual(partners.map(({ implementingPartner }) => implementingPartner));
  const { implementingPartner, implementingPartnerId } = partners[1]!;
  await page.getByRole("link", { name: `View ${implementingPartner}` }).click();
  await heading(page)
    .filter({ hasText: `Implementing Partner - ${implementingPartner}` })
    .waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/ip/${implementingPartnerId}`);
  await screen.settled();
  screen.expectClean();
});

test("the facility page shows its card and a link to a map; its tabs and those of the partner page depend on rights", async () => {
  const rows = await gateway.sql<{ facilityUuid: string; latitude: number; longitude: number }>`
    select facility_uuid, latitude, longitude from facility
    where latitude is not null and connectivity_present and mobile_coverage and hmis_code is not null and implementing_partner_id is not null
      and exists (select from assessment a where a.facility_uuid = facility.facility_uuid)
      and exists (select from tdb t where t.facility_uuid = facility.facility_uuid)
    order by facility_name limit 1
  `;
  const { facilityUuid, latitude, longitude } = rows[0]!;
  const [metadata, connectivity, types, providers, assessments, tdbs] = await Promise.all([
    rest<Record<string, string | null>>(`facilityMetadata/${facilityUuid}`),
    rest<Record<string, unknown>>(`facilityConnectivity/${facilityUuid}`),
    rest<{ id: number; type: string }[]>("connectivityType"),
    rest<{ id: number; provider: string }[]>("connectivityProvider"),
    rest<{ assessmentDate: string; uuid: string }[]>(`assessment/list/facility/${facilityUuid}`),
    rest<{ libraryVersion: string | null }[]>(`tdb/facility/${facilityUuid}`),
  ]);

  const people = [
    ["plain", [], ["Facilities"]],
    ["viewer", ["Past Assessments"], ["Facilities"]],
    ["uploader", ["Uploaded TDBs"], ["Facilities", "Uploaded TDBs"]],
    ["assessor", ["Past Assessments"], ["Facilities"]],
    ["manager", [], ["Facilities", "Users"]],
    ["admin", ["Past Assessments", "Uploaded TDBs"], ["Facilities", "Users", "Uploaded TDBs"]],
  ] as const;
  const look = async ([login, shown, ofPartner]: (typeof people)[number]) => {
    const mayAssess = login === "assessor" || login === "admin";
    const screen = await screenAs(browser, gateway, login);
    const { page } = screen;
    await screen.open(`/facility/${facilityUuid}`);
    await expect.poll(() => heading(page).innerText()).toBe(metadata["facilityName"]);
    await expect.poll(() => page.getByRole("tab").allInnerTexts(), { message: login }).toEqual(shown);
    await expect
      .poll(() => page.getByRole("link", { name: "Add new assessment" }).count(), { message: login })
      .toBe(mayAssess ? 1 : 0);
    // One query for how the facility stands, one for its lists, and one for the tab of TDBs, if it is shown.
    const asked = graphqlCalls(screen).map((call) => new URL(call, gateway.url).searchParams.get("operationName"));
    expect(asked.filter((name) => name !== "EarlySessionQuery").toSorted(), login).toEqual([
      "FacilityScreenQuery",
      "FacilityScreen_records",
      ...((shown as readonly string[])[0] === "Uploaded TDBs" ? ["FacilityTdbsTabQuery"] : []),
    ]);

    if (login === "admin") {
      const facts = Object.fromEntries(
        await page
          .locator("dl > div")
          .evaluateAll((all) =>
            all.map((one) => [one.querySelector("dt")!.textContent, one.querySelector("dd")!.innerText.trim()]),
          ),
      );
      expect(facts).toMatchObject({
        "HMIS code": metadata["hmisCode"],
        District: metadata["district"],
        Province: metadata["province"],
        "Implementing partner": metadata["implementingPartner"],
        Present: "Yes",
        Type: types.find(({ id }) => id === connectivity["type"])!.type,
        "Mobile coverage": "Yes",
        "Mobile provider": providers.find(({ id }) => id === connectivity["mobileProvider"])!.provider,
      });
      const [lat, lon] = [latitude.toFixed(4), longitude.toFixed(4)];
      const map = page.getByRole("link", { name: `${lat}, ${lon}` });
      const target = new URL((await map.getAttribute("href"))!);
      await expect
        .poll(async () => [
          target.protocol,
          target.href.includes(lat),
          target.href.includes(lon),
          await map.getAttribute("target"),
        ])
        .toEqual(["https:", true, true, "_blank"]);

      const table = page.getByRole("table");
      await expect
        .poll(() => table.locator("caption").innerText())
        .toMatch(new RegExp(`^${assessments.length} past assessments?$`));
      const past = await rowsOf(table);
      expect(past).toHaveLength(Math.min(10, assessments.length));
      expect(past[0]![0]).toMatch(/^\d\d [A-Z][a-z]{2} \d{4}$/);
      expect(past[0]![1]).toMatch(/^\d\d:\d\d$/);
      await expect
        .poll(() => table.getByRole("link", { name: /^View/ }).first().getAttribute("href"))
        .toBe(`#/assessment/facility/${facilityUuid}/${assessments[0]!.uuid}`);
      await page.getByRole("tab", { name: "Uploaded TDBs" }).click();
      const received = page.getByRole("table", { name: tdbs.length === 1 ? "1 TDB" : `${tdbs.length} TDBs` });
      await received.waitFor();
      await expect
        .poll(async () => (await rowsOf(received)).map((row) => row[4]))
        .toEqual(tdbs.slice(0, 10).map(({ libraryVersion }) => libraryVersion ?? "–"));
      await expect.poll(() => page.url()).toContain("tab=tdbs");
      await page.reload();
      await screen.settled();
      await expect.poll(() => page.getByRole("tab", { selected: true }).innerText()).toBe("Uploaded TDBs");
    }

    await screen.open(`/ip/${partnerId}`);
    const lists = page.getByRole("tablist", { name: "Lists of the partner" });
    await expect.poll(() => lists.getByRole("tab").allInnerTexts(), { message: login }).toEqual(ofPartner);
    if (login === "manager") {
      const others = await rest<{ implementingPartnerId: number }[]>("implementingPartner/active/true");
      await screen.open(
        `/ip/${others.find(({ implementingPartnerId }) => implementingPartnerId !== partnerId)!.implementingPartnerId}`,
      );
      await expect
        .poll(() => lists.getByRole("tab").allInnerTexts(), { message: "of another partner" })
        .toEqual(["Facilities"]);
    }
    if (login === "uploader") {
      await lists.getByRole("tab", { name: "Uploaded TDBs" }).click();
      const total = (await rest<unknown[]>(`tdb/ip/${partnerId}`)).length;
      const table = page.getByRole("table", { name: `${total} TDBs` });
      await table.waitFor();
      await expect
        .poll(() => table.getByRole("columnheader").allInnerTexts())
        .toEqual([
          "Date",
          "Time",
          "Facility",
          "District",
          "Province",
          "Delta TDB",
          "Creation Date",
          "Number of clients",
          "File",
        ]);
    }
    screen.expectClean();
    await screen.close();
  };
  await Promise.all(people.map(look));
});
