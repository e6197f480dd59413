import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { examineAddress } from "../../gateway/system/address.ts";
import type { Finding } from "../../gateway/system/doctor.ts";
import { bodyOf, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { type Certificate, issue, openAuthority } from "./certificate.ts";

/**
 * What the doctor finds about the public address: the proxy, what is open to outsiders, and certificates that browsers
 * refuse.
 */

const gateway = await gatewayOfFile("demo", { trustProxy: 1 });

const statesOf = (findings: Finding[]) => findings.map(({ check, state }) => [check, state]);

/** A proxy that replaces these headers, and hides the internal paths. */
const forwarding =
  (replaced: (headers: IncomingMessage["headers"]) => IncomingMessage["headers"]) =>
  (incoming: IncomingMessage, answer: ServerResponse) => {
    if (incoming.url === "/readyz" || incoming.url === "/metrics") return void answer.writeHead(404).end();
    const { method = "GET", url = "/", headers } = incoming;
    const passed = request(
      new URL(url, gateway.url),
      { method, headers: { ...headers, ...replaced(headers) } },
      (received) => {
        answer.writeHead(received.statusCode!, received.headers);
        received.pipe(answer);
      },
    );
    incoming.pipe(passed);
  };

test("missing TLS, paths open to outsiders and a proxy that hides the address are reported; one finding if nothing answers", async () => {
  expect(statesOf(await examineAddress(new URL(gateway.url)))).toEqual([
    ["certificate", "failed"],
    ["proxy", "ok"],
    // No proxy is there, and TRUST_PROXY is 1: whoever calls can invent an address.
    ["trust", "failed"],
    ["readyz outside", "warning"],
    ["metrics outside", "warning"],
  ]);
  const hiding = createServer(forwarding(() => ({ host: "elsewhere" })));
  await new Promise<void>((resolve) => hiding.listen(0, "127.0.0.1", resolve));
  const address = new URL(`http://127.0.0.1:${(hiding.address() as AddressInfo).port}`);
  expect(statesOf(await examineAddress(address))).toEqual([
    ["certificate", "failed"],
    ["proxy", "failed"],
    ["trust", "failed"],
    ["readyz outside", "ok"],
    ["metrics outside", "ok"],
  ]);
  await new Promise((resolve) => hiding.close(resolve));
  expect(await examineAddress(address)).toMatchObject([
    { check: "public address", state: "failed", found: expect.stringContaining("ECONNREFUSED") as string },
  ]);
});

test("the doctor finds by the public address whether TRUST_PROXY is right, for proxies that append", async () => {
  const found = async (appended: string) => {
    const appending = createServer(
      forwarding(({ "x-forwarded-for": sent }) => ({
        "x-forwarded-for": [sent, appended].filter(Boolean).join(", "),
      })),
    );
    await new Promise<void>((resolve) => appending.listen(0, "127.0.0.1", resolve));
    const address = new URL(`http://127.0.0.1:${(appending.address() as AddressInfo).port}`);
    const findings = await examineAddress(address);
    await new Promise((resolve) => appending.close(resolve));
    return findings.find(({ check }) => check === "trust");
  };
  expect(await found("127.0.0.1")).toMatchObject({ state: "ok" });
  // A second proxy added the first one's address.
  expect(await found("127.0.0.1, 10.0.0.9")).toMatchObject({
    state: "warning",
    found: expect.stringContaining("sees 10.0.0.9") as string,
  });
  expect(await found("")).toMatchObject({ state: "failed", found: expect.stringContaining("too high") as string });
});

test("a proxy without a certificate is reported as answering, with the line that obtains a certificate", async () => {
  const bare = createTlsServer({});
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
  const address = new URL(`https://localhost:${(bare.address() as AddressInfo).port}`);
  expect(await examineAddress(address)).toMatchObject([
    {
      check: "public address",
      state: "failed",
      found: expect.stringContaining("answers, but shows no certificate") as string,
      remedy: expect.stringContaining("tls.obtain") as string,
    },
  ]);
  await new Promise((resolve) => bare.close(resolve));
});

describe("behind a proxy with TLS", () => {
  const authority = openAuthority("The ministry's own authority");
  const unknown = openAuthority("Somebody else's authority");
  let proxy: TlsServer;
  let address: URL;
  beforeAll(async () => {
    writeFileSync(join(gateway.dataDir, "authority.pem"), authority.cert);
    proxy = createTlsServer(
      issue("localhost", [-1, 90]),
      forwarding(({ host, "x-forwarded-for": sent }) => ({
        "x-forwarded-proto": "https",
        "x-forwarded-host": host,
        "x-forwarded-for": sent === undefined ? "127.0.0.1" : `${String(sent)}, 127.0.0.1`,
      })),
    );
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    address = new URL(`https://localhost:${(proxy.address() as AddressInfo).port}`);
  });
  afterAll(() => new Promise((resolve) => proxy.close(resolve)));

  /** What `npm run doctor` prints about the address, on a machine that trusts the ministry's authority. */
  async function doctor(certificate: Certificate): Promise<{ findings: Finding[]; code: number }> {
    proxy.setSecureContext(certificate);
    const { PATH = "", HOME = "" } = process.env;
    const env = {
      PATH,
      HOME,
      NODE_EXTRA_CA_CERTS: join(gateway.dataDir, "authority.pem"),
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    };
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        ["gateway/start.mjs", "doctor", "--address", address.href, "--json"],
        { env },
        (error, output) => {
          if (!output) return reject(error!);
          const { findings } = JSON.parse(output) as { findings: Finding[] };
          resolve({
            code: Number(error?.code ?? 0),
            findings: findings.filter(({ check }) => check !== "settings" && check !== "database"),
          });
        },
      );
    });
  }
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test.each<[string, Certificate, [Finding["state"], string | RegExp, string | undefined][]]>([
    [
      "is in order",
      authority.issue("localhost", [-1, 90]),
      [["ok", /^the certificate is trusted and ends in (89|90) days$/, undefined]],
    ],
    [
      "ends soon",
      authority.issue("localhost", [-80, 10]),
      [["warning", /^The certificate ends in (9|10) days\.$/, "certbot renew && systemctl reload nginx"]],
    ],
    [
      "has ended",
      authority.issue("localhost", [-90, -2]),
      [
        [
          "failed",
          `The certificate ended on ${day(-2)}: browsers refuse the platform.`,
          "certbot renew && systemctl reload nginx",
        ],
      ],
    ],
    [
      "begins later",
      authority.issue("localhost", [2, 90]),
      [["failed", `The certificate begins on ${day(2)} only.`, "timedatectl set-ntp true"]],
    ],
    [
      "has another name",
      authority.issue("other.example", [-1, 90]),
      [
        [
          "failed",
          "The certificate is for other.example, not for localhost.",
          "server_name localhost; in /etc/nginx/conf.d/platform.conf",
        ],
      ],
    ],
    [
      "is self-signed",
      issue("localhost", [-1, 90]),
      [
        [
          "failed",
          "The certificate is signed by itself: browsers warn of it, and programs refuse it.",
          "ssl_certificate in /etc/nginx/conf.d/platform.conf",
        ],
      ],
    ],
    [
      "is signed by an unknown authority",
      unknown.issue("localhost", [-1, 90]),
      [
        [
          "failed",
          /^The certificate is not trusted: Somebody else's authority signed it/,
          "NODE_EXTRA_CA_CERTS=/etc/ssl/authority.pem in /etc/platform.env",
        ],
      ],
    ],
    [
      "has two faults",
      authority.issue("other.example", [-90, -2]),
      [
        ["failed", /^The certificate ended on/, "certbot renew"],
        ["failed", /^The certificate is for other\.example/, "certbot --nginx -d localhost"],
      ],
    ],
  ])(
    "a certificate that %s: the doctor reports its state, with the line that fixes a fault",
    async (_, certificate, expected) => {
      const { findings, code } = await doctor(certificate);
      const found = findings.filter(({ check }) => check === "certificate");
      expect(found).toEqual(
        expected.map(([state, words, remedy]) => ({
          check: "certificate",
          state,
          found: typeof words === "string" ? words : (expect.stringMatching(words) as string),
          ...(remedy ? { remedy: expect.stringContaining(remedy) as string } : {}),
        })),
      );
      // The other checks run whatever the certificate is. The exit code is 2 because the command's database is away.
      expect([code, ...statesOf(findings.filter(({ check }) => check !== "certificate"))]).toEqual([
        2,
        ["proxy", "ok"],
        ["trust", "ok"],
        ["readyz outside", "ok"],
        ["metrics outside", "ok"],
      ]);
    },
  );

  test("administrators see the same findings about the address that they opened", async () => {
    proxy.setSecureContext(issue("localhost", [-1, 90]));
    const admin = stranger(gateway.url);
    const opened = { "x-forwarded-proto": "https", "x-forwarded-host": address.host };
    await admin.call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" }, opened);
    const rest = bodyOf(await admin.get("/api/v1/system/checks", opened));
    const graphql = bodyOf(
      await admin.call("POST", "/graphql", { query: "{ systemChecks { findings { check found remedy } } }" }, opened),
    );
    const wanted = {
      check: "certificate",
      found: "The certificate is signed by itself: browsers warn of it, and programs refuse it.",
      remedy: expect.stringContaining("ssl_certificate") as string,
    };
    expect(rest.findings).toContainEqual({ ...wanted, state: "failed" });
    expect(graphql.data.systemChecks.findings).toContainEqual(wanted);
    expect(rest.findings).toContainEqual({
      check: "proxy",
      state: "ok",
      found: "the gateway knows its public address",
    });
    // A person who tries the platform on this machine has no public address.
    const here = bodyOf(await (await gateway.as("admin")).get("/api/v1/system/checks"));
    expect(here.findings.map(({ check }: Finding) => check)).not.toContain("certificate");
  });
});
