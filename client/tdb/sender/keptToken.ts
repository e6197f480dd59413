import { closeSync, fsyncSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Call } from "../upload/calls.ts";

/** The file that holds the token: read, and written anew when a site credential is renewed. */

/** A credential is renewed when it ends within so many days. */
const renewDays = 30;
/** A renewal that somebody else began and did not end in so long was killed. */
const staleMs = 10 * 60_000;
const attempts = 3;

export const readToken = (file: string): string => readFileSync(file, "utf8").trim();

/** Takes the place beside the file where its next content is written: for one sender at a time. Undefined while another has it. */
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
  // Windows has no handle for that.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}

async function askRenewal(call: Call): Promise<string | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // Asked again when the answer was lost: the present one works until another one is used.
    const answer = await call("POST", "/api/v1/site/me/renew").catch(() => undefined);
    if (answer?.status === 200) return (JSON.parse(answer.body) as { secret: string }).secret;
    if (answer && answer.status < 500) return undefined;
    await setTimeout(attempt * 1000);
  }
  return undefined;
}

/**
 * Renews a site credential that ends soon, and keeps it in the file: written beside it, on the disk, then put in its place. Only what is in
 * the file is used, so that whatever ends this in between, the file holds one that works. Answers the token to go on with.
 */
export async function renewWhereDue(file: string, token: string, callAs: (token: string) => Call, say: (text: string) => void): Promise<string> {
  const call = callAs(token);
  const me = await call("GET", "/api/v1/site/me").catch(() => undefined);
  // A person's token is not renewed; what else is wrong is told when the first file is sent.
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
      // Somebody else may just have renewed it.
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
    say(`The site credential ends in ${daysLeft} days and could not be renewed: ${error instanceof Error ? error.message : String(error)}`);
    // Where only the folder's sync failed, the file has the new one already.
    return readToken(file);
  } finally {
    if (beside !== undefined) rmSync(beside, { force: true });
  }
}
