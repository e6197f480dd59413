import { parseArgs } from "node:util";

import { parse } from "../input/parse.ts";
import { manifestRules } from "./tdbx.rules.ts";
import { faultOfFileName } from "./tdbxFile.rules.ts";
import { writeTdbx } from "./tdbxSample.ts";

/** `npm run tdbx -- …`: makes sample TDBX files. Exit codes: 0 done, 1 not written, 2 wrong arguments. */

const help = `npm run tdbx -- --facility-code CODE | --facility-uuid UUID [options] FILE.tdbx

Makes a sample transport database of made-up content. It is a sparse file: any size takes a few kilobytes on the disk.

  --size SIZE          size of the whole file: bytes, or with KB, MB, GB (1 GB is 1073741824 bytes); default: 10 KB
  --created-at INSTANT when the facility made it, for example 2026-03-31T08:00:00Z; default: now
  --delta              it holds only what changed since the one before
  --patients NUMBER    clients of the facility; default: 1000
  --library-version X, --database-version X
  --computers N        number of computers, with 4 cores and a 64-bit system each`;

const units: Record<string, number> = { "": 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

function bytesOf(text: string): number {
  const [, figure, unit] = /^(\d{1,12}) ?(KB|MB|GB|)$/i.exec(text) ?? [];
  if (figure === undefined) throw new Error(`--size ${text} is no size: write for example 500, 10KB, 12GB.`);
  return Number(figure) * units[(unit ?? "").toUpperCase()]!;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "facility-code": { type: "string" },
      "facility-uuid": { type: "string" },
      size: { type: "string", default: "10KB" },
      "created-at": { type: "string", default: new Date().toISOString() },
      delta: { type: "boolean", default: false },
      patients: { type: "string", default: "1000" },
      "library-version": { type: "string" },
      "database-version": { type: "string" },
      computers: { type: "string", default: "0" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return console.log(help);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new Error("Name one file to write.");
  const fault = faultOfFileName(path.split(/[\\/]/).at(-1) ?? "");
  if (fault) throw new Error(`${path}: ${fault}`);
  const manifest = parse(
    manifestRules,
    {
      format: "tdbx/1",
      facility: { uuid: values["facility-uuid"], hmisCode: values["facility-code"] },
      createdAt: values["created-at"],
      delta: values.delta,
      totalPatients: Number(values.patients),
      libraryVersion: values["library-version"],
      databaseVersion: values["database-version"],
      computers: Array.from({ length: Number(values.computers) }, () => ({ cpuCores: 4, os64Bit: true })),
    },
    "manifest",
  );
  const size = bytesOf(values.size);
  try {
    console.log(`${path}: ${await writeTdbx(path, manifest, size)} bytes`);
  } catch (error) {
    console.error(`${path} was not written: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

try {
  await run();
} catch (error) {
  console.error(
    `${error instanceof Error ? error.message : String(error)}\nnpm run tdbx -- --help shows how to call this command.`,
  );
  process.exitCode = 2;
}
