import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Gone, refuse, Refused, SignedOut } from "../upload/failures.ts";
import { callerAt } from "../upload/calls.ts";
import type { Calling } from "./callingUp.ts";

/**
 * Fetches the files that the site is to apply, in order. An interrupted fetch is resumed. A file gets its final name
 * only when its digest is right.
 */

/** Nothing arrived for too long. */
export class GaveUp extends Error {}
/** The fetched bytes are not the file. */
class WrongDigest extends Error {}

type Fetched = { uuid: string; version: string; file: string; sha256: string };
type Update = { uuid: string; fileName: string; version: string; size: number; sha256: string; address: string };

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Appends the bytes of an answer to a file. @throws on silence or a lost connection */
async function append(path: string, at: number, response: Response, silence: () => void): Promise<void> {
  const file = await open(path, at > 0 ? "a" : "w");
  try {
    for await (const part of response.body ?? []) {
      silence();
      await file.write(part as Uint8Array);
    }
  } finally {
    await file.close();
  }
}

/** One attempt to fetch the rest of a file. @throws failures of the connection and of the platform */
async function fetchRest(
  { url, token, silenceMs }: Calling,
  { address, size, sha256 }: Update,
  part: string,
): Promise<void> {
  const have = await sizeOf(part);
  if (have === size) return;
  const at = have < size ? have : 0;
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), silenceMs);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), silenceMs);
  };
  try {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(at > 0 ? { range: `bytes=${at}-`, "if-range": `"${sha256}"` } : {}),
    };
    const response = await fetch(url + address, { headers, signal: stop.signal, redirect: "error" });
    if (response.status !== 200 && response.status !== 206) {
      const body = await response.text();
      refuse({ status: response.status, header: (name) => response.headers.get(name), body });
    }
    await append(part, response.status === 206 ? at : 0, response, heard);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Fetches one file, with a new attempt after each lost connection.
 *
 * @throws failures that another attempt does not help
 */
async function fetchOne(
  calling: Calling,
  update: Update,
  folder: string,
  say: (text: string) => void,
): Promise<Fetched> {
  const { uuid, version, sha256, size } = update;
  const name = basename(update.fileName.replaceAll("\\", "/"));
  const file = join(folder, name);
  const done = { uuid, version, file, sha256 };
  if ((await sizeOf(file)) === size && (await sha256Of(file)) === sha256) {
    say(`${name}: is there already, its SHA-256 is right`);
    return done;
  }
  const part = `${file}.${sha256.slice(0, 12)}.part`;
  let heardAt = Date.now();
  let had = await sizeOf(part);
  if (had > 0) say(`${name}: goes on at ${had} of ${size} bytes`);
  while ((await sizeOf(part)) !== size) {
    try {
      await fetchRest(calling, update, part);
    } catch (error) {
      // If the folder cannot be written, another attempt does not help.
      if (
        error instanceof Refused ||
        error instanceof SignedOut ||
        error instanceof Gone ||
        "syscall" in (error as object)
      )
        throw error;
    }
    const have = await sizeOf(part);
    if (have !== had) heardAt = Date.now();
    had = have;
    if (have === size) break;
    if (Date.now() - heardAt > calling.giveUpMs)
      throw new GaveUp(`${name}: nothing arrived for ${calling.giveUpMs / 60_000} minutes.`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  if ((await sha256Of(part)) !== sha256) {
    await rm(part);
    throw new WrongDigest(`${name}: its SHA-256 is not ${sha256}. It was removed; call again to fetch it once more.`);
  }
  await rename(part, file);
  say(`${name}: fetched, its SHA-256 is right`);
  return done;
}

/** Fetches all files that the site is to apply into a folder, in the order in which they are applied. */
export async function fetchUpdates(
  calling: Calling,
  folder: string,
  say: (text: string) => void,
): Promise<{ target: string | null; reason: string | null; fetched: Fetched[] }> {
  const call = callerAt(calling.url, { Authorization: `Bearer ${calling.token}` }, calling.silenceMs);
  const answer = await call("GET", "/api/v1/site/me/updates");
  if (answer.status !== 200) refuse(answer);
  const { target, reason, updates } = JSON.parse(answer.body) as {
    target: string | null;
    reason: string | null;
    updates: Update[];
  };
  if (updates.length > 0) await mkdir(folder, { recursive: true });
  const fetched: Fetched[] = [];
  for (const update of updates) fetched.push(await fetchOne(calling, update, folder, say));
  return { target, reason, fetched };
}
