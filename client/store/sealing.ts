import { passwordForm } from "../../gateway/input/identity.rules.ts";
import type { Holder, Kind, SealedRecord } from "./database.ts";

/**
 * Encrypts and decrypts stored records: AES-GCM, with keys that no script can export. A person's seal key is encrypted
 * by a key from their password, so that the store opens without network.
 */

const text = new TextEncoder();
const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Derives the keys from a person's seal key (base64). */
export async function holderOf(userUuid: string, sealKey: string): Promise<Holder> {
  const bytes = Uint8Array.from(atob(sealKey), (letter) => letter.charCodeAt(0));
  const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey", "deriveBits"]);
  const purpose = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: text.encode(info),
  });
  const [seal, name, owner] = await Promise.all([
    crypto.subtle.deriveKey(purpose("seal"), root, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]),
    crypto.subtle.deriveKey(purpose("name"), root, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]),
    crypto.subtle.deriveBits(purpose("owner"), root, 128),
  ]);
  return { owner: hex(owner), userUuid, seal, name };
}

/** A keyed hash of a name: without the keys it reveals nothing. */
export async function sealedName({ name }: Holder, kind: Kind, key: string): Promise<string> {
  return hex(await crypto.subtle.sign("HMAC", name, text.encode(`${kind}:${key}`)));
}

/**
 * The unencrypted part of a record is authenticated too, so that it can be neither changed nor swapped with another
 * record's.
 */
const beside = ({
  format,
  owner,
  kind,
  id,
  keptAt,
}: Pick<SealedRecord, "format" | "owner" | "kind" | "id" | "keptAt">) =>
  text.encode(JSON.stringify([format, owner, kind, id, keptAt]));

/** Encrypts a value, which must be JSON. */
export async function sealed(
  holder: Holder,
  kind: Kind,
  key: string,
  value: unknown,
  group?: string,
): Promise<SealedRecord> {
  const now = new Date();
  const names = await Promise.all([
    sealedName(holder, kind, key),
    group === undefined ? undefined : sealedName(holder, kind, group),
  ]);
  const head = { format: 1 as const, owner: holder.owner, kind, id: names[0], keptAt: now.toISOString() };
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const content = text.encode(JSON.stringify({ key, value }));
  const bytes = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: beside(head) },
    holder.seal,
    content,
  );
  return {
    ...head,
    ...(names[1] ? { group: names[1] } : {}),
    usedAt: now.getTime(),
    bytes: bytes.byteLength,
    iv,
    sealed: bytes,
  };
}

/** Decrypts a record. Undefined if that fails: it is cut off, of another version, or encrypted with another key. */
export async function unsealed(
  { seal }: Holder,
  record: SealedRecord,
): Promise<{ key: string; value: unknown } | undefined> {
  if (record.format !== 1) return undefined;
  try {
    const content = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: record.iv, additionalData: beside(record) },
      seal,
      record.sealed,
    );
    return JSON.parse(new TextDecoder().decode(content)) as { key: string; value: unknown };
  } catch {
    return undefined;
  }
}

/** `salt` and `rounds` of PBKDF2 (SHA-256). `sealed`: the person and their seal key */
export type PasswordSeal = {
  /** the pseudonym of the person in stored records */
  owner: string;
  salt: Uint8Array<ArrayBuffer>;
  rounds: number;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
};
type Content = { userUuid: string; sealKey: string };

/** The number that OWASP recommends. A phone needs about a second. */
const rounds = 600_000;

async function passwordKey(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<CryptoKey> {
  const typed = await crypto.subtle.importKey("raw", text.encode(passwordForm(password)), "PBKDF2", false, [
    "deriveKey",
  ]);
  const way = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(way, typed, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Encrypts a seal key with a password. */
export async function sealWithPassword(owner: string, content: Content, password: string): Promise<PasswordSeal> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const key = await passwordKey(password, salt, rounds);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, text.encode(JSON.stringify(content)));
  return { owner, salt, rounds, iv, sealed };
}

/** Decrypts it. Undefined if it is another password. */
export async function openWithPassword(
  { salt, rounds, iv, sealed }: PasswordSeal,
  password: string,
): Promise<Content | undefined> {
  try {
    const key = await passwordKey(password, salt, rounds);
    return JSON.parse(
      new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed)),
    ) as Content;
  } catch {
    return undefined;
  }
}
