import { join } from "node:path";

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { hashToken } from "../../gateway/auth/auth.ts";
import { keptRecords } from "../assessment/kept-records.ts";
import { networkBack, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { openBrowser, openOldestBrowser } from "../support/openBrowser.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { fillComments, fillRequired, goToStep, saveVisit } from "../support/visitForm.ts";
import { saysWaiting } from "../trials/screen.ts";

/** The week of an officer on one phone, from My week to the ministry's server. */

const gateway = await gatewayOfFile();

const places = [27, 28, 29].map((longitude, at) => ({ latitude: -13.1, longitude, accuracy: 10 + at }));
type Site = { facilityUuid: string; facilityName: string; place: (typeof places)[number] };
/** Five sites of one district at three places, for each browser. */
const sitesOf = (week: string): Site[] =>
  ["Zebra", "Kudu", "Impala", "Sable", "Puku"].map((name, at) => ({
    facilityUuid: `${week}-${name}`,
    facilityName: `${name} ${week} Clinic`,
    place: places[at % places.length]!,
  }));
const weeks = [
  ["Current", openBrowser],
  ["Oldest", openOldestBrowser],
] as const;

let district: string;
beforeAll(async () => {
  const rows = await gateway.sql<{ districtId: number; provinceId: number; label: string }>`
    select district_id, province_id, d.name || ' (' || p.name || ')' as label
    from district d join province p using (province_id) order by district_id limit 1`;
  const { label, ...ids } = rows[0]!;
  district = label;
  const sites = weeks.flatMap(([week]) => sitesOf(week));
  const added = sites.map(({ place: { latitude, longitude }, ...names }) => ({
    ...names,
    ...ids,
    latitude,
    longitude,
  }));
  await gateway.db.insertInto("facility").values(added).execute();
});

/** Pictures are written only when they are asked for: SCREENSHOTS=/a/folder. */
const folder = process.env["SCREENSHOTS"];

async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or email").fill(login);
  await page.getByLabel("Password", { exact: true }).fill("demo-password");
  await page.getByRole("button", { name: "Sign in", exact: true }).last().click();
  await page.getByLabel("Username or email").waitFor({ state: "detached" });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Sign-out" }).click();
  await page.getByLabel("Username or email").waitFor();
}

/** A night passes: this page's session was last used 13 hours ago. */
async function sleep(page: Page): Promise<void> {
  const { value } = (await page.context().cookies()).find(({ name }) => name === "session")!;
  await gateway.sql`update session set last_seen_at = now() - interval '13 hours' where token_hash = ${hashToken(value)}`;
}

type Visit = {
  assessedAt: string;
  closingComments: string;
  latitude: number;
  longitude: number;
  positionAccuracy: number;
};
async function visitsTo({ facilityUuid }: Site): Promise<Visit[]> {
  const admin = await gateway.as("admin");
  const list = bodyOf<{ uuid: string }[]>(await admin.get(`/api/v1/assessment/list/facility/${facilityUuid}`));
  return Promise.all(list.map(async ({ uuid }) => bodyOf<Visit>(await admin.get(`/api/v1/assessment/${uuid}`))));
}

test.each(weeks)(
  "%s Chromium: five visits without network at three places, one corrected at another, arrive once, each with its time and position, after an ended session, a portal and a second person",
  async (week, open) => {
    const browser = await open();
    const sites = sitesOf(week);
    const screen = await screenAs(browser, gateway, null, { keepsApplication: true, width: 390 });
    const { page, settled } = screen;
    const context = page.context();
    const line = page.getByLabel("Connection");
    let pictures = 0;
    const picture = async (name: string) => {
      pictures += 1;
      await settled();
      if (folder) await page.screenshot({ path: join(folder, `${week}-${pictures}-${name}.png`) });
    };
    const openSite = async ({ facilityName }: Site) => {
      await page.evaluate(() => (location.hash = "#/field"));
      await page.locator(".site-line").filter({ hasText: facilityName }).getByRole("link").first().click();
      await page.getByRole("navigation", { name: "Steps" }).waitFor();
    };
    const save = async (count: number) => {
      await saveVisit(page);
      await saysWaiting(page, count).waitFor();
      await page.waitForURL(/#\/facility\//);
    };

    await page.goto(gateway.url);
    await signIn(page, "assessor");
    await context.grantPermissions(["geolocation"], { origin: gateway.url });
    await page.evaluate(() => (location.hash = "#/field"));
    await page.getByLabel("What to download").selectOption({ label: "A district" });
    await page.getByLabel("District", { exact: true }).selectOption({ label: district });
    await page.getByRole("button", { name: "Download" }).click();
    const ready = page.getByRole("status").filter({ hasText: /^Ready:/ });
    await ready.waitFor();
    await picture("prepared");

    await context.setOffline(true);
    const savedAt: [from: number, until: number][] = [];
    for (const [at, site] of sites.entries()) {
      await context.setGeolocation(site.place);
      await openSite(site);
      await fillRequired(page);
      await expect
        .poll(() => page.getByLabel("GPS location").inputValue())
        .toBe(`${site.place.latitude.toFixed(4)}, ${site.place.longitude.toFixed(4)}`);
      if (at === 0) await picture("form");
      await fillComments(page, `Visit ${at}`);
      const from = Date.now();
      await save(at + 1);
      savedAt.push([from, Date.now()]);
    }
    await picture("kept");

    await context.setGeolocation(places[2]!);
    await openSite(sites[0]!);
    await goToStep(page, "Closing");
    await expect.poll(() => page.getByLabel("Closing comments").last().inputValue()).toBe("Visit 0");
    await fillComments(page, "Visit 0, corrected");
    await picture("correction");
    await save(5);

    await sleep(page);
    await networkBack(page);
    await line.getByText(/^5 assessments wait .* Your session ended\. Sign in to send your 5 visits\.$/).waitFor();
    await picture("session-ended");

    await context.route("**/*", (route) =>
      route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Guest house</h1>" }),
    );
    await page.reload();
    await line.getByText(/^5 assessments wait .* This network wants you to sign in first\./).waitFor();
    await picture("portal");
    await context.unroute("**/*");
    await page.evaluate(() => dispatchEvent(new Event("online")));

    await line.getByRole("button", { name: "Sign in" }).click();
    await signIn(page, "viewer");
    await page.getByText("Sealed work waits on this device.").waitFor();
    await expect.poll(() => line.innerText()).toBe("");
    await picture("second-person");
    await signOut(page);
    expect(await Promise.all(sites.map(visitsTo))).toEqual(sites.map(() => []));

    await signIn(page, "assessor");
    await expect.poll(async () => (await keptRecords(page, "work")).length).toBe(0);
    // One message for all of them, with the way to them.
    const message = page.locator(".notification").filter({ hasText: "5 visits were received" });
    await message.getByRole("button", { name: "My week" }).click();
    await expect.poll(() => page.locator(".site-line").count()).toBe(5);
    await picture("received");
    for (const [at, site] of sites.entries()) {
      const visits = await visitsTo(site);
      const { latitude, longitude, accuracy } = site.place;
      expect(visits).toMatchObject([
        { latitude, longitude, positionAccuracy: accuracy, closingComments: `Visit ${at}${at ? "" : ", corrected"}` },
      ]);
      const [from, until] = savedAt[at]!;
      const time = Date.parse(visits[0]!.assessedAt);
      expect([time >= from - 1000, time <= until + 1000]).toEqual([true, true]);
    }
    await browser.close();
  },
);
