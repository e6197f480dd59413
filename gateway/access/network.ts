import { isIP, SocketAddress } from "node:net";

/**
 * The networks that requests come from: which proxies are believed, and what counts as one caller when wrong sign-ins
 * are counted.
 */

/**
 * The proxies in front of the gateway, whose `X-Forwarded-*` headers are believed: none, how many there are one behind
 * the other, or their addresses and networks.
 */
export type TrustedProxies = false | number | string[];

const mostHops = 10;
/** The shortest prefixes that are believed. A shorter one is no network of proxies, but nearly everybody. */
const leastPrefix = { 4: 8, 6: 16 };

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...others] = text.split("/");
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || others.length > 0) return false;
  if (prefix === undefined) return true;
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= leastPrefix[version] && Number(prefix) <= (version === 4 ? 32 : 128)
  );
}

/**
 * Reads the setting TRUST_PROXY: 0, a number of proxies, or addresses and networks separated by commas. Undefined if
 * it is none of these.
 */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= mostHops ? Number(text) || false : undefined;
  const networks = text.split(",").map((part) => part.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

/** What Fastify's `trustProxy` takes. It refuses a bare number, because it would believe whoever connects directly. */
export const trustOf = (proxies: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === "number" ? (_, hop) => hop < proxies : proxies;

/**
 * The network of an address: an IPv4 address itself, of an IPv6 address its /64, because whoever has one address of a
 * /64 usually has all of them.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (isIP(plain) !== 6) return plain;
  const { address: usual } = new SocketAddress({ address: plain, family: "ipv6" });
  const mapped = /^::ffff:([\d.]+)$/.exec(usual);
  if (mapped) return mapped[1]!;
  const [head = [], tail = []] = usual.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}
