import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

import type { TdbxManifest } from "./tdbx.rules.ts";

/**
 * Makes sample TDBX files for tests and demonstrations: ZIP archives with uncompressed entries, and ZIP64 if a size
 * needs it.
 */

/** 1 January 1980, the earliest date of ZIP. It is fixed, so that the same content makes the same file. */
const dosDate = 0x0021;
const utf8Names = 0x0800;
const most32 = 0xffffffff;

type Entry = { name: Buffer; size: number; checksum: number; offset: number };

const needs64 = ({ size, offset }: Entry): boolean => size >= most32 || offset >= most32;

function uint64s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => bytes.writeBigUInt64LE(BigInt(value), 8 * index));
  return bytes;
}

const extra64 = (values: Buffer): Buffer => Buffer.concat([Buffer.from([1, 0, values.length, 0]), values]);

/** The fields that an entry's local header and its record in the directory share. */
function shared(entry: Entry, extra: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(needs64(entry) ? 45 : 20, 0); // version needed
  fields.writeUInt16LE(utf8Names, 2);
  fields.writeUInt16LE(dosDate, 8);
  fields.writeUInt32LE(entry.checksum, 10);
  const size = needs64(entry) ? most32 : entry.size;
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(entry.name.length, 22);
  fields.writeUInt16LE(extra.length, 24);
  return fields;
}

function header(entry: Entry): Buffer {
  const extra = needs64(entry) ? extra64(uint64s(entry.size, entry.size)) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from("PK\x03\x04"), shared(entry, extra), entry.name, extra]);
}

function record(entry: Entry): Buffer {
  const extra = needs64(entry) ? extra64(uint64s(entry.size, entry.size, entry.offset)) : Buffer.alloc(0);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(needs64(entry) ? most32 : entry.offset, 10);
  return Buffer.concat([
    Buffer.from("PK\x01\x02"),
    Buffer.from([45, 0]),
    shared(entry, extra),
    tail,
    entry.name,
    extra,
  ]);
}

/** The directory and the records that end an archive. */
function directoryOf(entries: Entry[], offset: number): Buffer {
  const records = Buffer.concat(entries.map(record));
  const is64 = offset >= most32 || entries.length >= 0xffff;
  const parts: Buffer[] = [records];
  if (is64) {
    const end64 = Buffer.concat([
      Buffer.from("PK\x06\x06"),
      uint64s(44),
      Buffer.from([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      uint64s(entries.length, entries.length, records.length, offset),
    ]);
    parts.push(end64, Buffer.from("PK\x06\x07\0\0\0\0"), uint64s(offset + records.length), Buffer.from([1, 0, 0, 0]));
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(is64 ? most32 : offset, 16);
  return Buffer.concat([...parts, end]);
}

/** A ZIP archive of these entries. */
export function zip(contents: { name: string; content: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const entries: Entry[] = [];
  let offset = 0;
  for (const { name, content } of contents) {
    const entry = { name: Buffer.from(name), size: content.length, checksum: crc32(content), offset };
    const head = header(entry);
    entries.push(entry);
    parts.push(head, content);
    offset += head.length + content.length;
  }
  return Buffer.concat([...parts, directoryOf(entries, offset)]);
}

const payloadName = "data/records.txt";
const textOf = (manifest: object): Buffer => Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);

/** A TDBX file with this manifest and one payload entry of `size` bytes of made-up content. */
export function createTdbx(manifest: TdbxManifest, size = 0): Buffer {
  const payload = Buffer.alloc(size, "Made-up transport data, no patient is in it.\n");
  return zip([
    { name: "manifest.json", content: textOf(manifest) },
    ...(size > 0 ? [{ name: payloadName, content: payload }] : []),
  ]);
}

/** A linear map of the checksum's 32 bits: the image of each bit. */
type BitMap = number[];
const apply = (map: BitMap, bits: number): number =>
  map.reduce((sum, image, bit) => ((bits >>> bit) & 1 ? sum ^ image : sum), 0);

/** What one zero byte does to the checksum's register. */
const byteOfZeros: BitMap = Array.from({ length: 32 }, (_, bit) => {
  let register = 2 ** bit;
  for (let step = 0; step < 8; step += 1) register = (register >>> 1) ^ (register & 1 ? 0xedb88320 : 0);
  return register;
});

/** CRC-32 of this number of zero bytes, by doubling: 30 GB take as long as 30 bytes. */
function checksumOfZeros(size: number): number {
  let register = 0xffffffff;
  let map = byteOfZeros;
  for (let left = size; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) register = apply(map, register);
    const squared = map;
    map = squared.map((image) => apply(squared, image));
  }
  return ~register >>> 0;
}

/**
 * Writes a TDBX file of exactly `size` bytes whose payload is zeros, as a sparse file: 30 GB of it take some kilobytes
 * on the disk. A size too small for the manifest gives the smallest file.
 */
export async function writeTdbx(path: string, manifest: TdbxManifest, size: number): Promise<number> {
  const text = textOf(manifest);
  const first: Entry = { name: Buffer.from("manifest.json"), size: text.length, checksum: crc32(text), offset: 0 };
  const head = Buffer.concat([header(first), text]);
  const payload = (length: number): Entry => ({
    name: Buffer.from(payloadName),
    size: length,
    checksum: 0,
    offset: head.length,
  });
  const frame = (length: number): number => {
    const entry = payload(length);
    const end = head.length + header(entry).length + length;
    return end - length + directoryOf([first, entry], end).length;
  };
  // ZIP64 makes the frame larger, so the size is computed a second time.
  let length = Math.max(0, size - frame(size));
  length = Math.max(0, size - frame(length));
  const entry = { ...payload(length), checksum: checksumOfZeros(length) };
  const start = Buffer.concat([head, header(entry)]);
  const end = directoryOf([first, entry], start.length + length);
  const file = await open(path, "w");
  try {
    await file.write(start, 0, start.length, 0);
    await file.write(end, 0, end.length, start.length + length);
  } finally {
    await file.close();
  }
  return start.length + length + end.length;
}
