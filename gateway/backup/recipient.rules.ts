import { z } from "zod";

/** The public key (of age) for which backups are encrypted: Bech32, with a prefix and a checksum at the end. */

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Whether a text is Bech32 with a correct checksum (BIP 173, without its limit of length). */
function hasChecksum(prefix: string, data: string): boolean {
  let sum = 1;
  const take = (value: number) => {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if ((top >>> bit) & 1) sum ^= generator;
  };
  for (const letter of prefix) take(letter.charCodeAt(0) >>> 5);
  take(0);
  for (const letter of prefix) take(letter.charCodeAt(0) & 31);
  for (const letter of data) take(alphabet.indexOf(letter));
  return sum === 1;
}

/** Keys of age itself, including the post-quantum ones (age1pq1…). Keys of plugins are refused: they need a device. */
function isRecipient(text: string): boolean {
  const [, prefix = "", data = ""] = /^(age|age1pq)1([qpzry9x8gf2tvdw0s3jn54khce6mua7l]{58,})$/.exec(text) ?? [];
  return hasChecksum(prefix, data);
}

export const recipientRule = z
  .string()
  .refine(isRecipient, "must be a public key of age: the line that begins with age1 which age-keygen printed, whole");
