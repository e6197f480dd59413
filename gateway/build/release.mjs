/**
 * `npm run release -- --check`: builds the present commit twice, in two folders, and compares each file byte by byte;
 * then checks the signatures of the packages, if their registry answers. Ends with 1 if two files differ or a
 * signature is wrong.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { root } from "./build.mjs";

/** The SHA-256 of each file of a folder, by its path. */
function hashesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const hashes = files.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [relative(folder, file), createHash("sha256").update(readFileSync(file)).digest("hex")];
  });
  return new Map(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function build(scratch, name) {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", "HEAD"], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x"], { cwd: folder, input: archive });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, ["gateway/build/build.mjs"], { cwd: folder, stdio: "inherit" });
  return hashesOf(join(folder, "dist"));
}

function check() {
  const scratch = mkdtempSync(join(tmpdir(), "platform-release-"));
  try {
    const [one, other] = [build(scratch, "one"), build(scratch, "two")];
    const differing = [...new Set([...one.keys(), ...other.keys()])].filter(
      (file) => one.get(file) !== other.get(file),
    );
    if (differing.length > 0) throw new Error(`Two builds differ in ${differing.join(", ")}`);
    const whole = createHash("sha256")
      .update(JSON.stringify([...one]))
      .digest("hex");
    console.log(`Two builds of this commit are equal: ${one.size} files, SHA-256 of all ${whole}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const { status, stdout, stderr } = spawnSync("npm", ["audit", "signatures"], { cwd: root, encoding: "utf8" });
  if (status === 0) console.log(stdout.trim());
  else if (/invalid|missing/i.test(stdout)) throw new Error(stdout.trim());
  else console.log(`Signatures of packages were not checked: ${(stderr || stdout).trim().split("\n")[0]}`);
}

if (process.argv[2] === "--check") check();
else {
  console.log("npm run release -- --check   builds the present commit twice and compares the files");
  process.exitCode = 3;
}
