import type { FieldNote } from "../facility/fieldSites.ts";
import { counted } from "../ui/text/counted.ts";
import { clockIsOffBy, now } from "../shell/clock/clock.ts";
import { askApplication, fetchApplication } from "../shell/offline.ts";
import { findSessionEnd } from "./sessionEnd.ts";
import { formatDate } from "../ui/text/dates.ts";
import { instantText } from "../ui/text/instants.ts";

/** Whether a device is ready for work without network: checks, each with its result and the action that fixes it. */

export type Finding = { isReady: boolean; text: string; act?: { title: string; /** without it: to bring the list up to date */ run?: () => unknown } };
export type Situation = { note: FieldNote | null; timeZone: string; userName: string; today: string };

const dayMs = 24 * 60 * 60_000;
/** A list older than this misses new sites. */
const freshForMs = 7 * dayMs;
/** Free space that some days of work need. */
const enoughBytes = 50_000_000;
/** How far the clock may be wrong before the times of visits are refused or misleading. */
const clockToleranceMs = 5 * 60_000;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function application(): Promise<Finding> {
  const state = await askApplication();
  if (!state) return { isReady: false, text: "This browser keeps no files of the application here: it needs a secure connection (https) and no private window." };
  if (state.complete) return { isReady: true, text: "All are on this device: every screen opens without network." };
  const text = `${counted(state.missing, "file")} (${Math.ceil(state.bytes / 1000)} kB) are not on this device yet.`;
  return { isReady: false, text, act: { title: "Fetch the files", run: fetchApplication } };
}

function siteList({ note, timeZone }: Situation): Finding {
  if (!note) return { isReady: false, text: "None is on this device: choose one below and download it." };
  const isFresh = now().getTime() - Date.parse(note.asOf) < freshForMs;
  const text = `${counted(note.total, "site")} of ${note.scopeName}, as of ${instantText(note.asOf, timeZone)}${isFresh ? "." : ": more than a week ago."}`;
  return { isReady: isFresh, text, ...(isFresh ? {} : { act: { title: "Refresh the list" } }) };
}

async function space(): Promise<Finding> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  if (quota === undefined) return { isReady: false, text: "This browser does not say how much it can store. Look in the device's settings: 50 MB should be free." };
  const free = Math.max(0, quota - usage);
  if (free >= enoughBytes) return { isReady: true, text: `${megabytes(free)} can still be used here.` };
  return { isReady: false, text: `Only ${megabytes(free)} can still be used here. Delete photos or applications until 50 MB are free.` };
}

async function persistence(): Promise<Finding> {
  const isPersistent = await navigator.storage?.persisted?.().catch(() => false);
  if (isPersistent) return { isReady: true, text: "The browser does not clear what is kept here, even when the device is short of space." };
  return {
    isReady: false,
    text: "The browser may clear what is kept here when the device is short of space. Where asking does not help, add this page to the home screen first.",
    act: { title: "Ask to keep it", run: () => navigator.storage?.persist?.() },
  };
}

const askPlace = () =>
  new Promise<void>((resolve) => navigator.geolocation.getCurrentPosition(() => resolve(), () => resolve(), { maximumAge: Infinity, timeout: 30_000 }));

async function location(): Promise<Finding> {
  const status = await navigator.permissions?.query({ name: "geolocation" }).catch(() => undefined);
  if (status?.state === "granted") return { isReady: true, text: "A new assessment may note where it was made." };
  if (status?.state === "denied")
    return { isReady: false, text: "Refused for this site. Allow it in the browser's settings of this site; without it assessments have no position." };
  return { isReady: false, text: "The browser has not been asked yet.", act: { title: "Allow location", run: askPlace } };
}

async function person({ userName, today }: Situation): Promise<Finding> {
  const whatWaits = "What you save without network waits for you in any case.";
  const end = await findSessionEnd();
  if (!end) return { isReady: true, text: `As ${userName}. ${whatWaits}` };
  const text = `As ${userName}, until ${formatDate(end)} at the latest; sooner after 12 hours without the server. ${whatWaits}`;
  const isLong = Date.parse(end) - Date.parse(today) > 2 * dayMs;
  return { isReady: isLong, text: isLong ? text : `${text} That is soon: sign out and in again before you leave.` };
}

function clock(): Finding {
  const off = clockIsOffBy();
  if (Math.abs(off) <= clockToleranceMs) return { isReady: true, text: "It agrees with the server's." };
  const minutes = counted(Math.round(Math.abs(off) / 60_000), "minute");
  return { isReady: false, text: `It is ${minutes} ${off > 0 ? "fast" : "slow"}. Visits get the server's time; set the device's clock right all the same.` };
}

/** All checks. Each runs by itself, because one may take a while. */
export const points: { title: string; look: (situation: Situation) => Finding | Promise<Finding> }[] = [
  { title: "The application's files", look: application },
  { title: "The list of sites", look: siteList },
  { title: "Free space", look: space },
  { title: "Kept for good", look: persistence },
  { title: "Location", look: location },
  { title: "Signed in", look: person },
  { title: "Clock", look: clock },
];
