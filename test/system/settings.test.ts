import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { readSettings } from "../../gateway/env.ts";

const folder = mkdtempSync(join(tmpdir(), "settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const address = "postgres://platform:secret@db.example/platform";
const token = "0123456789abcdef";

test.each([
  ["DATABASE_URL", address],
  ["METRICS_TOKEN", token],
  ["S3_ACCESS_KEY_ID", "key"],
  ["S3_SECRET_ACCESS_KEY", "secret"],
  ["BACKUP_S3_ACCESS_KEY_ID", "key"],
  ["BACKUP_S3_SECRET_ACCESS_KEY", "secret"],
])("%s can be given as a file", (name, value) => {
  expect(readSettings({ [`${name}_FILE`]: file(name, `${value}\n`) })).toMatchObject({ [name]: value });
});

test("the replica's address can be given as a file", () => {
  expect(readSettings({ DATABASE_URL: address, REPLICA_DATABASE_URL_FILE: file("replica", address) })).toMatchObject({
    REPLICA_DATABASE_URL: address,
  });
});

test.each([
  [
    "a value and a file",
    { METRICS_TOKEN: token, METRICS_TOKEN_FILE: file("both", token) },
    /^Setting METRICS_TOKEN_FILE: METRICS_TOKEN is set too/,
  ],
  [
    "a file that is not there",
    { DATABASE_URL_FILE: join(folder, "none") },
    /^Setting DATABASE_URL_FILE: \S+none cannot be read \(ENOENT\)\.$/,
  ],
  ["a folder", { DATABASE_URL_FILE: folder }, /cannot be read \(EISDIR\)/],
  ["an empty file", { DATABASE_URL_FILE: file("empty", "\n") }, /^Setting DATABASE_URL_FILE: \S+ is empty\.$/],
  [
    "a file with a bad value",
    { DATABASE_URL_FILE: file("bad", "mysql://x") },
    /^Setting DATABASE_URL: must begin with postgres:/,
  ],
])("refused: %s", (_, environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});

test.each([
  [{ PORT: "70000" }, /^Setting PORT: must be a whole number from 0 to 65535/],
  [{ PORT: "http" }, /^Setting PORT: must be a whole number from 0 to 65535/],
  [{ TDB_RHYTHM_DAYS: "0" }, /^Setting TDB_RHYTHM_DAYS: ./],
  [{ TDB_RHYTHM_DAYS: "2.5" }, /^Setting TDB_RHYTHM_DAYS: ./],
  [{ DATABASE_URL: "mysql://localhost/x" }, /^Setting DATABASE_URL: must begin with postgres:/],
  [
    { DATABASE_URL: "postgres://me:secret@db:port/x" },
    /^Setting DATABASE_URL: must be an address such as postgres:\/\/user:password@host:5432\/database/,
  ],
  [{ TIME_ZONE: "Africa/Atlantis" }, /^Setting TIME_ZONE: ./],
  [
    { TRUST_PROXY: "0.0.0.0/0" },
    /^Setting TRUST_PROXY: must be 0, the number of proxies \(1 to 10\), or their addresses/,
  ],
  [{ S3_BUCKET: "x" }, /^Setting S3_BUCKET: must be the name of a bucket, 3 to 63 characters$/],
  [{ DEMO: "yes" }, /^Setting DEMO: must be 0 or 1$/],
  [{ LOG_LEVEL: "loud" }, /^Setting LOG_LEVEL: must be one of fatal, error, warn, info, debug, silent$/],
  [{ LOG_FORMAT: "xml" }, /^Setting LOG_FORMAT: must be json or text$/],
  [{ HOST: "0.0.0.0" }, /^Setting HOST: ./],
  [{ HOST: "0.0.0.0", DEMO: "1", DATABASE_URL: "postgres://localhost/x" }, /^Setting HOST: ./],
  [{ REQUIRE_SECOND_FACTOR: "everybody" }, /^Setting REQUIRE_SECOND_FACTOR: must be off or administrators/],
  [{ WORKERS: "0" }, /^Setting WORKERS: must be a whole number from 1 to 64/],
  [{ UPLOAD_MINUTES: "1.5" }, /^Setting UPLOAD_MINUTES: must be a whole number from 1 to 1440/],
])("%j is refused with a message that names the setting", (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});
