import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** X.509 certificates for tests: trusted or not, for any name and period. */

const part = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...content: Buffer[]): Buffer => part(0x30, ...content);
const id = (hex: string): Buffer => part(0x06, Buffer.from(hex, "hex"));
const text = (value: string): Buffer => part(0x0c, Buffer.from(value));
const time = (at: Date): Buffer =>
  part(0x17, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));

const ecdsaWithSha256 = sequence(id("2a8648ce3d040302"));
const nameOf = (commonName: string): Buffer => sequence(part(0x31, sequence(id("550403"), text(commonName))));
const basicConstraints = sequence(
  id("551d13"),
  part(0x01, Buffer.from([255])),
  part(0x04, sequence(part(0x01, Buffer.from([255])))),
);
const alternativeName = (host: string): Buffer =>
  sequence(id("551d11"), part(0x04, sequence(part(0x82, Buffer.from(host)))));

export type Certificate = { cert: string; key: string };
type Authority = { name: string; key: KeyObject };

function make({
  name,
  from,
  to,
  extension,
  by,
}: {
  name: string;
  from: Date;
  to: Date;
  extension: Buffer;
  by?: Authority | undefined;
}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const content = sequence(
    part(0xa0, part(0x02, Buffer.from([2]))),
    part(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    nameOf(by?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    part(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", content, by?.key ?? privateKey);
  const der = sequence(content, ecdsaWithSha256, part(0x03, Buffer.from([0]), signature));
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replaceAll(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

/** An authority that signs certificates. Programs that are given its `cert` trust it. */
export function openAuthority(name: string): Certificate & { issue: typeof issue } {
  const own = make({ name, from: inDays(-400), to: inDays(400), extension: basicConstraints });
  const by = { name, key: createPrivateKey(own.key) };
  return { ...own, issue: (host, days) => issue(host, days, by) };
}

/** A certificate for a host, valid from and to these numbers of days from now. It is self-signed without `by`. */
export const issue = (host: string, [from, to]: [number, number], by?: Authority): Certificate =>
  make({ name: host, from: inDays(from), to: inDays(to), extension: alternativeName(host), by });
