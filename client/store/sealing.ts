import type { Holder, Kind, SealedRecord } from "./database.ts";

/** Seals what is kept, and opens it again: AES-GCM, by keys that no script can read. */

const text = new TextEncoder();
const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The keys that follow from a person's seal key (base64). */
export async function holderOf(userUuid: string, sealKey: string): Promise<Holder> {
  const bytes = Uint8Array.from(atob(sealKey), (letter) => letter.charCodeAt(0));
  const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey", "deriveBits"]);
  const purpose = (info: string) => ({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: text.encode(info) });
  const [seal, name, owner] = await Promise.all([
    crypto.subtle.deriveKey(purpose("seal"), root, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]),
    crypto.subtle.deriveKey(purpose("name"), root, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]),
    crypto.subtle.deriveBits(purpose("owner"), root, 128),
  ]);
  return { owner: hex(owner), userUuid, seal, name };
}

/** A name that says nothing to who has not the keys. */
export async function sealedName({ name }: Holder, kind: Kind, key: string): Promise<string> {
  return hex(await crypto.subtle.sign("HMAC", name, text.encode(`${kind}:${key}`)));
}

/** What stands beside the sealed part is authenticated with it: nothing can be changed, or laid in another record's place. */
const beside = ({ format, owner, kind, id, keptAt }: Pick<SealedRecord, "format" | "owner" | "kind" | "id" | "keptAt">) =>
  text.encode(JSON.stringify([format, owner, kind, id, keptAt]));

/** Seals a value, which is one that JSON can say. */
export async function sealed(holder: Holder, kind: Kind, key: string, value: unknown, group?: string): Promise<SealedRecord> {
  const now = new Date();
  const names = await Promise.all([sealedName(holder, kind, key), group === undefined ? undefined : sealedName(holder, kind, group)]);
  const head = { format: 1 as const, owner: holder.owner, kind, id: names[0], keptAt: now.toISOString() };
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const content = text.encode(JSON.stringify({ key, value }));
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: beside(head) }, holder.seal, content);
  return { ...head, ...(names[1] ? { group: names[1] } : {}), usedAt: now.getTime(), bytes: bytes.byteLength, iv, sealed: bytes };
}

/** What a record says; undefined where it cannot be read: cut off, of another version, or sealed by another key. */
export async function unsealed({ seal }: Holder, record: SealedRecord): Promise<{ key: string; value: unknown } | undefined> {
  if (record.format !== 1) return undefined;
  try {
    const content = await crypto.subtle.decrypt({ name: "AES-GCM", iv: record.iv, additionalData: beside(record) }, seal, record.sealed);
    return JSON.parse(new TextDecoder().decode(content)) as { key: string; value: unknown };
  } catch {
    return undefined;
  }
}
