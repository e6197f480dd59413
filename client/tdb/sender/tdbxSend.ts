import process from "node:process";
import { speedometer } from "../../../gateway/tdb/sending.rules.ts";
import type { TdbReceipt } from "../../../gateway/tdb/tdb.rules.ts";
import { shownFileName } from "../../../gateway/input/fileName.rules.ts";
import { callerAt } from "../upload/calls.ts";
import { Refused, SignedOut } from "../upload/failures.ts";
import { sendFile } from "../upload/sendFile.ts";
import type { Progress } from "../upload/uploadState.ts";
import { type Calling, help, readCalling, WronglyCalled } from "./callingUp.ts";
import { fetchUpdates, GaveUp } from "./fetchUpdates.ts";
import { fileOnDisk } from "./fileOnDisk.ts";
import { readToken, renewWhereDue } from "./keptToken.ts";
import { progressLine } from "./progressLine.ts";
import { reportUpdate } from "./reportUpdate.ts";

/** `tdbx-send.mjs`: the command-line sender, one file for Node.js 20 that the build makes and the gateway serves. */

const codes = { accepted: 0, rejected: 1, wronglyCalled: 2, gaveUp: 3, notSignedIn: 4, interrupted: 130 } as const;
type Outcome = Exclude<keyof typeof codes, "wronglyCalled" | "interrupted">;
type Result = { file: string; outcome: Outcome; message?: string; receipt?: TdbReceipt };

const tickMs = 1000;

type Line = ReturnType<typeof progressLine>;

/** Sends one file and reports its progress. @throws errors of the file, and errors that end the run */
async function send({ url, token, giveUpMs, silenceMs }: Calling, path: string, line: Line) {
  const { source, digest } = await fileOnDisk(path);
  const stopper = new AbortController();
  const speed = speedometer();
  const progress: Progress = { sent: 0, total: source.size };
  let there = 0;
  let onTheWay = 0;
  let isThere = false;
  let heardAt = Date.now();
  const name = shownFileName(source.name);
  const tick = () => {
    const now = Date.now();
    if (now - heardAt > giveUpMs) stopper.abort(new GaveUp(`Nothing arrived for ${giveUpMs / 60_000} minutes.`));
    const quietMs = speed.quietFor(now);
    Object.assign(progress, {
      sent: there + speed.plausible(now, onTheWay),
      bytesPerSecond: speed.speedAt(now),
      quietSeconds: quietMs && quietMs / 1000,
    });
    line.update(name, progress, now);
  };
  const ticking = setInterval(tick, tickMs);
  speed.begin(heardAt);
  try {
    return await sendFile({
      call: callerAt(url, { Authorization: `Bearer ${token}` }, silenceMs),
      ...{ source, digest, upload: {}, signal: stopper.signal },
      pause: (ms) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms);
          stopper.signal.addEventListener("abort", () => resolve());
        }),
      events: {
        there: (bytes, came) => {
          if (there === 0 && came === 0 && bytes > 0) line.say(`${name}: goes on at ${bytes} of ${source.size} bytes`);
          there = bytes;
          if (came === 0) return;
          speed.arrived(Date.now(), came);
          heardAt = Date.now();
          progress.trouble = undefined;
        },
        onTheWay: (bytes) => (onTheWay = bytes),
        trouble: (reason) => {
          progress.trouble = reason;
          tick();
        },
        finalising: () => {
          speed.arrived(Date.now(), 0);
          heardAt = Date.now();
          if (!isThere) line.say(`${name}: all is there, the platform checks it`);
          isThere = true;
        },
      },
    });
  } finally {
    clearInterval(ticking);
  }
}

function failureOf(error: unknown): { outcome: Outcome; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SignedOut)
    return {
      outcome: "notSignedIn",
      message: "The site credential or access token is not known, has ended, or was revoked.",
    };
  if (error instanceof Refused && error.status === 403) return { outcome: "notSignedIn", message };
  return { outcome: error instanceof GaveUp ? "gaveUp" : "rejected", message };
}

/** The token, if another sender has replaced it in the file. */
function tokenOfNow({ tokenFile, token }: Calling): string | undefined {
  try {
    const present = tokenFile === undefined ? token : readToken(tokenFile);
    return present === token ? undefined : present;
  } catch {
    return undefined;
  }
}

/** Sends a file. If another sender has renewed the token meanwhile, sends again with the stored one. */
async function sendAsNow(calling: Calling, file: string, line: Line): Promise<TdbReceipt> {
  for (;;) {
    try {
      return await send(calling, file, line);
    } catch (error) {
      const token = error instanceof SignedOut ? tokenOfNow(calling) : undefined;
      if (token === undefined) throw error;
      calling.token = token;
    }
  }
}

async function sendOne(calling: Calling, file: string, line: Line): Promise<Result> {
  try {
    const receipt = await sendAsNow(calling, file, line);
    const { accepted, duplicate, reference, facility, sha256, error } = receipt;
    if (accepted)
      line.say(
        `${file}: ${duplicate ? "was received before" : "received"}, reference ${reference}, ${facility}, SHA-256 ${sha256}`,
      );
    else line.say(`${file}: rejected. ${error?.message}`);
    return { file, outcome: accepted ? "accepted" : "rejected", ...(error ? { message: error.message } : {}), receipt };
  } catch (error) {
    const failure = failureOf(error);
    line.say(
      `${file}: ${error instanceof Refused && failure.outcome === "rejected" ? "rejected. " : ""}${failure.message}`,
    );
    return { file, ...failure };
  }
}

/** Reports why a site's action failed. */
function reportFailure(calling: Calling, error: unknown, line: Line): Outcome {
  const failure = failureOf(error);
  line.say(failure.message);
  if (calling.isJson)
    process.stdout.write(`${JSON.stringify({ outcome: failure.outcome, message: failure.message })}\n`);
  return failure.outcome;
}

/** Reports the outcome of a file to the platform, and prints that. */
async function report(calling: Calling, reported: NonNullable<Calling["report"]>, line: Line): Promise<Outcome> {
  try {
    await reportUpdate(calling, reported);
    line.say(`Reported: ${reported.uuid} ${reported.outcome === "applied" ? "was applied" : "failed"}`);
    if (calling.isJson) process.stdout.write(`${JSON.stringify({ reported })}\n`);
    return "accepted";
  } catch (error) {
    return reportFailure(calling, error, line);
  }
}

/** Fetches the files that the site is to apply, and prints which. */
async function fetchAll(calling: Calling, folder: string, line: Line): Promise<Outcome> {
  try {
    const { target, reason, fetched } = await fetchUpdates(calling, folder, line.say);
    const words = fetched.map(({ uuid, file, version }, at) => `${at + 1}. ${file}, to version ${version} (${uuid})`);
    line.say(
      fetched.length > 0
        ? `To come to version ${target}, apply in this order:\n${words.join("\n")}`
        : `Nothing is to be applied${target === null ? "" : ` to come to version ${target}`}: ${reason}`,
    );
    if (calling.isJson) process.stdout.write(`${JSON.stringify({ target, reason, fetched })}\n`);
    return "accepted";
  } catch (error) {
    return reportFailure(calling, error, line);
  }
}

async function run(args: string[]): Promise<number> {
  let calling: Calling | undefined;
  try {
    calling = readCalling(args);
  } catch (error) {
    if (!(error instanceof WronglyCalled)) throw error;
    process.stderr.write(`${error.message}\n\n${help}\n`);
    return codes.wronglyCalled;
  }
  if (!calling) {
    process.stdout.write(`${help}\n`);
    return codes.accepted;
  }
  const line = progressLine(calling.isQuiet);
  const { tokenFile, url, silenceMs } = calling;
  const callAs = (token: string) => callerAt(url, { Authorization: `Bearer ${token}` }, silenceMs);
  if (tokenFile !== undefined) calling.token = await renewWhereDue(tokenFile, calling.token, callAs, line.say);
  const outcomes: Outcome[] = [];
  if (calling.report) outcomes.push(await report(calling, calling.report, line));
  if (outcomes.includes("notSignedIn")) return codes.notSignedIn;
  for (const path of calling.paths) {
    const result = await sendOne(calling, path, line);
    outcomes.push(result.outcome);
    if (calling.isJson) process.stdout.write(`${JSON.stringify(result)}\n`);
    // Without a valid token, the next file would fail too.
    if (result.outcome === "notSignedIn") break;
  }
  if (calling.fetchFolder !== undefined && !outcomes.includes("notSignedIn"))
    outcomes.push(await fetchAll(calling, calling.fetchFolder, line));
  return Math.max(...outcomes.map((outcome) => codes[outcome]));
}

process.on("SIGINT", () => {
  process.stderr.write("\nInterrupted. Called again with the same file, it goes on where it stopped.\n");
  process.exit(codes.interrupted);
});
process.exitCode = await run(process.argv.slice(2));
