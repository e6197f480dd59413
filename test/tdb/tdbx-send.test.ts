import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { bearerAt, bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { openPoorLine, type PoorLine } from "../support/poorLine.ts";
import { startSender } from "../support/sender.ts";
import { tdbxOf } from "../support/tdbx.ts";

/** The built command-line sender, over connections that break. */

let line: PoorLine | undefined;

const gateway = await gatewayOfFile();
const folder = await mkdtemp(join(tmpdir(), "platform-send-"));
const facilityUuid = (await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow())
  .facilityUuid;
const token = await newToken(["uploadTdbs"]);
afterAll(async () => {
  await line?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function newToken(privileges: string[]): Promise<string> {
  const admin = await gateway.as("admin");
  const { today } = bodyOf<{ today: string }>(await admin.get("/api/v1/system"));
  const { body } = await admin.call("POST", "/api/v1/token", { name: "Sender", privileges, expiryDate: today });
  return (body as { token: string }).token;
}

const start = (args: string[], env: Record<string, string> = { TDBX_TOKEN: token }) => startSender(folder, args, env);
const send = (args: string[], env?: Record<string, string>) => start(args, env).ended;

async function file(name: string, content: Buffer): Promise<Buffer> {
  await writeFile(join(folder, name), content);
  return content;
}
const sha256Of = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const rowsOf = (content: Buffer) =>
  gateway.db.selectFrom("tdb").select("tdbUuid").where("sha256", "=", sha256Of(content)).execute();
/** How many bytes the gateway has of the one unfinished upload. */
async function received(): Promise<number> {
  const [upload] = bodyOf<{ received: number }[]>(await (await gateway.as("admin")).get("/api/v1/tdb/resumable"));
  return upload?.received ?? 0;
}

test("the commands of docs/guides/send.md work as written", async () => {
  await file("clinic.tdbx", tdbxOf(facilityUuid));
  const large = await file("large.tdbx", tdbxOf(facilityUuid, {}, 3_000_000));
  const guide = await readFile("docs/guides/send.md", "utf8");
  const [, commands] = /^## The command-line sender$[^]*?```sh\n([^]*?)```/m.exec(guide)!;
  const shell = spawn("sh", ["-euc", commands!], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ADDRESS: gateway.url, TOKEN: token },
  });
  let err = "";
  shell.stderr.on("data", (part) => (err += part));
  expect(await new Promise((done) => shell.on("close", done)), err).toBe(0);
  expect(err).toMatch(/large\.tdbx: received, reference \d+/);
  expect(await rowsOf(large)).toHaveLength(1);
});

test("a file arrives completely despite cut connections, a connection that loses all data, and a killed sender", async () => {
  line = await openPoorLine(gateway.url, 3_000_000);
  const content = await file("poor.tdbx", tdbxOf(facilityUuid, {}, 12_000_000));
  const args = ["--url", line.url, "--silence-seconds", "1", "--json", "poor.tdbx"];
  const first = start(args);
  await expect.poll(received).toBeGreaterThan(500_000);
  line.cut();
  const atCut = await received();
  await expect.poll(received).toBeGreaterThan(atCut + 500_000);
  const before = line.opened();
  line.swallow(true);
  // Connections are given up and new ones are opened while none is answered.
  await expect.poll(() => line!.opened()).toBeGreaterThan(before + 1);
  line.swallow(false);
  const atSilence = await received();
  await expect.poll(received).toBeGreaterThan(atSilence + 500_000);
  first.child.kill("SIGKILL");
  await first.ended;
  expect(first.err()).toMatch(/has not answered for 1 seconds/);
  const atKill = await received();
  expect(atKill).toBeLessThan(content.length);

  const second = await send(args);
  expect(second.code, second.err).toBe(0);
  const [, from] = /goes on at (\d+) of/.exec(second.err) ?? [];
  expect(Number(from)).toBeGreaterThanOrEqual(atKill);
  expect(JSON.parse(second.out)).toMatchObject({
    file: "poor.tdbx",
    outcome: "accepted",
    receipt: { accepted: true, sha256: sha256Of(content) },
  });
  expect(await rowsOf(content)).toHaveLength(1);
  expect(await received()).toBe(0);
});

/** A proxy to the gateway; `happens` decides what becomes of the first request to finish an upload. */
async function finishProxy(happens: (ask: () => Promise<unknown>) => Promise<void>) {
  const calls: string[] = [];
  let isFirst = true;
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = request.method === "PATCH" ? await buffer(request) : undefined;
      const headers = new Headers(
        Object.entries(request.headers as Record<string, string>).filter(
          ([name]) => !/^(host|connection|content-length)$/.test(name),
        ),
      );
      return fetch(gateway.url + request.url!, {
        method: request.method!,
        headers,
        ...(body ? { body: new Uint8Array(body) } : {}),
      });
    };
    const pass = async () => {
      calls.push(request.method!);
      if (isFirst && request.url!.endsWith("/finish")) {
        isFirst = false;
        await happens(answer);
        request.socket.destroy();
        return;
      }
      const upstream = await answer();
      response.writeHead(
        upstream.status,
        Object.fromEntries(
          [...upstream.headers].filter(
            ([name]) => !/^(connection|keep-alive|transfer-encoding|content-encoding|content-length)$/.test(name),
          ),
        ),
      );
      response.end(Buffer.from(await upstream.arrayBuffer()));
    };
    pass().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close: () => server.close() };
}

test.each([
  ["was lost before it arrived", async () => {}],
  ["was executed, but its answer was lost", async (ask: () => Promise<unknown>) => void (await ask())],
])("neither the same sender nor the next one sends a file again if the request to finish it %s", async (_, happens) => {
  for (const isKilled of [false, true]) {
    const name = `finish-${isKilled}.tdbx`;
    const content = await file(name, tdbxOf(facilityUuid, {}, 400_000));
    let end = () => {};
    const proxy = await finishProxy(async (ask) => {
      await happens(ask);
      if (isKilled) end();
    });
    const first = start(["--url", proxy.url, name]);
    end = () => first.child.kill("SIGKILL");
    const before = await first.ended;
    const sent = proxy.calls.filter((method) => method === "PATCH").length;
    expect(sent).toBeGreaterThan(0);
    const last = isKilled ? await send(["--url", proxy.url, name]) : before;
    expect(last.code, last.err).toBe(0);
    expect(proxy.calls.filter((method) => method === "PATCH")).toHaveLength(sent);
    expect(last.err).toContain(sha256Of(content));
    expect(await rowsOf(content)).toHaveLength(1);
    expect(await received()).toBe(0);
    proxy.close();
  }
});

test("a damaged file is rejected before the platform is asked anything, and the next file is sent", async () => {
  const proxy = await finishProxy(async () => {});
  await file("cut.tdbx", tdbxOf(facilityUuid, {}, 3_000_000).subarray(0, 2_900_000));
  const { code, err } = await send(["--url", proxy.url, "cut.tdbx"]);
  expect([code, err]).toEqual([1, "cut.tdbx: rejected. This is no TDBX file, or it is damaged or cut short.\n"]);
  expect(proxy.calls).toEqual([]);
  proxy.close();
  const whole = await file("whole.tdbx", tdbxOf(facilityUuid));
  expect((await send(["--url", gateway.url, "cut.tdbx", "whole.tdbx"])).code).toBe(1);
  expect(await rowsOf(whole)).toHaveLength(1);
});

test("each result has its exit code and a message", async () => {
  const good = await file("good.tdbx", tdbxOf(facilityUuid));
  await file("bad.tdbx", Buffer.from("letter"));
  const at = ["--url", gateway.url, "--quiet"];
  const mixed = await send([...at, "--json", "bad.tdbx", "missing.tdbx", "good.tdbx"]);
  const results = mixed.out
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as object);
  expect(results).toMatchObject([
    { file: "bad.tdbx", outcome: "rejected", message: expect.stringMatching(/no TDBX file/) },
    { file: "missing.tdbx", outcome: "rejected", message: expect.stringMatching(/ENOENT/) },
    { file: "good.tdbx", outcome: "accepted", receipt: { sha256: sha256Of(good) } },
  ]);
  expect([mixed.code, mixed.err]).toEqual([1, ""]);
  expect((await send([...at, "good.tdbx"])).code).toBe(0);
  for (const args of [[], ["--url", gateway.url], ["--url", "ftp://x", "a.tdbx"], [...at, "--nonsense", "a.tdbx"]])
    expect((await send(args)).code).toBe(2);
  expect((await send([...at, "good.tdbx"], {})).code).toBe(2);
  expect((await send(["--url", "http://127.0.0.1:9", "--give-up-minutes", "0.01", "good.tdbx"])).code).toBe(3);
  expect((await send([...at, "good.tdbx"], { TDBX_TOKEN: "sct_unknown" })).code).toBe(4);
  expect((await send([...at, "good.tdbx"], { TDBX_TOKEN: await newToken(["viewAssessments"]) })).code).toBe(4);
  expect((await send(["--help"])).out).toContain("Exit codes");
});

test("a site credential in a file is renewed there safely, and the old one ends when the new one is used", async () => {
  const admin = await gateway.as("admin");
  const issue = async (days: number) => {
    const { day } = (await gateway.sql<{ day: string }>`select (current_date + ${days}::int)::text as day`)[0]!;
    const { body } = await admin.call("POST", "/api/v1/siteCredential", {
      facilities: [facilityUuid],
      expiryDate: day,
    });
    return (body as { secret: string }[])[0]!.secret;
  };
  const works = async (secret: string) => (await bearerAt(gateway.url, secret).get("/api/v1/site/me")).status;
  const kept = async () => (await readFile(join(folder, "credential"), "utf8")).trim();
  let turn = 0;
  const run = async (args = ["--token-file", "credential"], env: Record<string, string> = {}) => {
    turn += 1;
    await file(`site-${turn}.tdbx`, tdbxOf(facilityUuid));
    return send(["--url", gateway.url, ...args, `site-${turn}.tdbx`], env);
  };
  // A credential that is valid long enough is kept.
  const long = await issue(100);
  await writeFile(join(folder, "credential"), `${long}\n`, { mode: 0o600 });
  expect((await run()).code).toBe(0);
  expect(await kept()).toBe(long);
  // A credential from the environment or the command line is not renewed: there is no place to store the new one.
  const soon = await issue(20);
  for (const [args, env] of [
    [[], { TDBX_TOKEN: soon }],
    [["--token", soon], {}],
  ] as const)
    expect(await run([...args], env)).toMatchObject({ code: 0 });
  expect([await works(long), await works(soon)]).toEqual([401, 200]);
  // Another process is renewing it: the sender uses the present one.
  await writeFile(join(folder, "credential"), soon, { mode: 0o600 });
  await writeFile(join(folder, "credential.new"), "");
  expect((await run()).code).toBe(0);
  expect(await kept()).toBe(soon);
  // The file of a process that was killed long ago does not prevent the renewal.
  await utimes(join(folder, "credential.new"), new Date(0), new Date(0));
  const renewed = await run();
  expect(renewed).toMatchObject({ code: 0 });
  expect(renewed.err).toContain("The site credential was renewed; credential holds the new one.");
  const fresh = await kept();
  expect([fresh === soon, await works(fresh), await works(soon)]).toEqual([false, 200, 401]);
  expect((await stat(join(folder, "credential"))).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).filter((name) => name.startsWith("credential"))).toEqual(["credential"]);
  // Several at the same time renew it in turn or not at all, and all of them send.
  const together = await Promise.all(Array.from({ length: 6 }, () => run()));
  expect(together.map(({ code, err }) => (code === 0 ? "" : err))).toEqual(together.map(() => ""));
  expect(await works(await kept())).toBe(200);
  // A file of another facility is refused with the reason.
  const other = (
    await gateway.db
      .selectFrom("facility")
      .select("facilityUuid")
      .where("facilityUuid", "<>", facilityUuid)
      .executeTakeFirstOrThrow()
  ).facilityUuid;
  await file("other.tdbx", tdbxOf(other));
  const refused = await send(["--url", gateway.url, "--token-file", "credential", "other.tdbx"], {});
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("other.tdbx: rejected. It is of another facility"),
  ]);
});
