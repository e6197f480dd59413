import { deflateRawSync } from "node:zlib";

import type { TdbxManifest } from "../../gateway/tdb/tdbx.rules.ts";
import { createTdbx, zip } from "../../gateway/tdb/tdbxSample.ts";

/** The manifest of a facility that need not exist. */
export const sampleManifest: TdbxManifest = {
  format: "tdbx/1",
  facility: { hmisCode: "10010001" },
  createdAt: "2026-03-31T08:00:00Z",
  delta: false,
  totalPatients: 12,
  computers: [{ cpuCores: 4, os64Bit: true }],
};
const manifest = sampleManifest;
const withManifest = (value: unknown) => zip([{ name: "manifest.json", content: Buffer.from(JSON.stringify(value)) }]);

const complete = createTdbx(manifest, 3000);
const encrypted = Buffer.from(complete);
encrypted.writeUInt16LE(0x0801, 6);
encrypted.writeUInt16LE(0x0801, complete.indexOf("PK\x01\x02") + 8);
const bomb = (() => {
  const packed = deflateRawSync(Buffer.alloc(50_000_000, " "));
  const bytes = zip([{ name: "manifest.json", content: packed }]);
  const directory = bytes.indexOf("PK\x01\x02");
  // Method deflate; the sizes claim that it unpacks to 500 bytes.
  for (const at of [8, directory + 10]) bytes.writeUInt16LE(8, at);
  for (const at of [22, directory + 24]) bytes.writeUInt32LE(500, at);
  return bytes;
})();
/** Files with the right name and wrong content, each with its expected message. */
export const notTdbx: [string, Buffer, RegExp][] = [
  ["nothing", Buffer.alloc(0), /empty/],
  ["text", Buffer.from("This is a letter. ".repeat(500)), /no TDBX file/],
  ["an executable", Buffer.concat([Buffer.from("MZ\x90\0\x03"), Buffer.alloc(9000, 7)]), /no TDBX file/],
  ["cut short", complete.subarray(0, complete.length - 40), /cut short/],
  ["cut in the middle", complete.subarray(0, 900), /cut short/],
  ["encrypted", encrypted, /encrypted/],
  ["a bomb", bomb, /damaged|larger than 1 MiB/],
  ["without a manifest", zip([{ name: "data.txt", content: Buffer.from("x") }]), /holds no manifest/],
  [
    "with two manifests",
    zip([1, 2].map(() => ({ name: "manifest.json", content: Buffer.from("{}") }))),
    /more than one|damaged/,
  ],
  [
    "with 100,000 entries",
    zip(Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, content: Buffer.alloc(0) }))),
    /more than 10,000 entries/,
  ],
  [
    "with a manifest of 2 MiB",
    zip([{ name: "manifest.json", content: Buffer.alloc(2 * 1024 * 1024, " ") }]),
    /larger than 1 MiB/,
  ],
  ["no JSON", zip([{ name: "manifest.json", content: Buffer.from("{nope") }]), /not JSON/],
  ["no UTF-8", zip([{ name: "manifest.json", content: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }]), /not JSON/],
  ["a list", withManifest([]), /must be an object/],
  ["another format", withManifest({ ...manifest, format: "tdbx/2" }), /format must be "tdbx\/1"/],
  ["without its facility", withManifest({ ...manifest, facility: {} }), /facility needs uuid or hmisCode/],
  [
    "with more patients than the country",
    withManifest({ ...manifest, totalPatients: 20_000_001 }),
    /totalPatients must be at most 20,000,000/,
  ],
  ["without a date", withManifest({ ...manifest, createdAt: undefined }), /createdAt is missing/],
  ["with a date of no zone", withManifest({ ...manifest, createdAt: "2026-03-31" }), /createdAt must be an instant/],
  [
    "of the day after tomorrow",
    withManifest({ ...manifest, createdAt: new Date(Date.now() + 2 * 86_400_000).toISOString() }),
    /in the future/,
  ],
  ["with less than no clients", withManifest({ ...manifest, totalPatients: -1 }), /totalPatients must not be negative/],
  [
    "with a text for a number",
    withManifest({ ...manifest, totalPatients: "12" }),
    /totalPatients must be a whole number/,
  ],
  [
    "with 1,001 computers",
    withManifest({ ...manifest, computers: Array.from({ length: 1001 }, () => ({ cpuCores: 1, os64Bit: true })) }),
    /at most 1,000/,
  ],
];
