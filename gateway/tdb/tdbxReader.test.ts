import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { faultOfFileName, type TdbxManifest } from "./tdbx.rules.ts";
import { readTdbx } from "./tdbxReader.rules.ts";
import { createTdbx, writeTdbx, zip } from "./tdbxSample.ts";

const manifest: TdbxManifest = {
  format: "tdbx/1",
  facility: { hmisCode: "10010001" },
  createdAt: "2026-03-31T08:00:00Z",
  delta: false,
  totalPatients: 12,
  computers: [{ cpuCores: 4, os64Bit: true }],
};
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
const withManifest = (value: unknown) => zip([{ name: "manifest.json", content: Buffer.from(JSON.stringify(value)) }]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tdbx-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a TDBX file", () => {
  test("is read by its manifest", async () => {
    expect(await inspect(createTdbx(manifest, 5000))).toEqual(manifest);
  });

  test("may be packed by any ZIP program, compressed or not", async () => {
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

  test.each([100, 200, 10_000])("can be made of exactly %i bytes, or the smallest that holds the manifest", async (size) => {
    const path = join(folder, "small.tdbx");
    const written = await writeTdbx(path, manifest, size);
    expect(written).toBeGreaterThanOrEqual(size);
    if (size > 1000) expect(written).toBe(size);
  });
});

describe("what is no TDBX file is told apart", () => {
  const whole = createTdbx(manifest, 3000);
  const encrypted = Buffer.from(whole);
  encrypted.writeUInt16LE(0x0801, 6);
  encrypted.writeUInt16LE(0x0801, whole.indexOf("PK\x01\x02") + 8);
  const bomb = (() => {
    const packed = deflateRawSync(Buffer.alloc(50_000_000, " "));
    const bytes = zip([{ name: "manifest.json", content: packed }]);
    const directory = bytes.indexOf("PK\x01\x02");
    // Method deflate; the sizes claim that it unpacks to a few bytes.
    for (const at of [8, directory + 10]) bytes.writeUInt16LE(8, at);
    for (const at of [22, directory + 24]) bytes.writeUInt32LE(500, at);
    return bytes;
  })();
  const cases: [string, Buffer, RegExp][] = [
    ["nothing", Buffer.alloc(0), /empty/],
    ["text", Buffer.from("This is a letter. ".repeat(500)), /no TDBX file/],
    ["an executable", Buffer.concat([Buffer.from("MZ\x90\0\x03"), Buffer.alloc(9000, 7)]), /no TDBX file/],
    ["cut short", whole.subarray(0, whole.length - 40), /cut short/],
    ["cut in the middle", whole.subarray(0, 900), /cut short/],
    ["encrypted", encrypted, /encrypted/],
    ["a bomb", bomb, /damaged|larger than 1 MiB/],
    ["without a manifest", zip([{ name: "data.txt", content: Buffer.from("x") }]), /holds no manifest/],
    ["with two manifests", zip([1, 2].map(() => ({ name: "manifest.json", content: Buffer.from("{}") }))), /more than one|damaged/],
    ["with 100,000 entries", zip(Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, content: Buffer.alloc(0) }))), /more than 10,000 entries/],
    ["with a manifest of 2 MiB", zip([{ name: "manifest.json", content: Buffer.alloc(2 * 1024 * 1024, " ") }]), /larger than 1 MiB/],
    ["no JSON", zip([{ name: "manifest.json", content: Buffer.from("{nope") }]), /not JSON/],
    ["no UTF-8", zip([{ name: "manifest.json", content: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }]), /not JSON/],
    ["a list", withManifest([]), /must be an object/],
    ["another format", withManifest({ ...manifest, format: "tdbx/2" }), /format must be "tdbx\/1"/],
    ["without its facility", withManifest({ ...manifest, facility: {} }), /facility needs uuid or hmisCode/],
    ["without a date", withManifest({ ...manifest, createdAt: undefined }), /createdAt is missing/],
    ["with a date of no zone", withManifest({ ...manifest, createdAt: "2026-03-31" }), /createdAt must be an instant/],
    ["of the day after tomorrow", withManifest({ ...manifest, createdAt: new Date(Date.now() + 2 * 86_400_000).toISOString() }), /in the future/],
    ["with less than no clients", withManifest({ ...manifest, totalPatients: -1 }), /totalPatients must not be negative/],
    ["with a text for a number", withManifest({ ...manifest, totalPatients: "12" }), /totalPatients must be a whole number/],
    ["with 1,001 computers", withManifest({ ...manifest, computers: Array.from({ length: 1001 }, () => ({ cpuCores: 1, os64Bit: true })) }), /at most 1,000/],
  ];
  test.each(cases)("%s", async (_, bytes, reason) => {
    await expect(inspect(bytes)).rejects.toThrow(reason);
  });

  test("and costs no more than its directory to find out", async () => {
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
])("the name %j", (name, fault) => {
  if (fault) expect(faultOfFileName(name)).toMatch(fault);
  else expect(faultOfFileName(name)).toBeUndefined();
});
