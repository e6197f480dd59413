import type { FieldNote } from "../facility/fieldSites.ts";
import { now } from "../shell/clock/clock.ts";
import { clockText, visitTimeText } from "../shell/clock/clockText.ts";
import { askApplication, fetchApplication } from "../shell/offline.ts";
import { showWarning } from "../shell/toast/toaster.tsx";
import { counted } from "../ui/text/counted.ts";
import { instantText } from "../ui/text/instants.ts";

/** The checks whether this device is ready for work without network. */

export type Finding = {
  isReady: boolean;
  text: string;
  act?: { title: string; /** without it: to bring the list up to date */ run?: () => unknown };
};
type Situation = { note: FieldNote | null; timeZone: string; userName: string };

const dayMs = 24 * 60 * 60_000;
/** A list older than this misses new sites. */
const freshForMs = 7 * dayMs;
/** Free space that some days of work need. */
const enoughBytes = 50_000_000;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function application(): Promise<Finding> {
  const state = await askApplication();
  if (!state)
    return {
      isReady: false,
      text: "This browser keeps no files of the application here: it needs a secure connection (https) and no private window.",
    };
  if (state.complete) return { isReady: true, text: "All are on this device: every screen opens without network." };
  const text = `${counted(state.missing, "file")} (${Math.ceil(state.bytes / 1000)} kB) are not on this device yet.`;
  return { isReady: false, text, act: { title: "Fetch the files", run: fetchApplication } };
}

function siteList({ note, timeZone }: Situation): Finding {
  if (!note) return { isReady: false, text: "None is on this device yet: choose what to download." };
  const isFresh = now().getTime() - Date.parse(note.asOf) < freshForMs;
  const text = `${counted(note.total, "site")} of ${note.scopeName}, as of ${instantText(note.asOf, timeZone)}${isFresh ? "." : ": more than a week ago."}`;
  return { isReady: isFresh, text, ...(isFresh ? {} : { act: { title: "Refresh the list" } }) };
}

async function space(): Promise<Finding> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  if (quota === undefined)
    return {
      isReady: false,
      text: "This browser does not say how much it can store. Look in the device's settings: 50 MB should be free.",
    };
  const free = Math.max(0, quota - usage);
  if (free >= enoughBytes) return { isReady: true, text: `${megabytes(free)} can still be used here.` };
  return {
    isReady: false,
    text: `Only ${megabytes(free)} can still be used here. Delete photos or applications until 50 MB are free.`,
  };
}

async function askToKeep(): Promise<void> {
  if (await navigator.storage?.persist?.().catch(() => false)) return;
  showWarning(
    "The browser did not agree. Install this page from the browser's menu (or add it to the home screen), open it from there, and ask again.",
  );
}

async function persistence(): Promise<Finding> {
  const isPersistent = await navigator.storage?.persisted?.().catch(() => false);
  if (isPersistent)
    return {
      isReady: true,
      text: "The browser does not clear what is kept here, even when the device is short of space.",
    };
  return {
    isReady: false,
    text: "The browser may clear what is kept here when the device is short of space. Where asking does not help, add this page to the home screen first.",
    act: { title: "Ask to keep it", run: askToKeep },
  };
}

const askPlace = () =>
  new Promise<void>((resolve) =>
    navigator.geolocation.getCurrentPosition(
      () => resolve(),
      () => resolve(),
      { maximumAge: Infinity, timeout: 30_000 },
    ),
  );

async function location(): Promise<Finding> {
  const status = await navigator.permissions?.query({ name: "geolocation" }).catch(() => undefined);
  if (status?.state === "granted") return { isReady: true, text: "A new assessment may note where it was made." };
  if (status?.state === "denied")
    return {
      isReady: false,
      text: "Refused for this site. Allow it in the browser's settings of this site; without it assessments have no position.",
    };
  return {
    isReady: false,
    text: "The browser has not been asked yet.",
    act: { title: "Allow location", run: askPlace },
  };
}

const person = ({ userName }: Situation): Finding => ({
  isReady: true,
  text: `As ${userName}. You can work without the server for as long as you are signed in here; if your session ends meanwhile, sign in again to send.`,
});

function clock(): Finding {
  const text = clockText();
  return text === null
    ? { isReady: true, text: "Your clock is correct." }
    : { isReady: false, text: `${text} ${visitTimeText()}` };
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
