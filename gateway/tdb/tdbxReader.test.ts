import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { notTdbx, sampleManifest as manifest } from "../../test/tdb/notTdbx.ts";
import { faultOfFileName } from "./tdbxFile.rules.ts";
import { readTdbx } from "./tdbxReader.rules.ts";
import { createTdbx, writeTdbx, zip } from "./tdbxSample.ts";

const memory = (bytes: Buffer) => {
  let read = 0;
  const source = {
    size: bytes.length,
    read: async (offset: number, length: number) => {
      read += length;
      return new Uint8Array(bytes.subarray(offset, offset + length));
    },
  };
  return { source, bytesRead: () => read };
};
const inspect = (bytes: Buffer) => readTdbx(memory(bytes).source);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tdbx-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a TDBX file", () => {
  test("is read into its manifest", async () => {
    expect(await inspect(createTdbx(manifest, 5000))).toEqual(manifest);
  });

  test("may have a compressed manifest", async () => {
    const text = Buffer.from(JSON.stringify(manifest));
    const bytes = zip([{ name: "manifest.json", content: deflateRawSync(text) }]);
    const directory = bytes.indexOf("PK\x01\x02");
    for (const at of [8, directory + 10]) bytes.writeUInt16LE(8, at);
    for (const at of [14, directory + 16]) bytes.writeUInt32LE(crc32(text), at);
    for (const at of [22, directory + 24]) bytes.writeUInt32LE(text.length, at);
    expect(await inspect(bytes)).toEqual(manifest);
  });

  test.each([5_000_000_000, 32_212_254_720])("of %i bytes costs kilobytes to write and to read", async (size) => {
    const path = join(folder, `${size}.tdbx`);
    expect(await writeTdbx(path, manifest, size)).toBe(size);
    const { blocks, size: found } = await stat(path);
    expect(found).toBe(size);
    expect(blocks * 512).toBeLessThan(1_000_000);
    const file = await open(path);
    let read = 0;
    const answer = await readTdbx({
      size,
      read: async (offset, length) => {
        read += length;
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    });
    await file.close();
    expect(answer).toEqual(manifest);
    expect(read).toBeLessThan(300_000);
  });

  test.each([100, 200, 10_000])("can be written with %i bytes, or more if the manifest needs them", async (size) => {
    const path = join(folder, "small.tdbx");
    const written = await writeTdbx(path, manifest, size);
    expect(written).toBeGreaterThanOrEqual(size);
    if (size > 1000) expect(written).toBe(size);
  });
});

describe("a file that is not TDBX is refused", () => {
  test.each(notTdbx)("%s", async (_, bytes, reason) => {
    await expect(inspect(bytes)).rejects.toThrow(reason);
  });

  test("after reading little more than its directory", async () => {
    const { source, bytesRead } = memory(zip([{ name: "data.bin", content: Buffer.alloc(20_000_000, 1) }]));
    await expect(readTdbx(source)).rejects.toThrow(/holds no manifest/);
    expect(bytesRead()).toBeLessThan(300_000);
  });
});

test.each([
  ["site.tdbx", undefined],
  ["SITE.TDBX", undefined],
  ["site.zip", /^Only TDBX files/],
  [".tdbx", /^Only TDBX files/],
  ["../site.tdbx", /path/],
  ["a\u202Exbdt.tdbx", /invisible/],
  ["a\nb.tdbx", /invisible/],
  [`${"a".repeat(5000)}.tdbx`, /longer than 255/],
])("checks the file name %j", (name, fault) => {
  if (fault) expect(faultOfFileName(name)).toMatch(fault);
  else expect(faultOfFileName(name)).toBeUndefined();
});
