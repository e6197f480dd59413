import { crc32 } from "node:zlib";

/** Makes small TDBX files: ZIP archives whose entries are stored as they are (no compression, no ZIP64). */

export type TdbxManifest = {
  format: "tdbx/1";
  facility: { uuid?: string; hmisCode?: string };
  createdAt: string;
  delta: boolean;
  totalPatients: number;
  libraryVersion?: string;
  databaseVersion?: string;
  computers?: { cpuCores: number; os64Bit: boolean }[];
};

/** 1 January 1980, the oldest date that ZIP knows: the same content makes the same file. */
const dosDate = 0x0021;
const utf8Names = 0x0800;

/** A ZIP archive of these entries. */
export function zip(entries: { name: string; content: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const nameBytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0); // version needed
    shared.writeUInt16LE(utf8Names, 2);
    shared.writeUInt16LE(dosDate, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(content.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), shared, nameBytes, content);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), shared, tail, nameBytes);
    offset += 4 + shared.length + nameBytes.length + content.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** A TDBX file with this manifest and one payload entry of `size` bytes of made-up content. */
export function createTdbx(manifest: TdbxManifest, size = 0): Buffer {
  const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const payload = Buffer.alloc(size, "Made-up transport data, no patient is in it.\n");
  return zip([{ name: "manifest.json", content }, ...(size > 0 ? [{ name: "data/records.txt", content: payload }] : [])]);
}
