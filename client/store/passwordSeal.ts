/** A person's seal key, encrypted by a key from their password, so that the store opens without network. */

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
const text = new TextEncoder();

async function keyOf(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<CryptoKey> {
  const typed = await crypto.subtle.importKey("raw", text.encode(password.normalize("NFKC").trim()), "PBKDF2", false, ["deriveKey"]);
  const way = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(way, typed, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Encrypts a seal key with a password. */
export async function sealWithPassword(owner: string, content: Content, password: string): Promise<PasswordSeal> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const key = await keyOf(password, salt, rounds);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, text.encode(JSON.stringify(content)));
  return { owner, salt, rounds, iv, sealed };
}

/** Decrypts it. Undefined if it is another password. */
export async function openWithPassword({ salt, rounds, iv, sealed }: PasswordSeal, password: string): Promise<Content | undefined> {
  try {
    const key = await keyOf(password, salt, rounds);
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed))) as Content;
  } catch {
    return undefined;
  }
}
