import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Call } from "../upload/calls.ts";

/** The token's file: it is read, and replaced when a site credential is renewed. */

/** A credential is renewed when it expires within so many days. */
const renewDays = 30;
/** A renewal by another process that takes longer than this was killed. */
const staleMs = 10 * 60_000;
const attempts = 3;

export const readToken = (file: string): string => readFileSync(file, "utf8").trim();

/**
 * Opens the temporary file beside the token's file, which one sender at a time can have. Undefined while another one
 * has it.
 */
function openBeside(path: string, mode: number): number | undefined {
  try {
    return openSync(path, "wx", mode);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
    if (Date.now() - statSync(path).mtimeMs < staleMs) return undefined;
    rmSync(path, { force: true });
    return openSync(path, "wx", mode);
  }
}

function syncFolder(path: string): void {
  // Windows cannot open a folder.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}

async function askRenewal(call: Call): Promise<string | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // If the answer was lost, we ask again: the present credential is valid until a new one is used.
    const answer = await call("POST", "/api/v1/site/me/renew").catch(() => undefined);
    if (answer?.status === 200) return (JSON.parse(answer.body) as { secret: string }).secret;
    if (answer && answer.status < 500) return undefined;
    await setTimeout(attempt * 1000);
  }
  return undefined;
}

/**
 * Renews a site credential that expires soon, and stores it in the file: it is written to a temporary file, synced to
 * disk, then renamed. Only the stored credential is used, so that after a crash at any point the file holds a valid
 * one. Returns the token to use.
 */
export async function renewWhereDue(
  file: string,
  token: string,
  callAs: (token: string) => Call,
  say: (text: string) => void,
): Promise<string> {
  const call = callAs(token);
  const me = await call("GET", "/api/v1/site/me").catch(() => undefined);
  // A person's token is not renewed. Other faults are reported when the first file is sent.
  if (me?.status !== 200) return token;
  const { daysLeft } = JSON.parse(me.body) as { daysLeft: number };
  if (daysLeft > renewDays) return token;
  let beside: string | undefined;
  try {
    const path = realpathSync(file);
    const handle = openBeside(`${path}.new`, statSync(path).mode);
    if (handle === undefined) return token;
    beside = `${path}.new`;
    try {
      // Another process may just have renewed it.
      const present = readToken(path);
      if (present !== token) return present;
      const renewed = await askRenewal(call);
      if (renewed === undefined) {
        say(`The site credential ends in ${daysLeft} days, and the platform did not renew it.`);
        return token;
      }
      writeSync(handle, `${renewed}\n`);
      fsyncSync(handle);
      renameSync(beside, path);
      beside = undefined;
      syncFolder(path);
      say(`The site credential was renewed; ${file} holds the new one.`);
      return renewed;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    say(
      `The site credential ends in ${daysLeft} days and could not be renewed: ${error instanceof Error ? error.message : String(error)}`,
    );
    // If only the sync of the folder failed, the file already holds the new one.
    return readToken(file);
  } finally {
    if (beside !== undefined) rmSync(beside, { force: true });
  }
}
