import { randomUUID } from "node:crypto";

import type { Page } from "playwright-core";

import type { Device } from "./device.ts";
import { fill, openForm, prepare, save, saysWaiting, signIn, untilSent, words } from "./screen.ts";
import type { Facility, Service } from "./service.ts";
import { signOutUnsent } from "../support/visitForm.ts";

/**
 * The ways in which a day's work is interrupted: each records visits on a device, kills its browser, and opens it
 * again.
 */

/** A visit for which somebody pressed Save. */
export type Visit = {
  comments: string;
  login: string;
  facility: Facility;
  savedFrom: number;
  savedTo: number;
  isSaidKept: boolean;
};

export type Trial = {
  service: Service;
  device: Device;
  /** two, in different districts */
  facilities: readonly [Facility, Facility];
  /** random numbers from 0 to 1, the same for the same trial */
  random: () => number;
  /** what was saved so far */
  visits: Visit[];
  /** records something that is wrong */
  fault: (text: string) => void;
  /** records what a screen said instead of offering a form */
  says: (text: string) => void;
};

export type Variant = keyof typeof variants;

const [assessor, other] = ["assessor", "admin"];
/** The assessor's name, as screens show it. */
const nameOfAssessor = "Nyambeko";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits between 0.2 and 20 s. The logarithm of the time is evenly distributed. */
const untilKilled = ({ random }: Trial) => wait(200 * 100 ** random());

/** Signs in and downloads what is needed without network. */
async function begin({ device, facilities }: Trial): Promise<Page> {
  const page = await device.open();
  await page.goto(device.line.url);
  await signIn(page, assessor);
  await prepare(page, device.line.url, facilities[0]);
  return page;
}

/**
 * Presses Save in a form that was filled in, and records what the screen says. `count`: how many visits wait if this
 * one is kept.
 */
async function saveVisit(
  { visits, facilities }: Trial,
  page: Page,
  comments: string,
  count: number,
  more: Partial<Visit> = {},
): Promise<Visit> {
  const visit: Visit = {
    comments,
    login: assessor,
    facility: facilities[0],
    savedFrom: Date.now(),
    savedTo: 0,
    isSaidKept: false,
    ...more,
  };
  visits.push(visit);
  visit.isSaidKept = await save(page, count);
  visit.savedTo = Date.now();
  return visit;
}

/** Records a visit: opens its form, fills it in and saves it. */
async function record(trial: Trial, page: Page, count = 1): Promise<Visit> {
  const comments = randomUUID();
  // The application leaves the form of the previous visit by itself.
  if (count > 1) await page.waitForURL(/#\/facility\//);
  await openForm(page, trial.device.line.url, trial.facilities[0]);
  await fill(page, comments);
  return saveVisit(trial, page, comments, count);
}

/** Opens the killed browser again, without network: what waits is shown. */
async function reopen({ device, fault }: Trial, count: number): Promise<Page> {
  const page = await device.open();
  await page.goto(device.line.url);
  await saysWaiting(page, count)
    .waitFor({ timeout: 30_000 })
    .catch(async () =>
      fault(`Opened again without network, it does not show what waits: ${(await words(page)).slice(0, 300)}`),
    );
  return page;
}

/** Gives the network back, and waits until everything is sent. */
async function connect({ device }: Trial, page: Page, left = 0): Promise<void> {
  await device.offline(false);
  await untilSent(page, assessor, left);
}

const cookiesOf = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

async function plain(trial: Trial): Promise<void> {
  const page = await begin(trial);
  await trial.device.offline(true);
  await record(trial, page);
  await untilKilled(trial);
  await trial.device.kill();
  await connect(trial, await reopen(trial, 1));
}

/**
 * A new device on a slow line: the network is cut 0 to 90 s after a facility's page was opened, in four of five trials
 * within 10 s. Either its form opens, and then the visit is kept; or the page says that it is not ready, and goes on
 * when the network is back.
 */
async function cut(trial: Trial): Promise<void> {
  const { device, random, facilities, fault, says } = trial;
  const page = await device.open();
  await page.goto(device.line.url);
  await signIn(page, assessor);
  await page.evaluate((uuid) => (location.hash = `#/facility/${uuid}`), facilities[0].facilityUuid);
  await wait(random() < 0.8 ? 10_000 * random() : 90_000 * random());
  await device.offline(true);
  const add = page.getByRole("link", { name: "Add new assessment" });
  const note = page.getByText("Not ready for a visit: its form has not arrived.");
  const none = page.getByText(/^(There is no connection|This screen does not work right now)$/);
  await add.or(note).or(none).first().waitFor();
  if (await add.isVisible()) {
    const comments = randomUUID();
    // With all files stored, the visit also survives a kill, and the application opens without network.
    const isStored = await page.getByText("Ready for a visit without network.", { exact: true }).isVisible();
    await add.click();
    await fill(page, comments);
    const { isSaidKept } = await saveVisit(trial, page, comments, 1);
    if (!isSaidKept) fault("The form opened, but the visit is not kept.");
    if (!isStored || random() < 0.5) return connect(trial, page);
    await device.kill();
    return connect(trial, await reopen(trial, 1));
  }
  const isNoted = await note.isVisible();
  says(isNoted ? "the form has not arrived" : "the page has not arrived");
  await device.offline(false);
  // It is shown as soon as the network is back.
  await add.waitFor();
}

/** The network comes back a moment before the kill, which happens while visits are sent. */
async function sending(trial: Trial): Promise<void> {
  const { device, random } = trial;
  const page = await begin(trial);
  await device.offline(true);
  await record(trial, page);
  await record(trial, page, 2);
  await device.offline(false);
  await wait(2000 * random() ** 2);
  await device.kill();
  await device.offline(true);
  const again = await device.open();
  await again.goto(device.line.url);
  await again.locator("h1").first().waitFor();
  await connect(trial, again);
}

/** The session ends while two visits wait; in half of the trials the device learns of it just before the kill. */
async function expired(trial: Trial): Promise<void> {
  const { device, random, service } = trial;
  const page = await begin(trial);
  await device.offline(true);
  await record(trial, page);
  await record(trial, page, 2);
  await service.endSession(await cookiesOf(page));
  const isInformed = random() < 0.5;
  if (isInformed) await device.offline(false);
  await untilKilled(trial);
  await device.kill();
  await device.offline(true);
  if (!isInformed) return connect(trial, await reopen(trial, 2));
  const again = await device.open();
  await again.goto(device.line.url);
  await again.locator("h1").first().waitFor();
  await connect(trial, again);
}

/** One visit is saved while there is room, another one when there is none at all; then room is made. */
async function fullDisk(trial: Trial): Promise<void> {
  const { device, random, facilities } = trial;
  const page = await begin(trial);
  await device.offline(true);
  await record(trial, page);
  const comments = randomUUID();
  await page.waitForURL(/#\/facility\//);
  await openForm(page, device.line.url, facilities[0]);
  await fill(page, comments);
  await device.fill();
  const { isSaidKept } = await saveVisit(trial, page, comments, 2);
  if (!isSaidKept && (await page.getByLabel("Closing comments").last().inputValue()) !== comments)
    trial.fault("The form does not hold any more what was typed.");
  await untilKilled(trial);
  await device.kill();
  // In half of the trials the browser is opened once while there is still no room.
  if (random() < 0.5) {
    const cramped = await device.open().catch(() => undefined);
    await cramped?.goto(device.line.url).catch(() => {});
    await wait(2000);
    await device.kill();
  }
  await device.free();
  const again = await reopen(trial, isSaidKept ? 2 : 1);
  await connect(trial, again, isSaidKept ? 0 : 1);
}

/** Another build is served, and the line dies while it is fetched. */
async function update(trial: Trial): Promise<void> {
  const { device, random, service } = trial;
  const page = await begin(trial);
  device.line.leadTo(service.nextUrl);
  device.line.cut();
  const died = device.line.downAfter(20_000 + random() * 900_000);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update().catch(() => {}));
  await Promise.race([died, wait(10_000)]);
  await device.offline(true);
  await record(trial, page);
  await untilKilled(trial);
  await device.kill();
  await connect(trial, await reopen(trial, 1));
}

/** Two windows of one person; both are killed. */
async function twoWindows(trial: Trial): Promise<void> {
  const { device, facilities } = trial;
  const pages = [await begin(trial), await device.window()];
  const comments = pages.map(() => randomUUID());
  for (const page of pages) await openForm(page, device.line.url, facilities[0]);
  for (const [place, page] of pages.entries()) await fill(page, comments[place]!);
  await device.offline(true);
  await Promise.all(pages.map((page, place) => saveVisit(trial, page, comments[place]!, 2)));
  await untilKilled(trial);
  await device.kill();
  await connect(trial, await reopen(trial, 2));
}

/** One person saves and signs out without network; another one signs in on the same device, and saves too. */
async function twoPeople(trial: Trial): Promise<void> {
  const { device, facilities, fault, service, visits } = trial;
  const page = await begin(trial);
  await device.offline(true);
  const first = await record(trial, page);
  await signOutUnsent(page);
  await page.getByLabel("Username or email").waitFor();
  const seen = [await words(page)];
  await device.offline(false);
  await page.reload();
  await signIn(page, other);
  const comments = randomUUID();
  await openForm(page, device.line.url, facilities[1]);
  seen.push(await words(page));
  await fill(page, comments);
  await device.offline(true);
  await saveVisit(trial, page, comments, 1, { login: other, facility: facilities[1] });
  // The application leaves the form by itself.
  await page.waitForURL(/#\/facility\//);
  await page.goto(`${device.line.url}/#/field`);
  await page
    .getByRole("heading", { name: "Is this device ready?" })
    .or(page.getByRole("heading", { name: / points to look at/ }))
    .first()
    .waitFor();
  seen.push(await words(page));
  await untilKilled(trial);
  await device.kill();

  const again = await reopen(trial, 1);
  seen.push(await words(again));
  await device.offline(false);
  await untilSent(again, other, 1);
  seen.push(await words(again));
  for (const text of seen)
    if (text.includes(first.facility.facilityName) || text.includes(nameOfAssessor) || /2 assessments/.test(text))
      fault(`One person sees another one's work: ${text.slice(0, 300)}`);
  if ((await service.arrived(first.facility.facilityUuid, visits[0]!.comments)).length > 0)
    fault("One person's visit was sent while another one was signed in.");
  await again.getByRole("button", { name: "Sign-out" }).click();
  await again.getByLabel("Username or email").waitFor();
  await untilSent(again, assessor);
}

export const variants = {
  plain,
  cut,
  sending,
  expired,
  "full-disk": fullDisk,
  update,
  "two-windows": twoWindows,
  "two-people": twoPeople,
};
