import { execFile, spawn } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

import { type Browser, chromium, type LaunchOptions } from "playwright-core";

import { patience } from "./patience.ts";

/** The browser that comes with the packages, or one of this machine, for the tests of screens and for the bench. */

const flags = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--no-sandbox",
  // A server has no GPU, and imitating one takes half of the time.
  "--disable-gpu",
  // Requests of a page to another host fail at once (and `screenAs` records them).
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const run = promisify(execFile);
/** In the project's folder, where its commands run. */
const packed = resolve("node_modules/@sparticuz/chromium");
const unpacked = resolve("node_modules/.cache/chromium-147");

/** The font that comes with the browser, which crashes without any, and what else there is. */
const fontsWith = (others: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${others}
  <dir>${join(unpacked, "fonts")}</dir>
  <cachedir>${join(unpacked, "fonts-cache")}</cachedir>
</fontconfig>
`;

/**
 * Unpacks the browser from npm, once for this checkout. Its package unpacks into TMPDIR, and it unpacks the libraries
 * that a bare machine lacks only if it believes to run at Amazon. So a separate process runs with environment variables
 * for both.
 */
async function unpack(): Promise<void> {
  if (existsSync(unpacked)) return;
  await mkdir(join(unpacked, ".."), { recursive: true });
  const folder = await mkdtemp(`${unpacked}-`);
  try {
    const script = `import(${JSON.stringify(pathToFileURL(join(packed, "build/esm/index.js")).href)}).then((file) => file.default.executablePath())`;
    await run(process.execPath, ["-e", script], {
      env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "nodejs20.x" },
    });
    const ofMachine = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>';
    await writeFile(join(folder, "fonts.conf"), fontsWith(ofMachine));
    await writeFile(join(folder, "own-font.conf"), fontsWith(""));
    await rename(folder, unpacked);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(unpacked)) throw error;
  }
}

/** The environment in which the browser from npm finds its libraries and fonts. */
const packedEnvironment = (hasOwnFontOnly = false) => {
  const libraries = [join(unpacked, "al2023/lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  return {
    ...process.env,
    TMPDIR: unpacked,
    LD_LIBRARY_PATH: libraries,
    FONTCONFIG_FILE: join(unpacked, hasOwnFontOnly ? "own-font.conf" : "fonts.conf"),
  };
};

const packedOldest = resolve("node_modules/chromium-106/bin/chromium.br");
const oldest = resolve("node_modules/.cache/chromium-106");

/** Unpacks the oldest Chromium that the client works in. It needs the same libraries as the newer one. */
async function unpackOldest(): Promise<void> {
  await unpack();
  if (existsSync(oldest)) return;
  const folder = await mkdtemp(`${oldest}-`);
  const program = join(folder, "chromium");
  await pipeline(createReadStream(packedOldest), createBrotliDecompress(), createWriteStream(program));
  await chmod(program, 0o755);
  await rename(program, oldest);
  await rm(folder, { recursive: true });
}

/** The options of the browser that ran on this machine. */
let chosen: LaunchOptions | undefined;

type Way = { name: string; find: (hasOwnFontOnly: boolean) => Promise<LaunchOptions | undefined> };

const ways: Way[] = [
  {
    name: "$CHROME",
    find: async () => (process.env["CHROME"] ? { executablePath: process.env["CHROME"] } : undefined),
  },
  {
    name: "the npm package @sparticuz/chromium",
    find: async (hasOwnFontOnly) => {
      if (process.platform !== "linux" || process.arch !== "x64" || !existsSync(packed)) return undefined;
      await unpack();
      return { executablePath: join(unpacked, "chromium"), env: packedEnvironment(hasOwnFontOnly) };
    },
  },
  // Last: a page takes half as long again, because of its windows, which nobody sees here.
  {
    name: "/usr/bin/chromium",
    find: async () => (existsSync("/usr/bin/chromium") ? { executablePath: "/usr/bin/chromium" } : undefined),
  },
];

/** A browser that keeps its profile in this folder, as a person's does, and that can be killed at any time. */
export async function openProfile(folder: string): Promise<{ browser: Browser; kill: () => Promise<void> }> {
  if (!chosen) await (await openBrowser()).close();
  const { executablePath, env } = chosen!;
  const args = [...flags, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"];
  const child = spawn(executablePath!, args, {
    env: (env as NodeJS.ProcessEnv | undefined) ?? process.env,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  let text = "";
  const address = await new Promise<string>((found, failed) => {
    child.stderr.on("data", (part: Buffer) => {
      text += part.toString();
      const [, url] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (url) found(url);
    });
    void ended.then(() => failed(new Error(`The browser ended: ${text}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  browser.contexts()[0]!.setDefaultTimeout(patience);
  return {
    browser,
    kill: async () => {
      // With all the processes that it started.
      process.kill(-child.pid!, "SIGKILL");
      await ended;
    },
  };
}

/**
 * Opens the first of these browsers that runs here. If none does, the error says what to install: tests of screens are
 * never skipped. `hasOwnFontOnly`: it draws alike on every machine, whatever fonts are installed there.
 */
export async function openBrowser(moreFlags: string[] = [], hasOwnFontOnly = false): Promise<Browser> {
  const reasons: string[] = [];
  for (const { name, find } of ways) {
    try {
      const options = await find(hasOwnFontOnly);
      if (options) {
        const browser = await chromium.launch({ ...options, args: [...flags, ...moreFlags], headless: true });
        if (!hasOwnFontOnly) chosen = options;
        return browser;
      }
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

/** The oldest Chromium that the client works in, 106, from the npm packages. */
export async function openOldestBrowser(): Promise<Browser> {
  await unpackOldest();
  return chromium.launch({ executablePath: oldest, env: packedEnvironment(), args: flags, headless: true });
}
