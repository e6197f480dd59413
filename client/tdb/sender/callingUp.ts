import { readFileSync } from "node:fs";
import { env } from "node:process";
import { parseArgs } from "node:util";
import { readToken } from "./keptToken.ts";
import { silenceMs } from "../../../gateway/tdb/sending.rules.ts";

/** The help text of the sender. */

export const help = `node tdbx-send.mjs --url https://platform.example [options] FILE.tdbx …
node tdbx-send.mjs --url https://platform.example --fetch FOLDER [options]
node tdbx-send.mjs --url https://platform.example --applied UUID | --failed UUID --why TEXT [options]

Sends transport databases (TDB) to the platform, each for itself, however often the line breaks. What was sent is kept by the
platform: called again with the same file, it goes on where it stopped, on this machine or another one.

  --url ADDRESS          the platform's address; or TDBX_URL in the environment
  --token-file FILE      a file that holds the site credential, or an access token (rights: uploadTdbs); "-" reads it from standard
                         input. A site credential that ends within 30 days is renewed, and the file is rewritten
  --token TOKEN          the same itself; other users of this machine may see it in the list of processes
                         without either: TDBX_TOKEN in the environment. Neither is renewed
  --fetch FOLDER         fetch the files that this site is to apply into a folder, in order, after sending; needs a site credential.
                         A fetch goes on where it stopped, and each file is compared with its SHA-256
  --applied UUID         report that this site applied a file, before anything is sent or fetched; needs a site credential. The UUID of a file
                         is in what --fetch prints
  --failed UUID          report that a file could not be applied; --why TEXT says why
  --give-up-minutes N    end after so many minutes in which nothing arrived; default 60, 0 is never
  --silence-seconds N    open a new connection after so long without an answer; default 20
  --json                 results on standard output as JSON, a line for each file
  --quiet                no progress on standard error
  --help

Exit codes: 0 every file was accepted (or had been before), 1 at least one was rejected or cannot be read, 2 wrongly called,
3 gave up on the network, 4 not signed in or no right, 130 interrupted. Where several apply: 4, then 3, then 1.`;

export class WronglyCalled extends Error {}

export type Calling = {
  url: string;
  token: string;
  /** The file of the token, if there is one. */
  tokenFile?: string | undefined;
  giveUpMs: number;
  silenceMs: number;
  isJson: boolean;
  isQuiet: boolean;
  /** The report about a file that the site was to apply. */
  report?: { uuid: string; outcome: "applied" | "failed"; why?: string | undefined } | undefined;
  /** The folder for the files that the site is to apply, if they are to be fetched. */
  fetchFolder?: string | undefined;
  paths: string[];
};

function tokenOf(file: string | undefined, given: string | undefined): string {
  if (file === undefined) return (given ?? env["TDBX_TOKEN"] ?? "").trim();
  try {
    return file === "-" ? readFileSync(0, "utf8").trim() : readToken(file);
  } catch (error) {
    throw new WronglyCalled(`--token-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function addressOf(text: string): string {
  try {
    const { protocol, origin, pathname, username } = new URL(text);
    if (/^https?:$/.test(protocol) && pathname === "/" && username === "") return origin;
  } catch {
    // Reported below.
  }
  throw new WronglyCalled(
    `--url must be the platform's address, for example https://platform.example; it is ${JSON.stringify(text)}.`,
  );
}

type Reported = { applied?: string | undefined; failed?: string | undefined; why?: string | undefined };
/** @throws WronglyCalled */
function reportOf({ applied, failed, why }: Reported): Calling["report"] {
  if (applied !== undefined && failed !== undefined)
    throw new WronglyCalled("Report one file at a time: --applied or --failed.");
  if ((failed === undefined) !== (why === undefined)) throw new WronglyCalled("--failed and --why belong together.");
  const uuid = applied ?? failed;
  if (uuid === undefined) return undefined;
  if (!/^[0-9a-f-]{36}$/i.test(uuid))
    throw new WronglyCalled(`--${applied === undefined ? "failed" : "applied"} needs the UUID of a file.`);
  return applied === undefined ? { uuid, outcome: "failed", why } : { uuid, outcome: "applied" };
}

/** Reads the command line. Undefined if it only asks for help. @throws WronglyCalled */
export function readCalling(args: string[]): Calling | undefined {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: "string" },
        token: { type: "string" },
        "token-file": { type: "string" },
        "give-up-minutes": { type: "string", default: "60" },
        "silence-seconds": { type: "string", default: String(silenceMs / 1000) },
        fetch: { type: "string" },
        applied: { type: "string" },
        failed: { type: "string" },
        why: { type: "string" },
        json: { type: "boolean", default: false },
        quiet: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new WronglyCalled(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals: paths } = parsed;
  if (values.help) return undefined;
  const url = values.url ?? env["TDBX_URL"];
  if (!url) throw new WronglyCalled("--url is missing.");
  const report = reportOf(values);
  if (paths.length === 0 && values.fetch === undefined && !report) throw new WronglyCalled("Name at least one file.");
  if (values.fetch === "") throw new WronglyCalled("--fetch needs a folder.");
  const token = tokenOf(values["token-file"], values.token);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new WronglyCalled("The access token is missing or damaged: --token-file, --token or TDBX_TOKEN.");
  const minutes = Number(values["give-up-minutes"]);
  if (!(minutes >= 0)) throw new WronglyCalled("--give-up-minutes must be a number of minutes.");
  const seconds = Number(values["silence-seconds"]);
  if (!(seconds > 0)) throw new WronglyCalled("--silence-seconds must be a number of seconds.");
  const tokenFile = values["token-file"] === "-" ? undefined : values["token-file"];
  return {
    url: addressOf(url),
    token,
    tokenFile,
    silenceMs: seconds * 1000,
    giveUpMs: minutes * 60_000 || Infinity,
    isJson: values.json,
    isQuiet: values.quiet,
    report,
    fetchFolder: values.fetch,
    paths,
  };
}
