import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Page } from "playwright-core";

import { openProfile } from "../support/openBrowser.ts";
import { openPoorLine, type PoorLine } from "../support/poorLine.ts";

/**
 * A person's device: a profile folder, its browser, which can be killed at any time, and a line to the gateway, which
 * can die.
 */
export type Device = {
  line: PoorLine;
  /** Opens the browser on its profile, with one window. */
  open: () => Promise<Page>;
  /** One more window of the browser. */
  window: () => Promise<Page>;
  /** Takes the network away, or gives it back, and the browser gets the event. */
  offline: (isOffline: boolean) => Promise<void>;
  /** Fills the disk to the last byte; only on a disk of its own. */
  fill: () => Promise<void>;
  /** Frees that room. */
  free: () => Promise<void>;
  kill: () => Promise<void>;
  /** Ends the device and deletes its profile. */
  end: () => Promise<void>;
};

const run = promisify(execFile);
const patienceMs = 60_000;

/** Writes until nothing more fits, in ever smaller pieces. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, "a");
  for (let size = 1_048_576; size >= 1; size = Math.floor(size / 16)) {
    const piece = Buffer.alloc(size);
    for (;;) {
      const { bytesWritten } = await file.write(piece).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOSPC") return { bytesWritten: 0 };
        throw error;
      });
      if (bytesWritten < size) break;
    }
  }
  await file.close();
}

type DeviceOptions = { diskMb?: number; bytesPerSecond?: number };

/**
 * A device whose sign-ins come from this address. `diskMb`: its profile is on a disk of this size, which only root can
 * mount.
 */
export async function openDevice(
  url: string,
  address: string,
  { diskMb, bytesPerSecond }: DeviceOptions = {},
): Promise<Device> {
  const folder = await mkdtemp(join(tmpdir(), "platform-device-"));
  if (diskMb) await run("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "platform-device", folder]);
  const profile = join(folder, "profile");
  const filler = join(folder, "filler");
  const line = await openPoorLine(url, bytesPerSecond, address);
  let running: Awaited<ReturnType<typeof openProfile>> | undefined;
  let isOffline = false;

  const context = () => running?.browser.contexts()[0];
  const window = async () => {
    const page = await context()!.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.setViewportSize({ width: 1280, height: 900 });
    return page;
  };
  const kill = async () => {
    await running?.kill();
    running = undefined;
  };
  return {
    line,
    window,
    kill,
    open: async () => {
      running = await openProfile(profile);
      if (isOffline) await context()!.setOffline(true);
      return window();
    },
    offline: async (next) => {
      isOffline = next;
      line.down(next);
      await context()?.setOffline(next);
    },
    fill: () => fillUp(filler),
    free: () => rm(filler, { force: true }),
    end: async () => {
      await kill();
      await line.stop();
      if (diskMb) await run("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
