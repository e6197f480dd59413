import { type IncomingHttpHeaders, request as overHttp, type RequestOptions } from "node:http";
import { request as overTls } from "node:https";
import { BlockList, isIP } from "node:net";
import { checkServerIdentity, connect, type PeerCertificate } from "node:tls";

import type { Finding } from "./doctor.ts";

/** Checks of the public address, as seen from outside: the certificate, and which paths the proxy passes on. */

const soonDays = 21;
const patienceMs = 10_000;
const dayMs = 86_400_000;

type Found = Omit<Finding, "check">;
const late = () => new Error(`no answer for ${patienceMs / 1000} s`);

const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/g, "");

/**
 * The certificate of an address, and OpenSSL's code for why this machine does not trust it (null: it does).
 *
 * @throws the failure of the connection
 */
function findCertificate(address: URL): Promise<{ shown: PeerCertificate; distrust: string | null }> {
  const host = hostOf(address);
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        host,
        port: Number(address.port || 443),
        ...(isIP(host) ? {} : { servername: host }),
        rejectUnauthorized: false,
        timeout: patienceMs,
      },
      () => {
        const shown = socket.getPeerCertificate();
        const distrust = socket.authorized ? null : String(socket.authorizationError);
        socket.destroy();
        resolve({ shown, distrust });
      },
    );
    socket.once("error", reject).once("timeout", () => socket.destroy(late()));
  });
}

const nginxSite = "/etc/nginx/conf.d/platform.conf";
const caddyfile = "/etc/caddy/Caddyfile";
const renew = "certbot renew && systemctl reload nginx;  with Caddy: journalctl -u caddy says why it was not renewed";
const day = (time: string): string => new Date(time).toISOString().slice(0, 10);

/** A part of a name in a certificate; the first one if there are several. */
const partOf = (part: string | string[] | undefined): string | undefined => [part].flat()[0];

/** Why a certificate with a matching name and a valid time is not trusted, and how to fix it. */
function distrusted(word: string, { issuer }: PeerCertificate, name: string): Found {
  if (word === "DEPTH_ZERO_SELF_SIGNED_CERT")
    return {
      state: "failed",
      found: "The certificate is signed by itself: browsers warn of it, and programs refuse it.",
      remedy: `certbot --nginx -d ${name}  # writes ssl_certificate in ${nginxSite};  with Caddy: no tls internal in ${caddyfile}`,
    };
  const authority = partOf(issuer.CN) ?? partOf(issuer.O) ?? "an authority without a name";
  return {
    state: "failed",
    found: `The certificate is not trusted: ${authority} signed it, which is unknown here, or what stands between them is not sent (${word}).`,
    remedy: `ssl_certificate in ${nginxSite} (tls in ${caddyfile}): a file with the certificate and all between it and its authority, fullchain.pem;  an authority of your own: NODE_EXTRA_CA_CERTS=/etc/ssl/authority.pem in /etc/platform.env`,
  };
}

/** Findings about the certificate of an address. */
async function certificate(address: URL): Promise<Found[]> {
  if (address.protocol !== "https:")
    return [
      {
        state: "failed",
        found: `${address.origin} has no TLS: passwords pass in the clear.`,
        remedy: "see deploy/Caddyfile",
      },
    ];
  const name = hostOf(address);
  const { shown, distrust } = await findCertificate(address);
  const [from, to] = [Date.parse(shown.valid_from), Date.parse(shown.valid_to)];
  const days = Math.floor((to - Date.now()) / dayMs);
  const isOutdated = to <= Date.now() || from > Date.now();
  const isOfOther = checkServerIdentity(name, shown) !== undefined;
  const wrong: Found[] = [];
  if (to <= Date.now())
    wrong.push({
      state: "failed",
      found: `The certificate ended on ${day(shown.valid_to)}: browsers refuse the platform.`,
      remedy: renew,
    });
  if (from > Date.now())
    wrong.push({
      state: "failed",
      found: `The certificate begins on ${day(shown.valid_from)} only.`,
      remedy: "timedatectl set-ntp true  # if that day has come",
    });
  if (isOfOther)
    wrong.push({
      state: "failed",
      found: `The certificate is for ${shown.subjectaltname?.replaceAll(/(DNS|IP Address):/g, "") ?? partOf(shown.subject.CN) ?? "no name"}, not for ${name}.`,
      remedy: `certbot --nginx -d ${name}  # with server_name ${name}; in ${nginxSite};  with Caddy: "${name} {" in ${caddyfile}`,
    });
  const isExplained =
    distrust === "CERT_HAS_EXPIRED" || distrust === "CERT_NOT_YET_VALID" || distrust === "ERR_TLS_CERT_ALTNAME_INVALID";
  if (distrust !== null && !(isExplained && (isOutdated || isOfOther))) wrong.push(distrusted(distrust, shown, name));
  if (wrong.length > 0) return wrong;
  return [
    days < soonDays
      ? { state: "warning", found: `The certificate ends in ${days} days.`, remedy: renew }
      : { state: "ok", found: `the certificate is trusted and ends in ${days} days` },
  ];
}

type Heard = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** the address it was asked from */ from: string;
};

/**
 * Sends a request without checking the certificate, for which there is a separate check.
 *
 * @throws the failure of the connection
 */
function ask(
  address: URL,
  path: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
): Promise<Heard> {
  const url = new URL(path, address);
  const to = url.protocol === "https:" ? overTls : overHttp;
  return new Promise((resolve, reject) => {
    const request = to(
      url,
      { ...options, agent: false, rejectUnauthorized: false, timeout: patienceMs } as RequestOptions,
      (response) => {
        const { statusCode: status = 0, headers, socket } = response;
        const from = socket.localAddress ?? "";
        const parts: Buffer[] = [];
        response
          .on("data", (part: Buffer) => parts.push(part))
          .once("end", () => resolve({ status, headers, text: Buffer.concat(parts).toString(), from }))
          .once("error", reject);
      },
    );
    request.once("error", reject).once("timeout", () => request.destroy(late()));
    request.end(body);
  });
}

/** Checks that a path cannot be read from outside. */
const hidden =
  (path: string) =>
  async (address: URL): Promise<Found[]> => {
    const { status } = await ask(address, path);
    return status === 200 || status === 503 || status === 507
      ? [
          {
            state: "warning",
            found: `${path} answers callers from outside.`,
            remedy: `hide ${path} in the proxy, as deploy/nginx.conf does`,
          },
        ]
      : [{ state: "ok", found: `${path} is hidden from outside` }];
  };

/**
 * Checks that the proxy passes host and protocol on: the gateway compares the origin of pages with the address that
 * follows from these.
 */
async function proxy(address: URL): Promise<Found[]> {
  // A sign-in without a name is refused: with 400 or 422 for its body, or before that with 403 for its origin.
  const { status, headers } = await ask(address, "/api/v1/auth", {
    method: "POST",
    headers: { origin: address.origin, "content-type": "application/json" },
    body: "{}",
  });
  if (headers["x-request-id"] === undefined)
    return [
      {
        state: "failed",
        found: `${address.origin} answers ${status}, and not from a gateway.`,
        remedy: "point the proxy at the gateways",
      },
    ];
  return status === 403
    ? [
        {
          state: "failed",
          found: "The gateway does not know its public address: people cannot sign in.",
          remedy:
            "set TRUST_PROXY to the number of proxies or their networks, and let the proxy send Host, X-Forwarded-For and X-Forwarded-Proto",
        },
      ]
    : [{ state: "ok", found: "the gateway knows its public address" }];
}

/** Addresses that only documentation uses (RFC 5737): nobody calls from there. */
const invented = ["203.0.113.77", "203.0.113.78"];
const inside = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
] as const)
  inside.addSubnet(network, prefix, "ipv4");
inside.addSubnet("fc00::", 7, "ipv6");
inside.addAddress("::1", "ipv6");

/**
 * Checks by the public address that TRUST_PROXY is neither too high (whoever calls can invent an address, and is never
 * limited) nor too low (everybody has the proxy's address, and twenty wrong sign-ins refuse all).
 */
async function trust(address: URL): Promise<Found[]> {
  const { headers, from } = await ask(address, "/healthz", { headers: { "x-forwarded-for": invented.join(", ") } });
  const caller = headers["x-caller-address"];
  if (typeof caller !== "string")
    return [{ state: "warning", found: "/healthz does not pass through the proxy as the gateway answers it." }];
  if (invented.includes(caller))
    return [
      {
        state: "failed",
        found: "TRUST_PROXY is too high: the gateway believes an address that the caller invented.",
        remedy: "set TRUST_PROXY to the number of proxies that add to X-Forwarded-For, or to their networks",
      },
    ];
  if (caller !== from && inside.check(caller, isIP(caller) === 6 ? "ipv6" : "ipv4"))
    return [
      {
        state: "warning",
        found: `The gateway sees ${caller} as the caller: if that is a proxy, everybody counts as one.`,
        remedy: "set TRUST_PROXY one higher, or add the proxy's network, and let it send X-Forwarded-For",
      },
    ];
  return [{ state: "ok", found: `the gateway sees callers by their own address, here ${caller}` }];
}

const looks = { certificate, proxy, trust, "readyz outside": hidden("/readyz"), "metrics outside": hidden("/metrics") };

/** Whether an address is public. A loopback address without TLS is not: the product is being tried out. */
export const isPublic = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** Runs all checks of a public address. If it cannot be reached, there is only one finding. */
export async function examineAddress(address: URL): Promise<Finding[]> {
  try {
    await ask(address, "/healthz");
    const all = Object.entries(looks).map(async ([check, look]) =>
      (await look(address)).map((found) => ({ check, ...found })),
    );
    return (await Promise.all(all)).flat();
  } catch (error) {
    // If Caddy could not get a certificate, or nginx has none for this name, they end the handshake with a TLS alert.
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "EPROTO" || code.startsWith("ERR_SSL"))
      return [
        {
          check: "public address",
          state: "failed",
          found: `${address.origin} answers, but shows no certificate: ${message.trim()}`,
          remedy: `journalctl -u caddy -o cat | grep tls.obtain  # why it got none;  with nginx: certbot --nginx -d ${hostOf(address)}`,
        },
      ];
    const remedy = `start the proxy, or mend the address;  where this machine cannot call itself by it: 127.0.0.1 ${hostOf(address)} in /etc/hosts`;
    return [
      {
        check: "public address",
        state: "failed",
        found: `${address.origin} cannot be reached from here: ${message}`,
        remedy,
      },
    ];
  }
}
