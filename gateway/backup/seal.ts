import { ReadableStream as WebStream } from "node:stream/web";

import {
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from "age-encryption";

import { DamagedBackup } from "./damaged.ts";

/**
 * Encrypted parts of backups. Each is an age file (age-encryption.org/v1), encrypted and decrypted as a stream. Only
 * the holder of a private key can read it.
 */

export type Bytes = AsyncIterable<Uint8Array>;
/** Decrypts a part. @throws DamagedBackup if it is damaged, or encrypted for another key */
export type Opener = (content: Bytes, name: string) => Bytes;
export type Seal = { recipient: string; encrypt: (content: Bytes) => Bytes; open: Opener };

// The cast: the types of Node.js and of the browser differ for the same stream.
const streamOf = (content: Bytes) => WebStream.from(content) as ReadableStream<Uint8Array>;

async function* encrypted(encrypter: Encrypter, content: Bytes): Bytes {
  yield* await encrypter.encrypt(streamOf(content));
}

/** Makes a function that decrypts with any of these private keys. @throws Error if one of them is not a private key */
export function openWith(identities: readonly string[]): Opener {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return async function* opened(content, name) {
    try {
      yield* await decrypter.decrypt(streamOf(content));
    } catch (error) {
      if (error instanceof DamagedBackup || (error as NodeJS.ErrnoException).syscall) throw error;
      const reason = (error as Error).message;
      throw new DamagedBackup(
        reason.startsWith("no identity matched")
          ? `${name} is encrypted for another identity than this one.`
          : `${name} cannot be decrypted: ${reason}.`,
      );
    }
  };
}

/**
 * Encrypts for a public key, and for a temporary key of this process, which is never stored. With the temporary key the
 * process reads what it wrote, to check it.
 */
export async function sealFor(recipient: string): Promise<Seal> {
  const own = await (recipient.startsWith("age1pq1") ? generateHybridIdentity() : generateX25519Identity());
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  encrypter.addRecipient(await identityToRecipient(own));
  return { recipient, encrypt: (content) => encrypted(encrypter, content), open: openWith([own]) };
}

/** The private keys in a file that age-keygen wrote. @throws Error if it contains none, or other lines */
export function identitiesOf(text: string): string[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"));
  if (lines.length === 0 || !lines.every((line) => /^AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]+$/.test(line)))
    throw new Error("it has no private key of age (AGE-SECRET-KEY-1…)");
  openWith(lines);
  return lines;
}
