import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** A question that somebody builds by clicks, without GraphQL. */

const [browser, gateway] = await screensOfFile("demo");

test("a question built by clicks equals the same query, keeps its address, and is saved as a page of its own", async () => {
  const viewer = await gateway.as("viewer");
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open("/questions");
  await page.getByRole("heading", { level: 1, name: "Questions" }).waitFor();
  await page.getByLabel("By", { exact: true }).selectOption({ label: "Implementing partner" });
  await page.getByLabel("Figure").selectOption({ label: "Share of assessed sites where primary power works" });
  await page.getByLabel("Order").selectOption({ label: "Highest first" });
  // The order stays where another one is not usual.
  await page.getByLabel("By", { exact: true }).selectOption({ label: "Province" });
  await page.getByRole("heading", { name: "by province" }).waitFor();
  expect(await page.getByLabel("Order").inputValue()).toBe("highest");
  await page.getByLabel("By", { exact: true }).selectOption({ label: "Implementing partner" });
  await page.getByLabel("Leave out").selectOption({ label: "Groups of fewer than 10" });
  const sentence =
    "Share of assessed sites where primary power works, by implementing partner, as they stand today, highest first, only of 10 or more";
  await page.getByRole("heading", { level: 2, name: sentence }).waitFor();
  await expect.poll(() => page.url()).toContain("least=10");
  await page.reload();
  const { data } = await viewer.graphql<{
    facilityGroups: {
      rank: number;
      implementingPartner: { implementingPartner: string } | null;
      primaryPowerWorking: { yes: number; no: number };
    }[];
  }>(`{ facilityGroups(by: [IMPLEMENTING_PARTNER], sort: PRIMARY_POWER_WORKING_SHARE_DESC, minimumDenominator: 10) {
    rank implementingPartner { implementingPartner } primaryPowerWorking { yes no } } }`);
  const wanted = data.facilityGroups.map(({ rank, implementingPartner, primaryPowerWorking: { yes, no } }) => [
    String(rank),
    implementingPartner?.implementingPartner ?? "No implementing partner",
    `${Math.round((1000 * yes) / (yes + no)) / 10} %`,
    `${yes} of ${yes + no}`,
  ]);
  expect(wanted.length).toBeGreaterThan(2);
  const rows = page.getByRole("table").locator("tbody tr");
  await expect
    .poll(() => rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim()))))
    .toEqual(wanted);
  expect(await axe(page)).toEqual([]);

  await page.getByRole("button", { name: "Save question" }).click();
  const name = page.getByRole("dialog").getByLabel("Name");
  expect(await name.inputValue()).toBe(sentence.slice(0, 128));
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type("Power by partner");
  await page.getByRole("dialog").getByRole("button", { name: "Save question" }).click();
  await page.getByRole("heading", { level: 1, name: "Power by partner" }).waitFor();
  // The page of the saved question shows what the builder shows, also in its files.
  await page.getByRole("heading", { level: 2, name: sentence }).waitFor();
  await expect
    .poll(() => rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim()))))
    .toEqual(wanted);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("Power by partner.csv");
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toBe("Rank,Implementing partner,Share of assessed sites where primary power works,Of");
  expect(lines.slice(1)).toEqual(wanted.map((cells) => cells.join(",")));
  const [workbook] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Excel", exact: true }).click(),
  ]);
  expect(workbook.suggestedFilename()).toBe("Power by partner.xlsx");
  expect([await layoutFaults(page), await axe(page)]).toEqual([[], []]);

  // It is changed in its place, renamed and shared.
  await page.getByRole("link", { name: "Change this question" }).click();
  await page.getByRole("heading", { level: 2, name: sentence }).waitFor();
  await page.getByLabel("Order").selectOption({ label: "By name" });
  const byName =
    "Share of assessed sites where primary power works, by implementing partner, as they stand today, by name";
  await page.getByRole("heading", { level: 2, name: byName }).waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Power by partner" }).waitFor();
  await page.getByRole("heading", { level: 2, name: byName }).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Rename or share" }).click();
  await name.fill("Power, partner by partner");
  await page.getByLabel("Share with everybody").check({ force: true });
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Power, partner by partner" }).waitFor();

  // Pinned, it is on Home with its chart, until it is removed from there.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Pin to Home" }).click();
  await page.getByText("is on your Home").waitFor();
  await open("/");
  const pinned = page.getByRole("region", { name: "Pinned questions" });
  await pinned.scrollIntoViewIfNeeded();
  await pinned.getByRole("group", { name: byName }).waitFor();
  expect([await layoutFaults(page), await axe(page)]).toEqual([[], []]);
  await pinned.getByRole("link", { name: "Power, partner by partner" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Remove from Home" }).click();
  await page.getByText("is no longer on your Home").waitFor();
  await open("/");
  await page.getByRole("heading", { level: 2, name: "The situation" }).waitFor();
  expect(await pinned.count()).toBe(0);

  await open("/questions");
  // A phone shows ten of the districts, and the way to the controls above them.
  const cards = page.getByRole("table").locator("tbody tr");
  await expect.poll(() => cards.count()).toBe(10);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => cards.count()).toBeGreaterThan(100);
  await page.emulateMedia({ media: "screen" });
  await expect.poll(() => cards.count()).toBe(10);
  await page.getByRole("button", { name: "Change the question" }).click();
  const first = page.getByLabel("Count", { exact: true });
  await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
  expect((await first.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height / 2);
  await page.getByRole("button", { name: /^Show all \d+$/ }).click();
  await expect.poll(() => cards.count()).toBeGreaterThan(100);
  await page.getByRole("button", { name: "Examples" }).click();
  const find = page.getByRole("searchbox", { name: "Find a question" });
  const power = page.getByRole("dialog").getByRole("region", { name: "Power (electricity)" });
  await find.fill("worst electricity");
  await power.getByRole("link", { name: /^Share of assessed sites where primary power works, by province/ }).waitFor();
  await expect.poll(() => power.getByRole("link").count()).toBe(1);
  await find.fill("tdbs per month");
  await power.waitFor({ state: "detached" });
  expect(await axe(page)).toEqual([]);
  await page.getByRole("link", { name: "TDBs received, by month, last 12 months" }).click();
  await page.getByRole("heading", { level: 2, name: "TDBs received, by month, last 12 months" }).waitFor();
  expectClean();
});

test("saved questions are found on Questions and by Find, and removed by their owner only", async () => {
  const assessor = await screenAs(browser, gateway, "assessor", { width: 1440 });
  await assessor.open("/questions");
  await assessor.page.getByRole("button", { name: "Saved questions" }).click();
  const shared = assessor.page.getByRole("region", { name: "Shared questions" });
  await shared.getByText("by viewer").waitFor();
  expect(await axe(assessor.page)).toEqual([]);
  await shared.getByRole("link", { name: "Power, partner by partner" }).click();
  await assessor.page.getByText("Shared by viewer").waitFor();
  await assessor.page.getByRole("button", { name: "More" }).click();
  await assessor.page.getByRole("button", { name: "Open in the explorer" }).waitFor();
  expect(await assessor.page.getByRole("button", { name: "Remove" }).count()).toBe(0);
  await assessor.page.getByRole("link", { name: "Change this question" }).click();
  await assessor.page.getByRole("button", { name: "Save question" }).waitFor();
  assessor.expectClean();
  await assessor.close();

  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 1440 });
  await open("/questions");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("partner by");
  await page.getByRole("option", { name: "Power, partner by partner" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("heading", { level: 1, name: "Questions" }).waitFor();
  await page.getByRole("button", { name: "Saved questions" }).click();
  await page.getByText("None yet.").waitFor();
  expectClean();
});

test("the ten worst districts against the quarter before, by clicks: the table has the changes of the query", async () => {
  const viewer = await gateway.as("viewer");
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 1440 });
  await open("/questions");
  await page.getByLabel("Count", { exact: true }).selectOption({ label: "Visits" });
  await page.getByLabel("Figure").selectOption({ label: "Share of visited sites that work" });
  await page.getByLabel("Shown as").selectOption({ label: "Change since the period before" });
  await page.getByLabel("Period").selectOption({ label: "Last quarter" });
  await page.getByLabel("By", { exact: true }).selectOption({ label: "District" });
  await page.getByLabel("Order").selectOption({ label: "Lowest first" });
  await page.getByLabel("Show", { exact: true }).selectOption({ label: "The first 10" });
  await page
    .getByRole("heading", {
      level: 2,
      name: /^Change of share of visited sites that work, by district, last quarter, lowest first/,
    })
    .waitFor();
  await expect.poll(() => page.getByRole("columnheader").allInnerTexts()).toContain("Before");
  const query = (await page.locator(".questions-query").textContent())!;
  const { data } = await viewer.graphql<{
    assessmentGroups: {
      measure: { value: number | null; now: number; before: number | null; count: number; of: number };
    }[];
  }>(query);
  expect(data.assessmentGroups).toHaveLength(10);
  expect(data.assessmentGroups[0]!.measure.value).toBeLessThan(0);
  // Where nobody was before, there is no change.
  const words = (value: number | null, unit: string) =>
    value === null ? "–" : `${Math.round(1000 * value) / 10} ${unit}`;
  const wanted = data.assessmentGroups.map(({ measure: { value, now, before, count, of } }) => [
    `${value !== null && value > 0 ? "+" : ""}${words(value, "points")}`,
    ...[now, before].map((share) => words(share, "%")),
    `${count} of ${of}`,
  ]);
  const rows = page.getByRole("table").locator("tbody tr");
  await expect
    .poll(() => rows.evaluateAll((all) => all.map((row) => [...row.children].slice(2).map((cell) => cell.textContent))))
    .toEqual(wanted);
  await page.getByText("Figures of visits and TDBs open no list of sites.").waitFor();
  expect(await axe(page)).toEqual([]);
  expectClean();
});

test("filters by clicks: sites near a position that failed twice, and the list of those near it", async () => {
  const viewer = await gateway.as("viewer");
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open("/questions?subject=sites&by=province&measure=sites&order=highest");
  const add = (label: string) => page.getByLabel("Only where").selectOption({ label });
  await add("Within");
  await page.getByLabel("Near a place").fill("-15.4167");
  await page.getByText("Choose a place from the list").waitFor();
  await page.getByLabel("Near a place").fill("-15.4167, 28.2833");
  await page.keyboard.press("Tab");
  await page.getByLabel("Within", { exact: true }).selectOption("200");
  await page
    .getByRole("heading", { level: 2, name: /^Sites, within 200 km of -15.4167, 28.2833, by province/ })
    .waitFor();
  const near = "near: { latitude: -15.4167, longitude: 28.2833, kilometres: 200 }";
  type Groups = { facilityGroups: { facilities: number }[] };
  const counted = async (filter: string) =>
    (
      await viewer.graphql<Groups>(
        `{ facilityGroups(by: [PROVINCE], minimumSize: 1, sort: FACILITIES_DESC, filter: { ${filter} }) { facilities } }`,
      )
    ).data.facilityGroups.map(({ facilities }) => String(facilities));
  const figures = () => page.getByRole("table").locator("tbody tr td:last-child").allInnerTexts();
  const all = await counted(near);
  await expect.poll(figures).toEqual(all);
  const list = await page.getByRole("table").locator("tbody tr").first().getByRole("link").getAttribute("href");
  expect(list).toContain("near=-15.4167%2C28.2833%2C200");
  await add("Last visits");
  await page.getByLabel("Last visits").selectOption({ label: "2 × SmartCare did not work" });
  const failed = `${near}, inARow: { visits: 2, answer: SMART_CARE_FUNCTIONAL, said: false }`;
  const some = await counted(failed);
  await expect.poll(figures).toEqual(some);
  await page.getByRole("table").locator("tbody tr").first().getByRole("link").click();
  await page.getByRole("button", { name: /Last visits: 2 × SmartCare did not work$/ }).waitFor();
  await page
    .getByText(new RegExp(`^${some[0]} facilit`))
    .first()
    .waitFor();
  await page.goBack();
  await expect.poll(figures).toEqual(some);

  // A range relative to today, which a saved question keeps.
  await add("Not visited");
  await page.getByLabel("Not visited").selectOption({ label: "In the last four quarters" });
  await expect.poll(figures).toEqual(await counted(`${failed}, assessedBefore: "LAST_4_QUARTERS"`));
  expect(await axe(page)).toEqual([]);
  await page.goBack();
  await page.goBack();
  await expect.poll(figures).toEqual(all);

  // A site's name stands for its position.
  const place = page.getByLabel("Near a place");
  await place.fill("clinic");
  const site = await page.locator("datalist option").first().getAttribute("value");
  await place.fill(site!);
  const siteName = site!.slice(0, site!.lastIndexOf(","));
  await expect.poll(() => place.inputValue()).toBe(siteName);
  await page.getByText(new RegExp(`^${siteName}: -?\\d+\\.\\d+, \\d+\\.\\d+$`)).waitFor();
  await page.goBack();
  await expect.poll(figures).toEqual(all);

  // Of a district the middle is meant. A text that names no place is said to set no distance.
  await place.fill("Nowhere at all");
  await page.keyboard.press("Tab");
  await page
    .getByRole("heading", { level: 2, name: /no distance set \(“Nowhere at all” is no known place\)/ })
    .waitFor();
  await expect.poll(() => page.getByText("Choose a place from the list").count()).toBe(2);
  await expect.poll(() => page.getByRole("table").count()).toBe(0);
  await place.fill("Kabwe");
  await page.locator('datalist option[value="Kabwe District, Central"]').waitFor({ state: "attached" });
  await page.keyboard.press("Tab");
  await page.getByRole("heading", { level: 2, name: /^Sites, within 200 km of Kabwe District, by province/ }).waitFor();
  await page.getByText(/^The middle of Kabwe District: -14\.\d+, 28\.\d+$/).waitFor();
  await page.goBack();
  await page.goBack();
  await expect.poll(figures).toEqual(all);

  // By distance from a position: Lusaka, until another one is written.
  await page.getByLabel("By", { exact: true }).selectOption({ label: "Distance" });
  await page.getByLabel("Distance from a place").fill("-13, 28.6");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: /by distance from -13, 28.6, as they stand today$/ }).waitFor();
  const { data } = await viewer.graphql<Groups>(
    `{ facilityGroups(by: [DISTANCE], distanceFrom: { latitude: -13, longitude: 28.6 }, minimumSize: 1, filter: { ${near} }) { facilities } }`,
  );
  await expect.poll(figures).toEqual(data.facilityGroups.map(({ facilities }) => String(facilities)));
  expectClean();
});

test("a choice does not move the page, a new subject keeps the keys, and a file is of the fields as they were left", async () => {
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 390 });
  await open("/questions?subject=sites&by=partner&measure=sites");
  await page.getByRole("table").waitFor();
  await page.getByLabel("Order").scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => window.scrollY);
  expect(top).toBeGreaterThan(300);
  await page.getByLabel("Order").selectOption({ label: "Highest first" });
  await page.getByRole("heading", { level: 2, name: /, highest first$/ }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(top - 100);
  await page.getByLabel("Count", { exact: true }).selectOption({ label: "Visits" });
  await page.getByRole("heading", { level: 2, name: /^Visits, by implementing partner, .*, highest first$/ }).waitFor();

  await open("/questions?subject=sites&by=distance&measure=sites");
  const place = page.getByLabel("Distance from a place");
  const csv = page.getByRole("button", { name: "Export CSV" });
  await place.fill("-13, 28.6");
  const [file] = await Promise.all([page.waitForEvent("download"), csv.click()]);
  expect(file.suggestedFilename()).toBe("Sites, by distance from -13, 28.6, as they stand today.csv");
  const [, ...lines] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  await expect
    .poll(() => page.getByRole("table").locator("tbody tr td:last-child").allInnerTexts())
    .toEqual(lines.map((line) => line.split(",").at(-1)));
  // Enter comes before the places of this name.
  await page.getByLabel("Only where").selectOption({ label: "Within" });
  await page.getByLabel("Near a place").fill("Kabwe");
  await page.getByLabel("Near a place").press("Enter");
  await page.getByRole("heading", { level: 2, name: /within 20 km of Kabwe District/ }).waitFor();
  await place.fill("Nowhere");
  await csv.click();
  await page.getByText("has a text that cannot be asked for").waitFor();
  await expect.poll(() => place.evaluate((field) => field === document.activeElement)).toBe(true);
  expectClean();
});

test("a figure opens the list of the sites that it counts", async () => {
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 1440 });
  await open("/questions?subject=sites&by=partner&and=type&measure=working&order=highest");
  const figure = page.getByRole("table").locator("tbody tr").first().getByRole("link");
  const count = await figure.innerText();
  await figure.click();
  await page.getByRole("heading", { level: 1, name: "Facilities" }).waitFor();
  await expect.poll(() => page.url()).toMatch(/implementingPartnerId=\d+.*facilityType=.*functional=yes/);
  await page
    .getByText(new RegExp(`\\b${count} (sites|facilities)`))
    .first()
    .waitFor();
  expectClean();
});

test("the share of assessed sites without power: percent of those assessed, whose lists are one click away", async () => {
  const viewer = await gateway.as("viewer");
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 1440 });
  await open("/questions?subject=sites&by=province&measure=sites&order=name");
  await page.getByLabel("Only where").selectOption({ label: "Any power (primary or backup)" });
  await page.getByLabel("Any power (primary or backup)").selectOption({ label: "Does not work" });
  await page.getByLabel("Divided by").selectOption({ label: "Assessed sites" });
  await page.getByRole("heading", { level: 2, name: /^Share of assessed sites, without power/ }).waitFor();
  type Group = { province: { name: string }; assessed: number; facilities: number };
  const { data } = await viewer.graphql<Record<"all" | "without", Group[]>>(
    `{ all: facilityGroups(by: [PROVINCE]) { province { name } assessed }
       without: facilityGroups(by: [PROVINCE], filter: { power: false }) { province { name } facilities } }`,
  );
  const { all, without } = data;
  const wanted = without.flatMap(({ province, facilities }) => {
    const { assessed } = all.find((one) => one.province.name === province.name)!;
    // 0 of those assessed are an answer.
    return assessed === 0
      ? []
      : [[province.name, `${Math.round((1000 * facilities) / assessed) / 10} %`, `${facilities} of ${assessed}`]];
  });
  expect(wanted.length).toBeGreaterThan(2);
  const rows = page.getByRole("table").locator("tbody tr");
  await expect
    .poll(() =>
      rows.evaluateAll((list) => list.map((row) => [...row.children].map((cell) => cell.textContent?.trim()))),
    )
    .toEqual(wanted);
  expect(await rows.first().getByRole("link").getAttribute("href")).toContain("power=no");
  expect(await axe(page)).toEqual([]);

  // Of a share, the sites that do not count are a list too.
  await open("/questions?subject=sites&by=province&measure=works&order=lowest");
  const others = rows.first().getByRole("link", { name: /^\d+ do not$/ });
  expect(await others.getAttribute("href")).toMatch(/provinceId=\d+&functional=no/);

  // The districts that the limit cuts off although they are as good are counted.
  await open("/questions?subject=sites&by=district&measure=elast&order=lowest&first=10");
  const ranks = (
    await viewer.graphql<{ facilityGroups: { rank: number }[] }>(
      "{ facilityGroups(by: [DISTRICT], sort: ELAST_ASC) { rank } }",
    )
  ).data.facilityGroups.map(({ rank }) => rank);
  const more = ranks.slice(10).filter((rank) => rank === ranks[9]).length;
  expect(more).toBeGreaterThan(1);
  await page.getByText(`${more} more groups share rank ${ranks[9]} with the last of these.`).waitFor();

  await open(
    "/questions?subject=sites&by=province&measure=sites&order=name&assessedBefore=LAST_365_DAYS&near=-30,10,1",
  );
  await page.getByText("0 sites match. Take a filter away").waitFor();
  expectClean();
});

test("visits by month and implementing partner are a line for each partner, with its name at its end", async () => {
  const { page, open, expectClean } = await screenAs(browser, gateway, "viewer", { width: 1440 });
  await open("/questions?subject=visits&by=month&measure=visits&order=name");
  await page.getByLabel("And by").selectOption({ label: "Implementing partner" });
  const drawing = page.getByRole("group", { name: /^Visits, by month and implementing partner/ });
  const lines = drawing.locator(".mark-line > path");
  await lines.first().waitFor();
  const viewer = await gateway.as("viewer");
  const { data } = await viewer.graphql<{
    assessmentGroups: { implementingPartner: { implementingPartner: string } | null }[];
  }>(
    `{ assessmentGroups(by: [IMPLEMENTING_PARTNER], start: "LAST_12_MONTHS", end: "LAST_12_MONTHS") { implementingPartner { implementingPartner } } }`,
  );
  const partners = data.assessmentGroups.length;
  await expect.poll(() => lines.count()).toBe(Math.min(8, partners));
  const name = data.assessmentGroups.find((group) => group.implementingPartner)!.implementingPartner!
    .implementingPartner;
  await expect
    .poll(() => drawing.locator("text").allTextContents())
    .toContainEqual(expect.stringMatching(new RegExp(`^${name} \\d+$`)));
  await drawing.locator(".mark-symbol > path[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await page.locator("#vg-tooltip-element.visible").getByText(name).waitFor();
  if (partners > 8) await page.getByText(`The chart shows the 8 of ${partners} with the highest figures.`).waitFor();
  expect(await axe(page)).toEqual([]);
  expectClean();
});

test("an answer that cannot be fetched says why, and can be tried again", async () => {
  const { page, open } = await screenAs(browser, gateway, "plain", { width: 1440 });
  await page.route("**/graphql?query=*", (route) => route.abort());
  await open("/questions");
  await page.getByText("The server cannot be reached").waitFor();
  await page.unroute("**/graphql?query=*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => page.getByRole("table").locator("tbody tr").count()).toBeGreaterThan(100);
});
