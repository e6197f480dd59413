import { connect } from "node:tls";

import type { Finding } from "./doctor.ts";

/** Checks of the public address, as a caller from outside sees it: the certificate, and what the proxy lets through. */

const soonDays = 21;
const patienceMs = 10_000;

/** Days until the certificate of an address ends. @throws the failure of the connection */
function daysOfCertificate({ hostname, port }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false, timeout: patienceMs }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.destroy();
      resolve(Math.floor((Date.parse(end) - Date.now()) / 86_400_000));
    });
    socket.once("error", reject).once("timeout", () => socket.destroy(new Error("no answer for 10 s")));
  });
}

async function certificate(address: URL): Promise<Omit<Finding, "check">> {
  if (address.protocol !== "https:") return { state: "failed", found: `${address.origin} has no TLS: passwords pass in the clear.`, remedy: "see deploy/Caddyfile" };
  const days = await daysOfCertificate(address);
  if (days < 0) return { state: "failed", found: `The certificate ended ${-days} days ago.`, remedy: "renew it, then reload the proxy" };
  return days < soonDays ? { state: "warning", found: `The certificate ends in ${days} days.`, remedy: "renew it, then reload the proxy" } : { state: "ok", found: `the certificate ends in ${days} days` };
}

const ask = (address: URL, path: string, init: RequestInit = {}) => fetch(new URL(path, address), { redirect: "manual", signal: AbortSignal.timeout(patienceMs), ...init });

/** A path that only the proxy's neighbours may read. */
const hidden = (path: string) => async (address: URL): Promise<Omit<Finding, "check">> => {
  const { status } = await ask(address, path);
  return status === 200 || status === 503 || status === 507
    ? { state: "warning", found: `${path} answers callers from outside.`, remedy: `hide ${path} in the proxy, as deploy/nginx.conf does` }
    : { state: "ok", found: `${path} is hidden from outside` };
};

/** The gateway compares a page's origin with the address that it believes it has: the proxy must tell host and protocol. */
async function proxy(address: URL): Promise<Omit<Finding, "check">> {
  // A sign-in without a name: refused as such (400, 422), or already for its origin (403).
  const { status, headers } = await ask(address, "/api/v1/auth", { method: "POST", headers: { origin: address.origin, "content-type": "application/json" }, body: "{}" });
  if (!headers.has("x-request-id")) return { state: "failed", found: `${address.origin} answers ${status}, and not from a gateway.`, remedy: "point the proxy at the gateways" };
  return status === 403
    ? { state: "failed", found: "The gateway does not know its public address: people cannot sign in.", remedy: "set TRUST_PROXY=1, and let the proxy send Host, X-Forwarded-For and X-Forwarded-Proto" }
    : { state: "ok", found: "the gateway knows its public address" };
}

const looks = { certificate, proxy, "readyz outside": hidden("/readyz"), "metrics outside": hidden("/metrics") };

/** Runs all checks of a public address. */
export async function examineAddress(address: URL): Promise<Finding[]> {
  return Promise.all(
    Object.entries(looks).map(async ([check, look]): Promise<Finding> => {
      try {
        return { check, ...(await look(address)) };
      } catch (error) {
        const { message, cause } = error as Error & { cause?: Error };
        return { check, state: "failed", found: `${address.origin} cannot be reached: ${cause?.message || message}`, remedy: "start the proxy, or mend the address" };
      }
    }),
  );
}
