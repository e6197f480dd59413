import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Time-based one-time codes (RFC 6238, based on RFC 4226): HMAC-SHA-1, six digits, steps of 30 seconds, as all
 * authenticator apps support them.
 */

const stepSeconds = 30;
/** How many steps before and after the present one are accepted, because clocks differ and typing takes time. */
const window = 1;

/** The time step of an instant in milliseconds since 1970. */
export const stepOf = (ms: number): number => Math.floor(ms / 1000 / stepSeconds);

export function codeOfStep(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 0x0f) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * The time step near this moment to which the code belongs. All steps are compared, so that the duration does not
 * reveal which one.
 */
export function findStep(secret: Uint8Array, code: string, ms: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const isCode = (step: number) => timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code));
  const steps = Array.from({ length: 2 * window + 1 }, (_, index) => stepOf(ms) - window + index);
  const found = steps.map((step) => (isCode(step) ? step : undefined));
  return found.findLast((step) => step !== undefined);
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A secret as people and apps write it (RFC 4648, base 32); its bits must be a multiple of five. */
export function base32(secret: Uint8Array): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => letters[Number.parseInt(five, 2)]!);
}

/** The address that an authenticator app reads from a QR code: the secret, the account and the product. */
export const otpauthUri = ({
  issuer,
  account,
  secret,
}: {
  issuer: string;
  account: string;
  secret: Uint8Array;
}): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
