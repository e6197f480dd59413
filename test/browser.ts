import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import axeCore from "axe-core";
import { type Browser, chromium, type LaunchOptions, type Page, type Request } from "playwright-core";
import { expect } from "vitest";

import type { TestGateway } from "./gateway.ts";

/** A real browser for the tests: one a file, its pages signed in as the demonstration people. */

const flags = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--no-sandbox",
  // There is none on a server, and imitating one costs half the time.
  "--disable-gpu",
  // Whatever a page asks of another host fails at once, and is noted by `screenAs`.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const run = promisify(execFile);
const packed = fileURLToPath(new URL("../node_modules/@sparticuz/chromium", import.meta.url));
const unpacked = fileURLToPath(new URL("../node_modules/.cache/chromium-147", import.meta.url));

/** The machine's fonts and the one that comes with the browser: without any it crashes. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(unpacked, "fonts")}</dir>
  <cachedir>${join(unpacked, "fonts-cache")}</cachedir>
</fontconfig>
`;

/**
 * Unpacks the browser that npm brings, once for this checkout. Its package unpacks into TMPDIR, and the libraries that a bare
 * machine lacks only where it believes to be at Amazon: so a process of its own is told both.
 */
async function unpack(): Promise<void> {
  if (existsSync(unpacked)) return;
  await mkdir(join(unpacked, ".."), { recursive: true });
  const folder = await mkdtemp(`${unpacked}-`);
  try {
    const script = `import(${JSON.stringify(pathToFileURL(join(packed, "build/esm/index.js")).href)}).then((file) => file.default.executablePath())`;
    await run(process.execPath, ["-e", script], { env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "nodejs20.x" } });
    await writeFile(join(folder, "fonts.conf"), fonts);
    await rename(folder, unpacked);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(unpacked)) throw error;
  }
}

type Way = { name: string; find: () => Promise<LaunchOptions | undefined> };

const ways: Way[] = [
  {
    name: "$CHROME",
    find: async () => (process.env["CHROME"] ? { executablePath: process.env["CHROME"] } : undefined),
  },
  {
    name: "/usr/bin/chromium",
    find: async () => (existsSync("/usr/bin/chromium") ? { executablePath: "/usr/bin/chromium" } : undefined),
  },
  {
    name: "the npm package @sparticuz/chromium",
    find: async () => {
      if (process.platform !== "linux" || process.arch !== "x64" || !existsSync(packed)) return undefined;
      await unpack();
      const libraries = [join(unpacked, "al2023/lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
      const env = { ...process.env, TMPDIR: unpacked, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(unpacked, "fonts.conf") };
      return { executablePath: join(unpacked, "chromium"), env };
    },
  },
];

/** The first browser of this machine that runs; where none does, says what to install. Tests of screens are never skipped. */
export async function openBrowser(): Promise<Browser> {
  const reasons: string[] = [];
  for (const { name, find } of ways) {
    try {
      const options = await find();
      if (options) return await chromium.launch({ ...options, args: flags, headless: true });
      reasons.push(`${name}: not there`);
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`);
    }
  }
  throw new Error(
    `The screens are tested in a real browser, and none runs here (${reasons.join("; ")}). ` +
      "Install Chromium (Debian: apt-get install chromium) or name one: CHROME=/path/to/chrome npm test.",
  );
}

export type ScreenOptions = { width?: 1440 | 390; colorScheme?: "light" | "dark"; motion?: boolean; keepsApplication?: boolean };

/** A page in a browser of its own, and all that went wrong in it. */
export type Screen = {
  page: Page;
  /** Opens a path of the hash router, without loading the page again where it is loaded already, and waits until it rests. */
  open: (path: string) => Promise<void>;
  /** Waits until nothing is on its way and nothing says that it is loading. */
  settled: () => Promise<void>;
  /** The calls to the server (its API, not its files) since the last time somebody asked. */
  calls: () => string[];
  /** What went wrong since the last time: console errors, page errors, breaches of the policy, requests to another host. */
  troubles: () => string[];
  /** Nothing went wrong since the last time, but for what is expected. */
  expectClean: (...expected: RegExp[]) => void;
  close: () => Promise<void>;
};

const waiting = "[aria-busy=true], .state-loading, .chart-waiting, .frame-progress, .bp6-spinner, .app-waiting [role=status]";

/** A page at this gateway: signed in by cookie as a demonstration person, or as nobody. */
export async function screenAs(
  browser: Browser,
  gateway: Pick<TestGateway, "as" | "url">,
  login: string | null,
  { width = 1440, colorScheme = "light", motion = false, keepsApplication = false }: ScreenOptions = {},
): Promise<Screen> {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme,
    reducedMotion: motion ? "no-preference" : "reduce",
    locale: "en-GB",
    // The service worker answers from its own store, where no test can break a file's way: only where it is what is tested.
    serviceWorkers: keepsApplication ? "allow" : "block",
  });
  if (login !== null) {
    const { cookies } = await gateway.as(login);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: gateway.url })));
  }

  context.setDefaultTimeout(30_000);

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
    if (/^https?:|^wss?:/.test(url.protocol) && url.origin !== gateway.url) troubles.push(`request to another host: ${request.url()}`);
    if (url.pathname === "/graphql" || url.pathname.startsWith("/api/")) calls.push(`${url.pathname} ${request.postData() ?? ""}`.trim());
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
  const settled = async () => {
    let before: number;
    do {
      before = steps;
      // An idle page has rendered whatever a click or an answer set off, and asked for what that needs.
      await page.evaluate(async (selector) => {
        do {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          await new Promise((resolve) => requestIdleCallback(resolve));
          await new Promise((resolve) => requestAnimationFrame(resolve));
        } while (document.querySelector("h1") === null || document.querySelector(selector) !== null);
      }, waiting);
    } while (underWay.size > 0 || steps !== before);
  };

  return {
    page,
    settled,
    open: async (path) => {
      await page.goto(`${gateway.url}/#${path}`);
      await settled();
    },
    calls: () => {
      const asked = calls;
      calls = [];
      return asked;
    },
    troubles: takeTroubles,
    expectClean: (...expected) => {
      expect(takeTroubles().filter((trouble) => !expected.some((pattern) => pattern.test(trouble))), page.url()).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Waits for the end of the transitions that the last change set off: colours on their way have a contrast of their own. */
function resting(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // A change is styled, and its transitions begun, with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** The serious and critical findings of axe on the page as it stands, each with its first places. */
export async function axe(page: Page): Promise<string[]> {
  await resting(page);
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    // A script element would break the page's policy: the source comes through the browser's debugger.
    const session = await page.context().newCDPSession(page);
    // It is left open: closing it would end the page's being offline in some browsers.
    await session.send("Runtime.evaluate", { expression: axeCore.source });
  }
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axeCore }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
      elementRef: false,
      preload: false,
    }),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`);
}

/** What does not fit: a page wider than its window, headings and buttons whose text is cut off or runs out of the window. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in a window of ${clientWidth}`] : [];
    const isHidden = (element: Element): boolean =>
      element.matches(".skip-link, [aria-hidden=true]") ||
      getComputedStyle(element).clipPath !== "none" ||
      (element.parentElement !== null && isHidden(element.parentElement));
    const name = (element: Element) => `${element.tagName} "${element.textContent?.trim().slice(0, 40)}"`;
    for (const element of document.querySelectorAll("h1, h2, h3, button, button *, a.bp6-button, a.bp6-button *, [role=tab], label, th")) {
      if (!(element instanceof HTMLElement) || isHidden(element) || !element.textContent?.trim()) continue;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width === 0 || style.visibility === "hidden") continue;
      const isInline = style.display === "inline";
      if (!isInline && element.scrollWidth > element.clientWidth + 1) faults.push(`${name(element)} is cut: ${element.scrollWidth} in ${element.clientWidth}`);
      if (!isInline && style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1)
        faults.push(`${name(element)} is cut: ${element.scrollHeight} high in ${element.clientHeight}`);
      if (box.right > clientWidth + 1 || box.left < -1) faults.push(`${name(element)} leaves the window: ${box.left} to ${box.right}`);
    }
    return faults;
  });
}
