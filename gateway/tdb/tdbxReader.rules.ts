import { type Entry, Reader, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";

import {
  directoryLimitBytes,
  entriesLimit,
  manifestLimitBytes,
  manifestName,
  parseManifest,
  TdbxFault,
  type TdbxManifest,
} from "./tdbx.rules.ts";

/**
 * The reader of TDBX files, for the gateway and the browser. It only reads and unpacks the archive's directory and the
 * manifest, whatever the size of the file.
 */

/** A file with random access: an open file on the server, or a chosen file in the browser. */
type TdbxSource = { size: number; read: (offset: number, length: number) => Promise<Uint8Array> };

const tooManyEntries = () =>
  new TdbxFault(`It holds more than ${entriesLimit.toLocaleString("en")} entries, which no TDBX file needs.`);

/** The file as a reader of zip.js. A part that is larger than any valid directory is not read. */
class GuardedReader extends Reader<TdbxSource> {
  constructor(private readonly source: TdbxSource) {
    super(source);
    this.size = source.size;
  }
  override readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    const left = Math.max(0, Math.min(length, this.size - offset));
    if (left > directoryLimitBytes) throw tooManyEntries();
    return this.source.read(offset, left);
  }
}

const isManifest = (entry: Entry): boolean => entry.filename === manifestName;

async function findManifest(zip: ZipReader<unknown>): Promise<Entry> {
  const found: Entry[] = [];
  let entries = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    entries += 1;
    if (entries > entriesLimit) throw tooManyEntries();
    if (entry.encrypted) throw new TdbxFault("It is encrypted. Export it again without a password.");
    if (isManifest(entry)) found.push(entry);
  }
  if (found.length !== 1)
    throw new TdbxFault(
      found.length === 0 ? `It holds no ${manifestName}.` : `It holds more than one ${manifestName}.`,
    );
  return found[0]!;
}

async function unpack(entry: Entry): Promise<Uint8Array> {
  const tooLarge = () => new TdbxFault(`Its ${manifestName} is larger than 1 MiB.`);
  if (entry.directory || !entry.getData) throw new TdbxFault(`Its ${manifestName} is a folder.`);
  if (entry.uncompressedSize > manifestLimitBytes || entry.compressedSize > manifestLimitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The size in the directory may be wrong, so the unpacked bytes are counted.
  const limited = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.length;
      if (size > manifestLimitBytes) throw tooLarge();
      chunks.push(chunk.slice());
    },
  });
  await entry.getData(limited, { useWebWorkers: false, checkSignature: true });
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The manifest of a TDBX file. @throws TdbxFault if it is not a TDBX file; whatever `read` throws */
export async function readTdbx(source: TdbxSource): Promise<TdbxManifest> {
  if (source.size === 0) throw new TdbxFault("The file is empty.");
  let failure: unknown;
  const read: TdbxSource["read"] = async (offset, length) => {
    try {
      return await source.read(offset, length);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    const zip = new ZipReader(new GuardedReader({ size: source.size, read }), { useWebWorkers: false });
    return parseManifest(await unpack(await findManifest(zip)));
  } catch (error) {
    if (failure !== undefined) throw failure;
    if (error instanceof TdbxFault) throw error;
    throw new TdbxFault("This is no TDBX file, or it is damaged or cut short.", { cause: error });
  }
}
