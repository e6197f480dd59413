import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import axeCore from "axe-core";
import type { Browser, Locator, Page, Request } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";

import type { TestGateway } from "./gateway.ts";
import { patience } from "./patience.ts";

/** A real browser for the tests: one for each file, with pages that are signed in as demonstration people. */

export type ScreenOptions = {
  width?: 1440 | 390 | 360;
  colorScheme?: "light" | "dark";
  motion?: boolean;
  keepsApplication?: boolean;
  /**
   * Of the device. Usually another one than the gateway's process has (Africa/Lusaka), so that a test of a screen runs
   * under both.
   */
  timezoneId?: string;
};

/** A page in a browser of its own, and all that went wrong in it. */
export type Screen = {
  page: Page;
  /**
   * Opens a path of the hash router and waits until the page has settled. A page that is already loaded is not loaded
   * again.
   */
  open: (path: string) => Promise<void>;
  /** Waits until no request is under way and nothing on the page shows that it is loading. */
  settled: () => Promise<void>;
  /** The calls to the server (its API, not its files) since this function was last called. */
  calls: () => string[];
  /**
   * What went wrong since the last call: console errors, page errors, breaches of the policy, requests to another host.
   */
  troubles: () => string[];
  /** Checks that nothing went wrong since the last call, except what is expected. */
  expectClean: (...expected: RegExp[]) => void;
  /** Closes it before its test ends. */
  close: () => Promise<void>;
};

const waiting =
  "[aria-busy=true], .state-loading, .chart-waiting, .frame-progress, .bp6-spinner, .app-waiting [role=status]";

/**
 * Closes a page with the test that opened it. What the page shows is added to the test's failure, because a busy
 * machine's cannot be repeated.
 */
function closeWithTest(page: Page): void {
  onTestFinished(async ({ task }) => {
    if (page.isClosed()) return;
    const [error] = task.result?.errors ?? [];
    if (error) {
      const text = await page.locator("body").innerText({ timeout: 10_000 });
      error.stack = `${error.stack ?? error.message}\nThe page at ${page.url()} shows: ${text.replaceAll(/\s+/g, " ").slice(0, 2000)}`;
    }
    await page.context().close();
  });
}

/** A page at this gateway: signed in by cookie as a demonstration person, or not signed in. */
export async function screenAs(
  browser: Browser,
  gateway: Pick<TestGateway, "as" | "url">,
  login: string | null,
  {
    width = 1440,
    colorScheme = "light",
    motion = false,
    keepsApplication = false,
    timezoneId = "UTC",
  }: ScreenOptions = {},
): Promise<Screen> {
  const context = await browser.newContext({
    viewport: { width, height: width < 400 ? 844 : 900 },
    colorScheme,
    reducedMotion: motion ? "no-preference" : "reduce",
    locale: "en-GB",
    timezoneId,
    // The service worker answers from its own cache, so tests could not make a request fail. It is allowed only in
    // tests of the service worker.
    serviceWorkers: keepsApplication ? "allow" : "block",
  });
  if (login !== null) {
    const { cookies } = await gateway.as(login);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: gateway.url })));
  }

  context.setDefaultTimeout(patience);

  let troubles: string[] = [];
  const takeTroubles = () => {
    const taken = troubles;
    troubles = [];
    return taken;
  };
  let calls: string[] = [];
  const underWay = new Set<Request>();
  let steps = 0;
  context.on("console", (message) => {
    if (message.type() === "error") troubles.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => troubles.push(`page: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:|^wss?:/.test(url.protocol) && url.origin !== gateway.url)
      troubles.push(`request to another host: ${request.url()}`);
    if (url.pathname === "/graphql" || url.pathname.startsWith("/api/"))
      calls.push(`${url.pathname} ${decodeURIComponent(url.search)}${request.postData() ?? ""}`.trim());
    underWay.add(request);
    steps += 1;
  });
  const end = (request: Request) => {
    underWay.delete(request);
    steps += 1;
  };
  context.on("requestfinished", end);
  context.on("requestfailed", end);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
    );
  });

  const page = await context.newPage();
  if (getCurrentTest()) closeWithTest(page);
  /**
   * What the page still waits for, as a sentence for the failure of a test. A page that does not answer is said to be
   * busy.
   */
  const unsettled = async () => {
    const shown = page.evaluate(
      (selector) => [...document.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML.slice(0, 200)).join(" "),
      waiting,
    );
    const busy = new Promise<string>((resolve) => setTimeout(() => resolve("the page is busy"), 10_000));
    const requests = [...underWay].map((request) => request.url()).join(" ");
    return `${page.url()} did not settle. Under way: ${requests || "no request"}. Waiting: ${await Promise.race([shown, busy])}`;
  };
  const rest = async () => {
    let before: number;
    do {
      before = steps;
      // When the page is idle, it has rendered the result of the last click or answer, and has sent the requests that
      // follow from it. On a busy machine it is never idle while a spinner turns, so that wait has an end.
      await page.evaluate(async (selector) => {
        do {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
          await new Promise((resolve) => requestAnimationFrame(resolve));
        } while (document.querySelector("h1") === null || document.querySelector(selector) !== null);
      }, waiting);
    } while (underWay.size > 0 || steps !== before);
  };
  const settled = async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => void unsettled().then((words) => reject(new Error(words)), reject), patience);
    });
    await Promise.race([rest(), late]).finally(() => clearTimeout(timer));
  };

  return {
    page,
    settled,
    open: async (path) => {
      await page.goto(`${gateway.url}/#${path}`);
      await settled();
    },
    calls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    troubles: takeTroubles,
    expectClean: (...expected) => {
      expect(
        takeTroubles().filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
        page.url(),
      ).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Asks the service worker how much of the application this device has, or lets it fetch the rest first. */
export function applicationState(page: Page, kind: "complete?" | "fetch all") {
  return page.evaluate(async (kind) => {
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<{ complete: boolean; missing: number; bytes: number }>((resolve) => {
      port1.addEventListener("message", ({ data }) =>
        resolve(data as { complete: boolean; missing: number; bytes: number }),
      );
      port1.start();
    });
    active!.postMessage({ kind }, [port2]);
    return answer;
  }, kind);
}

/** The paths of the application's files that this device stores. */
export const storedFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const builds = (await caches.keys()).filter((name) => name.startsWith("build-"));
    const files = await Promise.all(builds.map(async (name) => (await caches.open(name)).keys()));
    return files.flat().map(({ url }) => new URL(url).pathname);
  });

/**
 * Restores the network. A browser sends its "online" event before requests succeed again. A page whose first try fails
 * then would wait half a minute for the next one. So the event is sent once more when requests succeed.
 */
export async function networkBack(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await page.waitForFunction(() =>
    fetch("/healthz").then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
}

/** On a phone: shows the columns that the two lines of a row have no room for. */
export async function openRow(row: Locator): Promise<void> {
  const opener = row.getByRole("button", { name: /^More about/ });
  if ((await opener.getAttribute("aria-expanded")) === "false") await opener.click();
}

/** Waits until an element has the focus: the application sets it after the change that calls for it was drawn. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true);
}

/**
 * Waits for the end of the transitions that the last change started: during a transition the colours have a different
 * contrast.
 */
function resting(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // Styles are applied and transitions begin with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Short animations, for example of a dialog that opens, are waited for too.
    const isShort = ({ effect }: Animation) => Number(effect?.getComputedTiming().endTime) < 2000;
    const transitions = document
      .getAnimations()
      .filter((animation) => animation instanceof CSSTransition || isShort(animation));
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/**
 * Repeats a check until it finds nothing, at most ten times: a page that is still being drawn can have faults that
 * disappear. Returns what the last try found.
 */
export async function lasting(look: () => Promise<string[]>): Promise<string[]> {
  for (let looks = 1; ; looks += 1) {
    const found = await look();
    if (found.length === 0 || looks === 10) return found;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Minified: each page that is checked has to compile it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
type AxeRules = { _audit: { rules: { id: string; impact: string }[] } };
// The types of axe-core do not declare the list of its rules with their impacts.
const { _audit: audit } = axeCore as unknown as AxeRules;
const serious = ["serious", "critical"];
/** Every finding of a rule has the rule's impact, so only rules with the wanted impacts are run. */
const axeOptions = (impacts: readonly string[]): axeCore.RunOptions => ({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: Object.fromEntries(
    audit.rules.filter(({ impact }) => !impacts.includes(impact)).map(({ id }) => [id, { enabled: false }]),
  ),
  resultTypes: ["violations"],
  elementRef: false,
  preload: false,
});

/** The serious and critical findings of axe on the current page, each with the first places where it was found. */
export const axe = (page: Page): Promise<string[]> => lasting(() => findings(page, serious));
/** The moderate findings too: landmarks and headings. */
export const axeModerate = (page: Page): Promise<string[]> => lasting(() => findings(page, [...serious, "moderate"]));

/**
 * A target that is large enough, and lies under a bar or a dialog at this scroll position only: axe calls it too small.
 */
const isCovered = ({ any }: axeCore.NodeResult): boolean =>
  any.some(
    ({ id, data }) =>
      id === "target-size" && (data as { messageKey?: string } | null)?.messageKey === "partiallyObscured",
  );

async function findings(page: Page, impacts: readonly string[]): Promise<string[]> {
  await resting(page);
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    // A script element would break the page's policy: the source comes through the browser's debugger.
    const session = await page.context().newCDPSession(page);
    // The session stays open: in some browsers, closing it would end the page's offline mode.
    await session.send("Runtime.evaluate", { expression: axeSource });
  }
  const { violations } = await page.evaluate(
    (options) => (globalThis as typeof globalThis & { axe: typeof axeCore }).axe.run(document, options),
    axeOptions(impacts),
  );
  return violations
    .filter(({ impact }) => impacts.includes(impact ?? ""))
    .map((violation) => ({ ...violation, nodes: violation.nodes.filter((node) => !isCovered(node)) }))
    .filter(({ nodes }) => nodes.length > 0)
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
          .join(" | ")}`,
    );
}

/**
 * Elements that do not fit: a page wider than its window, headings and buttons whose text is cut off or runs out of the
 * window.
 */
export const layoutFaults = (page: Page): Promise<string[]> => lasting(() => misfits(page));

function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in a window of ${clientWidth}`] : [];
    const isHidden = (element: Element): boolean =>
      element.matches(".skip-link, [aria-hidden=true]") ||
      getComputedStyle(element).clipPath !== "none" ||
      (element.parentElement !== null && isHidden(element.parentElement));
    const name = (element: Element) => `${element.tagName} "${element.textContent?.trim().slice(0, 40)}"`;
    for (const element of document.querySelectorAll(
      "h1, h2, h3, button, button *, a.bp6-button, a.bp6-button *, [role=tab], label, th",
    )) {
      if (!(element instanceof HTMLElement) || isHidden(element) || !element.textContent?.trim()) continue;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width === 0 || style.visibility === "hidden") continue;
      const isInline = style.display === "inline";
      if (!isInline && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${name(element)} is cut: ${element.scrollWidth} in ${element.clientWidth}`);
      if (!isInline && style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1)
        faults.push(`${name(element)} is cut: ${element.scrollHeight} high in ${element.clientHeight}`);
      // A region that scrolls, and that the keyboard reaches, may contain more than it shows.
      const isScrolled = element.closest("[role=region][tabindex='0']") !== null;
      if (!isScrolled && (box.right > clientWidth + 1 || box.left < -1))
        faults.push(`${name(element)} leaves the window: ${box.left} to ${box.right}`);
    }
    return faults;
  });
}
